//! What happened since the reader's last letter, and whose turn it is: the first lines of every letter about a game.

use super::seats::Seats;
use super::voice::Voice;
use crate::club::notice::{BoardView, PlyNews};
use crate::dvonn::{Colour, Fallen, Immobile, Move, Phase, Piece, Ply};

/// Plies that place a DVONN piece: the first three of a game.
const DVONN_PLIES: u32 = 3;
/// Plies that place a piece.
pub(super) const PLACEMENTS: u32 = 49;

/// What happened, a sentence a line, and whose turn it is. `still`: a command failed and the turn is what it was.
pub(super) fn lines(
    voice: &Voice<'_>,
    seats: &Seats,
    view: &BoardView,
    still: bool,
) -> Vec<String> {
    let mut lines = played_lines(voice, seats, view);
    let Some(turn) = turn(voice, seats, view, still) else {
        return lines;
    };
    match lines.first_mut() {
        // One ply and the turn fit into one line; what left the board is told after it.
        Some(line) if view.news.len() == 1 && view.ply != PLACEMENTS => {
            line.push(' ');
            line.push_str(&turn);
        }
        _ => lines.push(turn),
    }
    lines
}

/// What happened, a sentence a line.
pub(super) fn played_lines(voice: &Voice<'_>, seats: &Seats, view: &BoardView) -> Vec<String> {
    let mut lines = Vec::new();
    let first = view
        .ply
        .saturating_sub(u32::try_from(view.news.len()).unwrap_or(u32::MAX))
        + 1;
    for (ply, news) in (first..).zip(&view.news) {
        lines.push(played(voice, seats, news, ply));
        if !news.removed.is_empty() {
            lines.push(removed(voice, seats, &news.removed));
        }
        if ply == PLACEMENTS && matches!(news.ply, Ply::Move(Move::Place(_))) {
            lines.push(voice.word("news-all-placed"));
        }
    }
    lines
}

/// One ply in a sentence.
fn played(voice: &Voice<'_>, seats: &Seats, news: &PlyNews, ply: u32) -> String {
    let (you, name) = (seats.is_reader(news.by), seats.name(news.by));
    match news.ply {
        Ply::Move(Move::Place(cell)) => {
            let piece = if ply <= DVONN_PLIES {
                Piece::Dvonn
            } else {
                news.by.into()
            };
            let facts = [
                ("you", you),
                ("name", name.into()),
                ("piece", piece_word(piece).into()),
                ("space", cell.to_string().into()),
            ];
            voice.say("news-placed", &facts)
        }
        Ply::Move(jump) => voice.say(
            "news-moved",
            &[
                ("you", you),
                ("name", name.into()),
                ("move", jump.to_string().into()),
            ],
        ),
        Ply::Pass => pass(voice, seats, news.by, &news.immobile),
    }
}

/// Why a side had to pass (RULE-08).
fn pass(voice: &Voice<'_>, seats: &Seats, by: Colour, immobile: &[Immobile]) -> String {
    let spaces = |surrounded: bool| {
        let cells = immobile
            .iter()
            .filter(|stack| stack.surrounded == surrounded)
            .map(|stack| stack.cell);
        voice.list(cells)
    };
    let surrounded = immobile.iter().filter(|stack| stack.surrounded).count();
    let key = match surrounded {
        _ if immobile.is_empty() => "news-pass-none",
        0 => "news-pass-no-target",
        all if all == immobile.len() => "news-pass-surrounded",
        _ => "news-pass-mixed",
    };
    let facts = [
        ("you", seats.is_reader(by)),
        ("name", seats.name(by).into()),
        ("count", immobile.len().into()),
        ("surrounded", spaces(true).into()),
        ("stranded", spaces(false).into()),
    ];
    voice.say(key, &facts)
}

/// What lost contact with the DVONN pieces (RULE-06).
fn removed(voice: &Voice<'_>, seats: &Seats, fallen: &[Fallen]) -> String {
    let stack = |stack: &Fallen| {
        let facts = [
            ("you", seats.is_reader(stack.owner)),
            ("name", seats.name(stack.owner).into()),
            ("space", stack.cell.to_string().into()),
            ("height", stack.height.into()),
        ];
        voice.say("news-fallen", &facts)
    };
    let count: u32 = fallen.iter().map(|stack| u32::from(stack.height)).sum();
    voice.say(
        "news-removed",
        &[
            ("count", count.into()),
            ("stacks", voice.list(fallen.iter().map(stack)).into()),
        ],
    )
}

/// Whose turn it is; nothing when the game is over.
fn turn(voice: &Voice<'_>, seats: &Seats, view: &BoardView, still: bool) -> Option<String> {
    let side = view.position.turn()?;
    let last_mover = view
        .news
        .iter()
        .rev()
        .find(|news| news.ply != Ply::Pass)
        .map(|news| news.by);
    let passed = view.news.last().is_some_and(|news| news.ply == Ply::Pass);
    let again =
        passed && last_mover == Some(side) || view.ply == PLACEMENTS && last_mover == Some(side);
    let when = match (still, again) {
        (true, _) => "still",
        (false, true) => "again",
        (false, false) => "now",
    };
    let piece = view.position.due().map_or("", piece_word);
    let key = if view.position.phase() == Phase::Placing {
        "turn-place"
    } else {
        "turn-move"
    };
    let facts = [
        ("you", seats.is_reader(side)),
        ("name", seats.name(side).into()),
        ("colour", voice.colour(side).into()),
        ("piece", piece.into()),
        ("when", when.into()),
    ];
    Some(voice.say(key, &facts))
}

fn piece_word(piece: Piece) -> &'static str {
    match piece {
        Piece::White => "white",
        Piece::Black => "black",
        Piece::Dvonn => "dvonn",
    }
}
