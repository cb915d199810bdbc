//! What stands where. Knows stacks, their order and which of them are linked; does not know whose turn it is or which moves
//! are allowed.
//!
//! A stack is a chain of pieces. Each piece has a number as long as it is on the board, and a space knows the numbers of its
//! lowest and highest piece: a jump joins two chains in three writes, however high they are, and a board is a small value
//! that can be copied freely.

use std::iter;

use super::cell::Cell;
use super::cell_set::CellSet;
use super::per_cell::PerCell;
use super::piece::{Colour, Piece};
use super::stack::Stack;

/// A board and its stacks.
#[derive(Clone, Copy)]
pub struct Board {
    white: CellSet,
    black: CellSet,
    /// Where a DVONN piece stands, alone or in a stack.
    dvonn: CellSet,
    occupied: CellSet,
    height: PerCell<u8>,
    /// Numbers of pieces are spaces too: there are as many, and a `Cell` is an index that always fits.
    bottom: PerCell<Cell>,
    top: PerCell<Cell>,
    above: PerCell<Cell>,
    white_pieces: CellSet,
    dvonn_pieces: CellSet,
    /// How many numbers are given away; that of a piece that left the board is not given again.
    numbered: u8,
}

const _: () = assert!(
    size_of::<Board>() <= 256,
    "a board is meant to be copied at every move"
);

impl Board {
    /// An empty board.
    pub const EMPTY: Board = Board {
        white: CellSet::EMPTY,
        black: CellSet::EMPTY,
        dvonn: CellSet::EMPTY,
        occupied: CellSet::EMPTY,
        height: PerCell::filled(0),
        bottom: PerCell::filled(Cell::CENTRE),
        top: PerCell::filled(Cell::CENTRE),
        above: PerCell::filled(Cell::CENTRE),
        white_pieces: CellSet::EMPTY,
        dvonn_pieces: CellSet::EMPTY,
        numbered: 0,
    };

    /// The stack on `cell`, if one is there.
    pub fn stack(&self, cell: Cell) -> Option<Stack> {
        self.occupied.contains(cell).then(|| {
            Stack::new(
                self.height[cell],
                self.owner(cell),
                self.dvonn.contains(cell),
            )
        })
    }

    /// The pieces on `cell` from bottom to top; none on an empty space.
    pub fn pieces(&self, cell: Cell) -> impl Iterator<Item = Piece> + '_ {
        let height = if self.occupied.contains(cell) {
            usize::from(self.height[cell])
        } else {
            0
        };
        iter::successors(Some(self.bottom[cell]), |number| Some(self.above[*number]))
            .take(height)
            .map(|number| self.kind(number))
    }

    /// Where something stands.
    pub const fn occupied(&self) -> CellSet {
        self.occupied
    }

    /// The stacks that `colour` owns (RULE-02).
    pub const fn owned(&self, colour: Colour) -> CellSet {
        match colour {
            Colour::White => self.white,
            Colour::Black => self.black,
        }
    }

    /// The stacks with a DVONN piece, lone ones included.
    pub const fn with_dvonn(&self) -> CellSet {
        self.dvonn
    }

    /// The stacks of which all six neighbours are occupied (RULE-04).
    pub const fn surrounded(&self) -> CellSet {
        self.occupied.surrounded()
    }

    /// The stacks with no link to a DVONN piece (RULE-06).
    pub const fn unlinked(&self) -> CellSet {
        self.occupied
            .difference(self.occupied.linked_to(self.dvonn))
    }

    /// How many pieces stand on the board.
    pub fn piece_count(&self) -> usize {
        self.occupied
            .iter()
            .map(|cell| usize::from(self.height[cell]))
            .sum()
    }

    /// Puts a new piece on top of `cell`. A 50th piece finds no number and is not put: callers count their pieces.
    pub(super) fn push(&mut self, cell: Cell, piece: Piece) {
        let Some(number) = Cell::from_index(self.numbered) else {
            return;
        };
        self.numbered += 1;
        match piece {
            Piece::White => self.white_pieces.insert(number),
            Piece::Black => {}
            Piece::Dvonn => self.dvonn_pieces.insert(number),
        }
        if self.occupied.contains(cell) {
            self.above[self.top[cell]] = number;
            self.height[cell] += 1;
        } else {
            self.occupied.insert(cell);
            self.bottom[cell] = number;
            self.height[cell] = 1;
        }
        self.top[cell] = number;
        if piece == Piece::Dvonn {
            self.dvonn.insert(cell);
        }
        self.set_owner(cell, piece.colour());
    }

    /// Moves the whole stack on `from` on top of that on `to`; both are there and not the same.
    pub(super) fn jump(&mut self, from: Cell, to: Cell) {
        let owner = self.owner(from);
        self.above[self.top[to]] = self.bottom[from];
        self.top[to] = self.top[from];
        self.height[to] += self.height[from];
        if self.dvonn.contains(from) {
            self.dvonn.insert(to);
        }
        self.set_owner(to, owner);
        self.clear(CellSet::of(from));
    }

    /// Takes everything on `cells` off the board.
    pub(super) const fn clear(&mut self, cells: CellSet) {
        self.white = self.white.difference(cells);
        self.black = self.black.difference(cells);
        self.dvonn = self.dvonn.difference(cells);
        self.occupied = self.occupied.difference(cells);
    }

    /// How many pieces of a kind were ever put on this board.
    pub(super) fn count(&self, piece: Piece) -> usize {
        match piece {
            Piece::White => self.white_pieces.len(),
            Piece::Dvonn => self.dvonn_pieces.len(),
            Piece::Black => {
                usize::from(self.numbered) - self.white_pieces.len() - self.dvonn_pieces.len()
            }
        }
    }

    fn owner(&self, cell: Cell) -> Option<Colour> {
        Colour::BOTH
            .into_iter()
            .find(|colour| self.owned(*colour).contains(cell))
    }

    fn set_owner(&mut self, cell: Cell, owner: Option<Colour>) {
        self.white.remove(cell);
        self.black.remove(cell);
        match owner {
            Some(Colour::White) => self.white.insert(cell),
            Some(Colour::Black) => self.black.insert(cell),
            None => {}
        }
    }

    fn kind(&self, number: Cell) -> Piece {
        if self.dvonn_pieces.contains(number) {
            Piece::Dvonn
        } else if self.white_pieces.contains(number) {
            Piece::White
        } else {
            Piece::Black
        }
    }
}

/// Two boards are the same when the same stacks stand on them, however they came to be.
impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        Cell::ALL
            .into_iter()
            .all(|cell| self.pieces(cell).eq(other.pieces(cell)))
    }
}

impl Eq for Board {}
