//! `record`: the record of a game.

use std::path::Path;

use crate::cli::club::{fault, record_of};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output;

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
pub(crate) fn run(arguments: &Record, config: Option<&Path>) -> Result<Exit, Failure> {
    let record = record_of(config, arguments.number)?;
    if arguments.json {
        output::show_json(&record.object().map_err(|error| fault(error.into()))?)?;
    } else {
        output::show(&record.to_string())?;
    }
    Ok(Exit::Done)
}
