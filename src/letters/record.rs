//! A game's record, and a game that is over.

use super::board::Picture;
use super::seats::Seats;
use super::section::{Section, templates};
use super::voice::Voice;
use super::{ComposeError, clean, markup, news, report};
use crate::club::game::EndedBy;
use crate::club::notice::{HistoryView, OverView};
use crate::dvonn::{Colour, Move, Ply};

/// A record as a page of its own.
struct HistorySheet {
    title: String,
    record: String,
}
templates!(HistorySheet, "history/text.txt", "history/page.html");

/// The end of a game.
struct OverSheet {
    result: String,
    news: Vec<String>,
    report: Option<Section>,
    picture: Picture,
    lasted: String,
    again: String,
    messages: Vec<Section>,
    title: String,
    record: String,
}
templates!(OverSheet, "over/text.txt", "over/page.html");

/// Placements in one line of a record.
const PLACED_A_LINE: usize = 10;
/// Moves in one line of a record: three of each side.
const MOVED_A_LINE: usize = 6;

/// A record that was asked for.
pub(super) fn history(voice: &Voice<'_>, view: &HistoryView) -> Result<Section, ComposeError> {
    HistorySheet {
        title: title(voice, view),
        record: record(voice, view),
    }
    .section()
}

/// A game that is over.
pub(super) fn over(
    voice: &Voice<'_>,
    view: &OverView,
    report: Option<Section>,
    messages: Vec<Section>,
) -> Result<Section, ComposeError> {
    let seats = Seats::of(&view.board);
    let again = report::invite(seats.opponent());
    OverSheet {
        result: result(voice, &seats, view),
        news: news::played_lines(voice, &seats, &view.board),
        report,
        picture: Picture::of(voice, &seats, &view.board, true),
        lasted: lasted(voice, view),
        again: voice.say("over-again", &[("command", again.into())]),
        messages,
        title: title(voice, &view.history),
        record: record(voice, &view.history),
    }
    .section()
}

/// Who won, and how.
fn result(voice: &Voice<'_>, seats: &Seats, view: &OverView) -> String {
    let score = view.board.position.score();
    let winner = view.result.winner();
    let (most, least) = (score.white.max(score.black), score.white.min(score.black));
    let facts = |winner: Colour| {
        [
            ("winner", seats.name(winner).into()),
            ("loser", seats.name(winner.opposite()).into()),
            ("you", seats.is_reader(winner.opposite())),
            ("most", most.into()),
            ("least", least.into()),
        ]
    };
    match (winner, view.by) {
        (Some(winner), EndedBy::Score) => voice.say("over-won", &facts(winner)),
        (Some(winner), EndedBy::Resignation) => voice.say("over-resigned", &facts(winner)),
        (None, _) => voice.say("over-draw", &[("score", most.into())]),
    }
}

/// How long it took.
fn lasted(voice: &Voice<'_>, view: &OverView) -> String {
    // Days as the reader's calendar counts them.
    let days = voice.day_number(view.ended) - voice.day_number(view.started);
    let facts = [
        ("days", days.into()),
        ("from", voice.date(view.started).into()),
        ("to", voice.date(view.ended).into()),
        ("plies", view.history.moves.len().into()),
    ];
    voice.say("over-lasted", &facts)
}

fn title(voice: &Voice<'_>, view: &HistoryView) -> String {
    let facts = [
        ("game", view.game.into()),
        ("white", clean::line(&view.white).into()),
        ("black", clean::line(&view.black).into()),
        ("setup", view.setup.to_string().into()),
    ];
    voice.say("history-title", &facts)
}

/// The start, row by row, and numbered plies.
fn record(voice: &Voice<'_>, view: &HistoryView) -> String {
    let mut lines = Vec::new();
    for (row, spaces) in (1_u32..).zip(view.start.iter().flat_map(|start| start.split('/'))) {
        let facts = [
            ("row", row.into()),
            ("pieces", spaces.replace(',', " ").into()),
        ];
        lines.push(voice.say("history-row", &facts));
    }
    if !lines.is_empty() {
        lines.push(String::new());
    }
    let placed = |ply: &Ply| matches!(ply, Ply::Move(Move::Place(_)));
    let mut number = 1;
    for phase in view
        .moves
        .chunk_by(|one, other| placed(one) == placed(other))
    {
        let length = if phase.first().is_some_and(placed) {
            PLACED_A_LINE
        } else {
            MOVED_A_LINE
        };
        for line in phase.chunks(length) {
            let plies: Vec<String> = line
                .iter()
                .map(|ply| format!("{:<5}", ply.to_string()))
                .collect();
            lines.push(
                format!("{number:>3}  {}", plies.join(" "))
                    .trim_end()
                    .to_owned(),
            );
            number += line.len();
        }
    }
    if view.moves.is_empty() {
        lines.push(voice.word("history-empty"));
    }
    lines.join("\n")
}
