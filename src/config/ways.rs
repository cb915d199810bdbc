//! The ways in and out: where mail is fetched from and handed over to.
//!
//! Knows the four sections `incoming.*` and `outgoing.*`, and that exactly one of each stands in a configuration.
//! Refuses to know sockets; nothing is opened here.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::config::document::{Document, Found, Section};
use crate::config::error::ConfigError;
use crate::config::secret::SecretFile;

/// How a connection is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Security {
    /// TLS from the first byte.
    Tls,
    /// TLS after a STARTTLS command; never less.
    StartTls,
    /// None, which only a connection within this machine may have.
    None,
}

/// The way in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Incoming {
    /// A mailbox on an IMAP server.
    Imap(Imap),
    /// A Maildir on this machine.
    Maildir(PathBuf),
}

/// The way out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outgoing {
    /// A mail server that takes mail for anyone.
    Smtp(Smtp),
    /// A folder that holds one Maildir for each recipient.
    Maildir(PathBuf),
}

/// `[incoming.imap]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imap {
    /// Name or address of the server.
    pub host: String,
    /// 993 for TLS and 143 otherwise, unless the file says so.
    pub port: u16,
    /// How the connection is protected.
    pub security: Security,
    /// Login name.
    pub user: String,
    /// Where the password is.
    pub password: SecretFile,
    /// Certificates to trust instead of the system's (PEM).
    pub ca_file: Option<PathBuf>,
    /// The mailbox that is watched.
    pub mailbox: String,
    /// A mailbox that the provider sorts spam into, looked at for the players' mails.
    pub junk_mailbox: Option<String>,
    /// Where mails go that are done.
    pub done_mailbox: String,
    /// Time between two looks.
    pub poll: Duration,
    /// Whether IDLE is used between the looks.
    pub idle: bool,
    /// Limit for each command.
    pub timeout: Duration,
}

/// `[outgoing.smtp]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Smtp {
    /// Name or address of the server.
    pub host: String,
    /// 465 for TLS, 587 for STARTTLS and 25 for none, unless the file says so.
    pub port: u16,
    /// How the connection is protected.
    pub security: Security,
    /// Login name and where the password is; both or none.
    pub login: Option<(String, SecretFile)>,
    /// Certificates to trust instead of the system's (PEM).
    pub ca_file: Option<PathBuf>,
    /// Limit for each phase before the final dot.
    pub timeout: Duration,
}

/// Reads the way in.
pub(super) fn incoming(document: &Document<'_>, folder: &Path) -> Result<Incoming, ConfigError> {
    let imap = document.section("incoming.imap");
    let maildir = document.section("incoming.maildir");
    one_of(&imap, &maildir, ["incoming.imap", "incoming.maildir"], "in")?;
    if maildir.is_present() {
        let path = maildir.required("path", "mail/in")?;
        return Ok(Incoming::Maildir(folder.join(path.value)));
    }
    let host = imap.required("host", "imap.example.org")?;
    let security = security(&imap, host.value)?;
    let standard = match security {
        Security::Tls => 993,
        Security::StartTls | Security::None => 143,
    };
    Ok(Incoming::Imap(Imap {
        host: host_name(&host)?,
        port: port(&imap, standard)?,
        security,
        user: line(&imap.required("user", "club@example.org")?)?,
        password: SecretFile::named(&imap.required("password_file", "imap-password")?, folder),
        ca_file: path(&imap, "ca_file", folder)?,
        mailbox: mailbox(&imap, "mailbox")?.unwrap_or_else(|| "INBOX".to_owned()),
        junk_mailbox: mailbox(&imap, "junk_mailbox")?,
        done_mailbox: done_mailbox(&imap)?,
        poll: seconds(&imap, "poll_seconds")?,
        idle: imap.flag("idle", true)?,
        timeout: seconds(&imap, "timeout_seconds")?,
    }))
}

/// Reads the way out.
pub(super) fn outgoing(document: &Document<'_>, folder: &Path) -> Result<Outgoing, ConfigError> {
    let smtp = document.section("outgoing.smtp");
    let maildir = document.section("outgoing.maildir");
    one_of(
        &smtp,
        &maildir,
        ["outgoing.smtp", "outgoing.maildir"],
        "out",
    )?;
    if maildir.is_present() {
        let path = maildir.required("path", "mail/out")?;
        return Ok(Outgoing::Maildir(folder.join(path.value)));
    }
    let host = smtp.required("host", "smtp.example.org")?;
    let security = security(&smtp, host.value)?;
    let standard = match security {
        Security::Tls => 465,
        Security::StartTls => 587,
        Security::None => 25,
    };
    let login = match (smtp.text("user")?, smtp.text("password_file")?) {
        (Some(user), Some(password)) => Some((line(&user)?, SecretFile::named(&password, folder))),
        (None, None) => None,
        (Some(user), None) => {
            return Err(user.wrong("needs outgoing.smtp.password_file; add it, or leave both out for a server without login"));
        }
        (None, Some(password)) => {
            return Err(password.wrong(
                "needs outgoing.smtp.user; add it, or leave both out for a server without login",
            ));
        }
    };
    Ok(Outgoing::Smtp(Smtp {
        host: host_name(&host)?,
        port: port(&smtp, standard)?,
        security,
        login,
        ca_file: path(&smtp, "ca_file", folder)?,
        timeout: seconds(&smtp, "timeout_seconds")?,
    }))
}

fn one_of(
    first: &Section<'_>,
    second: &Section<'_>,
    names: [&str; 2],
    way: &str,
) -> Result<(), ConfigError> {
    let [one, other] = names;
    match (first.is_present(), second.is_present()) {
        (true, true) => Err(second.wrong(format!(
            "there are two ways {way}, [{one}] and [{other}]; leave one out"
        ))),
        (false, false) => Err(first.wrong(format!(
            "there is no way {way}; add a section [{one}] or [{other}]"
        ))),
        _ => Ok(()),
    }
}

fn security(section: &Section<'_>, host: &str) -> Result<Security, ConfigError> {
    let Some(found) = section.text("security")? else {
        return Ok(Security::Tls);
    };
    match found.value {
        "tls" => Ok(Security::Tls),
        "starttls" => Ok(Security::StartTls),
        "none" if is_loopback(host) => Ok(Security::None),
        "none" => Err(found.wrong(format!(
            "may be \"none\" only for a server on this machine, and {host} is not; use \"tls\" or \"starttls\""
        ))),
        other => Err(found.wrong(format!(
            "must be \"tls\", \"starttls\" or \"none\", not \"{other}\""
        ))),
    }
}

/// Whether a host is this machine whatever a name server says.
fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

fn host_name(found: &Found<'_, &str>) -> Result<String, ConfigError> {
    let looks_right = found.value.parse::<IpAddr>().is_ok()
        || found
            .value
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_'));
    if looks_right {
        Ok(found.value.to_owned())
    } else {
        Err(found.wrong(format!(
            "must be the name of a server such as mail.example.org, not \"{}\"; the port has a key of its own",
            found.value
        )))
    }
}

fn port(section: &Section<'_>, standard: u16) -> Result<u16, ConfigError> {
    let number = section.number("port", 1..=u32::from(u16::MAX))?;
    Ok(number
        .and_then(|number| u16::try_from(number).ok())
        .unwrap_or(standard))
}

/// A span between one second and one hour: longer ones would hide a dead connection.
fn seconds(section: &Section<'_>, key: &'static str) -> Result<Duration, ConfigError> {
    let number = section.number(key, 1..=3600)?.unwrap_or(60);
    Ok(Duration::from_secs(u64::from(number)))
}

fn path(
    section: &Section<'_>,
    key: &'static str,
    folder: &Path,
) -> Result<Option<PathBuf>, ConfigError> {
    Ok(section.text(key)?.map(|found| folder.join(found.value)))
}

fn mailbox(section: &Section<'_>, key: &'static str) -> Result<Option<String>, ConfigError> {
    section.text(key)?.map(|found| line(&found)).transpose()
}

fn done_mailbox(section: &Section<'_>) -> Result<String, ConfigError> {
    let Some(found) = section.text("done_mailbox")? else {
        return Ok("Done".to_owned());
    };
    let watched = mailbox(section, "mailbox")?.unwrap_or_else(|| "INBOX".to_owned());
    // Done mails that stay where they are looked for would be read at every look.
    if found.value == watched {
        return Err(found.wrong(format!(
            "must not be the mailbox that is watched, \"{watched}\"; name another one"
        )));
    }
    line(&found)
}

/// A text that goes into a protocol line, so that it must not end that line.
pub(super) fn line(found: &Found<'_, &str>) -> Result<String, ConfigError> {
    if found.value.contains(char::is_control) {
        return Err(found.wrong("must be one line without control characters"));
    }
    Ok(found.value.to_owned())
}
