//! `outbox`: the mails that wait to be sent.

use std::path::Path;

use crate::cli::exit::{Exit, Failure};

/// What to list.
#[derive(Debug, clap::Args)]
pub(crate) struct Outbox {
    /// Print JSON for other programs
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub(crate) fn run(_arguments: &Outbox, _config: Option<&Path>) -> Result<Exit, Failure> {
    Err(Failure::no("outbox is not built yet"))
}
