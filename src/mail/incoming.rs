//! A mail that came in, taken apart within limits: who says to have written it, what it answers, for whom it is, and
//! the part that is to be read. It knows RFC 5322 and MIME; it refuses to know whether the author is who he says
//! ([`crate::mail::proof`]) and what the text means.

use crate::mail::address::{Address, AddressError};
use crate::mail::body::Body;
use crate::mail::fields::Fields;

/// A mail, read. No bytes make this panic (MAIL-16).
#[derive(Debug, Clone)]
pub struct Incoming {
    /// The one author of the From field (MAIL-26).
    pub from: Result<Address, AuthorError>,
    /// The display name beside it, decoded, as sent: clean it before showing it.
    pub from_name: Option<String>,
    /// The Message-ID without its angle brackets; none when missing or doubled.
    pub message_id: Option<String>,
    /// Ids of In-Reply-To, without angle brackets.
    pub in_reply_to: Vec<String>,
    /// Ids of References, root first, without angle brackets.
    pub references: Vec<String>,
    /// The subject, decoded; empty when there is none.
    pub subject: String,
    /// Every address the mail was for: To, Cc, and what delivery wrote (Delivered-To, X-Original-To …), in this
    /// order, each once.
    pub recipients: Vec<String>,
    /// Display names in To and Cc: what the author's program calls us, for the headers it writes over quotes.
    pub recipient_names: Vec<String>,
    /// What is to be read.
    pub body: Body,
    /// The header, raw.
    pub(crate) fields: Fields,
}

/// Why no single author can be named. Nothing is executed or sent for such a mail (MAIL-26).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AuthorError {
    /// No From field, or an empty one.
    #[error("the mail has no author")]
    Missing,
    /// Several From fields, several authors, or a group.
    #[error("the mail has more than one author")]
    Several,
    /// The one author's address cannot be used.
    #[error("the author's address cannot be used: {0}")]
    Address(AddressError),
}

/// Why a mail is not read at all. It is set aside for the admin; nobody is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// No header field in it.
    #[error("this is not a mail: it has no header")]
    NoHeader,
    /// Its header is larger than 64 KiB or has more than 200 fields (SEC-10).
    #[error("the header of the mail is too large")]
    Header,
    /// Parts inside parts, more than ten deep (SEC-10).
    #[error("the parts of the mail are nested too deep")]
    Depth,
    /// More than 50 parts (SEC-10).
    #[error("the mail has too many parts")]
    Parts,
}

impl Incoming {
    /// Reads a raw mail, with CRLF or LF.
    pub fn read(raw: &[u8]) -> Result<Incoming, Unreadable> {
        let (fields, _) = Fields::split(raw);
        if fields.len() == 0 {
            return Err(Unreadable::NoHeader);
        }
        Ok(Incoming {
            from: Err(AuthorError::Missing),
            from_name: None,
            message_id: None,
            in_reply_to: Vec::new(),
            references: Vec::new(),
            subject: String::new(),
            recipients: Vec::new(),
            recipient_names: Vec::new(),
            body: Body::default(),
            fields,
        })
    }

    /// Whether it says to answer some mail.
    pub fn is_reply(&self) -> bool {
        !self.in_reply_to.is_empty() || !self.references.is_empty()
    }
}
