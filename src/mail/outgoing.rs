//! A letter ready to go: its final bytes, built through lettre (MAIL-23, MAIL-38, MAIL-40, OUT-08, OUT-09). It is told
//! the time and every id; the same values give the same bytes, so that a letter stored and a letter sent again are one.

use std::time::SystemTime;

use chrono::{DateTime, Utc};
use data_encoding::HEXLOWER;
use lettre::message::header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue};
use lettre::message::{Body, Mailbox, MultiPart, SinglePart};

use crate::mail::address::Address;
use crate::mail::safe::SafeHeader;

/// Last second that a Date field can say.
const DATE_MAX: i64 = 253_402_300_799;

/// Whether a letter answers a mail or comes by itself (RFC 3834 section 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `Auto-Submitted: auto-replied`.
    Answer,
    /// `Auto-Submitted: auto-generated`.
    Notice,
}

/// A letter to one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// The club's address: From, and the loop header.
    pub club: Address,
    /// The club's name, shown beside it.
    pub club_name: String,
    /// The one recipient.
    pub to: Address,
    /// The recipient's name, shown beside it.
    pub to_name: Option<String>,
    /// Reply-To: the plus address with the token, where the provider has such addresses.
    pub reply_to: Option<Address>,
    /// The subject.
    pub subject: String,
    /// The text part. Any line ends; control characters and trailing blanks go.
    pub text: String,
    /// The HTML part: the same letter.
    pub html: String,
    /// Answer or notice.
    pub kind: Kind,
    /// The Message-ID, without angle brackets.
    pub message_id: String,
    /// The mail that is answered, without angle brackets. An id that cannot be written is left out.
    pub in_reply_to: Option<String>,
    /// References, root first, without angle brackets. Ids that cannot be written are left out.
    pub references: Vec<String>,
    /// The date.
    pub date: DateTime<Utc>,
    /// List-Unsubscribe: a `mailto:` or `https:` URI, for letters that have one.
    pub unsubscribe: Option<String>,
    /// The envelope sender; none is the empty one `<>`, for answers to mails that could not be used (MAIL-23). Not part
    /// of the bytes.
    pub envelope_from: Option<Address>,
}

/// Why a letter cannot be built: always a fault of ours.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OutgoingError {
    /// lettre refuses an address.
    #[error("the address {0} cannot be written")]
    Address(String),
    /// The Message-ID or the link to unsubscribe holds what it cannot hold.
    #[error("{0:?} cannot stand in a header")]
    Header(String),
    /// lettre cannot put the parts together.
    #[error("the mail cannot be built: {0}")]
    Build(String),
}

impl Outgoing {
    /// The final bytes, CRLF throughout.
    pub fn bytes(&self) -> Result<Vec<u8>, OutgoingError> {
        if !is_id(&self.message_id) {
            return Err(OutgoingError::Header(self.message_id.clone()));
        }
        let mut message = lettre::Message::builder()
            .from(mailbox(Some(&self.club_name), &self.club)?)
            .to(mailbox(self.to_name.as_deref(), &self.to)?);
        if let Some(address) = &self.reply_to {
            message = message.reply_to(mailbox(Some(&self.club_name), address)?);
        }
        message = message
            .subject(SafeHeader::new(&self.subject).as_str())
            .date(self.system_time())
            .raw_header(ids("Message-ID", std::iter::once(&self.message_id)));
        if let Some(id) = self.in_reply_to.iter().find(|id| is_id(id)) {
            message = message.raw_header(ids("In-Reply-To", std::iter::once(id)));
        }
        if self.references.iter().any(|id| is_id(id)) {
            message = message.raw_header(ids(
                "References",
                self.references.iter().filter(|id| is_id(id)),
            ));
        }
        let submitted = match self.kind {
            Kind::Answer => "auto-replied",
            Kind::Notice => "auto-generated",
        };
        message = message
            .raw_header(plain("Auto-Submitted", submitted))
            .raw_header(plain("X-Auto-Response-Suppress", "All"))
            .raw_header(plain("X-Loop", &self.club.to_string()));
        if let Some(uri) = &self.unsubscribe {
            // RFC 2369 section 2: a URI in angle brackets.
            if !(is_plain(uri) && uri.contains(':')) {
                return Err(OutgoingError::Header(uri.clone()));
            }
            message = message.raw_header(plain("List-Unsubscribe", &format!("<{uri}>")));
        }
        // RFC 2046 section 5.1.4: the plainest part first.
        let parts = MultiPart::alternative()
            .boundary(self.boundary())
            .singlepart(part(ContentType::TEXT_PLAIN, &self.text)?)
            .singlepart(part(ContentType::TEXT_HTML, &self.html)?);
        let built = message
            .multipart(parts)
            .map_err(|e| OutgoingError::Build(e.to_string()))?;
        Ok(built.formatted())
    }

    fn system_time(&self) -> SystemTime {
        let seconds = self.date.timestamp().clamp(0, DATE_MAX);
        SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds.unsigned_abs())
    }

    /// A boundary that follows from the Message-ID, and that no quoted-printable text can hold: `=_` is no escape.
    fn boundary(&self) -> String {
        let hash = ring::digest::digest(&ring::digest::SHA256, self.message_id.as_bytes());
        format!(
            "=_{}",
            HEXLOWER.encode(hash.as_ref().get(..12).unwrap_or(&[]))
        )
    }
}

/// A name is cleaned before lettre sees it: lettre 0.11.23 panics on line ends in it (reliability.md finding 3).
fn mailbox(name: Option<&str>, address: &Address) -> Result<Mailbox, OutgoingError> {
    let name = name
        .map(SafeHeader::new)
        .filter(|n| !n.is_empty())
        .map(|n| n.as_str().to_owned());
    let text = address.to_string();
    let email = text
        .parse::<lettre::Address>()
        .map_err(|_| OutgoingError::Address(text))?;
    Ok(Mailbox::new(name, email))
}

/// Whether it is an id that can stand between angle brackets in a header.
fn is_id(id: &str) -> bool {
    is_plain(id) && id.contains('@')
}

/// Whether it can stand between angle brackets as it is, without encoding and within the longest line (RFC 5322
/// section 2.1.1).
fn is_plain(text: &str) -> bool {
    text.len() <= 900
        && text
            .bytes()
            .all(|b| b.is_ascii_graphic() && !matches!(b, b'<' | b'>' | b'"' | b'\\'))
}

/// Ids, each on a line of its own: they must not be encoded and cannot be broken.
fn ids<'a>(name: &'static str, ids: impl Iterator<Item = &'a String>) -> HeaderValue {
    let all: Vec<String> = ids.map(|id| format!("<{id}>")).collect();
    HeaderValue::dangerous_new_pre_encoded(
        HeaderName::new_from_ascii_str(name),
        all.join(" "),
        all.join("\r\n "),
    )
}

/// A value of ours in printable ASCII.
fn plain(name: &'static str, value: &str) -> HeaderValue {
    HeaderValue::dangerous_new_pre_encoded(
        HeaderName::new_from_ascii_str(name),
        value.to_owned(),
        value.to_owned(),
    )
}

/// A part in UTF-8 and quoted-printable (MAIL-38); a Content-Type without format=flowed.
fn part(kind: ContentType, text: &str) -> Result<SinglePart, OutgoingError> {
    let body = Body::new_with_encoding(canonical(text), ContentTransferEncoding::QuotedPrintable)
        .map_err(|_| OutgoingError::Build("quoted-printable".to_owned()))?;
    Ok(SinglePart::builder().header(kind).body(body))
}

/// Line ends CRLF, no control characters, no blanks at the end of a line (OUT-09). lettre 0.11.23 sends a lone LF or CR
/// as it is, and `\n.\n` would end the mail for some servers (RUSTSEC-2026-0561).
fn canonical(text: &str) -> String {
    let mut lines: Vec<String> = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let end = match c {
            '\r' => {
                chars.next_if_eq(&'\n');
                true
            }
            '\n' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => true,
            _ => false,
        };
        match lines.last_mut() {
            Some(_) if end => lines.push(String::new()),
            Some(line) if c == '\t' => line.push(' '),
            Some(line) if !c.is_control() => line.push(c),
            _ => {}
        }
    }
    let mut out = String::with_capacity(text.len());
    for line in &lines {
        out.push_str(line.trim_end());
        out.push_str("\r\n");
    }
    let body = out.trim_end_matches("\r\n").len();
    out.truncate(body);
    out.push_str("\r\n");
    out
}

#[cfg(test)]
#[path = "outgoing_tests.rs"]
mod tests;
