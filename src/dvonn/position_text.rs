//! The position text, in which programs pass boards to each other: rows 1 to 5 joined by `/`, spaces by `,`, each `-` or its
//! stack from bottom to top in `W`, `B`, `R`. Knows what can stand on a board of a game, not whether play can lead there.

use std::fmt;
use std::str::FromStr;

use super::board::Board;
use super::cell::Cell;
use super::piece::Piece;

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut row = 1;
        for cell in Cell::ALL {
            if cell.row() != row {
                row = cell.row();
                f.write_str("/")?;
            } else if cell.index() > 0 {
                f.write_str(",")?;
            }
            if !self.occupied().contains(cell) {
                f.write_str("-")?;
            }
            for piece in self.pieces(cell) {
                write!(f, "{}", piece.letter())?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseBoardError {
    /// Not five rows of 9, 10, 11, 10 and 9 spaces.
    #[error(
        "a position has five rows of 9, 10, 11, 10 and 9 spaces, rows joined by '/', spaces by ','"
    )]
    Shape,
    /// A space that is neither `-` nor a stack of `W`, `B` and `R`.
    #[error("{cell}: {text:?} is neither '-' nor a stack of W, B and R")]
    Space {
        /// The space.
        cell: Cell,
        /// What is written there.
        text: String,
    },
    /// A DVONN piece on top of other pieces, which cannot come about (RULE-05).
    #[error("{cell}: a DVONN piece is never on top of another piece")]
    DvonnOnTop {
        /// The space.
        cell: Cell,
    },
    /// More pieces of a kind than a game has.
    #[error("more than {} pieces {}", .piece.supply(), .piece.letter())]
    TooMany {
        /// Of which kind.
        piece: Piece,
    },
}

impl FromStr for Board {
    type Err = ParseBoardError;

    fn from_str(text: &str) -> Result<Board, ParseBoardError> {
        let mut board = Board::EMPTY;
        let mut cells = Cell::ALL.into_iter().peekable();
        for (row, spaces) in (1..).zip(text.trim().split('/')) {
            for space in spaces.split(',') {
                let cell = cells
                    .next_if(|cell| cell.row() == row)
                    .ok_or(ParseBoardError::Shape)?;
                board.read_space(cell, space)?;
            }
            if cells.peek().is_some_and(|cell| cell.row() == row) {
                return Err(ParseBoardError::Shape);
            }
        }
        match cells.next() {
            None => Ok(board),
            Some(_) => Err(ParseBoardError::Shape),
        }
    }
}

impl Board {
    fn read_space(&mut self, cell: Cell, text: &str) -> Result<(), ParseBoardError> {
        if text == "-" {
            return Ok(());
        }
        let wrong = || ParseBoardError::Space {
            cell,
            text: text.chars().take(60).collect(),
        };
        if text.is_empty() {
            return Err(wrong());
        }
        for letter in text.chars() {
            let piece = Piece::from_letter(letter).ok_or_else(wrong)?;
            if self.count(piece) == piece.supply() {
                return Err(ParseBoardError::TooMany { piece });
            }
            self.push(cell, piece);
        }
        match self.stack(cell) {
            Some(stack) if stack.is_lone_dvonn() && stack.height() > 1 => {
                Err(ParseBoardError::DvonnOnTop { cell })
            }
            _ => Ok(()),
        }
    }
}
