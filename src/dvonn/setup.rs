//! The three ways to begin a game, and the boards that two of them draw from a seed. Knows how anyone can draw the same board
//! again; does not know where a seed comes from.
//!
//! **Numbers from a seed.** Bytes are SHA-256(seed, n) for n = 0, 1, 2 … one after the other, the seed 32 bytes, n as 8 bytes,
//! most significant first. A number below k (k at most 256) is the next byte modulo k; bytes of 256 - (256 mod k) and more are
//! skipped.
//!
//! **random.** The pieces are laid out in canonical order of the spaces, 3 DVONN, 23 white, 23 black; for i = 48 down to 1
//! the pieces i and (number below i + 1) change places. Redrawn from the same stream, from the same first layout, until the
//! board is balanced: no piece has six neighbours of its own colour, and on the edge, in rows 1–2, in rows 4–5, left and
//! right of the line e1–f3–g5, White and Black have equally many pieces, or one more where the number is odd.
//!
//! **symmetric.** A DVONN piece on f3. The 24 spaces before it make a pair each with the space opposite. The pair with the
//! number below 24 gets the other two DVONN pieces; for each other pair, in canonical order, a number below 2 says whether
//! its first space is white (0) or black (1), and the space opposite gets the other colour.

use std::fmt;
use std::iter;
use std::str::FromStr;

use ring::digest;

use super::board::Board;
use super::cell::Cell;
use super::cell_set::CellSet;
use super::piece::{Colour, Piece};

/// How a game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Setup {
    /// The players place the pieces.
    Place,
    /// A balanced board drawn from a seed.
    Random,
    /// A board on which both sides stand alike, drawn from a seed.
    Symmetric,
}

impl Setup {
    /// All three.
    pub const ALL: [Setup; 3] = [Setup::Place, Setup::Random, Setup::Symmetric];
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Setup::Place => "place",
            Setup::Random => "random",
            Setup::Symmetric => "symmetric",
        })
    }
}

/// A word that names no setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a setup is place, random or symmetric")]
pub struct ParseSetupError;

impl FromStr for Setup {
    type Err = ParseSetupError;

    fn from_str(text: &str) -> Result<Setup, ParseSetupError> {
        Setup::ALL
            .into_iter()
            .find(|setup| setup.to_string() == text)
            .ok_or(ParseSetupError)
    }
}

/// A full board, drawn until it is balanced (see the head of this file).
pub fn random(seed: &[u8; 32]) -> Board {
    let mut bytes = stream(seed);
    loop {
        let mut pieces: Vec<Piece> = [Piece::Dvonn, Piece::White, Piece::Black]
            .into_iter()
            .flat_map(|piece| iter::repeat_n(piece, piece.supply()))
            .collect();
        for i in (1..=48u8).rev() {
            pieces.swap(usize::from(i), usize::from(below(i + 1, &mut bytes)));
        }
        let mut board = Board::EMPTY;
        for (cell, piece) in Cell::ALL.into_iter().zip(pieces) {
            board.push(cell, piece);
        }
        if is_balanced(&board) {
            return board;
        }
    }
}

/// A full board that looks the same to both sides (see the head of this file).
pub fn symmetric(seed: &[u8; 32]) -> Board {
    let mut bytes = stream(seed);
    let mut board = Board::EMPTY;
    board.push(Cell::CENTRE, Piece::Dvonn);
    let dvonn_pair = usize::from(below(24, &mut bytes));
    for cell in Cell::ALL.into_iter().take(24) {
        let (here, there) = if cell.index() == dvonn_pair {
            (Piece::Dvonn, Piece::Dvonn)
        } else if below(2, &mut bytes) == 0 {
            (Piece::White, Piece::Black)
        } else {
            (Piece::Black, Piece::White)
        };
        board.push(cell, here);
        board.push(cell.opposite(), there);
    }
    board
}

/// Whether a full board favours nobody by the eye.
fn is_balanced(board: &Board) -> bool {
    let equal = |region: CellSet| {
        let count = |colour| board.owned(colour).intersection(region).len();
        count(Colour::White).abs_diff(count(Colour::Black)) <= 1
    };
    regions().into_iter().all(equal)
        && Colour::BOTH
            .into_iter()
            .all(|colour| board.owned(colour).surrounded().is_empty())
}

/// The edge, rows 1-2, rows 4-5, the left and the right of the board.
fn regions() -> [CellSet; 5] {
    let region = |belongs: fn(Cell) -> bool| {
        Cell::ALL
            .into_iter()
            .filter(|cell| belongs(*cell))
            .collect()
    };
    [
        region(Cell::is_edge),
        region(|cell| cell.row() < 3),
        region(|cell| cell.row() > 3),
        region(|cell| leaning(cell) < 0),
        region(|cell| leaning(cell) > 0),
    ]
}

/// How far right of the line e1-f3-g5 a space is drawn, in half spaces.
const fn leaning(cell: Cell) -> i8 {
    2 * cell.column_number() - cell.row() as i8 - 7
}

/// The endless bytes of a seed.
fn stream(seed: &[u8; 32]) -> impl Iterator<Item = u8> + '_ {
    (0u64..).flat_map(|block| {
        let mut hash = digest::Context::new(&digest::SHA256);
        hash.update(seed);
        hash.update(&block.to_be_bytes());
        hash.finish().as_ref().to_vec()
    })
}

/// A number below `bound`, each equally likely.
fn below(bound: u8, bytes: &mut impl Iterator<Item = u8>) -> u8 {
    let usable = 256 - 256 % u16::from(bound);
    bytes
        .find(|byte| u16::from(*byte) < usable)
        .map_or(0, |byte| byte % bound)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dvonn::Position;

    fn seeds() -> impl Iterator<Item = [u8; 32]> {
        (0..=255).map(|byte| [byte; 32])
    }

    #[test]
    fn anyone_can_draw_the_same_boards_again() {
        assert_eq!(
            random(&[7; 32]).to_string(),
            "B,W,B,W,B,B,B,W,W/W,B,W,W,B,B,W,W,W,B/W,B,W,B,B,W,R,R,B,W,B/W,W,W,B,B,B,B,B,W,W/B,W,W,B,R,W,B,W,B"
        );
        assert_eq!(
            symmetric(&[7; 32]).to_string(),
            "B,B,W,W,R,W,B,W,W/W,W,B,B,B,B,W,W,B,W/B,W,W,W,B,R,W,B,B,B,W/B,W,B,B,W,W,W,W,B,B/B,B,W,B,R,B,B,W,W"
        );
    }

    #[test]
    fn random_boards_are_full_balanced_and_differ() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in seeds().take(40) {
            let board = random(&seed);
            assert!(Position::start(board).is_ok());
            assert!(is_balanced(&board));
            assert_eq!(board.owned(Colour::White).surrounded(), CellSet::EMPTY);
            seen.insert(board.to_string());
        }
        assert_eq!(seen.len(), 40);
    }

    #[test]
    fn symmetric_boards_are_full_and_turn_into_each_other() {
        for seed in seeds() {
            let board = symmetric(&seed);
            assert!(Position::start(board).is_ok());
            for cell in Cell::ALL {
                let colour = |cell| board.pieces(cell).next().and_then(Piece::colour);
                assert_eq!(colour(cell), colour(cell.opposite()).map(Colour::opposite));
            }
        }
    }

    #[test]
    fn the_halves_and_the_edge_are_what_they_are_called() {
        assert_eq!(regions().map(CellSet::len), [24, 19, 19, 23, 23]);
    }

    #[test]
    fn a_setup_is_read_by_the_word_that_it_prints() {
        for setup in Setup::ALL {
            assert_eq!(setup.to_string().parse(), Ok(setup));
        }
        assert_eq!("chess".parse::<Setup>(), Err(ParseSetupError));
    }
}
