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
