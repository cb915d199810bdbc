//! Moments from a clock that ran ahead: made harmless, so that nothing waits for them.

use anyhow::{Context, Result};
use chrono::{DateTime, TimeDelta, Utc};

use super::Tx;
use super::words::seconds;

/// No letter waits longer for its next try.
const LONGEST_WAIT: TimeDelta = TimeDelta::hours(30);

/// What is further ahead was not written by a clock that ticks a little differently.
const AHEAD: TimeDelta = TimeDelta::days(1);

impl Tx<'_> {
    /// Makes letters due that would wait for longer than any letter does, and takes back what is counted or told by its
    /// moment, where that lies ahead. Gives the number of letters.
    ///
    /// # Errors
    /// SQLite's.
    pub fn mend_future(&self, now: DateTime<Utc>) -> Result<usize> {
        let (now, wait, ahead) = (
            seconds(now),
            seconds(now + LONGEST_WAIT),
            seconds(now + AHEAD),
        );
        let letters = self
            .0
            .prepare_cached(
                "UPDATE outbox SET next_at = ?1 WHERE state = 'waiting' AND held = 0 AND next_at > ?2",
            )?
            .execute([now, wait])
            .context("Letters cannot be made due")?;
        // By its age a letter is given up.
        self.0
            .prepare_cached(
                "UPDATE outbox SET made_at = ?1 WHERE state = 'waiting' AND bytes IS NOT NULL AND made_at > ?2",
            )?
            .execute([now, ahead])?;
        self.0
            .prepare_cached("UPDATE heartbeat SET at = ?1 WHERE at > ?1")?
            .execute([now])?;
        // A class of news that was told in the future would not be told again until then.
        self.0
            .prepare_cached("UPDATE notices SET told_at = min(told_at, ?1), alarm_at = min(alarm_at, ?1) WHERE told_at > ?1 OR alarm_at > ?1")?
            .execute([now])?;
        // What was handed over in the future would count against every limit until then.
        self.0
            .prepare_cached("UPDATE handed SET at = ?1 WHERE at > ?1")?
            .execute([now])?;
        self.0
            .prepare_cached("UPDATE troubles SET since = ?1 WHERE since > ?1")?
            .execute([now])?;
        self.0
            .prepare_cached("UPDATE owner SET beat = ?1 WHERE beat > ?1")?
            .execute([now])?;
        Ok(letters)
    }
}
