//! `serve`: the daemon.

use std::path::Path;

use crate::cli::exit::{Exit, Failure};

/// How to run it.
#[derive(Debug, clap::Args)]
pub(crate) struct Serve {
    /// Take in all that waits, act, send, and end
    #[arg(long)]
    once: bool,
}

/// Runs the subcommand.
pub(crate) fn run(_arguments: &Serve, _config: Option<&Path>) -> Result<Exit, Failure> {
    Err(Failure::no("serve is not built yet"))
}
