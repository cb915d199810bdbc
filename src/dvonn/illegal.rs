//! Why a move may not be played: every reason that applies, with the facts that explain it, the most helpful one first.
//! Judges a move without the generator, so that each can be tested against the other; writes no sentences for players.

use std::fmt;

use super::cell::Cell;
use super::cell_set::CellSet;
use super::moves::{Move, distance};
use super::notation::Ply;
use super::piece::Colour;
use super::position::{Phase, Position};

/// One rule that a move breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The game is over (RULE-10).
    GameOver,
    /// A move of a stack while pieces are still being placed.
    StillPlacing,
    /// A placement in the stacking phase.
    PlacingOver,
    /// A placement on a space that is not free.
    SpaceTaken,
    /// A pass by a side that need not pass (RULE-08).
    PassNotAllowed,
    /// It ends where it begins.
    SameCell,
    /// Nothing stands where it begins.
    SourceEmpty,
    /// A lone DVONN piece never moves (RULE-05).
    LoneDvonn,
    /// The stack is the other side's (RULE-02).
    NotYourStack {
        /// Whose it is.
        owner: Colour,
    },
    /// All six neighbours are occupied (RULE-04).
    Surrounded,
    /// The two spaces share no straight line (RULE-03).
    NotStraight,
    /// The line is not as long as the stack is high (RULE-03).
    WrongDistance {
        /// Of the stack, in pieces.
        height: u8,
        /// Of the two spaces, in spaces.
        distance: u8,
    },
    /// Nothing stands where it would land (RULE-03).
    TargetEmpty,
}

impl Reason {
    /// A short name for logs and tests, for example `wrong_distance`.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::GameOver => "game_over",
            Reason::StillPlacing => "still_placing",
            Reason::PlacingOver => "placing_over",
            Reason::SpaceTaken => "space_taken",
            Reason::PassNotAllowed => "pass_not_allowed",
            Reason::SameCell => "same_cell",
            Reason::SourceEmpty => "source_empty",
            Reason::LoneDvonn => "lone_red",
            Reason::NotYourStack { .. } => "not_your_stack",
            Reason::Surrounded => "surrounded",
            Reason::NotStraight => "not_straight",
            Reason::WrongDistance { .. } => "wrong_distance",
            Reason::TargetEmpty => "target_empty",
        }
    }
}

/// A move that can be read but may not be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    asked: Ply,
    told: Reason,
    more: Vec<Reason>,
    legal: CellSet,
}

impl IllegalMove {
    /// What was to be played.
    pub const fn asked(&self) -> Ply {
        self.asked
    }

    /// The reason that helps most: the first that the player would have to mend.
    pub const fn told(&self) -> Reason {
        self.told
    }

    /// All reasons, the told one first.
    pub fn reasons(&self) -> impl Iterator<Item = Reason> + '_ {
        std::iter::once(self.told).chain(self.more.iter().copied())
    }

    /// Where the stack that was to move can go, or, while placing, the free spaces.
    pub const fn legal(&self) -> CellSet {
        self.legal
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} may not be played: ", self.asked)?;
        match self.told {
            Reason::GameOver => f.write_str("the game is over"),
            Reason::StillPlacing => f.write_str("pieces are still being placed"),
            Reason::PlacingOver => f.write_str("all pieces are placed"),
            Reason::SpaceTaken => f.write_str("the space is not free"),
            Reason::PassNotAllowed => f.write_str("the side to move has a move"),
            Reason::SameCell => f.write_str("it ends where it begins"),
            Reason::SourceEmpty => f.write_str("nothing stands where it begins"),
            Reason::LoneDvonn => f.write_str("a lone DVONN piece never moves"),
            Reason::NotYourStack { owner } => write!(f, "the stack is {owner}'s"),
            Reason::Surrounded => f.write_str("the stack is surrounded"),
            Reason::NotStraight => f.write_str("the two spaces share no straight line"),
            Reason::WrongDistance { height, distance } => write!(
                f,
                "the stack moves as many spaces as it is high, {height}, and the target is {distance} away"
            ),
            Reason::TargetEmpty => f.write_str("nothing stands where it would land"),
        }
    }
}

impl std::error::Error for IllegalMove {}

/// Why `side` may not play `asked` in `position`, or `None` if it may in its turn.
pub(super) fn judge(position: &Position, side: Colour, asked: Move) -> Option<IllegalMove> {
    let mut reasons = Reasons(None);
    if position.phase() == Phase::Over {
        reasons.add(Reason::GameOver);
    }
    let legal = match asked {
        Move::Place(cell) => judge_place(position, cell, &mut reasons),
        Move::Jump { from, to } => judge_jump(position, side, from, to, &mut reasons),
    };
    reasons.refuse(Ply::Move(asked), legal)
}

/// Why a pass may not be recorded in `position`: forced passes have been made already, so it never may.
pub(super) fn judge_pass(position: &Position) -> IllegalMove {
    IllegalMove {
        asked: Ply::Pass,
        told: if position.phase() == Phase::Over {
            Reason::GameOver
        } else {
            Reason::PassNotAllowed
        },
        more: Vec::new(),
        legal: CellSet::EMPTY,
    }
}

fn judge_place(position: &Position, cell: Cell, reasons: &mut Reasons) -> CellSet {
    if position.phase() != Phase::Placing {
        reasons.add(Reason::PlacingOver);
        return CellSet::EMPTY;
    }
    if position.board().occupied().contains(cell) {
        reasons.add(Reason::SpaceTaken);
    }
    position.free()
}

fn judge_jump(
    position: &Position,
    side: Colour,
    from: Cell,
    to: Cell,
    reasons: &mut Reasons,
) -> CellSet {
    if position.phase() == Phase::Placing {
        reasons.add(Reason::StillPlacing);
        return CellSet::EMPTY;
    }
    let board = position.board();
    let stack = board.stack(from);
    if from == to {
        reasons.add(Reason::SameCell);
    }
    match stack.map(|stack| stack.owner()) {
        None => reasons.add(Reason::SourceEmpty),
        Some(None) => reasons.add(Reason::LoneDvonn),
        Some(Some(owner)) => {
            if owner != side {
                reasons.add(Reason::NotYourStack { owner });
            }
            let around = from.neighbours();
            if around.len() == 6 && around.difference(board.occupied()).is_empty() {
                reasons.add(Reason::Surrounded);
            }
        }
    }
    if from == to {
        return position.legal_from(from);
    }
    match (distance(from, to), stack) {
        (None, _) => reasons.add(Reason::NotStraight),
        (Some(distance), Some(stack)) if distance != stack.height() => {
            reasons.add(Reason::WrongDistance {
                height: stack.height(),
                distance,
            });
        }
        _ => {}
    }
    if !board.occupied().contains(to) {
        reasons.add(Reason::TargetEmpty);
    }
    position.legal_from(from)
}

/// Reasons as they are found, in the order of telling.
struct Reasons(Option<(Reason, Vec<Reason>)>);

impl Reasons {
    fn add(&mut self, reason: Reason) {
        match &mut self.0 {
            None => self.0 = Some((reason, Vec::new())),
            Some((_, more)) => more.push(reason),
        }
    }

    fn refuse(self, asked: Ply, legal: CellSet) -> Option<IllegalMove> {
        self.0.map(|(told, more)| IllegalMove {
            asked,
            told,
            more,
            legal,
        })
    }
}
