//! `record`: the record of a game.

use std::path::Path;

use crate::cli::exit::{Exit, Failure};

/// Which record to print.
#[derive(Debug, clap::Args)]
pub(crate) struct Record {
    /// The number of the game
    #[arg(value_name = "N")]
    number: u32,
    /// Print JSON for other programs
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub(crate) fn run(_arguments: &Record, _config: Option<&Path>) -> Result<Exit, Failure> {
    Err(Failure::no("record is not built yet"))
}
