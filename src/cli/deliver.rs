//! `deliver`: one mail from standard input into the club, for the pipe of a mail server.
//!
//! It only stores: the daemon reads it within a second or two, or `serve --once` does. Any trouble is "try again", so
//! that the mail server keeps the mail.

use std::io::Read;
use std::path::Path;

use crate::cli::exit::{Exit, Failure};
use crate::config::Config;
use crate::daemon::{clock, shortage};
use crate::mail::digest::Digest;
use crate::store::{Arrival, Room, Store};

/// No mail server hands over more than this; what comes after it is no mail.
const MOST: u64 = 128 << 20;

/// Runs the subcommand.
pub(crate) fn run(config: Option<&Path>) -> Result<Exit, Failure> {
    let config = Config::load(config).map_err(|error| Failure::later(error.to_string()))?;
    let mut raw = Vec::new();
    std::io::stdin()
        .lock()
        .take(MOST)
        .read_to_end(&mut raw)
        .map_err(|error| Failure::later(format!("standard input cannot be read: {error}")))?;
    if raw.is_empty() {
        return Err(Failure::usage(
            "standard input holds no mail; give one by `dvonn-post deliver < mail.eml`",
        ));
    }
    if let Some(shortage) = Room::of(&config.store).and_then(shortage) {
        return Err(Failure::later(shortage));
    }
    let now = clock::now();
    let digest = Digest::of(&raw);
    let mail = Arrival {
        digest: digest.as_bytes(),
        arrived: now,
        raw: Some(&raw),
        junk: false,
        cut: false,
    };
    let stored =
        Store::open(&config.store).and_then(|mut store| store.write(|tx| tx.take_in(&mail, now)));
    match stored {
        Ok(_) => Ok(Exit::Done),
        Err(error) => Err(Failure::later(format!("{error:#}"))),
    }
}
