//! A letter ready to go: its final bytes, built through lettre (MAIL-23, MAIL-38, MAIL-40, OUT-08, OUT-09). It is told
//! the time and every id; the same values give the same bytes.

use chrono::{DateTime, Utc};

use crate::mail::address::Address;

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
    /// The club's address: From.
    pub club: Address,
    /// The club's name, shown beside it.
    pub club_name: String,
    /// The one recipient.
    pub to: Address,
    /// His name, shown beside it.
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
    /// The mail that is answered, without angle brackets.
    pub in_reply_to: Option<String>,
    /// References, root first, without angle brackets.
    pub references: Vec<String>,
    /// The date.
    pub date: DateTime<Utc>,
    /// List-Unsubscribe: a `mailto:` or `https:` URI, for letters that have one.
    pub unsubscribe: Option<String>,
    /// The envelope sender; none is the empty one `<>`, for answers to mails that could not be used (MAIL-23).
    pub envelope_from: Option<Address>,
}

/// Why a letter cannot be built: always a fault of ours.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OutgoingError {
    /// lettre refuses an address.
    #[error("the address {0} cannot be written")]
    Address(String),
    /// An id holds what an id cannot hold.
    #[error("the id {0:?} cannot be written")]
    Id(String),
    /// lettre cannot put the parts together.
    #[error("the mail cannot be built: {0}")]
    Build(String),
}

impl Outgoing {
    /// The final bytes, CRLF throughout.
    pub fn bytes(&self) -> Result<Vec<u8>, OutgoingError> {
        Err(OutgoingError::Build("not yet".into()))
    }
}
