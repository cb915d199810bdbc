//! Replays every game from its events, and compares every column that repeats what they say.
//!
//! Knows games by the page, so that a club of any size fits. Refuses to mend anything: it tells.

use anyhow::Result;
use data_encoding::HEXLOWER_PERMISSIVE;
use rusqlite::Row;

use super::words::seconds;
use super::{Store, Tx, is_damaged};
use crate::club::challenge::{Challenge, ChallengeState};
use crate::club::game::{EndedBy, Event, Happened};
use crate::club::player::PlayerId;
use crate::dvonn::{Board, Colour, Outcome, Ply, Position, Setup, setup};

/// Games that are held in memory at a time.
const PAGE: u32 = 200;

/// What a check looked at, and how much of it is wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Games, running or over.
    pub games: u64,
    /// Their events.
    pub events: u64,
    /// Members.
    pub members: u32,
    /// Mails that came in.
    pub mails: u32,
    /// Letters that went or go out.
    pub letters: u32,
    /// What was told to be wrong.
    pub troubles: u64,
}

/// Whom trouble is told to, a line each.
pub type Tell<'a> = &'a mut dyn FnMut(&str);

/// A row of `games`, as it stands there.
struct Columns {
    number: u32,
    white: PlayerId,
    black: PlayerId,
    setup: String,
    start: Option<String>,
    draw: [Option<String>; 3],
    started_at: i64,
    told: Told,
}

/// The columns that repeat what the events say.
#[derive(PartialEq, Eq)]
struct Told {
    turn: Option<String>,
    turn_since: i64,
    serial: i64,
    result: Option<String>,
    ended_by: Option<String>,
    ended_at: Option<i64>,
    score_white: i64,
    score_black: i64,
}

impl Store {
    /// Checks everything: the file, its references, and every game by replay.
    ///
    /// # Errors
    /// The database cannot be read at present. What is wrong with it is told, a line each, and counted.
    pub fn verify(&mut self, tell: Tell<'_>) -> Result<Checked> {
        let mut checked = Checked::default();
        let mut count = |line: &str| {
            checked.troubles += 1;
            tell(line);
        };
        let counted = self.read(|tx| {
            tx.check_file(&mut count)?;
            tx.check_tables(&mut count)?;
            let (games, events) = tx.check_games(&mut count)?;
            let (members, mails, letters) = tx.sizes()?;
            Ok((games, events, members, mails, letters))
        });
        match counted {
            Ok((games, events, members, mails, letters)) => {
                (checked.games, checked.events) = (games, events);
                (checked.members, checked.mails, checked.letters) = (members, mails, letters);
            }
            Err(error) if is_damaged(&error) => count(&format!("database: {error:#}")),
            Err(error) => return Err(error),
        }
        Ok(checked)
    }
}

impl Tx<'_> {
    fn check_games(&self, tell: Tell<'_>) -> Result<(u64, u64)> {
        let (mut games, mut events, mut last) = (0, 0, 0);
        loop {
            let mut page = self.0.prepare_cached(
                "SELECT number, white, black, setup, start, draw_nonce, draw_digest, draw_seed, started_at, turn,
                        turn_since, serial, result, ended_by, ended_at, score_white, score_black
                 FROM games WHERE number > ?1 ORDER BY number LIMIT ?2",
            )?;
            let rows: Vec<Columns> = page
                .query_map([last, PAGE], read)?
                .collect::<Result<_, _>>()?;
            let Some(newest) = rows.last() else {
                return Ok((games, events));
            };
            last = newest.number;
            for game in &rows {
                let mut trouble = |what: String| tell(&format!("game {}: {what}", game.number));
                games += 1;
                match self.events_of(game.number) {
                    Ok(its) => {
                        events += u64::try_from(its.len())?;
                        game.compare(&its, &mut trouble);
                    }
                    Err(error) => trouble(format!("its events cannot be read: {error:#}")),
                }
                match self.challenge(game.number) {
                    Ok(challenge) => game.compare_challenge(challenge.as_ref(), &mut trouble),
                    Err(error) => trouble(format!("its challenge cannot be read: {error:#}")),
                }
            }
        }
    }
}

impl Columns {
    /// What the events say against what the columns say.
    fn compare(&self, events: &[Event], trouble: &mut dyn FnMut(String)) {
        for (serial, event) in (1..).zip(events) {
            if event.serial != serial {
                trouble(format!(
                    "event {serial} is missing; what follows has serial {}",
                    event.serial
                ));
                return;
            }
        }
        let start: Option<Board> = match self.start.as_deref().map(str::parse).transpose() {
            Ok(start) => start,
            Err(error) => return trouble(format!("start cannot be read: {error}")),
        };
        let plies: Vec<Ply> = events
            .iter()
            .filter_map(|event| match event.what {
                Happened::Ply(ply) => Some(ply),
                Happened::Resigned(_) => None,
            })
            .collect();
        let position = match Position::replay(start, &plies) {
            Ok(position) => position,
            Err(error) => return trouble(format!("events do not replay: {error}")),
        };
        let said = Told::by(&position, events, self.started_at);
        self.told.differences(&said, trouble);
    }

    /// The game against the challenge that it came from, and its lots against the numbers they were drawn with.
    fn compare_challenge(&self, challenge: Option<&Challenge>, trouble: &mut dyn FnMut(String)) {
        let Some(challenge) = challenge else {
            return trouble("there is no challenge of its number".to_owned());
        };
        if challenge.state != ChallengeState::Accepted {
            trouble("its challenge is not accepted".to_owned());
        }
        if ![self.white, self.black].contains(&challenge.from) {
            trouble("the challenger does not play".to_owned());
        }
        if self.white == self.black {
            trouble("white and black are the same member".to_owned());
        }
        if challenge.setup.to_string() != self.setup {
            trouble(differs("setup", &self.setup, &challenge.setup));
        }
        if (challenge.setup == Setup::Place) == self.start.is_some() {
            trouble(format!("start does not fit setup {}", challenge.setup));
        }
        self.compare_draw(challenge, trouble);
    }

    fn compare_draw(&self, challenge: &Challenge, trouble: &mut dyn FnMut(String)) {
        let [nonce, digest, seed] = match &self.draw {
            [Some(nonce), Some(digest), Some(seed)] => [nonce, digest, seed],
            [None, None, None] => return,
            _ => {
                return trouble(
                    "draw_nonce, draw_digest and draw_seed are not all there".to_owned(),
                );
            }
        };
        let accepting = HEXLOWER_PERMISSIVE
            .decode(digest.as_bytes())
            .ok()
            .and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
        let Some(accepting) = accepting else {
            return trouble("draw_digest cannot be read".to_owned());
        };
        let (lot, draw) = challenge.draw(&accepting);
        for (column, there, right) in [
            ("draw_nonce", nonce, &draw.nonce),
            ("draw_seed", seed, &draw.seed),
        ] {
            if there != right {
                trouble(differs(column, there, right));
            }
        }
        let board = match challenge.setup {
            Setup::Place => None,
            Setup::Random => Some(setup::random(&lot)),
            Setup::Symmetric => Some(setup::symmetric(&lot)),
        };
        let board = board.map(|board| board.to_string());
        if board != self.start {
            trouble("start is not the board that was drawn".to_owned());
        }
    }
}

impl Told {
    /// What the columns must be.
    fn by(position: &Position, events: &[Event], started_at: i64) -> Told {
        let resigned = events.last().and_then(|event| match event.what {
            Happened::Resigned(Colour::White) => Some(Outcome::Black),
            Happened::Resigned(Colour::Black) => Some(Outcome::White),
            Happened::Ply(_) => None,
        });
        let (result, by) = match (resigned, position.outcome()) {
            (Some(result), _) => (Some(result), Some(EndedBy::Resignation)),
            (None, Some(result)) => (Some(result), Some(EndedBy::Score)),
            (None, None) => (None, None),
        };
        let last = events.last().map_or(started_at, |event| seconds(event.at));
        let turn = position.turn().filter(|_| result.is_none());
        let score = position.score();
        Told {
            turn: turn.map(|colour| colour.to_string()),
            turn_since: last,
            serial: i64::try_from(events.len()).unwrap_or(i64::MAX),
            result: result.map(|result| result.to_string()),
            ended_by: by.map(|by| by.word().to_owned()),
            ended_at: result.map(|_| last),
            score_white: score.white.into(),
            score_black: score.black.into(),
        }
    }

    fn differences(&self, right: &Told, trouble: &mut dyn FnMut(String)) {
        let text = |word: &Option<String>| word.clone().unwrap_or_else(|| "empty".to_owned());
        let moment = |at: Option<i64>| at.map_or_else(|| "empty".to_owned(), |at| at.to_string());
        for (column, there, right) in [
            ("turn", text(&self.turn), text(&right.turn)),
            (
                "turn_since",
                self.turn_since.to_string(),
                right.turn_since.to_string(),
            ),
            ("serial", self.serial.to_string(), right.serial.to_string()),
            ("result", text(&self.result), text(&right.result)),
            ("ended_by", text(&self.ended_by), text(&right.ended_by)),
            ("ended_at", moment(self.ended_at), moment(right.ended_at)),
            (
                "score_white",
                self.score_white.to_string(),
                right.score_white.to_string(),
            ),
            (
                "score_black",
                self.score_black.to_string(),
                right.score_black.to_string(),
            ),
        ] {
            if there != right {
                trouble(differs(column, &there, &right));
            }
        }
    }
}

fn differs(column: &str, there: &impl ToString, right: &impl ToString) -> String {
    format!(
        "{column} is {}, but the record says {}",
        there.to_string(),
        right.to_string()
    )
}

fn read(row: &Row<'_>) -> rusqlite::Result<Columns> {
    Ok(Columns {
        number: row.get(0)?,
        white: PlayerId(row.get(1)?),
        black: PlayerId(row.get(2)?),
        setup: row.get(3)?,
        start: row.get(4)?,
        draw: [row.get(5)?, row.get(6)?, row.get(7)?],
        started_at: row.get(8)?,
        told: Told {
            turn: row.get(9)?,
            turn_since: row.get(10)?,
            serial: row.get(11)?,
            result: row.get(12)?,
            ended_by: row.get(13)?,
            ended_at: row.get(14)?,
            score_white: row.get(15)?,
            score_black: row.get(16)?,
        },
    })
}
