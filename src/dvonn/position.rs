//! A board, a phase and a side to act: the rules of play. Knows nothing of how the position came about, of players or clocks.
//!
//! Forced passes are made as soon as they are due, so the side to act can always act.

use super::board::Board;
use super::cell::Cell;
use super::cell_set::CellSet;
use super::illegal::{self, IllegalMove};
use super::moves::{self, Move};
use super::notation::Ply;
use super::outcome::{Outcome, Score};
use super::piece::{Colour, Piece};
use super::played::{BadStart, Fallen, Immobile, Played};
use super::replay::{ReplayError, replay};

/// Where a game stands between its first placement and its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Pieces are put on free spaces, one a turn.
    Placing,
    /// Stacks are moved on top of each other.
    Stacking,
    /// Neither side can move (RULE-10).
    Over,
}

/// A position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    board: Board,
    phase: Phase,
    /// Who acts; when the game is over, who would be next.
    side: Colour,
}

impl Position {
    /// The beginning of a game: an empty board, White places first.
    pub const fn new() -> Position {
        Position {
            board: Board::EMPTY,
            phase: Phase::Placing,
            side: Colour::White,
        }
    }

    /// White's first stacking turn on a full board. White may have to pass at once (RULE-09).
    ///
    /// # Errors
    /// When the board is not one piece a space, 23 white, 23 black, 3 DVONN pieces.
    pub fn start(board: Board) -> Result<Played, BadStart> {
        for cell in Cell::ALL {
            if board.stack(cell).map(|stack| stack.height()) != Some(1) {
                return Err(BadStart::NotSingle(cell));
            }
        }
        for piece in [Piece::White, Piece::Black, Piece::Dvonn] {
            if board.count(piece) != piece.supply() {
                return Err(BadStart::Supply);
            }
        }
        Ok(settle(board, Colour::White, Vec::new()))
    }

    /// Any linked board of the stacking phase with `side` to move, who may have to pass at once: for studies and tests.
    ///
    /// # Errors
    /// When a stack has no link to a DVONN piece.
    pub fn resume(board: Board, side: Colour) -> Result<Played, BadStart> {
        match board.unlinked().first() {
            Some(cell) => Err(BadStart::Unlinked(cell)),
            None => Ok(settle(board, side, Vec::new())),
        }
    }

    /// The position after `plies` from an empty board, or from a full one.
    ///
    /// # Errors
    /// Names the first bad ply, or what is wrong with `start`.
    pub fn replay(start: Option<Board>, plies: &[Ply]) -> Result<Position, ReplayError> {
        replay(start, plies).map(|replayed| replayed.position)
    }

    /// Where the game stands.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Who is to act, and can; `None` when the game is over.
    pub const fn turn(&self) -> Option<Colour> {
        match self.phase {
            Phase::Over => None,
            Phase::Placing | Phase::Stacking => Some(self.side),
        }
    }

    /// The piece to be placed now, in the placing phase: the three DVONN pieces first, then own colours.
    pub fn due(&self) -> Option<Piece> {
        match self.phase {
            Phase::Placing if self.board.count(Piece::Dvonn) < Piece::Dvonn.supply() => {
                Some(Piece::Dvonn)
            }
            Phase::Placing => Some(self.side.into()),
            Phase::Stacking | Phase::Over => None,
        }
    }

    /// What stands where.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The free spaces.
    pub const fn free(&self) -> CellSet {
        CellSet::ALL.difference(self.board.occupied())
    }

    /// The legal moves of the side to act: by stack, then by target, in canonical order. Placements in the placing phase.
    pub fn legal_moves(&self) -> impl Iterator<Item = Move> + '_ {
        let (places, movers) = match self.phase {
            Phase::Placing => (self.free(), CellSet::EMPTY),
            Phase::Stacking => (CellSet::EMPTY, moves::movers(&self.board, self.side)),
            Phase::Over => (CellSet::EMPTY, CellSet::EMPTY),
        };
        let jumps = movers.iter().flat_map(|from| {
            moves::targets(&self.board, from)
                .iter()
                .map(move |to| Move::Jump { from, to })
        });
        places.iter().map(Move::Place).chain(jumps)
    }

    /// How many legal moves the side to act has; while placing, the number of free spaces.
    pub fn legal_count(&self) -> usize {
        match self.phase {
            Phase::Placing => self.free().len(),
            Phase::Stacking => moves::movers(&self.board, self.side)
                .iter()
                .map(|from| moves::targets(&self.board, from).len())
                .sum(),
            Phase::Over => 0,
        }
    }

    /// Where the stack on `from` can be moved by the side to act; nowhere in the placing phase.
    pub fn legal_from(&self, from: Cell) -> CellSet {
        if self.phase == Phase::Stacking && moves::movers(&self.board, self.side).contains(from) {
            moves::targets(&self.board, from)
        } else {
            CellSet::EMPTY
        }
    }

    /// The stacks of `colour` that cannot move, in canonical order. When all of them are listed, that is why a side passes.
    pub fn immobile(&self, colour: Colour) -> Vec<Immobile> {
        let surrounded = self.board.surrounded();
        self.board
            .owned(colour)
            .iter()
            .map(|cell| Immobile {
                cell,
                surrounded: surrounded.contains(cell),
            })
            .filter(|stack| stack.surrounded || moves::targets(&self.board, stack.cell).is_empty())
            .collect()
    }

    /// The score as it stands (RULE-11).
    pub fn score(&self) -> Score {
        Score::of(&self.board)
    }

    /// The outcome by score, once neither side can move.
    pub fn outcome(&self) -> Option<Outcome> {
        (self.phase == Phase::Over).then(|| self.score().outcome())
    }

    /// Plays a move of the side to act.
    ///
    /// # Errors
    /// Says every rule that the move breaks.
    pub fn play(&self, played: Move) -> Result<Played, IllegalMove> {
        match self.refusal(self.side, played) {
            Some(illegal) => Err(illegal),
            None => Ok(self.apply(played)),
        }
    }

    /// Why `side` could not play `asked` if it were its turn; `None` if it could.
    pub fn refusal(&self, side: Colour, asked: Move) -> Option<IllegalMove> {
        illegal::judge(self, side, asked)
    }

    /// Why a pass may not be recorded here: forced passes are made already, so it never may.
    pub fn refuse_pass(&self) -> IllegalMove {
        illegal::judge_pass(self)
    }

    /// Plays a move that is known to be legal.
    pub(super) fn apply(&self, played: Move) -> Played {
        let mut board = self.board;
        match played {
            Move::Place(cell) => {
                board.push(cell, self.due().unwrap_or(self.side.into()));
                if board.occupied() == CellSet::ALL {
                    // RULE-01: White, who placed the 49th piece, moves first; RULE-09: or passes.
                    return settle(board, Colour::White, Vec::new());
                }
                Played {
                    position: Position {
                        board,
                        phase: Phase::Placing,
                        side: self.side.opposite(),
                    },
                    removed: Vec::new(),
                    passed: None,
                    outcome: None,
                }
            }
            Move::Jump { from, to } => {
                let carried_dvonn = board.with_dvonn().contains(from);
                board.jump(from, to);
                // RULE-06, RULE-07: what lost contact leaves before anybody is asked for a move.
                let cut = if carried_dvonn || can_cut(&board, from) {
                    board.unlinked()
                } else {
                    CellSet::EMPTY
                };
                let removed = fallen(&board, cut);
                board.clear(cut);
                settle(board, self.side.opposite(), removed)
            }
        }
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::new()
    }
}

/// Hands the turn to `next`, or back, or to nobody (RULE-08, RULE-10).
fn settle(board: Board, next: Colour, removed: Vec<Fallen>) -> Played {
    let (phase, side) = if moves::can_move(&board, next) {
        (Phase::Stacking, next)
    } else if moves::can_move(&board, next.opposite()) {
        (Phase::Stacking, next.opposite())
    } else {
        (Phase::Over, next)
    };
    let position = Position { board, phase, side };
    Played {
        position,
        removed,
        passed: (side != next).then_some(next),
        outcome: position.outcome(),
    }
}

/// Whether emptying `from` can have cut the board in two: not if its neighbours are still linked among themselves.
fn can_cut(board: &Board, from: Cell) -> bool {
    let around = from.neighbours().intersection(board.occupied());
    let first = around.first().map_or(CellSet::EMPTY, CellSet::of);
    around.linked_to(first) != around
}

fn fallen(board: &Board, cells: CellSet) -> Vec<Fallen> {
    cells
        .iter()
        .filter_map(|cell| {
            let stack = board.stack(cell)?;
            // A lone DVONN piece is linked to itself and never falls (RULE-06): what falls has an owner.
            stack.owner().map(|owner| Fallen {
                cell,
                owner,
                height: stack.height(),
            })
        })
        .collect()
}

#[cfg(test)]
#[path = "position_tests.rs"]
mod tests;
