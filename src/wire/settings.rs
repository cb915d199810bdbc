//! How to reach the servers: plain values that the configuration fills in.
//!
//! Knows no file format and no defaults; refuses to know where a password came from.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::Network;

/// Where the club's mail comes in.
#[derive(Clone, Debug)]
pub enum WayIn {
    /// An IMAP account.
    Imap(ImapSettings),
    /// A Maildir: the directory that holds `new`, `cur` and `tmp`.
    Maildir(PathBuf),
}

/// Where the club's mail goes out.
#[derive(Clone, Debug)]
pub enum WayOut {
    /// A submission server.
    Smtp(SmtpSettings),
    /// A directory with one Maildir for each recipient.
    Maildir(PathBuf),
}

/// A server and how to speak to it.
#[derive(Clone, Debug)]
pub struct Server {
    /// Host name or address; the certificate must be made out to it.
    pub host: String,
    /// TCP port.
    pub port: u16,
    /// How the connection is encrypted.
    pub security: Security,
    /// The only certificate authorities to trust (PEM); without it those of the system.
    pub ca_file: Option<PathBuf>,
    /// How it is reached.
    pub network: Network,
}

/// How a connection is encrypted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Security {
    /// TLS from the first byte (ports 993 and 465).
    Tls,
    /// A plain greeting, then STARTTLS, without which nothing is sent (ports 143 and 587).
    StartTls,
    /// Not at all; refused unless the host is this very machine.
    None,
}

/// An account.
#[derive(Clone, Debug)]
pub struct Login {
    /// User name.
    pub user: String,
    /// Password.
    pub password: Password,
}

/// A password, which no log may show (SEC-12).
#[derive(Clone, PartialEq, Eq)]
pub struct Password(pub String);

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// An IMAP account and its folders.
#[derive(Clone, Debug)]
pub struct ImapSettings {
    /// The server.
    pub server: Server,
    /// The account.
    pub login: Login,
    /// The mailbox that is read, usually `INBOX`.
    pub mailbox: String,
    /// A mailbox with suspected junk that is read as well.
    pub junk_mailbox: Option<String>,
    /// Where mails go that are done; created when missing.
    pub done_mailbox: String,
    /// Whether to wait by IDLE where the server offers it.
    pub idle: bool,
    /// Time limit for each command.
    pub timeout: Duration,
}

/// A submission server.
#[derive(Clone, Debug)]
pub struct SmtpSettings {
    /// The server.
    pub server: Server,
    /// The account; none where the server takes mail without.
    pub login: Option<Login>,
    /// Time limit for each phase.
    pub timeout: Duration,
    /// How long to wait for the answer to the final dot, ten minutes by RFC 5321 4.5.3.2.6.
    pub after_dot: Duration,
    /// How many mails may be on their way at once, each on its own connection.
    pub connections: usize,
}
