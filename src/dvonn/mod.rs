//! Floor 0: the rules of DVONN, its notation, diagrams and records. Knows no players, clocks, mail or SQL.
//!
//! A [`Position`] is a value: [`Position::play`] gives the next one, with what left the board and who had to pass.
//!
//! ```
//! use dvonn_post::dvonn::{Phase, Position};
//!
//! let mut position = Position::new();
//! while position.phase() == Phase::Placing {
//!     let first_free = position.legal_moves().next().expect("a space is free");
//!     position = position.play(first_free).expect("it is legal").position;
//! }
//! assert_eq!(position.score().white, 23);
//! ```

pub mod board;
pub mod cell;
pub mod cell_set;
pub mod diagram;
pub mod illegal;
pub mod moves;
pub mod notation;
pub mod outcome;
pub mod perft;
pub mod piece;
pub mod played;
pub mod position;
pub mod position_text;
pub mod record;
pub mod replay;
pub mod setup;
pub mod stack;

#[cfg(test)]
mod games;
mod per_cell;

pub use board::Board;
pub use cell::{Cell, ParseCellError};
pub use cell_set::CellSet;
pub use diagram::{Diagram, Marks};
pub use illegal::{IllegalMove, Reason};
pub use moves::{Move, distance};
pub use notation::{ParsePlyError, Ply};
pub use outcome::{Outcome, ParseOutcomeError, Score};
pub use piece::{Colour, Piece};
pub use played::{BadStart, Fallen, Immobile, Played};
pub use position::{Phase, Position};
pub use position_text::ParseBoardError;
pub use record::{EndedBy, Person, Record, RecordError};
pub use replay::{ReplayError, Replayed, ReplayedPly, replay};
pub use setup::{ParseSetupError, Setup};
pub use stack::Stack;
