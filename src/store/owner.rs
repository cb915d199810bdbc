//! Who runs the loops: one row, beside the lock on the file.
//!
//! Knows runs by their random names; refuses to judge whether one of them is still alive.

use anyhow::{Context, Result};
use chrono::{DateTime, Utc};
use rusqlite::{OptionalExtension, params};

use super::Tx;
use super::words::{moment, seconds};

/// A run of the daemon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Its random name.
    pub run: String,
    /// The machine.
    pub host: String,
    /// Its process there.
    pub process: u32,
    /// Digest of the path of its database.
    pub home: String,
    /// Since when it runs.
    pub since: DateTime<Utc>,
    /// Its last sign of life.
    pub beat: DateTime<Utc>,
    /// Whether it ended by itself.
    pub ended: bool,
    /// The run whose mark was last put into the mailbox; empty: none.
    pub marked: String,
    /// The run whose mark lay there until then; empty: none.
    pub marked_before: String,
}

impl Tx<'_> {
    /// Who runs the loops, or ran them last.
    ///
    /// # Errors
    /// SQLite's.
    pub fn owner(&self) -> Result<Option<Owner>> {
        let row = self
            .0
            .prepare_cached(
                "SELECT run, host, process, home, ended, marked, marked_before, since, beat FROM owner WHERE id = 1",
            )?
            .query_row([], |row| {
                let owner = Owner {
                    run: row.get(0)?,
                    host: row.get(1)?,
                    process: row.get(2)?,
                    home: row.get(3)?,
                    ended: row.get(4)?,
                    marked: row.get(5)?,
                    marked_before: row.get(6)?,
                    since: DateTime::UNIX_EPOCH,
                    beat: DateTime::UNIX_EPOCH,
                };
                Ok((owner, row.get::<_, i64>(7)?, row.get::<_, i64>(8)?))
            })
            .optional()
            .context("The owner cannot be read")?;
        row.map(|(owner, since, beat)| {
            Ok(Owner {
                since: moment(since)?,
                beat: moment(beat)?,
                ..owner
            })
        })
        .transpose()
    }

    /// Makes a run the owner.
    ///
    /// # Errors
    /// SQLite's.
    pub fn set_owner(&self, owner: &Owner) -> Result<()> {
        self.0
            .prepare_cached(
                "INSERT INTO owner (id, run, host, process, home, since, beat, ended, marked, marked_before)
                 VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                 ON CONFLICT (id) DO UPDATE SET run = excluded.run, host = excluded.host, process = excluded.process,
                     home = excluded.home, since = excluded.since, beat = excluded.beat, ended = excluded.ended,
                     marked = excluded.marked, marked_before = excluded.marked_before",
            )?
            .execute(params![
                owner.run,
                owner.host,
                owner.process,
                owner.home,
                seconds(owner.since),
                seconds(owner.beat),
                owner.ended,
                owner.marked,
                owner.marked_before
            ])
            .context("The owner cannot be kept")?;
        Ok(())
    }

    /// A sign of life of a run; says whether it is still the owner.
    ///
    /// # Errors
    /// SQLite's.
    pub fn owner_lives(&self, run: &str, now: DateTime<Utc>) -> Result<bool> {
        let changed = self
            .0
            .prepare_cached("UPDATE owner SET beat = ?2 WHERE id = 1 AND run = ?1")?
            .execute(params![run, seconds(now)])
            .context("A sign of life cannot be kept")?;
        Ok(changed > 0)
    }

    /// Notes that a run ended by itself.
    ///
    /// # Errors
    /// SQLite's.
    pub fn owner_ends(&self, run: &str) -> Result<()> {
        self.0
            .prepare_cached("UPDATE owner SET ended = 1 WHERE id = 1 AND run = ?1")?
            .execute([run])
            .context("The end of a run cannot be kept")?;
        Ok(())
    }

    /// Notes whose mark is about to be put into the mailbox, and whose lies there.
    ///
    /// # Errors
    /// SQLite's.
    pub fn note_mark(&self, run: &str, before: &str) -> Result<()> {
        self.0
            .prepare_cached("UPDATE owner SET marked = ?1, marked_before = ?2 WHERE id = 1")?
            .execute([run, before])
            .context("The mark in the mailbox cannot be noted")?;
        Ok(())
    }

    /// The last moment that the loops noted, whatever clock they had.
    ///
    /// # Errors
    /// SQLite's.
    pub fn last_moment(&self) -> Result<Option<DateTime<Utc>>> {
        let at: Option<i64> = self
            .0
            .prepare_cached(
                "SELECT max(at) FROM (SELECT at FROM heartbeat UNION ALL SELECT beat FROM owner)",
            )?
            .query_row([], |row| row.get(0))?;
        at.filter(|at| *at > 0).map(moment).transpose()
    }
}
