//! `demo`: a game in this terminal.

use crate::cli::exit::{Exit, Failure};

/// How to play.
#[derive(Debug, clap::Args)]
pub(crate) struct Demo {
    /// Let both sides play a whole game by themselves
    #[arg(long)]
    auto: bool,
}

/// Runs the subcommand.
pub(crate) fn run(_arguments: &Demo) -> Result<Exit, Failure> {
    Err(Failure::no("demo is not built yet"))
}
