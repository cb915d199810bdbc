//! What the admin was told and when, what waits to be told, and what is wrong at present.

use anyhow::{Context, Result};
use chrono::{DateTime, Utc};
use rusqlite::{OptionalExtension, params};

use super::Tx;
use super::words::{moment, seconds};
use crate::club::notice::{Ailment, Class};

/// How things stand with the notices of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// When the admin last got a letter of it.
    pub at: Option<DateTime<Utc>>,
    /// What came since then and was held back.
    pub held: u32,
    /// The first of that; of no meaning where nothing is held back.
    pub since: DateTime<Utc>,
    /// The last of that, in a few words.
    pub latest: String,
}

/// Something that is wrong at present.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ill {
    /// Since when.
    pub since: DateTime<Utc>,
    /// The class of the notice that was made of it, if one was.
    pub class: Option<Class>,
    /// Whether that notice became a letter, and was not held back.
    pub told: bool,
}

impl Tx<'_> {
    /// How things stand with a class; `None` before its first notice.
    ///
    /// # Errors
    /// SQLite's.
    pub fn notices(&self, class: Class) -> Result<Option<Told>> {
        let row: Option<(i64, u32, i64, String)> = self
            .0
            .prepare_cached(
                "SELECT told_at, held, held_since, latest FROM notices WHERE class = ?1",
            )?
            .query_row([class.word()], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
            })
            .optional()?;
        row.map(|(at, held, since, latest)| {
            Ok(Told {
                at: (at > 0).then(|| moment(at)).transpose()?,
                held,
                since: moment(since)?,
                latest,
            })
        })
        .transpose()
    }

    /// Notes that the admin gets a letter of a class, which tells all that was held back too.
    ///
    /// # Errors
    /// SQLite's.
    pub fn told(&self, class: Class, now: DateTime<Utc>) -> Result<()> {
        self.0
            .prepare_cached(
                "INSERT INTO notices (class, told_at) VALUES (?1, ?2)
                 ON CONFLICT (class) DO UPDATE SET told_at = excluded.told_at, held = 0, latest = ''",
            )?
            .execute(params![class.word(), seconds(now)])
            .context("That the admin is told cannot be noted")?;
        Ok(())
    }

    /// Holds a notice back for the next letter of its class.
    ///
    /// # Errors
    /// SQLite's.
    pub fn hold_notice(&self, class: Class, gist: &str, now: DateTime<Utc>) -> Result<()> {
        self.0
            .prepare_cached(
                "INSERT INTO notices (class, held, held_since, latest) VALUES (?1, 1, ?2, ?3)
                 ON CONFLICT (class) DO UPDATE SET held = held + 1, latest = excluded.latest,
                     held_since = CASE WHEN held > 0 THEN held_since ELSE excluded.held_since END",
            )?
            .execute(params![class.word(), seconds(now), gist])
            .context("A notice cannot be held back")?;
        Ok(())
    }

    /// When the alarm command last ran for a class.
    ///
    /// # Errors
    /// SQLite's.
    pub fn alarmed(&self, class: Class) -> Result<Option<DateTime<Utc>>> {
        let at: Option<i64> = self
            .0
            .prepare_cached("SELECT alarm_at FROM notices WHERE class = ?1")?
            .query_row([class.word()], |row| row.get(0))
            .optional()?;
        at.filter(|at| *at > 0).map(moment).transpose()
    }

    /// Notes that the alarm command runs for a class.
    ///
    /// # Errors
    /// SQLite's.
    pub fn set_alarmed(&self, class: Class, now: DateTime<Utc>) -> Result<()> {
        self.0
            .prepare_cached(
                "INSERT INTO notices (class, alarm_at) VALUES (?1, ?2)
                 ON CONFLICT (class) DO UPDATE SET alarm_at = excluded.alarm_at",
            )?
            .execute(params![class.word(), seconds(now)])
            .context("An alarm cannot be noted")?;
        Ok(())
    }

    /// Notes that something is wrong, since now unless it was before.
    ///
    /// # Errors
    /// SQLite's.
    pub fn ails(&self, what: Ailment, reason: &str, now: DateTime<Utc>) -> Result<Ill> {
        self.0
            .prepare_cached(
                "INSERT INTO troubles (what, since, reason) VALUES (?1, ?2, ?3)
                 ON CONFLICT (what) DO UPDATE SET reason = excluded.reason",
            )?
            .execute(params![what.word(), seconds(now), reason])
            .context("A trouble cannot be noted")?;
        self.ailing(what)?
            .context("A trouble was noted and is not there")
    }

    /// What is wrong there at present, if anything.
    ///
    /// # Errors
    /// SQLite's.
    pub fn ailing(&self, what: Ailment) -> Result<Option<Ill>> {
        let row: Option<(i64, String, bool)> = self
            .0
            .prepare_cached("SELECT since, class, told FROM troubles WHERE what = ?1")?
            .query_row([what.word()], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })
            .optional()?;
        row.map(|(since, class, told)| {
            Ok(Ill {
                since: moment(since)?,
                class: Class::of(&class),
                told,
            })
        })
        .transpose()
    }

    /// Notes in which class the admin was given notice of what is wrong, and whether by a letter already.
    ///
    /// # Errors
    /// SQLite's.
    pub fn set_given(&self, what: Ailment, class: Class, told: bool) -> Result<()> {
        self.0
            .prepare_cached("UPDATE troubles SET class = ?2, told = told OR ?3 WHERE what = ?1")?
            .execute(params![what.word(), class.word(), told])
            .context("That the admin is told of a trouble cannot be noted")?;
        Ok(())
    }

    /// Notes that nothing is wrong there any more.
    ///
    /// # Errors
    /// SQLite's.
    pub fn mended(&self, what: Ailment) -> Result<()> {
        self.0
            .prepare_cached("DELETE FROM troubles WHERE what = ?1")?
            .execute([what.word()])
            .context("The end of a trouble cannot be noted")?;
        Ok(())
    }

    /// Of the letters that were tried and still wait: when the oldest was made, and what was last said about it.
    ///
    /// # Errors
    /// SQLite's.
    pub fn oldest_tried(&self) -> Result<Option<(DateTime<Utc>, String)>> {
        let row: Option<(i64, String)> = self
            .0
            .prepare_cached(
                "SELECT made_at, result FROM outbox INDEXED BY outbox_due
                 WHERE state = 'waiting' AND attempts > 0 ORDER BY made_at LIMIT 1",
            )?
            .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        row.map(|(at, said)| Ok((moment(at)?, said))).transpose()
    }
}
