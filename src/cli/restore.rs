//! `restore`: brings the club back from a backup.
//!
//! Knows what an admin may have lost beside the database: the configuration too. Refuses to read the mailbox, which the
//! daemon does at its next start.

use std::path::{Path, PathBuf};

use crate::cli::backup::refused;
use crate::cli::club::moment;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output;
use crate::cli::verify::{show, summary};
use crate::config::Config;
use crate::daemon::{Lease, Taken, clock};
use crate::store::{label_of, restore};

/// What to restore.
#[derive(Debug, clap::Args)]
pub(crate) struct Restore {
    /// The backup
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Put it in the place of the club that is there, which is kept beside it
    #[arg(long)]
    replace: bool,

    /// Print the configuration that the backup holds, and restore nothing
    #[arg(long, conflicts_with = "replace")]
    show_config: bool,
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Restore, config: Option<&Path>) -> Result<Exit, Failure> {
    let file = &arguments.file;
    if !file.is_file() {
        return Err(Failure::usage(format!(
            "{} is not there; name a backup",
            file.display()
        )));
    }
    if arguments.show_config {
        let label = label_of(file).map_err(|error| refused(&error))?;
        output::show(&label.config.replace("\r\n", "\n"))?;
        return Ok(Exit::Done);
    }
    let config = Config::load(config).map_err(|error| {
        Failure::from(error).and(format!(
            "the configuration that was in use is in the backup: `dvonn-post restore {} --show-config > config.toml`",
            file.display()
        ))
    })?;
    let lease = Lease::take(&config.store).map_err(|error| {
        if error.is::<Taken>() {
            Failure::later(format!("{error:#}"))
        } else {
            refused(&error)
        }
    })?;
    // Without the lease being given back, the next start looks closely at whatever is there.
    let restored = restore(
        file,
        &config.store,
        arguments.replace,
        clock::now(),
        &mut show,
    )
    .map_err(|error| refused(&error))?;
    lease.give_back().map_err(|error| refused(&error))?;
    let mut text = format!(
        "{} is the club of {}: {}",
        config.store.display(),
        moment(restored.made),
        summary(&restored.checked)
    );
    if let Some(kept) = &restored.kept {
        text.push_str(&format!(
            "The database of before is kept as {}; delete it once all is well.\n",
            kept.display()
        ));
    }
    text.push_str("Start the daemon: it reads the whole mailbox again, and takes in what came after the backup.\n");
    output::show(&text)?;
    Ok(Exit::Done)
}
