//! What goes wrong between us and a mail server, as one sentence for the admin.
//!
//! Knows hosts, mailboxes and what to do about them; refuses to know which mail was on its way and whether to try
//! again: the loops decide that by [`WireError::kind`].

use std::fmt;
use std::time::Duration;

/// A failure of a connection, a folder or a server.
///
/// `Display` is one sentence: what is wrong, where, what to do. Whoever holds a [`super::Mailbox`] that returned one
/// connects anew, whatever the kind: the state of the old connection is unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WireError {
    kind: Kind,
    place: String,
    text: String,
}

/// What sort of failure it is, and so what helps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Login refused. Trying again soon locks accounts (IN-09); the admin must act.
    Credentials,
    /// A mailbox, a directory or a file that the configuration names is not there or may not be used.
    NoSuchMailbox,
    /// No trusted encryption: certificate, name or STARTTLS. The admin must act, or the server's.
    Tls,
    /// Network, time limits, a server that is busy or going down: try again later.
    Temporary,
    /// The server said something that makes no sense. Try again later, mail by mail.
    Protocol,
    /// The account has no room left; what needs none goes on.
    Full,
}

impl WireError {
    /// What sort of failure it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Login at `place` was refused with the server's words `text`.
    pub(super) fn credentials(place: &str, user: &str, text: &str) -> WireError {
        let text = format!(
            "login as {user} was refused{}; check user and password_file",
            said(text)
        );
        WireError::new(Kind::Credentials, place, text)
    }

    /// The mailbox or directory `name` is missing.
    pub(super) fn no_mailbox(place: &str, name: &str, text: &str) -> WireError {
        let text = format!(
            "mailbox {name:?} cannot be opened{}; create it or correct its name",
            said(text)
        );
        WireError::new(Kind::NoSuchMailbox, place, text)
    }

    /// No trusted encryption; `text` says why and what to do.
    pub(super) fn tls(place: &str, text: impl fmt::Display) -> WireError {
        WireError::new(Kind::Tls, place, text.to_string())
    }

    /// A passing trouble.
    pub(super) fn temporary(place: &str, text: impl fmt::Display) -> WireError {
        WireError::new(Kind::Temporary, place, text.to_string())
    }

    /// There is no room left at `place`.
    pub(super) fn full(place: &str, text: impl fmt::Display) -> WireError {
        WireError::new(Kind::Full, place, text.to_string())
    }

    /// `what` took longer than `limit`.
    pub(super) fn timeout(place: &str, what: &str, limit: Duration) -> WireError {
        let limit = limit.as_secs_f32();
        WireError::temporary(
            place,
            format_args!("no answer to {what} within {limit} s; try again later"),
        )
    }

    /// The connection ended while `what` was going on.
    pub(super) fn lost(place: &str, what: &str, text: &str) -> WireError {
        let text = format!("the connection was lost during {what}{}", said(text));
        WireError::new(Kind::Temporary, place, text)
    }

    /// The server broke the protocol while `what` was going on.
    pub(super) fn protocol(place: &str, what: &str, text: impl fmt::Display) -> WireError {
        let text = format!("the server answered {what} with nonsense: {text}");
        WireError::new(Kind::Protocol, place, text)
    }

    fn new(kind: Kind, place: &str, text: String) -> WireError {
        WireError {
            kind,
            place: place.to_owned(),
            text: tame(&text),
        }
    }
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.text)
    }
}

impl std::error::Error for WireError {}

/// The server's own words in brackets, nothing when it said nothing.
fn said(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() {
        String::new()
    } else {
        format!(" ({text})")
    }
}

/// One line of bounded length without control characters: a server's words end up in logs and mails (SEC-12).
pub(super) fn tame(text: &str) -> String {
    const LONGEST: usize = 400;
    let words: Vec<&str> = text
        .split(|c: char| c.is_control() || c.is_whitespace())
        .filter(|word| !word.is_empty())
        .collect();
    let line = words.join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}
