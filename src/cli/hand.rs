//! What the subcommands share that act on the club by hand: which rows they mean, who acts, and how it is told.
//!
//! Each deed is written down in the audit log by the transaction that does it.

use std::env;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::str::FromStr;

use crate::cli::club::fault;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output;
use crate::config::Config;
use crate::daemon::clock;
use crate::store::{Again, Store, Tx};

/// One row by its number, or all.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Which {
    One(i64),
    All,
}

impl FromStr for Which {
    type Err = String;

    fn from_str(text: &str) -> Result<Which, String> {
        match text.parse() {
            Ok(number) => Ok(Which::One(number)),
            Err(_) if text.eq_ignore_ascii_case("all") => Ok(Which::All),
            Err(_) => Err("write a number, or all".to_owned()),
        }
    }
}

/// What is tried again, in words.
pub(crate) struct Words {
    /// The act, as on the command line.
    pub(crate) act: &'static str,
    /// One of them.
    pub(crate) one: &'static str,
    /// Why none of that number can be tried again.
    pub(crate) not_given_up: &'static str,
    /// Why its bytes are missing.
    pub(crate) no_bytes: &'static str,
    /// How there is none at all.
    pub(crate) none: &'static str,
}

/// Has rows tried again, each written to the audit log. The answer is no where nothing could be tried again.
pub(crate) fn again(
    config: Option<&Path>,
    which: Which,
    words: &Words,
    all: impl Fn(&Tx<'_>) -> anyhow::Result<Vec<i64>>,
    retry: impl Fn(&Tx<'_>, i64) -> anyhow::Result<Again>,
) -> Result<Exit, Failure> {
    let config = Config::load(config)?;
    let mut store = Store::open_existing(&config.store).map_err(fault)?;
    let (who, now) = (user(), clock::now());
    let outcomes = store
        .write(|tx| {
            let ids = match which {
                Which::One(id) => vec![id],
                Which::All => all(tx)?,
            };
            let mut outcomes = Vec::new();
            for id in ids {
                let outcome = retry(tx, id)?;
                if outcome == Again::Waits {
                    tx.audit(&who, words.act, &id.to_string(), now)?;
                }
                outcomes.push((id, outcome));
            }
            Ok(outcomes)
        })
        .map_err(fault)?;
    if outcomes.is_empty() {
        return Err(Failure::no(words.none));
    }
    let mut refused = Vec::new();
    let mut told = String::new();
    for (id, outcome) in outcomes {
        let one = words.one;
        match outcome {
            Again::Waits => told.push_str(&format!("{one} {id} is tried again\n")),
            Again::Unknown => refused.push(format!("there is no {one} {id}")),
            Again::NotGivenUp => refused.push(format!("{one} {id} {}", words.not_given_up)),
            Again::NoBytes => refused.push(format!("{one} {id} {}", words.no_bytes)),
        }
    }
    output::show(&told)?;
    if refused.is_empty() {
        Ok(Exit::Done)
    } else {
        Err(Failure::no(refused.join("; ")))
    }
}

/// The user of the machine who acts, by name where there is one; behind `sudo`, the one who called it.
fn user() -> String {
    let number = fs::metadata("/proc/self").map_or(0, |process| process.uid());
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let name = users
        .lines()
        .find_map(|line| {
            let mut fields = line.split(':');
            let name = fields.next()?;
            (fields.nth(1)?.parse() == Ok(number)).then(|| name.to_owned())
        })
        .unwrap_or_else(|| number.to_string());
    match env::var("SUDO_USER") {
        Ok(caller) if number == 0 => format!("{caller} as {name}"),
        _ => name,
    }
}

/// The bytes of a mail as text: what is no UTF-8 is shown as a replacement character.
pub(crate) fn show(raw: &[u8]) -> Result<Exit, Failure> {
    let text = String::from_utf8_lossy(raw).replace("\r\n", "\n");
    output::show(&text)?;
    if !text.ends_with('\n') {
        output::show("\n")?;
    }
    Ok(Exit::Done)
}
