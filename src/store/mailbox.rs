//! What is known of the mailbox itself: how far it is read, and which of its mails are still to be moved.

use anyhow::{Context, Result};
use chrono::{DateTime, Utc};
use rusqlite::{OptionalExtension, params};

use super::Tx;
use super::words::{moment, seconds};

/// How far an IMAP mailbox is read: everything up to `uid` is taken in, as long as `uidvalidity` stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// UIDVALIDITY of the mailbox (RFC 3501 section 2.3.1.1).
    pub uidvalidity: u32,
    /// The highest UID that was taken in.
    pub uid: u32,
}

impl Tx<'_> {
    /// How far a mailbox is read.
    ///
    /// # Errors
    /// SQLite's.
    pub fn cursor(&self, mailbox: &str) -> Result<Option<Cursor>> {
        self.0
            .prepare_cached("SELECT uidvalidity, uid FROM cursors WHERE mailbox = ?1")?
            .query_row([mailbox], |row| {
                Ok(Cursor {
                    uidvalidity: row.get(0)?,
                    uid: row.get(1)?,
                })
            })
            .optional()
            .context("The mailbox's cursor cannot be read")
    }

    /// Notes how far a mailbox is read.
    ///
    /// # Errors
    /// SQLite's.
    pub fn set_cursor(&self, mailbox: &str, cursor: Cursor) -> Result<()> {
        self.0
            .prepare_cached(
                "INSERT INTO cursors (mailbox, uidvalidity, uid) VALUES (?1, ?2, ?3)
                 ON CONFLICT (mailbox) DO UPDATE SET uidvalidity = excluded.uidvalidity, uid = excluded.uid",
            )?
            .execute(params![mailbox, cursor.uidvalidity, cursor.uid])
            .context("The mailbox's cursor cannot be kept")?;
        Ok(())
    }

    /// The latest arrival among the mails up to the cursor, as long as UIDVALIDITY stays.
    ///
    /// # Errors
    /// SQLite's.
    pub fn latest_arrival(&self, mailbox: &str, uidvalidity: u32) -> Result<Option<DateTime<Utc>>> {
        let at: Option<i64> = self
            .0
            .prepare_cached(
                "SELECT arrived_at FROM cursors WHERE mailbox = ?1 AND uidvalidity = ?2",
            )?
            .query_row(params![mailbox, uidvalidity], |row| row.get(0))
            .optional()?;
        at.filter(|at| *at > 0).map(moment).transpose()
    }

    /// Notes the latest arrival among the mails up to the cursor.
    ///
    /// # Errors
    /// SQLite's.
    pub fn set_latest_arrival(&self, mailbox: &str, at: DateTime<Utc>) -> Result<()> {
        self.0
            .prepare_cached("UPDATE cursors SET arrived_at = ?2 WHERE mailbox = ?1")?
            .execute(params![mailbox, seconds(at)])
            .context("The latest arrival cannot be kept")?;
        Ok(())
    }

    /// Notes where a mail lies that is taken in; `file`: it is to be moved to where done mails lie.
    ///
    /// # Errors
    /// SQLite's.
    pub fn note_entry(&self, mailbox: &str, key: &str, inbox: i64, file: bool) -> Result<()> {
        self.0
            .prepare_cached(
                "INSERT INTO entries (mailbox, key, inbox, file) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (mailbox, key) DO UPDATE SET inbox = excluded.inbox, file = excluded.file",
            )?
            .execute(params![mailbox, key, inbox, file])
            .context("A mail of the mailbox cannot be noted")?;
        Ok(())
    }

    /// Notes that a mail is judged, wherever it lies, and is to be moved to where done mails lie.
    ///
    /// # Errors
    /// SQLite's.
    pub fn file_entries_of(&self, inbox: i64) -> Result<()> {
        self.0
            .prepare_cached("UPDATE entries SET file = 1 WHERE inbox = ?1")?
            .execute([inbox])
            .context("A mail of the mailbox cannot be noted")?;
        Ok(())
    }

    /// Whether a mail in the mailbox is taken in.
    ///
    /// # Errors
    /// SQLite's.
    pub fn knows_entry(&self, mailbox: &str, key: &str) -> Result<bool> {
        let found: Option<i64> = self
            .0
            .prepare_cached("SELECT 1 FROM entries WHERE mailbox = ?1 AND key = ?2")?
            .query_row([mailbox, key], |row| row.get(0))
            .optional()?;
        Ok(found.is_some())
    }

    /// Mails of the mailbox that are still to be moved.
    ///
    /// # Errors
    /// SQLite's.
    pub fn entries_to_file(&self, mailbox: &str) -> Result<Vec<String>> {
        let mut statement = self.0.prepare_cached(
            "SELECT key FROM entries WHERE mailbox = ?1 AND file = 1 ORDER BY key LIMIT 1000",
        )?;
        let rows = statement.query_map([mailbox], |row| row.get(0))?;
        rows.map(|row| row.context("A mail of the mailbox cannot be read"))
            .collect()
    }

    /// Forgets mails of the mailbox that have been moved.
    ///
    /// # Errors
    /// SQLite's.
    pub fn forget_entries(&self, mailbox: &str, keys: &[String]) -> Result<()> {
        let mut statement = self
            .0
            .prepare_cached("DELETE FROM entries WHERE mailbox = ?1 AND key = ?2")?;
        for key in keys {
            statement.execute([mailbox, key])?;
        }
        Ok(())
    }
}
