//! `replay`: checks the record of a game and shows its end.
//!
//! Knows files and what to show of a game. Refuses to know the rules and the forms of a record, which `dvonn` knows.

use std::fmt::Write;
use std::fs;
use std::io::{self, Read};
use std::path::PathBuf;

use crate::cli::exit::{Exit, Failure};
use crate::cli::output;
use crate::dvonn::diagram::{self, Marks};
use crate::dvonn::{Colour, Move, Outcome, Phase, Ply, Record, Replayed};

/// Which record, and how to show it.
#[derive(Debug, clap::Args)]
pub(crate) struct Replay {
    /// The record, in JSON or as the text that `record N` prints; - reads standard input
    #[arg(value_name = "FILE")]
    record: PathBuf,
    /// Print JSON for other programs, with every ply
    #[arg(long)]
    json: bool,
}

/// Replays the record: exit code 1 when it is none, or breaks the rules; the first bad ply is named.
pub(crate) fn run(arguments: &Replay) -> Result<Exit, Failure> {
    let is_stdin = arguments.record.as_os_str() == "-";
    let file = if is_stdin {
        "standard input".to_owned()
    } else {
        arguments.record.display().to_string()
    };
    let bytes = if is_stdin {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(&arguments.record)
    }
    .map_err(|error| Failure::usage(format!("{file} cannot be read: {error}")))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::no(format!("{file}: not a record, since it is not UTF-8 text")))?;
    let wrong = |why| Failure::no(format!("{file}: {why}"));
    let record: Record = text.parse().map_err(wrong)?;
    if arguments.json {
        output::show_json(&record.object_with_plies().map_err(wrong)?)?;
    } else {
        let replayed = record.check().map_err(wrong)?;
        output::show(&end_of(&record, &replayed))?;
    }
    Ok(Exit::Done)
}

/// The last board and how things stand.
fn end_of(record: &Record, replayed: &Replayed) -> String {
    let position = &replayed.position;
    let score = position.score();
    let state = match (record.result.or(position.outcome()), position.turn()) {
        (Some(Outcome::White), _) => "White wins",
        (Some(Outcome::Black), _) => "Black wins",
        (Some(Outcome::Draw), _) => "A draw",
        (None, Some(Colour::White)) => "It is White's turn",
        (None, _) => "It is Black's turn",
    };
    let by = match record.ended_by {
        Some(by) if position.phase() != Phase::Over => format!(" by {by}"),
        _ => String::new(),
    };
    let mut text = format!(
        "{} plies, every one by the rules.\n\n",
        replayed.plies.len()
    );
    for line in diagram::draw(position.board(), &marks(replayed)).lines() {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{line}");
    }
    let _ = writeln!(
        text,
        "\nWhite {}, Black {}. {state}{by}.",
        score.white, score.black
    );
    text
}

/// The marks of the last ply that was no pass.
fn marks(replayed: &Replayed) -> Marks {
    let mut marks = Marks::default();
    for ply in replayed.plies.iter().rev() {
        match ply.ply {
            Ply::Pass => continue,
            Ply::Move(Move::Place(to)) => marks.to = Some(to),
            Ply::Move(Move::Jump { from, to }) => {
                marks.from = Some(from);
                marks.to = Some(to);
            }
        }
        marks.gone = ply.removed.iter().map(|fallen| fallen.cell).collect();
        break;
    }
    marks
}
