//! Sending one mail to one recipient, and what became of it.
//!
//! Knows phases and codes; refuses to know when to try again.

use super::maildir::Outbox;
use super::smtp::Smtp;
use super::{Report, WayOut, WireError};

/// Carries mails out. May be shared: several mails are sent at once, each on its own connection.
#[derive(Debug)]
pub enum Postman {
    /// By SMTP, over a small pool of connections.
    Smtp(Smtp),
    /// Into one Maildir for each recipient.
    Maildir(Outbox),
}

/// The outside of a mail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Envelope {
    /// Where bounces go; `None` is the null sender of automatic mail (RFC 5321 4.5.5).
    pub from: Option<String>,
    /// The one recipient: an address, without a name.
    pub to: String,
    /// The mail's number in the outbox. A Maildir names its file after it and after the bytes, so that files lie in
    /// the order of the numbers and a mail that goes out again is the same file.
    pub number: u64,
}

/// What became of a mail (OUT-02, OUT-04). The texts are one line, for logs and the admin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sent {
    /// The server has taken it.
    Accepted,
    /// The recipient does not exist or cannot be written to: a bounce.
    Refused {
        /// The code, such as 550.
        code: u16,
        /// What the server said.
        text: String,
    },
    /// Refused for good, but nothing proves that it is the recipient's fault (policy, content, sender): worth two
    /// more tries.
    Doubtful {
        /// The code, such as 554.
        code: u16,
        /// What the server said.
        text: String,
    },
    /// The server asks to try this mail later.
    Temporary {
        /// What the server said.
        text: String,
    },
    /// The server cannot be used at present, whoever the mail is for: no connection, no trust, no answer.
    Down {
        /// What happened.
        text: String,
    },
    /// We send too much: all mail should rest for a while.
    Limit {
        /// What the server said.
        text: String,
    },
    /// Login refused: all mail rests until the admin has acted.
    Credentials {
        /// What the server said, and what to do.
        text: String,
    },
    /// The mail was handed over to the final dot, but no answer came: it may or may not have been taken.
    Uncertain {
        /// What happened.
        text: String,
    },
    /// The server takes no mail of that size.
    TooLarge {
        /// What the server said.
        text: String,
    },
}

impl Postman {
    /// Sets up a way out; nothing is dialled before the first mail.
    pub fn new(way: &WayOut) -> Postman {
        match way {
            WayOut::Smtp(settings) => Postman::Smtp(Smtp::new(settings.clone())),
            WayOut::Maildir(path) => Postman::Maildir(Outbox::new(path.clone())),
        }
    }

    /// Sends a mail. Never longer than the sum of the time limits of its phases.
    pub async fn send(&self, envelope: &Envelope, raw: &[u8]) -> Sent {
        match self {
            Postman::Smtp(smtp) => smtp.send(envelope, raw).await,
            Postman::Maildir(outbox) => outbox.send(envelope, raw).await,
        }
    }

    /// Connects and logs in, for `doctor`; sends no mail.
    ///
    /// # Errors
    /// What would keep the daemon from sending mail.
    pub async fn check(&self) -> Result<Report, WireError> {
        match self {
            Postman::Smtp(smtp) => smtp.check().await,
            Postman::Maildir(outbox) => outbox.check().await,
        }
    }

    /// Says good-bye on all connections that rest.
    pub async fn close(&self) {
        if let Postman::Smtp(smtp) = self {
            smtp.close().await;
        }
    }
}
