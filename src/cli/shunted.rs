//! `shunted`: the mails that are set aside, one of them as it came, and trying them again.

use std::path::Path;

use serde::Serialize;

use crate::cli::club::{look, moment};
use crate::cli::exit::{Exit, Failure};
use crate::cli::hand::{self, Which, Words};
use crate::cli::output;
use crate::store::InboxRow;

/// What to list, or what to do.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Shunted {
    /// Print JSON for other programs
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    act: Option<Act>,
}

#[derive(Debug, clap::Subcommand)]
enum Act {
    /// Print one mail as it came
    Show {
        /// Its number in the list
        number: i64,
    },
    /// Have one mail, or all, taken in again: within seconds by a running daemon, else by the next `serve`
    Retry {
        /// Its number in the list, or all
        #[arg(value_name = "NUMBER|all")]
        which: Which,
    },
}

/// A mail for other programs.
#[derive(Serialize)]
struct Mail<'a> {
    mail: i64,
    arrived: String,
    from: Option<&'a str>,
    reason: &'a str,
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Shunted, config: Option<&Path>) -> Result<Exit, Failure> {
    match &arguments.act {
        None => list(arguments.json, config),
        Some(Act::Show { number }) => match look(config, |tx| tx.shunted_bytes(*number))? {
            Some(raw) if raw.is_empty() => Err(Failure::no(format!(
                "mail {number} could not be had from the mailbox, and lies there still"
            ))),
            Some(raw) => hand::show(&raw),
            None => Err(Failure::no(format!(
                "there is no mail {number} that is set aside; `dvonn-post shunted` lists all"
            ))),
        },
        Some(Act::Retry { which }) => {
            let words = Words {
                act: "shunted retry",
                one: "mail",
                not_given_up: "is not set aside",
                no_bytes: "could not be had from the mailbox, and lies there still",
                none: "no mail is set aside",
            };
            let all = |tx: &crate::store::Tx<'_>| {
                Ok(tx.shunted()?.into_iter().map(|row| row.id).collect())
            };
            hand::again(config, *which, &words, all, |tx, id| tx.take_again(id))
        }
    }
}

fn list(json: bool, config: Option<&Path>) -> Result<Exit, Failure> {
    let rows = look(config, |tx| tx.shunted())?;
    if json {
        output::show_json(&rows.iter().map(mail).collect::<Vec<_>>())?;
    } else {
        output::show(&rows.iter().map(line).collect::<String>())?;
    }
    Ok(Exit::Done)
}

fn sender(row: &InboxRow) -> Option<&str> {
    Some(row.sender.as_str()).filter(|sender| !sender.is_empty())
}

fn mail(row: &InboxRow) -> Mail<'_> {
    Mail {
        mail: row.id,
        arrived: row.arrived.to_rfc3339(),
        from: sender(row),
        reason: &row.reason,
    }
}

fn line(row: &InboxRow) -> String {
    format!(
        "{:>6}  {}  from {}: {}\n",
        row.id,
        moment(row.arrived),
        sender(row).unwrap_or("nobody"),
        row.reason
    )
}
