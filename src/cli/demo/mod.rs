//! `demo`: a game in this terminal. Everything is real but the mail servers: two Maildirs in a temporary folder, the
//! daemon's own rounds between them, and letters as players get them.

mod auto;
mod player;
mod table;

use std::io::{BufRead, IsTerminal};

use crate::cli::demo::player::Player;
use crate::cli::demo::table::Table;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output;

/// How to play.
#[derive(Debug, clap::Args)]
pub(crate) struct Demo {
    /// Let both sides play a whole game by themselves
    #[arg(long)]
    auto: bool,
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Demo) -> Result<Exit, Failure> {
    let mut table = Table::lay()?;
    output::show(
        "Two players, one club, all by mail: this terminal is the mail program of both.\n\
         Below is the newest mail of whoever is to move; type your answer in one line. Ctrl-D ends it.\n",
    )?;
    table.invite()?;
    if arguments.auto {
        auto::play(&mut table)?
    } else {
        by_hand(&mut table)?
    }
    Ok(Exit::Done)
}

fn by_hand(table: &mut Table) -> Result<(), Failure> {
    let mut input = std::io::stdin().lock();
    let mut shown = false;
    loop {
        let player = table.whose_turn()?;
        if !shown {
            show_newest(table, player)?;
            shown = true;
        }
        prompt(player)?;
        let mut line = Vec::new();
        let read = input
            .read_until(b'\n', &mut line)
            .map_err(|error| Failure::no(format!("standard input: {error}")))?;
        if read == 0 {
            output::show(
                "\nThat was the end of input. To watch a whole game play itself: dvonn-post demo --auto\n",
            )?;
            return Ok(());
        }
        let line = String::from_utf8_lossy(&line).trim().to_owned();
        if line.is_empty() {
            continue;
        }
        if !table.answer(player, &line)? {
            output::show("\n(The club did not answer that.)\n")?;
        }
        shown = false;
        if table.is_over()? {
            return show_end(table);
        }
    }
}

/// Shows the newest mail of a player.
fn show_newest(table: &Table, player: Player) -> Result<(), Failure> {
    let mail = table.newest(player)?;
    output::show(&format!(
        "\n=== {}'s mailbox, newest mail ===\nFrom: {}\nSubject: {}\n\n{}",
        player.name(),
        table::CLUB,
        mail.subject,
        mail.text
    ))
}

fn show_end(table: &Table) -> Result<(), Failure> {
    for player in Player::BOTH {
        show_newest(table, player)?;
    }
    output::show("\nThe game is over.\n")
}

fn prompt(player: Player) -> Result<(), Failure> {
    output::show(&format!("\n{} answers> ", player.name()))?;
    if !std::io::stdin().is_terminal() {
        output::show("\n")?;
    }
    Ok(())
}
