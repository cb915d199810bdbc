//! One space of the board: its name, its place, its number. Knows the shape of the board, nothing of what stands on it.

use std::fmt;
use std::str::FromStr;

use super::cell_set::CellSet;
use super::moves;

/// A space of the board.
///
/// Spaces are ordered row by row from a1, left to right within a row: the canonical order of every list, text and record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

/// Bits from one row to the next in a [`CellSet`]: eleven columns and a gap that no step can cross.
pub(super) const ROW_STRIDE: u8 = 12;

impl Cell {
    /// How many spaces the board has.
    pub const COUNT: usize = 49;

    /// Every space, in canonical order.
    pub const ALL: [Cell; Cell::COUNT] = all();

    /// The middle of the board, f3.
    pub const CENTRE: Cell = Cell(24);

    /// The space at `column` (`a` to `k`) and `row` (1 to 5), if the board has it.
    pub const fn at(column: char, row: u8) -> Option<Cell> {
        if !column.is_ascii_lowercase() || row > 5 {
            return None;
        }
        Cell::at_numbers(column as i8 - b'a' as i8, row as i8)
    }

    /// The same by numbers: columns 0 to 10, rows 1 to 5.
    pub(super) const fn at_numbers(column: i8, row: i8) -> Option<Cell> {
        let (start, first, count) = match row {
            1 => (0, 0, 9),
            2 => (9, 0, 10),
            3 => (19, 0, 11),
            4 => (30, 1, 10),
            5 => (40, 2, 9),
            _ => return None,
        };
        if column < first || column >= first + count {
            return None;
        }
        Some(Cell((start + column - first) as u8))
    }

    /// The space with a canonical number below 49.
    pub(super) const fn from_index(index: u8) -> Option<Cell> {
        if index < Cell::COUNT as u8 {
            Some(Cell(index))
        } else {
            None
        }
    }

    /// Its canonical number, 0 (a1) to 48 (k5).
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its column, `a` to `k`.
    pub const fn column(self) -> char {
        (b'a' + self.column_number() as u8) as char
    }

    /// Its row, 1 to 5.
    pub const fn row(self) -> u8 {
        match self.0 {
            0..=8 => 1,
            9..=18 => 2,
            19..=29 => 3,
            30..=39 => 4,
            _ => 5,
        }
    }

    /// Its column as a number, 0 to 10.
    pub(super) const fn column_number(self) -> i8 {
        (self.bit() % ROW_STRIDE) as i8
    }

    /// Its bit in a [`CellSet`]: column + 12 (row - 1), so that bits keep the canonical order.
    pub(super) const fn bit(self) -> u8 {
        self.0 + Cell::gap_before_row(self.row())
    }

    /// The space of a bit that lies on the board.
    pub(super) const fn from_bit(bit: u8) -> Cell {
        Cell(bit - Cell::gap_before_row(bit / ROW_STRIDE + 1))
    }

    /// How many bits below a row belong to no space.
    const fn gap_before_row(row: u8) -> u8 {
        match row {
            1 => 0,
            2 => 3,
            3 => 5,
            4 => 7,
            _ => 10,
        }
    }

    /// The space that takes its place when the board is turned by 180 degrees.
    pub const fn opposite(self) -> Cell {
        Cell(Cell::COUNT as u8 - 1 - self.0)
    }

    /// The spaces next to it, three to six.
    pub fn neighbours(self) -> CellSet {
        moves::neighbours(self)
    }

    /// Whether it lies on the edge: one of the 24 with fewer than six neighbours.
    pub fn is_edge(self) -> bool {
        self.neighbours().len() < 6
    }
}

#[allow(clippy::indexing_slicing, reason = "evaluated at compile time only")]
const fn all() -> [Cell; Cell::COUNT] {
    let mut cells = [Cell(0); Cell::COUNT];
    let mut index = 0;
    while index < Cell::COUNT {
        cells[index] = Cell(index as u8);
        index += 1;
    }
    cells
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.column(), self.row())
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text is not the name of a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseCellError {
    /// It is not one small letter and one digit.
    #[error("a space is written as a letter and a digit, for example b3")]
    Syntax,
    /// It is, but the board has no such space (b5, k1, l3 …).
    #[error("the board has no such space")]
    OffBoard,
}

impl FromStr for Cell {
    type Err = ParseCellError;

    /// Reads `b3` and nothing more lenient; see [`super::notation`] for what people write.
    fn from_str(text: &str) -> Result<Cell, ParseCellError> {
        match text.as_bytes() {
            [column @ b'a'..=b'z', row @ b'0'..=b'9'] => {
                Cell::at(char::from(*column), row - b'0').ok_or(ParseCellError::OffBoard)
            }
            _ => Err(ParseCellError::Syntax),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_numbers_and_bits_agree_in_canonical_order() {
        let mut last = None;
        for (index, cell) in Cell::ALL.into_iter().enumerate() {
            assert_eq!(cell.index(), index);
            assert_eq!(cell.to_string().parse(), Ok(cell));
            assert_eq!(Cell::at(cell.column(), cell.row()), Some(cell));
            assert_eq!(Cell::from_bit(cell.bit()), cell);
            assert!(last < Some(cell.bit()));
            last = Some(cell.bit());
        }
        assert_eq!(Cell::CENTRE.to_string(), "f3");
    }

    #[test]
    fn the_corners_of_the_hexagon_end_where_the_rules_say() {
        for name in [
            "a1", "i1", "a2", "j2", "a3", "k3", "b4", "k4", "c5", "k5", "f3",
        ] {
            assert_eq!(
                name.parse::<Cell>().map(|cell| cell.to_string()),
                Ok(name.into())
            );
        }
        for name in ["j1", "k2", "l3", "a4", "b5", "a0", "a6", "z9"] {
            assert_eq!(
                name.parse::<Cell>(),
                Err(ParseCellError::OffBoard),
                "{name}"
            );
        }
        for name in ["", "b", "3b", "B3", "b33", "b3 ", "é3"] {
            assert_eq!(name.parse::<Cell>(), Err(ParseCellError::Syntax), "{name}");
        }
    }

    #[test]
    fn twenty_four_spaces_lie_on_the_edge() {
        let edge = Cell::ALL.into_iter().filter(|cell| cell.is_edge()).count();
        assert_eq!(edge, 24);
    }
}
