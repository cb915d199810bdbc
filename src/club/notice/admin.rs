//! What the admin should know, and in which class it belongs: of each class a letter goes out at most once in six hours.
//!
//! It knows facts alone; when a letter is due is for the floors above.

use chrono::{DateTime, Utc};

/// What a notice to the admin is about (OPS-11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Room: the disk, the mailbox's quota.
    Resource,
    /// Mails set aside, faults of ours.
    Software,
    /// Letters given up, recipients that cannot be reached.
    Bounce,
    /// Mailbox or way out that could not be used for long, letters that wait for long.
    Delay,
    /// A login that is refused.
    Credentials,
    /// Somebody who tries what only others may.
    Security,
    /// The machine's clock.
    Clock,
}

impl Class {
    /// All of them.
    pub const ALL: [Class; 7] = [
        Class::Resource,
        Class::Software,
        Class::Bounce,
        Class::Delay,
        Class::Credentials,
        Class::Security,
        Class::Clock,
    ];

    /// Its word in the table.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Class::Resource => "resource",
            Class::Software => "software",
            Class::Bounce => "bounce",
            Class::Delay => "delay",
            Class::Credentials => "credentials",
            Class::Security => "security",
            Class::Clock => "clock",
        }
    }

    /// The class of that word.
    #[must_use]
    pub fn of(word: &str) -> Option<Class> {
        Self::ALL.into_iter().find(|class| class.word() == word)
    }
}

/// A part of the club's machinery that may fail for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ailment {
    /// The mailbox cannot be read.
    Mailbox,
    /// The way out takes no letter.
    WayOut,
    /// Letters are tried, and none of them gets through.
    Letters,
    /// The disk of the database is nearly full.
    Room,
}

impl Ailment {
    /// Its word in the table.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Ailment::Mailbox => "mailbox",
            Ailment::WayOut => "way out",
            Ailment::Letters => "letters",
            Ailment::Room => "room",
        }
    }
}

/// Something that the admin should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdminNotice {
    /// A mail was set aside.
    Shunted {
        /// Number of the mail in the inbox table.
        inbox: i64,
        /// Why, in words for an admin.
        reason: String,
    },
    /// A letter cannot be delivered and is given up.
    Undeliverable {
        /// Number of the letter in the outbox table.
        letter: i64,
        /// Whose.
        address: String,
        /// The server's answer.
        reason: String,
    },
    /// A login is refused: nothing goes on until a person has acted.
    LoginRefused {
        /// At which end.
        what: Ailment,
        /// Where, and the server's answer.
        reason: String,
    },
    /// Something fails for long, or will not mend by itself.
    Ails {
        /// What.
        what: Ailment,
        /// Since when.
        since: DateTime<Utc>,
        /// The last word about it.
        reason: String,
    },
    /// What the admin was told of is well again.
    Well {
        /// What ailed.
        what: Ailment,
        /// Since when it did.
        since: DateTime<Utc>,
    },
    /// The database cannot be written or read.
    Unusable {
        /// Since when.
        since: DateTime<Utc>,
        /// Until when; `None`: it still cannot.
        until: Option<DateTime<Utc>>,
        /// What SQLite says.
        reason: String,
    },
    /// More of a class came since the last letter about it.
    More {
        /// The class.
        class: Class,
        /// How much.
        count: u32,
        /// Since when.
        since: DateTime<Utc>,
        /// The last of it, in a few words.
        latest: String,
    },
}

impl AdminNotice {
    /// Its class.
    #[must_use]
    pub fn class(&self) -> Class {
        match self {
            AdminNotice::Shunted { .. } => Class::Software,
            AdminNotice::Undeliverable { .. } => Class::Bounce,
            AdminNotice::LoginRefused { .. } => Class::Credentials,
            AdminNotice::Ails { what, .. } | AdminNotice::Well { what, .. } => match what {
                Ailment::Mailbox | Ailment::WayOut | Ailment::Letters => Class::Delay,
                Ailment::Room => Class::Resource,
            },
            AdminNotice::Unusable { .. } => Class::Resource,
            AdminNotice::More { class, .. } => *class,
        }
    }

    /// It in a few words, for a list of what was held back.
    #[must_use]
    pub fn gist(&self) -> &str {
        match self {
            AdminNotice::Shunted { reason, .. }
            | AdminNotice::Undeliverable { reason, .. }
            | AdminNotice::LoginRefused { reason, .. }
            | AdminNotice::Ails { reason, .. }
            | AdminNotice::Unusable { reason, .. } => reason,
            AdminNotice::More { latest, .. } => latest,
            AdminNotice::Well { .. } => "",
        }
    }

    /// The recipient of letters whose trouble it is, if it is about one.
    #[must_use]
    pub fn recipient(&self) -> Option<&str> {
        match self {
            AdminNotice::Undeliverable { address, .. } => Some(address),
            _ => None,
        }
    }
}
