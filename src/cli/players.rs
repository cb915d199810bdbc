//! `players`: all members of the club, with every address that may write for them.

use std::path::Path;

use serde::Serialize;

use crate::cli::club::look;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output;

/// What to list.
#[derive(Debug, clap::Args)]
pub(crate) struct Players {
    /// Print JSON for other programs
    #[arg(long)]
    json: bool,
}

/// A member for other programs.
#[derive(Serialize)]
struct Member {
    name: String,
    address: String,
    addresses: Vec<String>,
    joined: String,
    stopped: bool,
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Players, config: Option<&Path>) -> Result<Exit, Failure> {
    let members: Vec<Member> = look(config, |tx| tx.all_players())?
        .into_iter()
        .map(|(player, addresses)| Member {
            name: player.name,
            address: player.address,
            addresses,
            joined: player.joined.to_rfc3339(),
            stopped: player.stopped,
        })
        .collect();
    if arguments.json {
        output::show_json(&members)?;
    } else {
        output::show(&members.iter().map(line).collect::<String>())?;
    }
    Ok(Exit::Done)
}

fn line(member: &Member) -> String {
    let others: Vec<&str> = member
        .addresses
        .iter()
        .filter(|address| **address != member.address)
        .map(String::as_str)
        .collect();
    let others = if others.is_empty() {
        String::new()
    } else {
        format!(", writes from {} too", others.join(", "))
    };
    let stopped = if member.stopped {
        ", wants no mail"
    } else {
        ""
    };
    format!("{}  <{}>{others}{stopped}\n", member.name, member.address)
}
