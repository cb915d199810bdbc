//! A game as a letter shows it: the board, what is new, the end, the record.

use chrono::{DateTime, Utc};

use crate::club::game::EndedBy;
use crate::dvonn::{CellSet, Colour, Fallen, Immobile, Outcome, Ply, Position, Setup};

/// One ply that was made since the reader's last letter.
#[derive(Clone, Debug, PartialEq)]
pub struct PlyNews {
    /// Who made it or had to pass.
    pub by: Colour,
    /// What.
    pub ply: Ply,
    /// What lost contact with a DVONN piece and left.
    pub removed: Vec<Fallen>,
    /// For a pass: why no stack of that side can move.
    pub immobile: Vec<Immobile>,
}

/// A game in progress, for one of its players.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardView {
    /// Number of the game.
    pub game: u32,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The reader's colour.
    pub seat: Colour,
    /// The position as it stands.
    pub position: Position,
    /// Number of plies made so far, placements and passes counted.
    pub ply: u32,
    /// What is new, oldest first; empty when the board is only shown.
    pub news: Vec<PlyNews>,
    /// The last ply that was no pass, for the marks on the board, and all that left since.
    pub last: Option<(Ply, CellSet)>,
    /// A game that has just begun: how it was set up.
    pub begun: Option<Begun>,
    /// The reader asked for all legal moves.
    pub all_moves: bool,
    /// Other games that wait for the reader.
    pub waiting: Option<Waiting>,
}

/// How a game began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begun {
    /// The setup.
    pub setup: Setup,
    /// How the draw can be checked; `None` where nothing was drawn.
    pub draw: Option<Draw>,
}

/// A draw that neither side nor the club could choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    /// The club's secret number, in hexadecimal; its SHA-256 stood in the invitation.
    pub nonce: String,
    /// The digest of the accepting mail, in hexadecimal.
    pub digest: String,
    /// SHA-256 of both, in hexadecimal: the seed of colours and of the board.
    pub seed: String,
}

/// Other games that wait for the reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The one that waits longest.
    pub next: u32,
    /// Its opponent.
    pub opponent: String,
    /// How many in all.
    pub count: u32,
    /// Since when the longest waits.
    pub since: DateTime<Utc>,
}

/// A game that is over.
#[derive(Clone, Debug, PartialEq)]
pub struct OverView {
    /// The last position and what led to it.
    pub board: BoardView,
    /// Who won.
    pub result: Outcome,
    /// How.
    pub by: EndedBy,
    /// Its whole record.
    pub history: HistoryView,
    /// When it began.
    pub started: DateTime<Utc>,
    /// When it ended.
    pub ended: DateTime<Utc>,
}

/// A game's record.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryView {
    /// Number of the game.
    pub game: u32,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The setup.
    pub setup: Setup,
    /// The full board that the stacking phase began with, in the record's notation, where it was drawn.
    pub start: Option<String>,
    /// All plies.
    pub moves: Vec<Ply>,
}
