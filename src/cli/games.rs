//! `games`: all games of the club.

use std::path::Path;

use crate::cli::exit::{Exit, Failure};

/// What to list.
#[derive(Debug, clap::Args)]
pub(crate) struct Games {
    /// Print JSON for other programs
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub(crate) fn run(_arguments: &Games, _config: Option<&Path>) -> Result<Exit, Failure> {
    Err(Failure::no("games is not built yet"))
}
