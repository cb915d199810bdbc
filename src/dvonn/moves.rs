//! A move; the tables of every jump, built at compile time; and which stacks of a board can go where. Nothing here allocates.
//! Knows boards; whose turn it is, and in which phase, is known to [`super::position`].

use std::fmt;

use super::board::Board;
use super::cell::Cell;
use super::cell_set::CellSet;
use super::per_cell::PerCell;
use super::piece::Colour;

/// What a player does in a turn. There is no pass: passing is forced and happens by itself (RULE-08).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Puts the piece that is due on a free space (placing phase).
    Place(Cell),
    /// Moves a whole stack on top of another (stacking phase).
    Jump {
        /// Where the stack stands.
        from: Cell,
        /// Where it lands.
        to: Cell,
    },
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(cell) => write!(f, "{cell}"),
            Move::Jump { from, to } => write!(f, "{from}-{to}"),
        }
    }
}

/// The longest line of the board is a3 to k3: a stack higher than ten cannot move.
const LONGEST: usize = 10;

/// The six straight lines, as steps in (column, row).
const DIRECTIONS: [(i8, i8); 6] = [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)];

/// By height less one, by space: where a stack of that height lands, if something stands there (RULE-03).
static JUMPS: [PerCell<CellSet>; LONGEST] = jumps();

/// Where a stack of `height` on `from` would land, whatever stands there (RULE-03): the board is convex, so every line that
/// ends on it stays on it.
pub(super) fn landings(from: Cell, height: u8) -> CellSet {
    usize::from(height)
        .checked_sub(1)
        .and_then(|row| JUMPS.get(row))
        .map_or(CellSet::EMPTY, |table| table[from])
}

/// The spaces next to `cell`.
pub(super) fn neighbours(cell: Cell) -> CellSet {
    landings(cell, 1)
}

/// The stacks that `colour` may move, if they find a target: its own (RULE-02) and not surrounded (RULE-04). Lone DVONN
/// pieces are nobody's (RULE-05).
pub(super) const fn movers(board: &Board, colour: Colour) -> CellSet {
    board.owned(colour).difference(board.surrounded())
}

/// The occupied spaces on which the stack on `from` would land (RULE-03), which something must stand on.
pub(super) fn targets(board: &Board, from: Cell) -> CellSet {
    board.stack(from).map_or(CellSet::EMPTY, |stack| {
        landings(from, stack.height()).intersection(board.occupied())
    })
}

/// Whether `colour` has a move.
pub(super) fn can_move(board: &Board, colour: Colour) -> bool {
    movers(board, colour)
        .iter()
        .any(|from| !targets(board, from).is_empty())
}

/// How many spaces lie between two spaces, the last one counted, if they share a straight line (RULE-03).
pub fn distance(from: Cell, to: Cell) -> Option<u8> {
    let columns = to.column_number() - from.column_number();
    let rows = to.row() as i8 - from.row() as i8;
    let straight = rows == 0 || columns == 0 || rows == columns;
    straight.then(|| columns.unsigned_abs().max(rows.unsigned_abs()))
}

#[allow(clippy::indexing_slicing, reason = "evaluated at compile time only")]
const fn jumps() -> [PerCell<CellSet>; LONGEST] {
    let mut tables = [PerCell::filled(CellSet::EMPTY); LONGEST];
    let mut length = 1;
    while length <= LONGEST {
        let mut cells = [CellSet::EMPTY; Cell::COUNT];
        let mut index = 0;
        while index < Cell::COUNT {
            cells[index] = ring(Cell::ALL[index], length as i8);
            index += 1;
        }
        tables[length - 1] = PerCell(cells);
        length += 1;
    }
    tables
}

/// The ends of the six lines of `length` steps from `cell` that lie on the board.
#[allow(clippy::indexing_slicing, reason = "evaluated at compile time only")]
const fn ring(cell: Cell, length: i8) -> CellSet {
    let mut ends = CellSet::EMPTY;
    let mut direction = 0;
    while direction < DIRECTIONS.len() {
        let (column, row) = DIRECTIONS[direction];
        let end = Cell::at_numbers(
            cell.column_number() + length * column,
            cell.row() as i8 + length * row,
        );
        if let Some(end) = end {
            ends.insert(end);
        }
        direction += 1;
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_agree_with_distances() {
        for from in Cell::ALL {
            for height in 0..=49 {
                let slowly = Cell::ALL
                    .into_iter()
                    .filter(|to| height > 0 && distance(from, *to) == Some(height));
                assert_eq!(landings(from, height), slowly.collect());
            }
        }
    }

    #[test]
    fn a_corner_has_three_neighbours() {
        let names: Vec<String> = "a1"
            .parse::<Cell>()
            .into_iter()
            .flat_map(Cell::neighbours)
            .map(|cell| cell.to_string())
            .collect();
        assert_eq!(names, ["b1", "a2", "b2"]);
    }
}
