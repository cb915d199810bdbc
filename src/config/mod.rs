//! The configuration file.
//!
//! Knows every key, its type, its default and what to say about a wrong one. Refuses to open mailboxes, databases or
//! sockets: it turns a file into values, and passwords are read only when they are used.

mod document;
mod error;
mod keys;
mod secret;
mod values;
mod ways;

#[cfg(test)]
mod config_tests;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono_tz::Tz;

use crate::config::document::{Document, Found, Section};
use crate::dvonn::Setup;
use crate::letters::languages;
use crate::mail::Address;

pub use crate::config::error::ConfigError;
pub use crate::config::secret::SecretFile;
pub use crate::config::ways::{Imap, Incoming, Outgoing, Smtp};

/// Where the configuration is looked for when no file is named, in this order.
pub const PLACES: [&str; 2] = ["config.toml", "/etc/dvonn-post/config.toml"];

/// The whole configuration.
#[derive(Debug, Clone)]
pub struct Config {
    /// The file that it was read from.
    pub file: PathBuf,
    /// Who the club is.
    pub club: Club,
    /// The way in.
    pub incoming: Incoming,
    /// The way out.
    pub outgoing: Outgoing,
    /// The database.
    pub store: PathBuf,
    /// How senders are proved.
    pub proof: Proof,
    /// How games are played.
    pub games: Games,
    /// What is too much.
    pub limits: Limits,
    /// Sentences about keys that have no effect, for the log and for `doctor`.
    pub warnings: Vec<String>,
}

/// `[club]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Club {
    /// Its name, as players read it.
    pub name: String,
    /// The mail address that players write to.
    pub address: Address,
    /// The mail address of the person who looks after it.
    pub admin: Address,
    /// The program that reaches that person when mail is broken, and its arguments; empty: there is none.
    pub alarm_command: Vec<String>,
    /// The language of letters to people who did not choose one.
    pub language: String,
    /// The zone of times shown to people who did not choose one.
    pub timezone: Tz,
}

/// `[proof]`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proof {
    /// Whether mail to `club+token@…` reaches the club.
    pub plus_addressing: bool,
    /// Servers whose Authentication-Results are believed; `*.domain` stands for all below it.
    pub trusted_authserv: Vec<String>,
}

/// `[games]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Games {
    /// The setup of a challenge that names none.
    pub setup: Setup,
    /// How many games one player may have at a time; `None` is no limit.
    pub games_per_player: Option<u32>,
}

/// `[limits]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Mails sent in an hour; `None` is no limit.
    pub mails_per_hour: Option<u32>,
    /// Mails sent in a day; `None` is no limit.
    pub mails_per_day: Option<u32>,
    /// Bytes of the largest mail that is read.
    pub mail_size: u64,
    /// Answers to one member with proof in an hour.
    pub answers_per_hour: u32,
    /// Answers to strangers in all in a day.
    pub strangers_per_day: u32,
}

impl Config {
    /// Reads the named file, or the first of [`PLACES`] that exists.
    ///
    /// # Errors
    /// A file that is missing or cannot be read, and everything in it that is not as it should be.
    pub fn load(named: Option<&Path>) -> Result<Config, ConfigError> {
        if let Some(file) = named {
            return Config::read(file);
        }
        let [here, system] = PLACES.map(Path::new);
        match (here.exists(), system.exists()) {
            (true, _) => Config::read(here),
            (false, true) => Config::read(system),
            (false, false) => Err(ConfigError::whole(
                here,
                format!(
                    "there is no configuration here and none at {}; copy config.example.toml to one of them, or name yours with --config FILE",
                    system.display()
                ),
            )),
        }
    }

    fn read(file: &Path) -> Result<Config, ConfigError> {
        let text = fs::read_to_string(file).map_err(|error| {
            let sentence = match error.kind() {
                io::ErrorKind::NotFound => {
                    "there is no such file; copy config.example.toml to it, or name another with --config FILE".to_owned()
                }
                io::ErrorKind::InvalidData => "the file is not UTF-8 text; save it as UTF-8".to_owned(),
                _ => format!("the file cannot be read ({error}); check its path and rights"),
            };
            ConfigError::whole(file, sentence)
        })?;
        Config::parse(file, &text)
    }

    /// Reads a configuration from its text; paths in it are relative to `file`.
    ///
    /// # Errors
    /// Everything in the text that is not as it should be.
    pub fn parse(file: &Path, text: &str) -> Result<Config, ConfigError> {
        let folder = file.parent().unwrap_or(Path::new(""));
        let document = Document::parse(file, text)?;
        let mut warnings = Vec::new();
        Ok(Config {
            file: file.to_owned(),
            club: club(&document.section("club"), folder, &mut warnings)?,
            incoming: ways::incoming(&document, folder)?,
            outgoing: ways::outgoing(&document, folder)?,
            store: folder.join(
                document
                    .section("store")
                    .required("path", "club.sqlite")?
                    .value,
            ),
            proof: proof(&document.section("proof"))?,
            games: games(&document.section("games"), &mut warnings)?,
            limits: limits(&document.section("limits"))?,
            warnings,
        })
    }
}

fn club(
    section: &Section<'_>,
    folder: &Path,
    warnings: &mut Vec<String>,
) -> Result<Club, ConfigError> {
    let language = match section.text("language")? {
        None => "en".to_owned(),
        Some(found) if languages().contains(&found.value) => found.value.to_owned(),
        Some(found) => {
            return Err(found.wrong(format!(
                "must be one of the languages that have a catalog, {}, not \"{}\"",
                languages().join(", "),
                found.value
            )));
        }
    };
    let timezone = match section.text("timezone")? {
        None => Tz::UTC,
        Some(found) => found.value.parse().map_err(|_| {
            found.wrong(format!(
                "must be a time zone such as Europe/Prague or UTC, not \"{}\"",
                found.value
            ))
        })?,
    };
    let name = section.required("name", "Prague DVONN Club")?;
    let own = address(&section.required("address", "dvonn@example.org")?)?;
    let admin = address(&section.required("admin", "you@example.org")?)?;
    // A mail about trouble with the mailbox, sent into that mailbox, reaches nobody.
    if admin == own {
        warnings.push(
            "club.admin is the club's own address: mails about trouble will reach nobody"
                .to_owned(),
        );
    }
    Ok(Club {
        name: ways::line(&name)?,
        address: own,
        admin,
        alarm_command: alarm_command(section, folder)?,
        language,
        timezone,
    })
}

/// The program is a path like all others in the file: no shell looks for it.
fn alarm_command(section: &Section<'_>, folder: &Path) -> Result<Vec<String>, ConfigError> {
    let mut words = Vec::new();
    for (place, found) in section.texts("alarm_command")?.into_iter().enumerate() {
        if found.value.contains('\0') || (place == 0 && found.value.is_empty()) {
            return Err(found.wrong(
                "must be a program and its arguments, such as [\"/usr/local/bin/tell-me\", \"dvonn\"]",
            ));
        }
        words.push(if place == 0 {
            folder.join(found.value).to_string_lossy().into_owned()
        } else {
            found.value.to_owned()
        });
    }
    Ok(words)
}

impl Club {
    /// Why the alarm command could not be run, as far as that can be seen from outside.
    #[must_use]
    pub fn alarm_trouble(&self) -> Option<String> {
        use std::os::unix::fs::PermissionsExt;
        let program = self.alarm_command.first()?;
        match fs::metadata(program) {
            Ok(file) if file.is_file() && file.permissions().mode() & 0o111 != 0 => None,
            Ok(_) => Some(format!(
                "club.alarm_command: {program} is no program that can be run; check it and its rights"
            )),
            Err(error) => Some(format!(
                "club.alarm_command: {program} cannot be found ({error}); write the whole path of the program"
            )),
        }
    }
}

fn address(found: &Found<'_, &str>) -> Result<Address, ConfigError> {
    Address::parse(found.value).map_err(|why| {
        found.wrong(format!(
            "\"{}\" cannot be used: {why}; write one such as dvonn@example.org",
            found.value
        ))
    })
}

fn proof(section: &Section<'_>) -> Result<Proof, ConfigError> {
    let mut trusted_authserv = Vec::new();
    for found in section.texts("trusted_authserv")? {
        let name = found.value.strip_prefix("*.").unwrap_or(found.value);
        let looks_right = !name.is_empty()
            && name
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_'));
        if !looks_right {
            return Err(found.wrong(format!(
                "must list names of servers such as \"mx.example.org\" or \"*.example.org\", not \"{}\"",
                found.value
            )));
        }
        trusted_authserv.push(found.value.to_ascii_lowercase());
    }
    Ok(Proof {
        plus_addressing: section.flag("plus_addressing", false)?,
        trusted_authserv,
    })
}

fn games(section: &Section<'_>, warnings: &mut Vec<String>) -> Result<Games, ConfigError> {
    let setup = match section.text("setup")? {
        None => Setup::Place,
        Some(found) => found.value.parse().map_err(|_| {
            found.wrong(format!(
                "must be \"place\", \"random\" or \"symmetric\", not \"{}\"",
                found.value
            ))
        })?,
    };
    without_clocks(section, warnings)?;
    Ok(Games {
        setup,
        games_per_player: limit(section, "games_per_player")?,
    })
}

/// The keys of the clocks: their form is checked, and the admin is told that they do nothing so far.
fn without_clocks(section: &Section<'_>, warnings: &mut Vec<String>) -> Result<(), ConfigError> {
    let mut set = Vec::new();
    if let Some(found) = section.text("time")? {
        if !values::is_time_control(found.value) {
            return Err(found.wrong(format!(
                "must be \"none\", a time for each move such as \"7d\", or a bank with an increment such as \"30d+1d\", not \"{}\"",
                found.value
            )));
        }
        set.push(found.key);
    }
    for key in ["grace", "outage"] {
        if let Some(found) = section.text(key)? {
            span(&found)?;
            set.push(found.key);
        }
    }
    if section.number("vacation_days", 0..=366)?.is_some() {
        set.push("games.vacation_days".to_owned());
    }
    warnings.extend(
        set.into_iter()
            .map(|key| format!("{key} has no effect yet: games are played without a clock")),
    );
    Ok(())
}

fn span(found: &Found<'_, &str>) -> Result<Duration, ConfigError> {
    values::duration(found.value).ok_or_else(|| {
        found.wrong(format!(
            "must be a span of time such as \"24h\" or \"7d\", not \"{}\"",
            found.value
        ))
    })
}

fn limits(section: &Section<'_>) -> Result<Limits, ConfigError> {
    let mail_size = match section.text("mail_size")? {
        None => 5 * 1024 * 1024,
        Some(found) => values::size(found.value)
            // Below the first nothing but a bare note gets through, above the second one mail fills the memory.
            .filter(|bytes| (16 * 1024..=64 * 1024 * 1024).contains(bytes))
            .ok_or_else(|| {
                found.wrong(format!(
                    "must be a size from \"16KiB\" to \"64MiB\", not \"{}\"",
                    found.value
                ))
            })?,
    };
    Ok(Limits {
        mails_per_hour: limit(section, "mails_per_hour")?,
        mails_per_day: limit(section, "mails_per_day")?,
        mail_size,
        answers_per_hour: section
            .number("answers_per_hour", 1..=1_000_000)?
            .unwrap_or(30),
        strangers_per_day: section
            .number("strangers_per_day", 0..=1_000_000)?
            .unwrap_or(100),
    })
}

/// A limit in which 0 stands for none.
fn limit(section: &Section<'_>, key: &'static str) -> Result<Option<u32>, ConfigError> {
    let number = section.number(key, 0..=1_000_000)?;
    Ok(number.filter(|number| *number > 0))
}
