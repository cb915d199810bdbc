//! `outbox`: the letters that wait to be sent, those given up, and the latest that were sent; one of them as it goes
//! out, and trying again what was given up.

use std::path::Path;

use serde::Serialize;

use crate::cli::club::{look, moment};
use crate::cli::exit::{Exit, Failure};
use crate::cli::hand::{self, Which, Words};
use crate::cli::output;
use crate::daemon::clock;
use crate::store::{OutboxRow, OutboxState};

/// What to list, or what to do.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Outbox {
    /// Print JSON for other programs
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    act: Option<Act>,
}

#[derive(Debug, clap::Subcommand)]
enum Act {
    /// Print one letter as it goes out
    Show {
        /// Its number in the list
        number: i64,
    },
    /// Have one letter that was given up, or all, sent again: within seconds by a running daemon, else by the next `serve`
    Retry {
        /// Its number in the list, or all
        #[arg(value_name = "NUMBER|all")]
        which: Which,
    },
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
    match &arguments.act {
        None => list(arguments.json, config),
        Some(Act::Show { number }) => match look(config, |tx| tx.letter_bytes(*number))? {
            Some(Some(bytes)) => hand::show(&bytes),
            Some(None) => Err(Failure::no(format!(
                "letter {number} is older than 30 days, and its text is not kept any more"
            ))),
            None => Err(Failure::no(format!(
                "there is no letter {number}; `dvonn-post outbox` lists them"
            ))),
        },
        Some(Act::Retry { which }) => {
            let words = Words {
                act: "outbox retry",
                one: "letter",
                not_given_up: "was not given up",
                no_bytes: "is older than 30 days, and its text is not kept any more",
                none: "no letter was given up",
            };
            let now = clock::now();
            hand::again(
                config,
                *which,
                &words,
                |tx| tx.given_up(),
                |tx, id| tx.send_again(id, now),
            )
        }
    }
}

fn list(json: bool, config: Option<&Path>) -> Result<Exit, Failure> {
    let rows = look(config, |tx| tx.outbox())?;
    if json {
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
        state: row.state.word(),
        attempts: row.attempts,
        next: (row.state == OutboxState::Waiting).then(|| row.next.to_rfc3339()),
        result: &row.result,
    }
}

fn line(row: &OutboxRow) -> String {
    let game = row
        .game
        .map(|game| format!(", game {game}"))
        .unwrap_or_default();
    let next = match row.state {
        OutboxState::Waiting => format!(", next try {}", moment(row.next)),
        OutboxState::Sent | OutboxState::Failed => String::new(),
    };
    let result = if row.result.is_empty() {
        String::new()
    } else {
        format!(": {}", row.result)
    };
    format!(
        "{:>6}  {}  to {}{game}, made {}, tries {}{next}{result}\n",
        row.id,
        row.state.word(),
        row.recipient,
        moment(row.made),
        row.attempts
    )
}
