//! Results on standard output.
//!
//! Knows that a reader such as `head` may leave early, and that text out of strangers' mails must not steer a terminal.
//! Refuses to know what is shown.

use std::io::{self, Write};

use serde::Serialize;

use crate::cli::exit::Failure;

/// Shows lines of text. Control characters other than line ends and tabs are shown as a replacement character.
///
/// # Errors
/// Standard output that cannot be written; a reader that left is no error.
pub(crate) fn show(text: &str) -> Result<(), Failure> {
    let tame = |letter: char| {
        if letter.is_control() && letter != '\n' && letter != '\t' {
            char::REPLACEMENT_CHARACTER
        } else {
            letter
        }
    };
    write(&text.chars().map(tame).collect::<String>())
}

/// Shows a value as one line of JSON.
///
/// # Errors
/// As [`show`].
pub(crate) fn show_json(value: &impl Serialize) -> Result<(), Failure> {
    let json = serde_json::to_string(value)
        .map_err(|error| Failure::no(format!("the result cannot be written as JSON: {error}")))?;
    write(&format!("{json}\n"))
}

fn write(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::no(format!(
            "standard output cannot be written: {error}"
        ))),
        _ => Ok(()),
    }
}
