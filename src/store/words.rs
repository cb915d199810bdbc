//! How values are spelled in the tables, both ways.

use anyhow::{Context, Result, bail};
use chrono::{DateTime, Utc};

use crate::club::challenge::ChallengeState;
use crate::club::game::EndedBy;
use crate::dvonn::{Colour, Outcome};

/// Seconds since 1970.
pub(super) fn seconds(at: DateTime<Utc>) -> i64 {
    at.timestamp()
}

/// The moment of seconds since 1970.
pub(super) fn moment(seconds: i64) -> Result<DateTime<Utc>> {
    DateTime::from_timestamp(seconds, 0).with_context(|| format!("{seconds} is no moment"))
}

/// A colour from its column.
pub(super) fn colour(word: &str) -> Result<Colour> {
    Colour::BOTH
        .into_iter()
        .find(|colour| colour.to_string() == word)
        .with_context(|| format!("{word} is no colour"))
}

/// A result from its column.
pub(super) fn outcome(word: &str) -> Result<Outcome> {
    [Outcome::White, Outcome::Black, Outcome::Draw]
        .into_iter()
        .find(|outcome| outcome.to_string() == word)
        .with_context(|| format!("{word} is no result"))
}

/// A way to end a game from its column.
pub(super) fn ended_by(word: &str) -> Result<EndedBy> {
    [EndedBy::Score, EndedBy::Resignation]
        .into_iter()
        .find(|by| by.word() == word)
        .with_context(|| format!("{word} is no way to end a game"))
}

/// A challenge's state for its column.
pub(super) fn state_word(state: ChallengeState) -> &'static str {
    match state {
        ChallengeState::Waiting => "waiting",
        ChallengeState::Accepted => "accepted",
        ChallengeState::Declined => "declined",
        ChallengeState::Withdrawn => "withdrawn",
        ChallengeState::Expired => "expired",
    }
}

/// A challenge's state from its column.
pub(super) fn state(word: &str) -> Result<ChallengeState> {
    Ok(match word {
        "waiting" => ChallengeState::Waiting,
        "accepted" => ChallengeState::Accepted,
        "declined" => ChallengeState::Declined,
        "withdrawn" => ChallengeState::Withdrawn,
        "expired" => ChallengeState::Expired,
        other => bail!("{other} is no state of a challenge"),
    })
}

/// A number of a game or challenge from its column.
pub(super) fn number(column: i64) -> Result<u32> {
    u32::try_from(column).with_context(|| format!("{column} is no number of a game"))
}

/// Thirty-two bytes from a blob.
pub(super) fn bytes32(blob: &[u8]) -> Result<[u8; 32]> {
    <[u8; 32]>::try_from(blob).context("A number of 32 bytes has another length")
}
