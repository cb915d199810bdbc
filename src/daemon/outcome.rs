//! What a server's answer means for a letter, and for the way out; and how that is noted. It knows codes by their kinds
//! and the schedule; it dials nobody.

use anyhow::{Context, Result};
use chrono::{DateTime, TimeDelta, Utc};

use super::backoff;
use super::bounces::{self, Failure};
use super::clock::Outside;
use super::post::tell_admin;
use super::settings::Club;
use crate::club::notice::AdminNotice;
use crate::mail::bounce::{Weight, weigh};
use crate::store::{Claimed, Outcome, Tx};
use crate::wire::Sent;

/// Tries of a letter that is refused for a reason that may not be its recipient's.
const DOUBTFUL_TRIES: u32 = 3;

/// The wait between such tries: all three within a day (OUT-04).
const DOUBTFUL_WAIT: TimeDelta = TimeDelta::hours(12);

/// The wait after no answer to the final dot (OUT-02).
const UNCERTAIN_WAIT: TimeDelta = TimeDelta::minutes(10);

/// What an answer means.
#[derive(Debug)]
pub(super) struct Meaning {
    /// What becomes of the letter.
    pub fate: Fate,
    /// What was said, in a line.
    pub said: String,
    /// All letters rest because of this.
    pub rest: Option<Rest>,
    /// Whether it was handed over to the final dot, so that the provider counts it.
    pub handed: bool,
}

/// What becomes of a letter.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is sent, or tried again.
    On(Outcome),
    /// It is refused for good.
    Refused(Weight),
    /// It was handed over twice, and no answer came: it is never sent a third time.
    MayHaveArrived,
}

/// Why all letters rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// The server cannot be used.
    Down,
    /// It wants less mail.
    Limit,
    /// It does not know us.
    Credentials,
}

/// What the answer to a try means.
pub(super) fn meaning(
    letter: &Claimed,
    sent: Sent,
    outside: &Outside,
    now: DateTime<Utc>,
) -> Meaning {
    let again = |wait, uncertain| {
        Fate::On(Outcome::Again {
            at: now + wait,
            uncertain,
        })
    };
    let (fate, said, rest, handed) = match sent {
        Sent::Accepted => (Fate::On(Outcome::Sent), String::new(), None, true),
        Sent::Refused { text, .. } | Sent::Doubtful { text, .. }
            if letter.attempt >= DOUBTFUL_TRIES =>
        {
            (Fate::Refused(weigh(&text, None)), text, None, false)
        }
        // Words about spam or policy prove nothing about the recipient, whatever the code says.
        Sent::Refused { text, .. } => match weigh(&text, None) {
            Weight::Nothing => (again(DOUBTFUL_WAIT, false), text, None, false),
            weight => (Fate::Refused(weight), text, None, false),
        },
        Sent::Doubtful { text, .. } => (again(DOUBTFUL_WAIT, false), text, None, false),
        Sent::TooLarge { text } => (Fate::Refused(Weight::Nothing), text, None, false),
        Sent::Temporary { text } if backoff::is_hopeless(letter.attempt, letter.made, now) => {
            (Fate::Refused(weigh(&text, None)), text, None, false)
        }
        Sent::Temporary { text } => (
            again(backoff::letter(letter.attempt, outside), false),
            text,
            None,
            false,
        ),
        // The server may have it: once more after ten minutes, byte for byte the same; never in a loop.
        Sent::Uncertain { text } if letter.uncertain > 0 => {
            (Fate::MayHaveArrived, text, None, true)
        }
        Sent::Uncertain { text } => (again(UNCERTAIN_WAIT, true), text, None, true),
        Sent::Down { text } => resting(Rest::Down, text, now),
        Sent::Limit { text } => resting(Rest::Limit, text, now),
        Sent::Credentials { text } => resting(Rest::Credentials, text, now),
    };
    Meaning {
        fate,
        said,
        rest,
        handed,
    }
}

fn resting(rest: Rest, text: String, now: DateTime<Utc>) -> (Fate, String, Option<Rest>, bool) {
    let fate = Fate::On(Outcome::NotTried { at: now });
    (fate, text, Some(rest), false)
}

impl Meaning {
    /// Whether the next letters to the same recipient need not be tried now.
    pub(super) fn ends_the_lane(&self) -> bool {
        self.rest.is_some() || self.fate == Fate::Refused(Weight::Gone)
    }

    /// For the log.
    pub(super) fn word(&self) -> &'static str {
        match self.fate {
            Fate::On(Outcome::Sent) => "is sent",
            Fate::On(Outcome::Again { .. }) => "is tried again later",
            Fate::On(Outcome::NotTried { .. }) => "rests",
            Fate::Refused(Weight::Gone) => "came back",
            Fate::On(Outcome::Failed) | Fate::Refused(_) => "is given up",
            Fate::MayHaveArrived => "may have arrived and is given up",
        }
    }
}

/// Notes what the answer to a try means.
pub(super) fn settle(
    tx: &Tx<'_>,
    club: &Club,
    letter: &Claimed,
    meaning: &Meaning,
    now: DateTime<Utc>,
) -> Result<()> {
    if meaning.handed {
        tx.handed_over(now)?;
    }
    match &meaning.fate {
        Fate::On(outcome) => tx.tried(letter.id, outcome, &meaning.said, now),
        Fate::Refused(weight) => {
            let posted = tx
                .posted(letter.id)?
                .context("A letter was sent and is not")?;
            let failure = Failure {
                weight: *weight,
                said: &meaning.said,
                report: None,
            };
            bounces::fails(tx, club, &posted, &failure, now)
        }
        Fate::MayHaveArrived => {
            let said = format!("may have arrived: {}", meaning.said);
            tx.tried(letter.id, &Outcome::Failed, &said, now)?;
            let what = AdminNotice::MayHaveArrived {
                letter: letter.id,
                address: letter.recipient.clone(),
                reason: meaning.said.clone(),
            };
            tell_admin(tx, club, what, now)
        }
    }
}

/// Notes the answer to a try of a letter that was claimed.
///
/// # Errors
/// The database.
pub fn answered(
    tx: &Tx<'_>,
    club: &Club,
    letter: &Claimed,
    sent: Sent,
    now: DateTime<Utc>,
) -> Result<()> {
    let meaning = meaning(letter, sent, &club.outside, now);
    settle(tx, club, letter, &meaning, now)
}
