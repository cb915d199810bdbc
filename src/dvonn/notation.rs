//! Moves as text: `c3`, `b3-c3`, and in records `pass`. Knows how people and published records write one move; the rest of a
//! line of a mail is known to the command floor.

use std::fmt;
use std::str::FromStr;

use super::cell::ParseCellError;
use super::moves::Move;

/// One ply of a record: a move, or the pass that the rules forced (RULE-08).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ply {
    /// A placement or the move of a stack.
    Move(Move),
    /// A forced pass.
    Pass,
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ply::Move(played) => played.fmt(f),
            Ply::Pass => f.write_str("pass"),
        }
    }
}

/// Why a text is not a ply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParsePlyError {
    /// It does not look like one.
    #[error("{0:?} is not a move such as b3-c3, a placement such as c3, or pass")]
    Syntax(String),
    /// It looks like one but begins on a space that the board does not have.
    #[error("the board has no space {0}, where the move begins")]
    SourceOffBoard(String),
    /// It looks like one but ends, or places a piece, on a space that the board does not have.
    #[error("the board has no space {0}")]
    TargetOffBoard(String),
}

impl ParsePlyError {
    /// A short name for logs and tests, in one series with those of [`super::illegal::Reason`].
    pub const fn name(&self) -> &'static str {
        match self {
            ParsePlyError::Syntax(_) => "syntax",
            ParsePlyError::SourceOffBoard(_) => "source_off_board",
            ParsePlyError::TargetOffBoard(_) => "target_off_board",
        }
    }
}

impl FromStr for Ply {
    type Err = ParsePlyError;

    /// Reads any case; between the spaces of a move nothing, blanks, a dash of any kind, `:`, `>`, `->`, `x` or `to`;
    /// `3b` for `b3`.
    fn from_str(text: &str) -> Result<Ply, ParsePlyError> {
        let syntax = || ParsePlyError::Syntax(text.chars().take(60).collect());
        let plain = text.trim().to_lowercase();
        if plain == "pass" {
            return Ok(Ply::Pass);
        }
        let (first, rest) = split_space(&plain).ok_or_else(syntax)?;
        if rest.is_empty() {
            return match first.parse() {
                Ok(cell) => Ok(Ply::Move(Move::Place(cell))),
                Err(ParseCellError::OffBoard) => Err(ParsePlyError::TargetOffBoard(first)),
                Err(ParseCellError::Syntax) => Err(syntax()),
            };
        }
        let (second, rest) = split_space(skip_separator(rest)).ok_or_else(syntax)?;
        if !rest.is_empty() {
            return Err(syntax());
        }
        let from = first
            .parse()
            .map_err(|_| ParsePlyError::SourceOffBoard(first))?;
        let to = second
            .parse()
            .map_err(|_| ParsePlyError::TargetOffBoard(second))?;
        Ok(Ply::Move(Move::Jump { from, to }))
    }
}

/// Cuts a letter and a digit, in either order, off the front of `text`; gives them back letter first.
fn split_space(text: &str) -> Option<(String, &str)> {
    let mut letters = text.chars();
    let (first, second) = (letters.next()?, letters.next()?);
    let name = match (first, second) {
        ('a'..='z', '0'..='9') => format!("{first}{second}"),
        ('0'..='9', 'a'..='z') => format!("{second}{first}"),
        _ => return None,
    };
    Some((name, letters.as_str()))
}

/// Skips what may stand between the two spaces of a move.
fn skip_separator(text: &str) -> &str {
    let text = text.trim_start();
    let bare = text.trim_start_matches(is_dash);
    let bare = bare.strip_prefix(['>', ':', '→']).unwrap_or(bare);
    let bare = if bare.len() == text.len() {
        text.strip_prefix("to")
            .or(text.strip_prefix('x'))
            .unwrap_or(text)
    } else {
        bare
    };
    bare.trim_start()
}

/// Hyphen-minus, soft hyphen, minus, and the row of dashes U+2010 to U+2015.
const fn is_dash(letter: char) -> bool {
    matches!(
        letter,
        '-' | '\u{ad}' | '\u{2010}'..='\u{2015}' | '\u{2212}'
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_move_is_read_however_people_write_it() {
        for text in [
            "b3-c3",
            "b3c3",
            "B3 C3",
            "b3 to c3",
            "b3:c3",
            "b3>c3",
            "b3xc3",
            "3b-3c",
            " b3 -> c3 ",
            "b3\u{2013}c3",
            "b3 \u{2014} c3",
            "b3\u{a0}c3",
            "b3 → c3",
            "b3toc3",
            "b3 x c3",
            "b3--c3",
        ] {
            assert_eq!(text.parse::<Ply>().unwrap().to_string(), "b3-c3", "{text}");
        }
        for text in ["c3", "C3", "3c", " c3"] {
            assert_eq!(text.parse::<Ply>().unwrap().to_string(), "c3", "{text}");
        }
        assert_eq!("Pass".parse(), Ok(Ply::Pass));
    }

    #[test]
    fn what_is_no_move_is_refused_by_name() {
        for (text, name) in [
            ("", "syntax"),
            ("b", "syntax"),
            ("b3-", "syntax"),
            ("b3-c", "syntax"),
            ("b3-c3-d3", "syntax"),
            ("b33c3", "syntax"),
            ("b3 and c3", "syntax"),
            ("é3-c3", "syntax"),
            ("passe", "syntax"),
            ("a4-g2", "source_off_board"),
            ("a4-l3", "source_off_board"),
            ("g2-l3", "target_off_board"),
            ("j1", "target_off_board"),
        ] {
            assert_eq!(text.parse::<Ply>().unwrap_err().name(), name, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics_and_what_is_read_prints_as_itself(text in "([a-l1-6xXto >:–-]|\\PC){0,8}") {
            if let Ok(ply) = text.parse::<Ply>() {
                prop_assert_eq!(ply.to_string().parse(), Ok(ply));
            }
        }
    }
}
