//! The command line: every subcommand, its options, and what the program ends with.
//!
//! Knows arguments, files, streams and exit codes, one file per subcommand. Refuses to know rules, letters or SQL: it
//! asks the floors below and shows what they say. Results go to standard output, everything else to standard error.

mod club;
mod deliver;
mod demo;
mod doctor;
mod exit;
mod explain;
mod game;
mod games;
mod hand;
mod log;
mod outbox;
mod output;
mod players;
mod record;
mod replay;
mod serve;
mod shunted;
mod status;
mod systemd;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tracing_subscriber::filter::LevelFilter;

use crate::cli::exit::{Exit, Failure};

/// Play DVONN by mail: a daemon that reads moves from a mailbox and mails both players the board.
#[derive(Debug, Parser)]
#[command(
    name = "dvonn-post",
    version,
    after_help = "Exit codes: 0 done, 1 the answer is no, 2 wrong usage, 75 try again later, 78 wrong configuration."
)]
struct Arguments {
    /// The configuration; without it ./config.toml, then /etc/dvonn-post/config.toml
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play a game in this terminal, everything real but the mail servers
    Demo(demo::Demo),
    /// Run the daemon
    Serve(serve::Serve),
    /// Take one mail from standard input, for the pipe of a mail server
    Deliver,
    /// Show what the server reads in a mail; changes nothing
    Explain(explain::Explain),
    /// List the games
    Games(games::Games),
    /// Show one game
    Game(game::Game),
    /// List the players
    Players(players::Players),
    /// List the letters that wait or were given up, and the latest that were sent; show one, or try it again
    Outbox(outbox::Outbox),
    /// List the mails that are set aside; show one, or try it again
    Shunted(shunted::Shunted),
    /// Tell whether the daemon is well: exit code 0 well, 1 in trouble, 2 broken
    Status(status::Status),
    /// Print the record of a game
    Record(record::Record),
    /// Check the record of a game and show its end
    Replay(replay::Replay),
    /// Test the configuration, the mailbox, the way out and the database
    Doctor,
    /// Print a unit file for systemd
    Systemd,
}

/// Runs the program with the arguments of this process.
pub fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version come this way too, and are no failures. A closed stream leaves nobody to tell.
            let _ = error.print();
            return if error.use_stderr() {
                Exit::Usage
            } else {
                Exit::Done
            }
            .into();
        }
    };
    log::start(match arguments.command {
        Command::Serve(_) => LevelFilter::INFO,
        _ => LevelFilter::WARN,
    });
    let config = arguments.config.as_deref();
    match dispatch(&arguments.command, config) {
        Ok(exit) => exit.into(),
        Err(failure) => failure.tell().into(),
    }
}

fn dispatch(command: &Command, config: Option<&Path>) -> Result<Exit, Failure> {
    match command {
        Command::Demo(demo) => demo::run(demo),
        Command::Serve(serve) => serve::run(serve, config),
        Command::Deliver => deliver::run(config),
        Command::Explain(explain) => explain::run(explain, config),
        Command::Games(games) => games::run(games, config),
        Command::Game(game) => game::run(game, config),
        Command::Players(players) => players::run(players, config),
        Command::Outbox(outbox) => outbox::run(outbox, config),
        Command::Shunted(shunted) => shunted::run(shunted, config),
        Command::Status(status) => status::run(status, config),
        Command::Record(record) => record::run(record, config),
        Command::Replay(replay) => replay::run(replay),
        Command::Doctor => doctor::run(config),
        Command::Systemd => systemd::run(config),
    }
}
