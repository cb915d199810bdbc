//! `backup`: a checked copy of all that the club needs, beside a running daemon.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::exit::{Exit, Failure};
use crate::cli::output;
use crate::cli::verify::{show, summary};
use crate::config::Config;
use crate::daemon::clock;
use crate::store::{InTheMaking, Label, Store, is_of_the_disk};

/// Where to put it.
#[derive(Debug, clap::Args)]
pub(crate) struct Backup {
    /// The name of the backup; an older backup of this club with that name is replaced
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Backup, config: Option<&Path>) -> Result<Exit, Failure> {
    let config = Config::load(config)?;
    let text = fs::read_to_string(&config.file).map_err(|error| {
        Failure::no(format!(
            "{} cannot be read again: {error}",
            config.file.display()
        ))
    })?;
    let config_file = std::path::absolute(&config.file).unwrap_or(config.file);
    let label = Label {
        made: clock::now(),
        program: env!("CARGO_PKG_VERSION").to_owned(),
        config_file: config_file.display().to_string(),
        config: text,
    };
    let checked = Store::open_existing(&config.store)
        .and_then(|mut store| store.backup(&config.store, &arguments.file, &label, &mut show))
        .map_err(|error| refused(&error))?;
    output::show(&format!(
        "{}: {}",
        arguments.file.display(),
        summary(&checked)
    ))?;
    Ok(Exit::Done)
}

/// Why there is no copy; a full disk and a copy that another process makes are passing troubles.
pub(crate) fn refused(error: &anyhow::Error) -> Failure {
    let is_full = |cause: &std::io::Error| {
        matches!(
            cause.kind(),
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded
        )
    };
    let is_passing = error.is::<InTheMaking>()
        || is_of_the_disk(error)
        || error
            .chain()
            .any(|cause| cause.downcast_ref().is_some_and(is_full));
    let sentence = format!("{error:#}");
    if is_passing {
        Failure::later(sentence)
    } else {
        Failure::no(sentence)
    }
}
