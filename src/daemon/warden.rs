//! The warden: what happens because time passed. One transaction a due thing.

use anyhow::Result;
use chrono::{DateTime, TimeDelta, Utc};

use super::notices;
use super::post;
use super::settings::Club;
use crate::club::challenge::Challenge;
use crate::club::expire;
use crate::club::tell::to_other;
use crate::store::{Store, Tx};

/// How long the bytes of mails and letters are kept.
const KEPT: TimeDelta = TimeDelta::days(30);

/// Ends challenges and questions whose time was over at that moment, and forgets what is old. One thing that goes wrong
/// does not keep the others from happening.
///
/// # Errors
/// The database.
pub fn round(store: &mut Store, club: &Club, now: DateTime<Utc>) -> Result<()> {
    for challenge in store.read(|tx| tx.challenges_expired(now))? {
        if let Err(fault) = store.write(|tx| end(tx, club, &challenge, now)) {
            tracing::error!("Challenge {} cannot be ended: {fault:#}", challenge.number);
        }
    }
    store.write(|tx| tx.expire_questions(now))?;
    store.write(|tx| tx.forget_raw(now - KEPT))?;
    store.write(|tx| tx.forget_bytes(now - KEPT))
}

/// Tells the admin what was held back until then. Other than what is due to players, this waits for no mailbox.
///
/// # Errors
/// The database.
pub fn digests(store: &mut Store, club: &Club, now: DateTime<Utc>) -> Result<()> {
    notices::tell_held(store, club, now)
}

fn end(tx: &Tx<'_>, club: &Club, challenge: &Challenge, now: DateTime<Utc>) -> Result<()> {
    let (change, told) = expire(challenge);
    tx.apply(&[change])?;
    for told in &told {
        if let Some(notice) = to_other(told, &mut |id| tx.sitting(id))? {
            post::post(tx, club, notice, None, now)?;
        }
    }
    Ok(())
}
