//! `game`: one game of the club.

use std::path::Path;

use crate::cli::exit::{Exit, Failure};

/// Which game to show.
#[derive(Debug, clap::Args)]
pub(crate) struct Game {
    /// The number of the game
    #[arg(value_name = "N")]
    number: u32,
    /// Print JSON for other programs
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub(crate) fn run(_arguments: &Game, _config: Option<&Path>) -> Result<Exit, Failure> {
    Err(Failure::no("game is not built yet"))
}
