//! A mail that came in, taken apart within limits: who says to have written it, what it answers, for whom it is, and
//! the part that is to be read. It knows RFC 5322 and MIME; it refuses to know whether the author is who he says
//! ([`crate::mail::proof`]) and what the text means.

use mail_parser::{HeaderName, HeaderValue, MessageParser};

use crate::mail::address::{Address, AddressError};
use crate::mail::author::author;
use crate::mail::body::Body;
use crate::mail::charset;
use crate::mail::fields::Fields;
use crate::mail::mime;
use crate::mail::report::ids;

/// Largest header in bytes (SEC-10).
const HEADER_MAX: usize = 64 * 1024;
/// Most header fields (SEC-10).
const FIELDS_MAX: usize = 200;
/// Most recipients that are remembered.
const RECIPIENTS_MAX: usize = 100;

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
    /// Every address the mail was for: what delivery wrote (Delivered-To, X-Original-To, X-Forwarded-To …), To and Cc,
    /// in this order, each once.
    pub recipients: Vec<String>,
    /// Display names in To and Cc: what the author's program calls us, for the lines it writes over quotes.
    pub recipient_names: Vec<String>,
    /// What is to be read.
    pub body: Body,
    /// The header, raw.
    pub(crate) fields: Fields,
}

/// Why no single author can be named. Nothing is executed or sent for such a mail (MAIL-26).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AuthorError {
    /// No From field, or one that names nobody.
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
        let (fields, content) = Fields::split(raw);
        if fields.len() == 0 {
            return Err(Unreadable::NoHeader);
        }
        if fields.len() > FIELDS_MAX || raw.len() - content.len() > HEADER_MAX {
            return Err(Unreadable::Header);
        }
        let body = Body::choose(&mime::parts(&fields, content)?);
        let (from, name) = author(&fields);
        let message_ids: Vec<String> = fields.all("message-id").flat_map(ids).collect();
        let (recipients, recipient_names) = recipients(&fields);
        Ok(Incoming {
            from,
            from_name: name.map(|n| decoded(&n)).filter(|n| charset::visible(n)),
            message_id: match message_ids.as_slice() {
                [id] => Some(id.clone()),
                _ => None,
            },
            in_reply_to: fields.all("in-reply-to").flat_map(ids).collect(),
            references: fields.all("references").flat_map(ids).collect(),
            subject: fields.first("subject").map(decoded).unwrap_or_default(),
            recipients,
            recipient_names,
            body,
            fields,
        })
    }

    /// Whether it says to answer some mail: a reply header is there, even if its ids cannot be read.
    pub fn is_reply(&self) -> bool {
        ["in-reply-to", "references"]
            .iter()
            .any(|name| self.fields.all(name).any(|v| !v.trim().is_empty()))
    }
}

/// Encoded words decoded (RFC 2047), invisible characters gone, one line.
fn decoded(value: &str) -> String {
    let text = match parsed("subject", value) {
        Some(HeaderValue::Text(text)) => text.into_owned(),
        _ => value.to_owned(),
    };
    charset::clean(&text).replace('\n', " ").trim().to_owned()
}

/// One field through mail-parser, so that only what is needed of a header is ever parsed.
fn parsed(name: &str, value: &str) -> Option<HeaderValue<'static>> {
    let line = format!("{name}: {value}\r\n\r\n");
    let message = MessageParser::default()
        .parse_headers(line.as_bytes())?
        .into_owned();
    let header = HeaderName::parse(name.to_owned())?;
    let value = message
        .parts
        .into_iter()
        .next()?
        .headers
        .into_iter()
        .find(|h| h.name == header)?
        .value;
    Some(value)
}

/// Addresses and display names of those the mail was for.
fn recipients(fields: &Fields) -> (Vec<String>, Vec<String>) {
    let (mut addresses, mut names) = (Vec::new(), Vec::new());
    let mut add = |address: &str| {
        let address = address.trim();
        if !address.is_empty()
            && addresses.len() < RECIPIENTS_MAX
            && !addresses.iter().any(|a| a == address)
        {
            addresses.push(address.to_owned());
        }
    };
    // Requirement c7: To is lost when a mail was sent blind, by an alias, or forwarded.
    for name in [
        "delivered-to",
        "x-original-to",
        "x-forwarded-to",
        "envelope-to",
        "x-delivered-to",
        "x-envelope-to",
    ] {
        for value in fields.all(name).take(RECIPIENTS_MAX) {
            add(value.trim().trim_start_matches('<').trim_end_matches('>'));
        }
    }
    for name in ["to", "cc"] {
        for value in fields.all(name).take(RECIPIENTS_MAX) {
            let Some(HeaderValue::Address(list)) = parsed(name, value) else {
                continue;
            };
            for one in list.iter().take(RECIPIENTS_MAX) {
                if let Some(address) = one.address() {
                    add(address);
                }
                if let Some(name) = one.name().map(|n| charset::clean(n).trim().to_owned())
                    && charset::visible(&name)
                    && names.len() < RECIPIENTS_MAX
                    && !names.contains(&name)
                {
                    names.push(name);
                }
            }
        }
    }
    (addresses, names)
}

#[cfg(test)]
#[path = "incoming_tests.rs"]
mod tests;
