//! `replay`: checks the record of a game.

use std::path::PathBuf;

use crate::cli::exit::{Exit, Failure};

/// Which record, and how to show it.
#[derive(Debug, clap::Args)]
pub(crate) struct Replay {
    /// The record, in JSON or as text
    #[arg(value_name = "FILE")]
    record: PathBuf,
}

/// Replays the record.
pub(crate) fn run(arguments: &Replay) -> Result<Exit, Failure> {
    Err(Failure::no(format!(
        "{} cannot be replayed yet",
        arguments.record.display()
    )))
}
