//! `status`: whether the daemon is well.

use std::path::Path;

use crate::cli::exit::{Exit, Failure};

/// How to tell it.
#[derive(Debug, clap::Args)]
pub(crate) struct Status {
    /// Print JSON for other programs
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub(crate) fn run(_arguments: &Status, _config: Option<&Path>) -> Result<Exit, Failure> {
    Err(Failure::no("status is not built yet"))
}
