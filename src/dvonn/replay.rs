//! A game run through again, ply by ply, from its start. Knows what a record must say and where it first goes wrong; does
//! not know how records are written.

use super::board::Board;
use super::cell::Cell;
use super::illegal::IllegalMove;
use super::moves::Move;
use super::notation::Ply;
use super::piece::Colour;
use super::played::{BadStart, Fallen, Played};
use super::position::{Phase, Position};

/// A game that was run through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// Every ply, the implied 49th placement included.
    pub plies: Vec<ReplayedPly>,
    /// Where they lead.
    pub position: Position,
}

/// One ply of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayedPly {
    /// What was played.
    pub ply: Ply,
    /// How many moves were legal before it: free spaces while placing, 0 for a pass.
    pub legal: usize,
    /// The stacks that left the board after it, in canonical order.
    pub removed: Vec<Fallen>,
}

/// Where a game cannot be run through. Plies are counted from 1, placements and passes included.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The board to start from is not one.
    #[error("the start is not one: {0}")]
    Start(#[from] BadStart),
    /// A ply breaks the rules: an illegal move, or a pass that nothing forces.
    #[error("ply {ply}: {why}")]
    Illegal {
        /// Which.
        ply: usize,
        /// The rules it breaks.
        why: IllegalMove,
    },
    /// A pass was forced and another ply stands in its place (RULE-08).
    #[error("ply {ply}: {colour} has no move and must pass, but the record says {found}")]
    PassMissing {
        /// Which.
        ply: usize,
        /// Who has no move.
        colour: Colour,
        /// What stands there.
        found: Move,
    },
}

impl ReplayError {
    /// The first bad ply, counted from 1.
    pub const fn ply(&self) -> Option<usize> {
        match self {
            ReplayError::Start(_) => None,
            ReplayError::Illegal { ply, .. } | ReplayError::PassMissing { ply, .. } => Some(*ply),
        }
    }
}

/// Runs through `plies` from an empty board, or from a full one. They may stop anywhere, also before a pass that is due.
///
/// Published records leave out the 49th placement, on the only space left: where another ply stands in its place, it is put in.
///
/// # Errors
/// Names the first bad ply, or what is wrong with `start`.
pub fn replay(start: Option<Board>, plies: &[Ply]) -> Result<Replayed, ReplayError> {
    let mut run = Run {
        plies: Vec::with_capacity(plies.len() + 1),
        position: Position::new(),
        owed: None,
    };
    if let Some(board) = start {
        run.take(Position::start(board)?);
    }
    for &ply in plies {
        if let Some(last) = run.implied_placement(ply) {
            run.step(Ply::Move(Move::Place(last)))?;
        }
        run.step(ply)?;
    }
    Ok(Replayed {
        plies: run.plies,
        position: run.position,
    })
}

struct Run {
    plies: Vec<ReplayedPly>,
    position: Position,
    /// The pass that the record has to show next.
    owed: Option<Colour>,
}

impl Run {
    fn step(&mut self, ply: Ply) -> Result<(), ReplayError> {
        let number = self.plies.len() + 1;
        let illegal = |why| ReplayError::Illegal { ply: number, why };
        let (legal, removed) = match (self.owed.take(), ply) {
            (Some(_), Ply::Pass) => (0, Vec::new()),
            (Some(colour), Ply::Move(found)) => {
                return Err(ReplayError::PassMissing {
                    ply: number,
                    colour,
                    found,
                });
            }
            (None, Ply::Pass) => return Err(illegal(self.position.refuse_pass())),
            (None, Ply::Move(played)) => {
                let legal = self.position.legal_count();
                let played = self.position.play(played).map_err(illegal)?;
                (legal, self.take(played))
            }
        };
        self.plies.push(ReplayedPly {
            ply,
            legal,
            removed,
        });
        Ok(())
    }

    fn take(&mut self, played: Played) -> Vec<Fallen> {
        self.position = played.position;
        self.owed = played.passed;
        played.removed
    }

    /// The one free space, when all but one piece are placed and the next ply is no placement.
    fn implied_placement(&self, next: Ply) -> Option<Cell> {
        let free = self.position.free();
        let implied = self.position.phase() == Phase::Placing
            && free.len() == 1
            && !matches!(next, Ply::Move(Move::Place(_)));
        free.first().filter(|_| implied)
    }
}
