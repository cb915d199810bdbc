//! `outbox`: the letters that wait to be sent, those given up, and the latest that were sent.

use std::path::Path;

use serde::Serialize;

use crate::cli::club::{look, moment};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output;
use crate::store::{OutboxRow, OutboxState};

/// What to list.
#[derive(Debug, clap::Args)]
pub(crate) struct Outbox {
    /// Print JSON for other programs
    #[arg(long)]
    json: bool,
}

/// A letter for other programs.
#[derive(Serialize)]
struct Letter<'a> {
    letter: i64,
    to: &'a str,
    game: Option<u32>,
    made: String,
    state: &'a str,
    attempts: u32,
    next: Option<String>,
    result: &'a str,
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Outbox, config: Option<&Path>) -> Result<Exit, Failure> {
    let rows = look(config, |tx| tx.outbox())?;
    if arguments.json {
        output::show_json(&rows.iter().map(letter).collect::<Vec<_>>())?;
    } else {
        output::show(&rows.iter().map(line).collect::<String>())?;
    }
    Ok(Exit::Done)
}

fn letter(row: &OutboxRow) -> Letter<'_> {
    Letter {
        letter: row.id,
        to: &row.recipient,
        game: row.game,
        made: row.made.to_rfc3339(),
        state: row.word(),
        attempts: row.attempts,
        next: (row.state == OutboxState::Waiting && !row.held).then(|| row.next.to_rfc3339()),
        result: &row.result,
    }
}

fn line(row: &OutboxRow) -> String {
    let game = row
        .game
        .map(|game| format!(", game {game}"))
        .unwrap_or_default();
    let next = match row.state {
        OutboxState::Waiting if row.held => ", until a mail from there arrives".to_owned(),
        OutboxState::Waiting => format!(", next try {}", moment(row.next)),
        OutboxState::Sent | OutboxState::Failed => String::new(),
    };
    let result = if let Some(newer) = row.superseded {
        format!(": letter {newer} went out in its place")
    } else if row.result.is_empty() {
        String::new()
    } else {
        format!(": {}", row.result)
    };
    format!(
        "{:>6}  {}  to {}{game}, made {}, tries {}{next}{result}\n",
        row.id,
        row.word(),
        row.recipient,
        moment(row.made),
        row.attempts
    )
}
