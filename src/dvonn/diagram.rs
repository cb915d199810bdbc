//! The board as players see it in a mail: ASCII, at most 52 columns, one shape. Writes it and reads it back. Knows heights,
//! owners and the marks of the last move; the order of the pieces in a stack is not in a diagram.
//!
//! A space takes four columns, its text beginning at the first; a row begins two columns left of the row below it, so that
//! the lines of a column slant. `[` and `]` stand right around a text, in the columns before and after it.

use super::board::Board;
use super::cell::Cell;
use super::cell_set::CellSet;
use super::per_cell::PerCell;
use super::piece::{Colour, Piece};
use super::stack::Stack;

/// What to mark of the last move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Where it came from: `_`.
    pub from: Option<Cell>,
    /// Where it went, or where a piece was placed: `[ ]`.
    pub to: Option<Cell>,
    /// What left the board with it: `x`.
    pub gone: CellSet,
}

/// Columns from one space of a row to the next.
const SPACE_WIDTH: usize = 4;
/// Columns from the number of a row to its first space.
const AFTER_NUMBER: usize = 3;
/// Columns of the widest line: row 3 with a bracketed stack of two digits on k3.
const WIDTH: usize = 48;

/// Draws the board, row 5 on top, with no line end after the last line.
///
/// `w` or `b` the owner, a number from 2 up the height, a capital letter a stack that holds a DVONN piece, `R` a lone DVONN
/// piece, `.` empty. The letter of a column stands at its lower end.
pub fn draw(board: &Board, marks: &Marks) -> String {
    let mut lines = Vec::new();
    for row in (1..=5).rev() {
        let mut line = Line::BLANK;
        line.put(number_column(row), &row.to_string());
        for cell in Cell::ALL.into_iter().filter(|cell| cell.row() == row) {
            let text = face(board.stack(cell), marks, cell);
            let column = space_column(cell.column_number(), row);
            line.put(column, &text);
            if marks.to == Some(cell) {
                line.put(column - 1, "[");
                line.put(column + text.len(), "]");
            }
        }
        lines.push(line);
    }
    // Columns j and k end one and two rows higher than the others, past the last space of those rows.
    let mut names = Line::BLANK;
    for column in 0..=8 {
        names.put(space_column(column, 0), &name(column));
    }
    lines.push(names);
    for (column, row) in [(9, 1), (10, 2)] {
        if let Some(line) = lines.iter_mut().rev().nth(row as usize) {
            line.put(space_column(column, row), &name(column));
        }
    }
    let drawn: Vec<String> = lines.iter().map(Line::text).collect();
    let (names, rows) = drawn.split_last().map_or(("", [].as_slice()), |(names, rows)| (names, rows));
    format!("{}\n{names}", rows.join("\n\n"))
}
