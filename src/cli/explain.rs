//! `explain`: what the server reads in a mail.

use std::path::{Path, PathBuf};

use crate::cli::exit::{Exit, Failure};

/// Which mail, and what is known beside it.
#[derive(Debug, clap::Args)]
pub(crate) struct Explain {
    /// The mail, as a file
    #[arg(value_name = "FILE")]
    mail: PathBuf,
}

/// Explains the mail.
pub(crate) fn run(arguments: &Explain, _config: Option<&Path>) -> Result<Exit, Failure> {
    Err(Failure::no(format!(
        "{} cannot be explained yet",
        arguments.mail.display()
    )))
}
