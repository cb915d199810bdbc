//! What was done by hand: written in the transaction of the deed, never changed.

use anyhow::{Context, Result};
use chrono::{DateTime, Utc};
use rusqlite::params;

use super::Tx;
use super::words::seconds;

impl Tx<'_> {
    /// Notes an act of a user of the machine.
    ///
    /// # Errors
    /// SQLite's.
    pub fn audit(&self, who: &str, act: &str, about: &str, now: DateTime<Utc>) -> Result<()> {
        self.0
            .prepare_cached("INSERT INTO audit (at, who, act, about) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![seconds(now), who, act, about])
            .context("The act cannot be written down")?;
        Ok(())
    }
}
