//! What comes of a move, and what is told of a position besides: values for those who announce them. Knows no rules.

use super::cell::Cell;
use super::outcome::Outcome;
use super::piece::Colour;
use super::position::Position;

/// What a move brought about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The position after it, after removals and forced passes.
    pub position: Position,
    /// The stacks that lost contact with the DVONN pieces and left (RULE-06), in canonical order.
    pub removed: Vec<Fallen>,
    /// Who had to pass after it (RULE-08). At the end of the game nobody passes (RULE-10).
    pub passed: Option<Colour>,
    /// The outcome by score, if it ended the game.
    pub outcome: Option<Outcome>,
}

/// A stack that left the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fallen {
    /// Where it stood.
    pub cell: Cell,
    /// Whose it was.
    pub owner: Colour,
    /// How many pieces it had.
    pub height: u8,
}

/// A stack that cannot move, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Immobile {
    /// Where it stands.
    pub cell: Cell,
    /// Whether it is surrounded (RULE-04); if not, nothing stands where it could land.
    pub surrounded: bool,
}

/// Why a board cannot begin a stacking phase, or be taken up in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadStart {
    /// A space is empty or holds more than one piece.
    #[error("a start has exactly one piece on each of the 49 spaces, and {0} has not")]
    NotSingle(Cell),
    /// The pieces are not 23 white, 23 black and 3 DVONN pieces.
    #[error("a start has 23 white, 23 black and 3 DVONN pieces")]
    Supply,
    /// A stack without link to a DVONN piece (RULE-06).
    #[error("the stack on {0} has no link to a DVONN piece")]
    Unlinked(Cell),
}
