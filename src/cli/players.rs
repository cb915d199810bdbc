//! `players`: all players of the club.

use std::path::Path;

use crate::cli::exit::{Exit, Failure};

/// What to list.
#[derive(Debug, clap::Args)]
pub(crate) struct Players {
    /// Print JSON for other programs
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub(crate) fn run(_arguments: &Players, _config: Option<&Path>) -> Result<Exit, Failure> {
    Err(Failure::no("players is not built yet"))
}
