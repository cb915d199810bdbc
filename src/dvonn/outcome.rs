//! The score and who it makes the winner. Knows RULE-11 only; resignations and clocks belong to the club.

use std::fmt;
use std::str::FromStr;

use super::board::Board;
use super::piece::Colour;

/// How many pieces, of any colour, are in the stacks that each side owns (RULE-11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Score {
    /// In White's stacks.
    pub white: u8,
    /// In Black's stacks.
    pub black: u8,
}

impl Score {
    /// The score of a board; lone DVONN pieces count for nobody.
    pub fn of(board: &Board) -> Score {
        let sum = |colour| {
            board
                .owned(colour)
                .iter()
                .filter_map(|cell| board.stack(cell))
                .map(|stack| stack.height())
                .sum()
        };
        Score {
            white: sum(Colour::White),
            black: sum(Colour::Black),
        }
    }

    /// Who wins with it: more wins, equal is a draw.
    pub fn outcome(self) -> Outcome {
        match self.white.cmp(&self.black) {
            std::cmp::Ordering::Greater => Outcome::White,
            std::cmp::Ordering::Less => Outcome::Black,
            std::cmp::Ordering::Equal => Outcome::Draw,
        }
    }
}

/// White's, a dash, Black's: `27-14`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.white, self.black)
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// White won.
    White,
    /// Black won.
    Black,
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// All three.
    pub const ALL: [Outcome; 3] = [Outcome::White, Outcome::Black, Outcome::Draw];

    /// Who won, if anybody.
    pub const fn winner(self) -> Option<Colour> {
        match self {
            Outcome::White => Some(Colour::White),
            Outcome::Black => Some(Colour::Black),
            Outcome::Draw => None,
        }
    }

    /// The outcome in which `colour` wins.
    pub const fn won_by(colour: Colour) -> Outcome {
        match colour {
            Colour::White => Outcome::White,
            Colour::Black => Outcome::Black,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::White => "white",
            Outcome::Black => "black",
            Outcome::Draw => "draw",
        })
    }
}

/// A word that names no outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a result is white, black or draw")]
pub struct ParseOutcomeError;

impl FromStr for Outcome {
    type Err = ParseOutcomeError;

    fn from_str(text: &str) -> Result<Outcome, ParseOutcomeError> {
        Outcome::ALL
            .into_iter()
            .find(|outcome| outcome.to_string() == text)
            .ok_or(ParseOutcomeError)
    }
}
