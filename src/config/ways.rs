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
use crate::wire::{ImapSettings, Login, Network, Security, Server, SmtpSettings, WayIn, WayOut};

/// How long a server may think about a mail that it has in full (RFC 5321 section 4.5.3.2.6).
const AFTER_DOT: Duration = Duration::from_secs(10 * 60);

/// Mails on their way at once: enough that one slow recipient delays nobody, few enough for every provider.
const CONNECTIONS: usize = 4;

/// The way in.
#[derive(Debug, Clone)]
pub enum Incoming {
    /// A mailbox on an IMAP server.
    Imap(Box<Imap>),
    /// A Maildir on this machine.
    Maildir(PathBuf),
}

/// The way out.
#[derive(Debug, Clone)]
pub enum Outgoing {
    /// A mail server that takes mail for anyone.
    Smtp(Smtp),
    /// A folder that holds one Maildir for each recipient.
    Maildir(PathBuf),
}

/// `[incoming.imap]`, its password not read yet.
#[derive(Debug, Clone)]
pub struct Imap {
    server: Server,
    user: String,
    password: SecretFile,
    mailbox: String,
    junk_mailbox: Option<String>,
    done_mailbox: String,
    poll: Duration,
    idle: bool,
    timeout: Duration,
}

/// `[outgoing.smtp]`, its password not read yet.
#[derive(Debug, Clone)]
pub struct Smtp {
    server: Server,
    login: Option<(String, SecretFile)>,
    timeout: Duration,
}

impl Incoming {
    /// Time between two looks at the mailbox (`poll_seconds`).
    pub fn poll(&self) -> Duration {
        match self {
            Incoming::Imap(imap) => imap.poll,
            // Waiting for a Maildir glances at it every second by itself.
            Incoming::Maildir(_) => Duration::from_secs(60),
        }
    }

    /// All that `wire` needs; reads the password.
    ///
    /// # Errors
    /// As [`SecretFile::read`].
    pub fn settings(&self) -> Result<WayIn, ConfigError> {
        Ok(match self {
            Incoming::Maildir(path) => WayIn::Maildir(path.clone()),
            Incoming::Imap(imap) => WayIn::Imap(ImapSettings {
                server: imap.server.clone(),
                login: Login {
                    user: imap.user.clone(),
                    password: imap.password.read()?,
                },
                mailbox: imap.mailbox.clone(),
                junk_mailbox: imap.junk_mailbox.clone(),
                done_mailbox: imap.done_mailbox.clone(),
                idle: imap.idle,
                timeout: imap.timeout,
            }),
        })
    }
}

impl Outgoing {
    /// All that `wire` needs; reads the password.
    ///
    /// # Errors
    /// As [`SecretFile::read`].
    pub fn settings(&self) -> Result<WayOut, ConfigError> {
        let smtp = match self {
            Outgoing::Maildir(path) => return Ok(WayOut::Maildir(path.clone())),
            Outgoing::Smtp(smtp) => smtp,
        };
        let login = match &smtp.login {
            None => None,
            Some((user, password)) => Some(Login {
                user: user.clone(),
                password: password.read()?,
            }),
        };
        Ok(WayOut::Smtp(SmtpSettings {
            server: smtp.server.clone(),
            login,
            timeout: smtp.timeout,
            after_dot: AFTER_DOT,
            connections: CONNECTIONS,
        }))
    }
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
    Ok(Incoming::Imap(Box::new(Imap {
        server: server(&imap, folder, [993, 143, 143])?,
        user: line(&imap.required("user", "club@example.org")?)?,
        password: SecretFile::named(&imap.required("password_file", "imap-password")?, folder),
        mailbox: mailbox(&imap, "mailbox")?.unwrap_or_else(|| "INBOX".to_owned()),
        junk_mailbox: mailbox(&imap, "junk_mailbox")?,
        done_mailbox: done_mailbox(&imap)?,
        poll: seconds(&imap, "poll_seconds")?,
        idle: imap.flag("idle", true)?,
        timeout: seconds(&imap, "timeout_seconds")?,
    })))
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
    let server = server(&smtp, folder, [465, 587, 25])?;
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
        server,
        login,
        timeout: seconds(&smtp, "timeout_seconds")?,
    }))
}

/// Reads the keys that both servers have; `ports` are the standard ones of TLS, STARTTLS and none.
fn server(section: &Section<'_>, folder: &Path, ports: [u16; 3]) -> Result<Server, ConfigError> {
    let host = host_name(&section.required("host", "mail.example.org")?)?;
    let security = security(section, &host)?;
    let [tls, starttls, none] = ports;
    let standard = match security {
        Security::Tls => tls,
        Security::StartTls => starttls,
        Security::None => none,
    };
    Ok(Server {
        port: port(section, standard)?,
        security,
        ca_file: ca_file(section, folder)?,
        network: Network::Tcp,
        host,
    })
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

fn ca_file(section: &Section<'_>, folder: &Path) -> Result<Option<PathBuf>, ConfigError> {
    let Some(found) = section.text("ca_file")? else {
        return Ok(None);
    };
    let path = folder.join(found.value);
    if path.is_file() {
        Ok(Some(path))
    } else {
        Err(found.wrong(format!(
            "must name a file of certificates, and {} is none; leave it out to trust those of the system",
            path.display()
        )))
    }
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
    // INBOX is the one name without regard to case (RFC 9051 section 5.1).
    let inboxes = [found.value, &watched].map(|name| name.eq_ignore_ascii_case("INBOX"));
    if found.value == watched || inboxes == [true, true] {
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
