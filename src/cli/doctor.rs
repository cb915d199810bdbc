//! `doctor`: tests everything that the daemon stands on.

use std::path::Path;

use crate::cli::exit::{Exit, Failure};

/// Runs the subcommand.
pub(crate) fn run(_config: Option<&Path>) -> Result<Exit, Failure> {
    Err(Failure::no("doctor is not built yet"))
}
