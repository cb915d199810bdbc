//! The club's own row and the heartbeat of its loops.

use anyhow::{Context, Result};
use chrono::{DateTime, Utc};
use rusqlite::{OptionalExtension, params};

use super::Tx;
use super::words::{bytes32, moment, seconds};

/// A loop of the daemon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loop {
    /// Reads the mailbox.
    Poll,
    /// Sends the outbox.
    Send,
    /// A single round of both, as cron runs it.
    Once,
}

impl Loop {
    fn word(self) -> &'static str {
        match self {
            Loop::Poll => "poll",
            Loop::Send => "send",
            Loop::Once => "once",
        }
    }
}

/// How a loop is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beat {
    /// When it last went well, if it ever did.
    pub at: Option<DateTime<Utc>>,
    /// What is wrong since then; empty: nothing.
    pub trouble: String,
}

impl Tx<'_> {
    /// The club's secret and its first start; both are made now where there is none.
    ///
    /// # Errors
    /// SQLite's.
    pub fn club(
        &self,
        now: DateTime<Utc>,
        new_secret: &[u8; 32],
    ) -> Result<([u8; 32], DateTime<Utc>)> {
        self.0
            .execute(
                "INSERT INTO club (id, created_at, secret) VALUES (1, ?1, ?2) ON CONFLICT DO NOTHING",
                params![seconds(now), new_secret.as_slice()],
            )
            .context("The club's row cannot be written")?;
        let (at, secret): (i64, Vec<u8>) = self
            .0
            .query_row(
                "SELECT created_at, secret FROM club WHERE id = 1",
                [],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .context("The club's row cannot be read")?;
        Ok((bytes32(&secret)?, moment(at)?))
    }

    /// Notes that a loop went well.
    ///
    /// # Errors
    /// SQLite's.
    pub fn beat(&self, which: Loop, now: DateTime<Utc>) -> Result<()> {
        self.0
            .prepare_cached(
                "INSERT INTO heartbeat (loop, at, trouble) VALUES (?1, ?2, '')
                 ON CONFLICT (loop) DO UPDATE SET at = excluded.at, trouble = ''",
            )?
            .execute(params![which.word(), seconds(now)])
            .context("The heartbeat cannot be written")?;
        Ok(())
    }

    /// Notes what is wrong with a loop, or with empty words that nothing is any more; when it last went well stays.
    ///
    /// # Errors
    /// SQLite's.
    pub fn trouble(&self, which: Loop, trouble: &str) -> Result<()> {
        self.0
            .prepare_cached(
                "INSERT INTO heartbeat (loop, at, trouble) VALUES (?1, 0, ?2)
                 ON CONFLICT (loop) DO UPDATE SET trouble = excluded.trouble",
            )?
            .execute(params![which.word(), trouble])
            .context("The heartbeat cannot be written")?;
        Ok(())
    }

    /// Writes the club's row as it is.
    ///
    /// # Errors
    /// SQLite's.
    pub(super) fn probe(&self) -> Result<()> {
        self.0
            .execute("UPDATE club SET created_at = created_at WHERE id = 1", [])
            .context("The database cannot be written")?;
        Ok(())
    }

    /// What SQLite finds wrong with the file, if anything.
    ///
    /// # Errors
    /// SQLite's.
    pub fn quick_check(&self) -> Result<Option<String>> {
        let found: String = self
            .0
            .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        Ok((found != "ok").then_some(found))
    }

    /// How a loop is doing; `None` before its first round.
    ///
    /// # Errors
    /// SQLite's.
    pub fn heartbeat(&self, which: Loop) -> Result<Option<Beat>> {
        let row: Option<(i64, String)> = self
            .0
            .prepare_cached("SELECT at, trouble FROM heartbeat WHERE loop = ?1")?
            .query_row([which.word()], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        row.map(|(at, trouble)| {
            Ok(Beat {
                at: (at > 0).then(|| moment(at)).transpose()?,
                trouble,
            })
        })
        .transpose()
    }
}
