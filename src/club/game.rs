//! A game: its start and its append-only list of events. The position is replayed from them, never stored.

use chrono::{DateTime, Utc};

use crate::club::notice::{Begun, Draw};
use crate::club::player::PlayerId;
use crate::dvonn::{Board, Cell, CellSet, Colour, IllegalMove, Move, Outcome, Phase, Ply, Position, Setup};

/// One game of two members.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// Its number, unique among games and challenges.
    pub number: u32,
    /// Who plays white.
    pub white: Seat,
    /// Who plays black.
    pub black: Seat,
    /// How the pieces came onto the board.
    pub setup: Setup,
    /// The full board at the start of the stacking phase where it was drawn; `None` for the placing setup.
    pub start: Option<Board>,
    /// How the draw can be checked; `None` where nothing was drawn.
    pub draw: Option<Draw>,
    /// When it began.
    pub started: DateTime<Utc>,
    /// All that happened, oldest first; the serial of the n-th event is n.
    pub events: Vec<Event>,
    /// The position after the events.
    pub position: Position,
    /// How it ended, once it has.
    pub ended: Option<Ended>,
}

/// One of the two places at the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    /// Who sits there.
    pub player: PlayerId,
    /// The player's name when the game was loaded.
    pub name: String,
}

/// Something that happened in a game; each makes a state with a serial of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The state that it leads to: 1 for the first event.
    pub serial: u32,
    /// The moment that counts: when the mail arrived that caused it.
    pub at: DateTime<Utc>,
    /// What happened.
    pub what: Happened,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Happened {
    /// A placement, a move or a forced pass.
    Ply(Ply),
    /// A player resigned.
    Resigned(Colour),
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Who won.
    pub result: Outcome,
    /// How.
    pub by: EndedBy,
    /// When.
    pub at: DateTime<Utc>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndedBy {
    /// Nobody could move any more.
    Score,
    /// A player resigned.
    Resignation,
}

impl EndedBy {
    /// The word of the JSON contract.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            EndedBy::Score => "score",
            EndedBy::Resignation => "resignation",
        }
    }
}

/// What a legal ply led to.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The events, in order: the ply, and a forced pass where there is one.
    pub events: Vec<Event>,
    /// The same as news for the players.
    pub news: Vec<crate::club::notice::PlyNews>,
    /// The end, if this was it.
    pub ended: Option<Ended>,
}
