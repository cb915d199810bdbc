//! `verify`: checks the database, or a copy of it, and every game in it.

use std::path::{Path, PathBuf};

use crate::cli::club::fault;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output;
use crate::config::Config;
use crate::store::{Checked, Store, verify_file};

/// What to check.
#[derive(Debug, clap::Args)]
pub(crate) struct Verify {
    /// A backup or another copy; without it, the club's database
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Verify, config: Option<&Path>) -> Result<Exit, Failure> {
    let checked = match &arguments.file {
        Some(file) => {
            if !file.is_file() {
                return Err(Failure::usage(format!(
                    "{} is not there; name a backup",
                    file.display()
                )));
            }
            verify_file(file, &mut show)
        }
        None => {
            let config = Config::load(config)?;
            Store::open_existing(&config.store).and_then(|mut store| store.verify(&mut show))
        }
    }
    .map_err(fault)?;
    output::show(&summary(&checked))?;
    Ok(if checked.troubles == 0 {
        Exit::Done
    } else {
        Exit::No
    })
}

/// Shows one trouble as soon as it is found.
pub(crate) fn show(trouble: &str) {
    // A reader that has left misses it; the exit code says it all the same.
    let _ = output::show(&format!("{trouble}\n"));
}

/// What was looked at, in one line.
pub(crate) fn summary(checked: &Checked) -> String {
    let Checked {
        games,
        events,
        members,
        mails,
        letters,
        troubles,
    } = checked;
    format!(
        "{games} games with {events} events replayed, {members} members, {mails} mails, {letters} letters: {}\n",
        match troubles {
            0 => "all is well".to_owned(),
            1 => "1 trouble".to_owned(),
            more => format!("{more} troubles"),
        }
    )
}
