//! What the club asks or tells of its own accord: invitations, questions, news for the admin.

use chrono::{DateTime, Utc};

use crate::command::Verb;
use crate::dvonn::{Colour, Setup};

/// An invitation to play.
#[derive(Clone, Debug, PartialEq)]
pub struct InvitationView {
    /// Number of the challenge, later of the game.
    pub number: u32,
    /// The challenger's name.
    pub from: String,
    /// The challenger's address, shown only to somebody who is no member and so cannot know the name.
    pub address: Option<String>,
    /// The reader's colour; `None` for a draw by lot.
    pub colour: Option<Colour>,
    /// The setup.
    pub setup: Setup,
    /// SHA-256 of the club's secret number, in hexadecimal, where lots are drawn.
    pub commitment: Option<String>,
    /// Until when it may be accepted.
    pub until: DateTime<Utc>,
}

/// Why a challenge ended without a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengeClosed {
    /// The other side declined.
    Declined,
    /// The challenger took it back.
    Withdrawn,
    /// Nobody answered in time.
    Expired,
}

/// A question of the club.
#[derive(Clone, Debug, PartialEq)]
pub struct QuestionView {
    /// Mails that wait, oldest first.
    pub held: Vec<HeldLine>,
    /// Whether `yes` makes the reader a member.
    pub joins: bool,
    /// Until when an answer counts.
    pub until: DateTime<Utc>,
}

/// A mail that waits for `yes`: its verbs, never its text.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldLine {
    /// When it came.
    pub arrived: DateTime<Utc>,
    /// Where it came from, if that is an address the club does not know as the reader's.
    pub from: Option<String>,
    /// What it asks for, in order, each with its game if it names one.
    pub verbs: Vec<(Verb, Option<u32>)>,
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
    /// A letter was handed over twice, and no answer came: it is not sent again.
    MayHaveArrived {
        /// Number of the letter in the outbox table.
        letter: i64,
        /// Whose.
        address: String,
        /// What happened.
        reason: String,
    },
    /// Letters to a member come back, and wait from now on.
    Unreachable {
        /// The member's name.
        name: String,
        /// Where the letters went.
        address: String,
        /// Games that wait for it.
        games: Vec<u32>,
        /// What was said.
        reason: String,
    },
}
