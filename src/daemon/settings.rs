//! What the loops need to know of the configuration, as plain values.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use super::clock::Outside;
use crate::club::desk::Customs;
use crate::letters::ClubFacts;
use crate::mail::address::Address;
use crate::mail::token::Secret;

/// The club as it was configured.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Its name.
    pub name: String,
    /// The mail address that players write to.
    pub address: Address,
    /// Who is told of trouble.
    pub admin: Address,
    /// Language of letters to people who are no members, and of new members.
    pub language: String,
    /// Zone of the same.
    pub timezone: String,
    /// Whether the provider delivers `club+tag@` to the club.
    pub plus_addressing: bool,
    /// Servers whose Authentication-Results are believed.
    pub trusted_authserv: Vec<String>,
    /// What the club allows and prefers.
    pub customs: Customs,
    /// Limits of mail.
    pub limits: Limits,
    /// How often the mailbox is looked at.
    pub poll: Duration,
}

/// Limits of mail.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Largest mail that is read, in bytes.
    pub mail_size: u64,
    /// Answers to one member's mails with proof within an hour.
    pub answers_per_hour: u32,
    /// Questions to strangers within a day, in all.
    pub strangers_per_day: u32,
    /// Mails sent within an hour; `None`: no limit.
    pub mails_per_hour: Option<u32>,
    /// Mails sent within a day; `None`: no limit.
    pub mails_per_day: Option<u32>,
}

/// The club at work: its settings, and what its database holds of it.
#[derive(Debug)]
pub struct Club {
    /// The configuration.
    pub settings: Settings,
    /// Key of all tokens.
    pub secret: Secret,
    /// First start; older mail is none of the club's business.
    pub created: DateTime<Utc>,
    /// Where the moment and chance come from.
    pub outside: Outside,
}

/// Mail older than the club by more than this is none of its business.
const BEFORE_THE_CLUB: TimeDelta = TimeDelta::days(1);

impl Club {
    /// Whether a mail that arrived then is older than the club: such mail is not even looked at.
    #[must_use]
    pub fn is_younger_than(&self, arrived: DateTime<Utc>) -> bool {
        arrived + BEFORE_THE_CLUB < self.created
    }

    /// What the letters tell of the club.
    #[must_use]
    pub fn facts(&self) -> ClubFacts {
        self.settings.facts()
    }
}

impl Settings {
    /// What the letters tell of the club.
    pub(super) fn facts(&self) -> ClubFacts {
        ClubFacts {
            name: self.name.clone(),
            address: self.address.to_string(),
        }
    }
}
