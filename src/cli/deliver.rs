//! `deliver`: one mail from standard input into the club.

use std::path::Path;

use crate::cli::exit::{Exit, Failure};

/// Runs the subcommand.
pub(crate) fn run(_config: Option<&Path>) -> Result<Exit, Failure> {
    Err(Failure::no("deliver is not built yet"))
}
