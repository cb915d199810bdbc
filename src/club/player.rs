//! A member of the club. Knows names and settings; nothing of games, nor of how a mail proves its writer.

use chrono::{DateTime, Utc};

use crate::club::notice::Reader;

/// Row id of a member, never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerId(pub i64);

/// A member of the club.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// Row id.
    pub id: PlayerId,
    /// Unique without regard to case and accents.
    pub name: String,
    /// The registered address; letters go there.
    pub address: String,
    /// Code of the catalog, such as `en`.
    pub language: String,
    /// IANA name of the zone that times are shown in.
    pub timezone: String,
    /// When the member joined.
    pub joined: DateTime<Utc>,
    /// Whether the member asked for no more mail.
    pub stopped: bool,
}

impl Player {
    /// The member as the reader of a letter.
    #[must_use]
    pub fn reader(&self) -> Reader {
        Reader {
            name: Some(self.name.clone()),
            address: self.address.clone(),
            language: self.language.clone(),
            timezone: self.timezone.clone(),
        }
    }
}

impl Reader {
    /// Somebody who is no member: written to in the club's language.
    #[must_use]
    pub fn stranger(address: &str) -> Self {
        Reader {
            name: None,
            address: address.to_owned(),
            language: String::new(),
            timezone: String::new(),
        }
    }
}
