//! What the admin does by hand with letters that were given up and mails that were set aside.

use anyhow::{Context, Result};
use chrono::{DateTime, Utc};
use rusqlite::{OptionalExtension, params};

use super::inbox::{InboxRow, read};
use super::words::seconds;
use super::{OutboxState, Tx};

/// What came of a wish to try something again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// It is tried again.
    Waits,
    /// There is nothing of that number.
    Unknown,
    /// It is in no state that could be tried again.
    NotGivenUp,
    /// Its bytes are not there.
    NoBytes,
}

impl Tx<'_> {
    /// The bytes of a letter; the inner `None`: they are forgotten.
    ///
    /// # Errors
    /// SQLite's.
    pub fn letter_bytes(&self, id: i64) -> Result<Option<Option<Vec<u8>>>> {
        Ok(self
            .0
            .prepare_cached("SELECT bytes FROM outbox WHERE id = ?1")?
            .query_row([id], |row| row.get(0))
            .optional()?)
    }

    /// The letters that were given up, oldest first.
    ///
    /// # Errors
    /// SQLite's.
    pub fn given_up(&self) -> Result<Vec<i64>> {
        let mut statement = self
            .0
            .prepare_cached("SELECT id FROM outbox WHERE state = 'failed' ORDER BY id")?;
        let ids = statement.query_map([], |row| row.get(0))?;
        Ok(ids.collect::<rusqlite::Result<_>>()?)
    }

    /// Has a letter tried again that was given up, as if it had never been tried.
    ///
    /// # Errors
    /// SQLite's.
    pub fn send_again(&self, id: i64, now: DateTime<Utc>) -> Result<Again> {
        let row: Option<(String, bool)> = self
            .0
            .prepare_cached("SELECT state, bytes IS NOT NULL FROM outbox WHERE id = ?1")?
            .query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let Some((state, has_bytes)) = row else {
            return Ok(Again::Unknown);
        };
        if state != OutboxState::Failed.word() {
            return Ok(Again::NotGivenUp);
        }
        if !has_bytes {
            return Ok(Again::NoBytes);
        }
        self.0
            .prepare_cached(
                "UPDATE outbox SET state = 'waiting', next_at = ?2, attempts = 0, uncertain = 0, result = ''
                 WHERE id = ?1",
            )?
            .execute(params![id, seconds(now)])
            .context("A letter cannot be made to wait again")?;
        Ok(Again::Waits)
    }

    /// The mails that are set aside, oldest first.
    ///
    /// # Errors
    /// SQLite's.
    pub fn shunted(&self) -> Result<Vec<InboxRow>> {
        let mut statement = self.0.prepare_cached(
            "SELECT id, arrived_at, sender, state, reason, attempts, junk, cut FROM inbox
             WHERE state = 'shunted' ORDER BY id",
        )?;
        let rows = statement.query_map([], read)?;
        rows.map(|row| row?).collect()
    }

    /// The bytes of a mail that is set aside, empty where there never were any; `None`: no such mail is set aside.
    ///
    /// # Errors
    /// SQLite's.
    pub fn shunted_bytes(&self, id: i64) -> Result<Option<Vec<u8>>> {
        let row: Option<Option<Vec<u8>>> = self
            .0
            .prepare_cached("SELECT raw FROM inbox WHERE id = ?1 AND state = 'shunted'")?
            .query_row([id], |row| row.get(0))
            .optional()?;
        Ok(row.map(Option::unwrap_or_default))
    }

    /// Has a mail looked at again that was set aside, as if it had just come.
    ///
    /// # Errors
    /// SQLite's.
    pub fn take_again(&self, id: i64) -> Result<Again> {
        let row: Option<(bool, bool)> = self
            .0
            .prepare_cached("SELECT state = 'shunted', raw IS NOT NULL FROM inbox WHERE id = ?1")?
            .query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        Ok(match row {
            None => Again::Unknown,
            Some((false, _)) => Again::NotGivenUp,
            Some((true, false)) => Again::NoBytes,
            Some((true, true)) => {
                self.0
                    .prepare_cached(
                        "UPDATE inbox SET state = 'waiting', attempts = 0, reason = '' WHERE id = ?1",
                    )?
                    .execute([id])
                    .context("A mail cannot be made to wait again")?;
                Again::Waits
            }
        })
    }
}
