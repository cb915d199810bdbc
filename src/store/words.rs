//! How values are spelled in the tables, both ways.

use anyhow::{Context, Result, bail};
use chrono::{DateTime, Utc};

use crate::club::challenge::ChallengeState;
use crate::club::game::EndedBy;
use crate::dvonn::{Colour, Outcome, Setup};

/// Seconds since 1970.
pub(super) fn seconds(at: DateTime<Utc>) -> i64 {
    at.timestamp()
}

/// The moment of seconds since 1970.
pub(super) fn moment(seconds: i64) -> Result<DateTime<Utc>> {
    DateTime::from_timestamp(seconds, 0).with_context(|| format!("{seconds} is no moment"))
}

pub(super) fn colour_word(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "white",
        Colour::Black => "black",
    }
}

pub(super) fn colour(word: &str) -> Result<Colour> {
    match word {
        "white" => Ok(Colour::White),
        "black" => Ok(Colour::Black),
        other => bail!("{other} is no colour"),
    }
}

pub(super) fn setup_word(setup: Setup) -> &'static str {
    match setup {
        Setup::Place => "place",
        Setup::Random => "random",
        Setup::Symmetric => "symmetric",
    }
}

pub(super) fn setup(word: &str) -> Result<Setup> {
    match word {
        "place" => Ok(Setup::Place),
        "random" => Ok(Setup::Random),
        "symmetric" => Ok(Setup::Symmetric),
        other => bail!("{other} is no setup"),
    }
}

pub(super) fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::White => "white",
        Outcome::Black => "black",
        Outcome::Draw => "draw",
    }
}

pub(super) fn outcome(word: &str) -> Result<Outcome> {
    match word {
        "white" => Ok(Outcome::White),
        "black" => Ok(Outcome::Black),
        "draw" => Ok(Outcome::Draw),
        other => bail!("{other} is no result"),
    }
}

pub(super) fn ended_by(word: &str) -> Result<EndedBy> {
    match word {
        "score" => Ok(EndedBy::Score),
        "resignation" => Ok(EndedBy::Resignation),
        other => bail!("{other} is no way to end a game"),
    }
}

pub(super) fn state_word(state: ChallengeState) -> &'static str {
    match state {
        ChallengeState::Waiting => "waiting",
        ChallengeState::Accepted => "accepted",
        ChallengeState::Declined => "declined",
        ChallengeState::Withdrawn => "withdrawn",
        ChallengeState::Expired => "expired",
    }
}

pub(super) fn state(word: &str) -> Result<ChallengeState> {
    match word {
        "waiting" => Ok(ChallengeState::Waiting),
        "accepted" => Ok(ChallengeState::Accepted),
        "declined" => Ok(ChallengeState::Declined),
        "withdrawn" => Ok(ChallengeState::Withdrawn),
        "expired" => Ok(ChallengeState::Expired),
        other => bail!("{other} is no state of a challenge"),
    }
}

/// A number of a game or challenge from its column.
pub(super) fn number(column: i64) -> Result<u32> {
    u32::try_from(column).with_context(|| format!("{column} is no number of a game"))
}

/// Thirty-two bytes from a blob.
pub(super) fn bytes32(blob: &[u8]) -> Result<[u8; 32]> {
    <[u8; 32]>::try_from(blob).context("A number of 32 bytes has another length")
}
