//! Records as text: `key: value` headers, a blank line, numbered plies. What `record N` prints, letters show and `replay`
//! reads.
//!
//! ```text
//! game: 12
//! white: Anna
//! setup: place
//! result: white
//! ended_by: score
//! score: 27-14
//!
//!   1. f3       2. c3       3. d4       4. e2       5. g3       6. b2
//! ```

use std::fmt::{self, Write};

use super::super::notation::Ply;
use super::super::outcome::Score;
use super::{Person, Record, RecordError, read_value};

/// Plies a line: six of ten columns, two between them, are 70 columns.
const PER_LINE: usize = 6;

/// The text form. Only what the record says is written; `position` is not, since the moves tell it.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut header = |key: &str, value: Option<String>| match value {
            Some(value) => writeln!(f, "{key}: {}", value.replace(char::is_control, " ")),
            None => Ok(()),
        };
        header("game", self.game.map(|game| game.to_string()))?;
        header("white", self.white.as_ref().map(Person::to_string))?;
        header("black", self.black.as_ref().map(Person::to_string))?;
        header("setup", Some(self.setup.to_string()))?;
        header("start", self.start.map(|board| board.to_string()))?;
        header("result", self.result.map(|result| result.to_string()))?;
        header("ended_by", self.ended_by.map(|by| by.to_string()))?;
        header("score", self.score.map(|score| score.to_string()))?;
        f.write_str("\n")?;
        write_plies(f, &self.moves)
    }
}

fn write_plies(f: &mut fmt::Formatter<'_>, plies: &[Ply]) -> fmt::Result {
    let mut line = String::new();
    for (number, ply) in (1..).zip(plies) {
        write!(line, "{number:>3}. {:<5}  ", ply.to_string())?;
        if number % PER_LINE == 0 || number == plies.len() {
            writeln!(f, "{}", line.trim_end())?;
            line.clear();
        }
    }
    Ok(())
}

impl fmt::Display for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.address {
            Some(address) => write!(f, "{} <{address}>", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// Reads the text form. `setup` is needed, `start` unless the setup is `place`; other headers may be there.
///
/// # Errors
/// When a header is none or holds a wrong value, or a ply cannot be read; what the moves lead to is left to
/// [`Record::check`].
pub(super) fn read(text: &str) -> Result<Record, RecordError> {
    let mut lines = (1..)
        .zip(text.lines())
        .skip_while(|(_, line)| line.trim().is_empty());
    let mut headers = Vec::new();
    for (line, header) in lines
        .by_ref()
        .take_while(|(_, line)| !line.trim().is_empty())
    {
        let (key, value) = header.split_once(':').ok_or(RecordError::Header { line })?;
        headers.push((key.trim().to_lowercase(), value.trim()));
    }
    let value = |key: &str| {
        headers
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| *value)
    };

    let setup = read_value("setup", value("setup").ok_or(RecordError::SetupMissing)?)?;
    let start = value("start")
        .map(|board| read_value("start", board))
        .transpose()?;
    let mut record = Record {
        game: value("game")
            .map(|game| read_value("game", game))
            .transpose()?,
        white: value("white").map(read_person),
        black: value("black").map(read_person),
        result: value("result")
            .map(|result| read_value("result", result))
            .transpose()?,
        ended_by: value("ended_by")
            .map(|by| read_value("ended_by", by))
            .transpose()?,
        position: value("position")
            .map(|board| read_value("position", board))
            .transpose()?,
        score: value("score").map(read_score).transpose()?,
        ..Record::new(setup, start, Vec::new())
    };
    let plies = lines
        .flat_map(|(_, line)| line.split_whitespace())
        .map(without_number)
        .filter(|ply| !ply.is_empty());
    record.read_moves(plies)?;
    Ok(record)
}

/// `12.` before a ply, apart from it or not, is for people; plies are counted as they come.
fn without_number(word: &str) -> &str {
    let bare = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    match bare.strip_prefix('.') {
        Some(ply) if bare.len() < word.len() => ply,
        _ => word,
    }
}

/// `Anna <anna@example.org>`, or the name alone.
fn read_person(text: &str) -> Person {
    let address = text
        .strip_suffix('>')
        .and_then(|text| text.rsplit_once('<'))
        .filter(|(_, address)| address.contains('@'));
    match address {
        Some((name, address)) => Person {
            name: name.trim().to_owned(),
            address: Some(address.to_owned()),
        },
        None => Person {
            name: text.to_owned(),
            address: None,
        },
    }
}

/// `27-14`: White's, then Black's.
fn read_score(text: &str) -> Result<Score, RecordError> {
    let parsed = text.split_once('-').and_then(|(white, black)| {
        Some(Score {
            white: white.trim().parse().ok()?,
            black: black.trim().parse().ok()?,
        })
    });
    parsed.ok_or(RecordError::Value {
        key: "score",
        why: "a score is written as White's pieces, a dash and Black's, for example 27-14"
            .to_owned(),
    })
}
