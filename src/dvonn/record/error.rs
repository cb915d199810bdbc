//! What can be wrong with a record, each in one sentence for whoever wrote it. Knows no rules.

use std::fmt;

use super::super::board::Board;
use super::super::notation::ParsePlyError;
use super::super::outcome::{Outcome, Score};
use super::super::replay::ReplayError;
use super::super::setup::Setup;
use super::EndedBy;

/// Why a text is not a record, or a record not a game by the rules. Plies are counted from 1, placements and passes included.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// Not the JSON object that a record is.
    #[error("not a record in JSON: {0}")]
    Json(String),
    /// A line above the first blank one that is no header.
    #[error("line {line}: a header is written 'key: value', and a blank line ends the headers")]
    Header {
        /// Which, counted from 1.
        line: usize,
    },
    /// A record without setup cannot be replayed.
    #[error("the setup is missing: place, random or symmetric")]
    SetupMissing,
    /// A value that its key does not know.
    #[error("{key}: {why}")]
    Value {
        /// The key.
        key: &'static str,
        /// What is wrong with the value.
        why: String,
    },
    /// A random or symmetric setup without its board.
    #[error("a game with setup {0} needs its start")]
    StartMissing(Setup),
    /// A start where the pieces are placed in the game.
    #[error("a game with setup place begins with an empty board, so it has no start")]
    StartUnexpected,
    /// A ply that cannot be read.
    #[error("ply {ply}: {why}")]
    Unreadable {
        /// Which.
        ply: usize,
        /// What is wrong with it.
        why: ParsePlyError,
    },
    /// A ply that breaks the rules, or a start that is none.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A result other than that of the moves.
    #[error("the record says {said}, the moves say {found}")]
    Result {
        /// Of the record.
        said: End,
        /// Of the moves.
        found: End,
    },
    /// A position other than that of the moves.
    #[error("the record says that the moves lead to {said}, they lead to {found}")]
    Position {
        /// Of the record.
        said: Box<Board>,
        /// Of the moves.
        found: Box<Board>,
    },
    /// A score other than that of the moves.
    #[error("the record says that the score is {said}, it is {found}")]
    Score {
        /// Of the record.
        said: Score,
        /// Of the moves.
        found: Score,
    },
}

impl RecordError {
    /// The first bad ply, if a ply is bad.
    pub const fn ply(&self) -> Option<usize> {
        match self {
            RecordError::Unreadable { ply, .. } => Some(*ply),
            RecordError::Replay(error) => error.ply(),
            _ => None,
        }
    }
}

/// A result with what brought it about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// Who won; `None` when the game goes on.
    pub result: Option<Outcome>,
    /// By what, where it is known.
    pub by: Option<EndedBy>,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.result {
            None => f.write_str("not over")?,
            Some(Outcome::Draw) => f.write_str("draw")?,
            Some(winner) => write!(f, "{winner} wins")?,
        }
        match self.by {
            None => Ok(()),
            Some(by) => write!(f, " by {by}"),
        }
    }
}
