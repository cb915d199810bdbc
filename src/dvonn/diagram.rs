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
const WIDTH: usize = 47;
/// The line below row 1, with the names of columns a to i; those of j and k, which end higher, stand one and two lines above.
const NAMES_ROW: i8 = 0;

/// Draws the board, row 5 on top, with no line end after the last line.
///
/// `w` or `b` the owner, a number from 2 up the height, a capital letter a stack that holds a DVONN piece, `R` a lone DVONN
/// piece, `.` empty.
pub fn draw(board: &Board, marks: &Marks) -> String {
    let mut drawing = String::new();
    for row in (NAMES_ROW..=5).rev() {
        let mut line = [b' '; WIDTH];
        let cells = || Cell::ALL.into_iter().filter(|cell| cell.row() as i8 == row);
        if let Some(first) = cells().next() {
            put(&mut line, column_of(first) - AFTER_NUMBER, &row.to_string());
        }
        for cell in cells() {
            let text = face(board.stack(cell), marks, cell);
            put(&mut line, column_of(cell), &text);
            if marks.to == Some(cell) {
                put(&mut line, column_of(cell) - 1, "[");
                put(&mut line, column_of(cell) + text.len(), "]");
            }
        }
        // The name of a column stands where its next space would be, below its lowest.
        for (name, column) in ('a'..='k').zip(0..) {
            if row == (column - 8).max(NAMES_ROW) {
                put(&mut line, text_column(column, row), &name.to_string());
            }
        }
        drawing.push_str(match row {
            5 => "",
            NAMES_ROW => "\n",
            _ => "\n\n",
        });
        drawing.push_str(String::from_utf8_lossy(&line).trim_end());
    }
    drawing
}

/// Where the text of a space begins, counted from 0.
const fn text_column(column: i8, row: i8) -> usize {
    (9 + SPACE_WIDTH as i8 * column - 2 * row) as usize
}

const fn column_of(cell: Cell) -> usize {
    text_column(cell.column_number(), cell.row() as i8)
}

fn put(line: &mut [u8], column: usize, text: &str) {
    for (slot, byte) in line.iter_mut().skip(column).zip(text.bytes()) {
        *slot = byte;
    }
}

fn face(stack: Option<Stack>, marks: &Marks, cell: Cell) -> String {
    let Some(stack) = stack else {
        return if marks.from == Some(cell) {
            "_".to_owned()
        } else if marks.gone.contains(cell) {
            "x".to_owned()
        } else {
            ".".to_owned()
        };
    };
    let letter = match stack.owner() {
        None => return "R".to_owned(),
        Some(Colour::White) => 'w',
        Some(Colour::Black) => 'b',
    };
    let letter = if stack.has_dvonn() {
        letter.to_ascii_uppercase()
    } else {
        letter
    };
    match stack.height() {
        1 => letter.to_string(),
        height => format!("{letter}{height}"),
    }
}

/// A diagram that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    stacks: PerCell<Option<Stack>>,
    /// What it marks of the last move.
    pub marks: Marks,
}

impl Diagram {
    /// The stack on `cell`, if one is there.
    pub fn stack(&self, cell: Cell) -> Option<Stack> {
        self.stacks[cell]
    }

    /// A board that looks like this: the DVONN piece of a stack lies at the bottom, the rest are pieces of its owner.
    pub fn board(&self) -> Board {
        let mut board = Board::EMPTY;
        for cell in Cell::ALL {
            let Some(stack) = self.stacks[cell] else {
                continue;
            };
            let own = stack.owner().map_or(Piece::Dvonn, Piece::from);
            let lowest = if stack.has_dvonn() { Piece::Dvonn } else { own };
            board.push(cell, lowest);
            for _ in 1..stack.height() {
                board.push(cell, own);
            }
        }
        board
    }
}

/// Why a text is not a diagram.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseDiagramError {
    /// Not the rows 5 to 1, one a line.
    #[error("a diagram has the rows 5 to 1, each beginning with its number")]
    Rows,
    /// A space with something else than a stack, an empty space or a mark.
    #[error("{cell}: {text:?} is nothing that can stand there")]
    Space {
        /// The space.
        cell: Cell,
        /// What is drawn there.
        text: String,
    },
    /// More pieces than a game has.
    #[error("more than 49 pieces")]
    TooMany,
}

/// Reads what [`draw`] draws, however far it is indented.
///
/// # Errors
/// When a row is missing or a space holds what no board can.
pub fn read(text: &str) -> Result<Diagram, ParseDiagramError> {
    let mut diagram = Diagram {
        stacks: PerCell::filled(None),
        marks: Marks::default(),
    };
    let mut rows = (1..=5u8).rev();
    for line in text.lines() {
        let number = line.bytes().position(|byte| byte != b' ');
        let Some((number, row)) = number.zip(line.trim_start().bytes().next()) else {
            continue;
        };
        if row.is_ascii_digit() {
            if rows.next() != Some(row - b'0') {
                return Err(ParseDiagramError::Rows);
            }
            diagram.read_row(row - b'0', line, number + AFTER_NUMBER)?;
        }
    }
    if rows.next().is_some() {
        return Err(ParseDiagramError::Rows);
    }
    let heights = diagram
        .stacks
        .0
        .iter()
        .flatten()
        .map(|stack| usize::from(stack.height()));
    if heights.sum::<usize>() > Cell::COUNT {
        return Err(ParseDiagramError::TooMany);
    }
    Ok(diagram)
}

impl Diagram {
    fn read_row(&mut self, row: u8, line: &str, first: usize) -> Result<(), ParseDiagramError> {
        let cells = Cell::ALL.into_iter().filter(|cell| cell.row() == row);
        for (cell, column) in cells.zip((first..).step_by(SPACE_WIDTH)) {
            let text: String = line
                .chars()
                .skip(column)
                .take(SPACE_WIDTH - 1)
                .take_while(|letter| !matches!(letter, ' ' | ']'))
                .collect();
            match text.as_str() {
                "." => {}
                "_" => self.marks.from = Some(cell),
                "x" => self.marks.gone.insert(cell),
                _ => match read_stack(&text) {
                    Some(stack) => self.stacks[cell] = Some(stack),
                    None => return Err(ParseDiagramError::Space { cell, text }),
                },
            }
            if line.chars().nth(column - 1) == Some('[') {
                self.marks.to = Some(cell);
            }
        }
        Ok(())
    }
}

/// Reads `w`, `b4`, `W12` or `R`.
fn read_stack(text: &str) -> Option<Stack> {
    let mut digits = text.chars();
    let letter = digits.next()?;
    let (owner, has_dvonn) = match letter {
        'w' | 'W' => (Some(Colour::White), letter == 'W'),
        'b' | 'B' => (Some(Colour::Black), letter == 'B'),
        'R' => (None, true),
        _ => return None,
    };
    let height = match digits.as_str() {
        "" => 1,
        digits => digits.parse().ok().filter(|height| *height > 1)?,
    };
    // A DVONN piece stands alone or under others (RULE-05).
    let possible = match owner {
        None => height == 1,
        Some(_) => height > u8::from(has_dvonn),
    };
    possible.then(|| Stack::new(height, owner, has_dvonn))
}

#[cfg(test)]
#[path = "diagram_tests.rs"]
mod tests;
