//! The list of stacks below the board, which says the same again for mail programs that show it in a font of uneven
//! width (MAIL-39).

use super::layout;
use super::seats::Seats;
use super::voice::Voice;
use crate::dvonn::{Board, Cell, Colour, Stack};

/// One line of the list.
pub(super) struct Row {
    label: String,
    stacks: String,
}

/// Stacks by owner and height; the reader's own first.
pub(super) fn rows(voice: &Voice<'_>, seats: &Seats, board: &Board) -> Vec<Row> {
    let mut rows: Vec<Row> = [seats.reader, seats.reader.opposite()]
        .into_iter()
        .map(|owner| Row {
            label: label(voice, seats, owner),
            stacks: owned(voice, board, owner),
        })
        .collect();
    let alone: Vec<Cell> = on(board)
        .filter(|(_, stack)| stack.owner().is_none())
        .map(|(cell, _)| cell)
        .collect();
    if !alone.is_empty() {
        rows.push(Row {
            label: voice.word("stacks-alone"),
            stacks: voice.list(alone),
        });
    }
    rows
}

/// The widest label that the others are brought in line with.
const WIDEST_LABEL: usize = 24;

/// The rows for the text part: one below the other, broken behind their labels.
pub(super) fn text(rows: &[Row]) -> String {
    let width = rows
        .iter()
        .map(|row| layout::columns(&row.label))
        .max()
        .unwrap_or(0);
    let width = if width <= WIDEST_LABEL { width } else { 0 };
    let row = |row: &Row| {
        // The blanks that bring labels in line are not those that stand around what may be typed.
        let label = layout::pad(&row.label, width).replace(' ', "\u{A0}");
        layout::hang(&format!("{label} {}", row.stacks), 2)
    };
    rows.iter().map(row).collect::<Vec<_>>().join("\n")
}

/// The rows for the HTML part, unbroken.
pub(super) fn lines(rows: &[Row]) -> Vec<String> {
    rows.iter()
        .map(|row| format!("{} {}", row.label, row.stacks))
        .collect()
}

fn label(voice: &Voice<'_>, seats: &Seats, owner: Colour) -> String {
    let facts = [
        ("you", seats.is_reader(owner)),
        ("name", seats.name(owner).into()),
        ("colour", voice.colour(owner).into()),
    ];
    voice.say("stacks-owner", &facts)
}

/// "h3, i3; of 2: e1, h1; of 3: d5 with red".
fn owned(voice: &Voice<'_>, board: &Board, owner: Colour) -> String {
    let mut stacks: Vec<(Cell, Stack)> = on(board)
        .filter(|(_, stack)| stack.owner() == Some(owner))
        .collect();
    // Stable: within a height the order of the board stays.
    stacks.sort_by_key(|(_, stack)| stack.height());
    let groups: Vec<String> = stacks
        .chunk_by(|(_, one), (_, other)| one.height() == other.height())
        .map(|group| {
            let height = group.first().map_or(1, |(_, stack)| stack.height());
            let spaces = voice.list(
                group
                    .iter()
                    .map(|(cell, stack)| space(voice, *cell, *stack)),
            );
            voice.say(
                "stacks-of",
                &[("height", height.into()), ("spaces", spaces.into())],
            )
        })
        .collect();
    if groups.is_empty() {
        voice.word("stacks-none")
    } else {
        groups.join(&voice.word("group-separator"))
    }
}

fn space(voice: &Voice<'_>, cell: Cell, stack: Stack) -> String {
    if stack.has_dvonn() {
        voice.say("stacks-with-red", &[("space", cell.to_string().into())])
    } else {
        cell.to_string()
    }
}

fn on(board: &Board) -> impl Iterator<Item = (Cell, Stack)> + '_ {
    board
        .occupied()
        .iter()
        .filter_map(|cell| Some((cell, board.stack(cell)?)))
}
