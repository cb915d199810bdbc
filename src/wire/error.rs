//! What goes wrong between us and a mail server, as one sentence for the admin.
//!
//! Knows hosts, mailboxes and what to do about them; refuses to know which mail was on its way and whether to try
//! again: the loops decide that by [`WireError::kind`].

use std::fmt;
use std::time::Duration;

use data_encoding::BASE64;

use super::settings::{Login, Password};
use crate::mail::thread;

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

/// A server's words without the password that it was given, plain or as it went over the wire: some repeat the command
/// that they refuse (I11).
pub(super) fn without_password(text: &str, login: &Login) -> String {
    let Password(password) = &login.password;
    if password.is_empty() {
        return text.to_owned();
    }
    let coded = |text: &str| BASE64.encode(text.as_bytes());
    [
        coded(&format!("\0{}\0{password}", login.user)),
        coded(password),
        password.clone(),
    ]
    .iter()
    .fold(text.to_owned(), |text, secret| text.replace(secret, "…"))
}

/// One line of bounded length without control characters and without tokens of ours: a server's words end up in logs and
/// mails (SEC-12, I11), and a refusal may quote the Message-ID of the letter.
pub(super) fn tame(text: &str) -> String {
    const LONGEST: usize = 400;
    let text = thread::scrub(text);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_repeats_what_it_refuses_tells_no_log_the_password() {
        let login = Login {
            user: "club".to_owned(),
            password: Password("open sesame".to_owned()),
        };
        for (said, kept) in [
            (
                "5.5.1 unknown: AUTH PLAIN AGNsdWIAb3BlbiBzZXNhbWU=",
                "5.5.1 unknown: AUTH PLAIN …",
            ),
            ("no such line: b3BlbiBzZXNhbWU=", "no such line: …"),
            (
                "BAD a1 LOGIN club \"open sesame\"",
                "BAD a1 LOGIN club \"…\"",
            ),
            ("wrong password", "wrong password"),
        ] {
            assert_eq!(without_password(said, &login), kept);
        }
    }

    #[test]
    fn a_server_that_quotes_our_message_id_tells_no_log_the_token() {
        let said = tame("554 5.6.0 duplicate <12.57.w.k3x9q2m7ab4tzz2c.815@club.example> refused");
        assert_eq!(said, "554 5.6.0 duplicate refused");
    }
}
