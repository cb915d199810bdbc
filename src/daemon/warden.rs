//! The warden: what happens because time passed. One transaction a due thing.

use anyhow::Result;
use chrono::{DateTime, TimeDelta, Utc};

use super::post;
use super::settings::Club;
use crate::club::expire;
use crate::club::tell::to_other;
use crate::store::Store;

/// How long the bytes of mails and letters are kept.
const KEPT: TimeDelta = TimeDelta::days(30);

/// Ends challenges and questions whose time is over, and forgets what is old. Gives the number of challenges ended.
///
/// # Errors
/// The database, or a letter that cannot be composed.
pub fn round(store: &mut Store, club: &Club, now: DateTime<Utc>) -> Result<u32> {
    let expired = store.read(|tx| tx.challenges_expired(now))?;
    let mut ended = 0;
    for challenge in expired {
        store.write(|tx| {
            let (change, told) = expire(&challenge);
            tx.apply(&[change])?;
            for told in &told {
                if let Some(notice) = to_other(told, &mut |id| tx.sitting(id))? {
                    post::post(tx, club, notice, None, now)?;
                }
            }
            Ok(())
        })?;
        ended += 1;
    }
    store.write(|tx| tx.expire_questions(now))?;
    store.write(|tx| tx.forget_raw(now - KEPT))?;
    store.write(|tx| tx.forget_bytes(now - KEPT))?;
    Ok(ended)
}
