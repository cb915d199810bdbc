//! The record of a game: its start, its plies, and what is said about its end. Knows whether all of it agrees with the rules;
//! how it is written is known to [`json`] and [`text`].

pub mod error;
pub mod json;
pub mod text;

use std::fmt;
use std::str::FromStr;

use super::board::Board;
use super::notation::Ply;
use super::outcome::{Outcome, Score};
use super::replay::{Replayed, replay};
use super::setup::Setup;
pub use error::{End, RecordError};

/// A game as it is written down. Setup, start and moves are what happened; the rest is said about it, and checked where the
/// moves tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its number in the club that wrote it.
    pub game: Option<u32>,
    /// Who played White.
    pub white: Option<Person>,
    /// Who played Black.
    pub black: Option<Person>,
    /// How it began.
    pub setup: Setup,
    /// The full board that it began from; `None` for [`Setup::Place`].
    pub start: Option<Board>,
    /// Placements, moves and forced passes. The 49th placement may be missing, as in published records.
    pub moves: Vec<Ply>,
    /// How it ended, if it did.
    pub result: Option<Outcome>,
    /// What ended it.
    pub ended_by: Option<EndedBy>,
    /// The position that the moves are said to lead to.
    pub position: Option<Board>,
    /// The score that they are said to lead to.
    pub score: Option<Score>,
}

/// A player as a record names one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The name.
    pub name: String,
    /// The mail address, where the record may show it.
    pub address: Option<String>,
}

/// What ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EndedBy {
    /// Neither side could move (RULE-10).
    Score,
    /// A side gave up.
    Resignation,
    /// A side let its time run out.
    Time,
    /// Both agreed on a draw.
    Agreement,
    /// The club's admin decided.
    Adjudication,
}

impl EndedBy {
    /// All of them.
    pub const ALL: [EndedBy; 5] = [
        EndedBy::Score,
        EndedBy::Resignation,
        EndedBy::Time,
        EndedBy::Agreement,
        EndedBy::Adjudication,
    ];
}

impl fmt::Display for EndedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EndedBy::Score => "score",
            EndedBy::Resignation => "resignation",
            EndedBy::Time => "time",
            EndedBy::Agreement => "agreement",
            EndedBy::Adjudication => "adjudication",
        })
    }
}

/// A word that names no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a game is ended by score, resignation, time, agreement or adjudication")]
pub struct ParseEndedByError;

impl FromStr for EndedBy {
    type Err = ParseEndedByError;

    fn from_str(text: &str) -> Result<EndedBy, ParseEndedByError> {
        EndedBy::ALL
            .into_iter()
            .find(|by| by.to_string() == text)
            .ok_or(ParseEndedByError)
    }
}

impl Record {
    /// A record of what happened, with nothing said about it.
    pub const fn new(setup: Setup, start: Option<Board>, moves: Vec<Ply>) -> Record {
        Record {
            game: None,
            white: None,
            black: None,
            setup,
            start,
            moves,
            result: None,
            ended_by: None,
            position: None,
            score: None,
        }
    }

    /// Runs through the game and compares what the record says with what comes of it.
    ///
    /// # Errors
    /// Names the first bad ply, counted from 1, or what else contradicts the moves.
    pub fn check(&self) -> Result<Replayed, RecordError> {
        match (self.setup, self.start) {
            (Setup::Place, Some(_)) => return Err(RecordError::StartUnexpected),
            (Setup::Random | Setup::Symmetric, None) => {
                return Err(RecordError::StartMissing(self.setup));
            }
            _ => {}
        }
        let replayed = replay(self.start, &self.moves)?;
        self.check_end(replayed.position.outcome())?;
        let found = *replayed.position.board();
        if let Some(said) = self.position.filter(|said| *said != found) {
            return Err(RecordError::Position {
                said: Box::new(said),
                found: Box::new(found),
            });
        }
        let found = replayed.position.score();
        match self.score.filter(|said| *said != found) {
            Some(said) => Err(RecordError::Score { said, found }),
            None => Ok(replayed),
        }
    }

    /// A game that the board ended has that result and no other; one that goes on by the board needs another end, or none.
    fn check_end(&self, by_board: Option<Outcome>) -> Result<(), RecordError> {
        let agrees = match by_board {
            Some(outcome) => {
                self.result.is_none_or(|said| said == outcome)
                    && self.ended_by.is_none_or(|by| by == EndedBy::Score)
            }
            None => {
                self.result.is_some() == self.ended_by.is_some()
                    && self.ended_by != Some(EndedBy::Score)
            }
        };
        if agrees {
            return Ok(());
        }
        Err(RecordError::Result {
            said: End {
                result: self.result,
                by: self.ended_by,
            },
            found: End {
                result: by_board,
                by: by_board.map(|_| EndedBy::Score),
            },
        })
    }

    /// Reads the plies of this record. Where one cannot be read, those before it are checked: the first bad one is named.
    fn read_moves<'a>(&mut self, texts: impl Iterator<Item = &'a str>) -> Result<(), RecordError> {
        for text in texts {
            match text.parse() {
                Ok(ply) => self.moves.push(ply),
                Err(why) => {
                    let before = Record::new(self.setup, self.start, self.moves.clone()).check()?;
                    return Err(RecordError::Unreadable {
                        ply: before.plies.len() + 1,
                        why,
                    });
                }
            }
        }
        Ok(())
    }
}

/// Reads either form: JSON if it begins with `{`, else the text form.
impl FromStr for Record {
    type Err = RecordError;

    fn from_str(record: &str) -> Result<Record, RecordError> {
        let record = record.trim_start_matches('\u{feff}');
        if record.trim_start().starts_with('{') {
            json::read(record)
        } else {
            text::read(record)
        }
    }
}

/// Reads the value of `key`; an error says what the key may hold.
fn read_value<T: FromStr>(key: &'static str, value: &str) -> Result<T, RecordError>
where
    T::Err: fmt::Display,
{
    value
        .trim()
        .parse()
        .map_err(|why: T::Err| RecordError::Value {
            key,
            why: why.to_string(),
        })
}

#[cfg(test)]
mod record_tests;
