//! Letters that came back: the score of their addresses, and letters that wait until somebody can be reached.

use anyhow::{Context, Result};
use chrono::{DateTime, Utc};
use rusqlite::{OptionalExtension, Row, params};

use super::Tx;
use super::outbox::{Nature, OutboxState};
use super::words::{moment, seconds};
use crate::mail::bounce::Score;

/// How well an address can be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// What is counted.
    pub score: Score,
    /// Since when its letters wait; `None`: they go out.
    pub held: Option<DateTime<Utc>>,
    /// When others were last told that it cannot be reached.
    pub told: Option<DateTime<Utc>>,
    /// What was said the last time.
    pub reason: String,
}

/// A letter that went out, or was to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posted {
    /// Row id.
    pub id: i64,
    /// Without angle brackets.
    pub message_id: String,
    /// Envelope recipient.
    pub recipient: String,
    /// Number of the game or challenge that it is about.
    pub game: Option<u32>,
    /// How it stands.
    pub state: OutboxState,
    /// Whether it waits until its recipient can be reached.
    pub held: bool,
    /// What kind of letter it is.
    pub nature: Nature,
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, message_id, recipient, game, state, held, nature FROM outbox ",
            $rest
        )
    };
}

impl Tx<'_> {
    /// How well an address can be reached; `None` if nothing ever came back.
    ///
    /// # Errors
    /// SQLite's.
    pub fn reach(&self, address: &str) -> Result<Option<Reach>> {
        type Columns = (u32, i64, u32, Option<i64>, Option<i64>, String);
        let row: Option<Columns> = self
            .0
            .prepare_cached(
                "SELECT halves, day, today, held_at, told_at, reason FROM bouncing WHERE address = ?1",
            )?
            .query_row([address], |row| {
                Ok((
                    row.get(0)?,
                    row.get(1)?,
                    row.get(2)?,
                    row.get(3)?,
                    row.get(4)?,
                    row.get(5)?,
                ))
            })
            .optional()?;
        row.map(|(halves, day, today, held, told, reason)| {
            Ok(Reach {
                score: Score { halves, day, today },
                held: held.map(moment).transpose()?,
                told: told.map(moment).transpose()?,
                reason,
            })
        })
        .transpose()
    }

    /// Notes how well an address can be reached.
    ///
    /// # Errors
    /// SQLite's.
    pub fn set_reach(&self, address: &str, reach: &Reach) -> Result<()> {
        self.0
            .prepare_cached(
                "INSERT INTO bouncing (address, halves, day, today, held_at, told_at, reason)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                 ON CONFLICT (address) DO UPDATE SET halves = excluded.halves, day = excluded.day, today = excluded.today,
                     held_at = excluded.held_at, told_at = excluded.told_at, reason = excluded.reason",
            )?
            .execute(params![
                address,
                reach.score.halves,
                reach.score.day,
                reach.score.today,
                reach.held.map(seconds),
                reach.told.map(seconds),
                reach.reason
            ])
            .context("What came back cannot be kept")?;
        Ok(())
    }

    /// Lets all letters to an address wait that are to go out, save those to it as the admin's.
    ///
    /// # Errors
    /// SQLite's.
    pub fn hold_letters(&self, address: &str) -> Result<()> {
        self.0
            .prepare_cached(
                "UPDATE outbox SET held = 1
                 WHERE recipient = ?1 AND state = 'waiting' AND held = 0 AND nature <> 'admin'",
            )?
            .execute([address])?;
        Ok(())
    }

    /// Notes that a letter failed for good, by a server's word or by a report: it is given up, or waits with the others
    /// if `held`.
    ///
    /// # Errors
    /// SQLite's.
    pub fn came_back(
        &self,
        letter: i64,
        said: &str,
        report: Option<i64>,
        held: bool,
    ) -> Result<()> {
        let state = if held {
            OutboxState::Waiting
        } else {
            OutboxState::Failed
        };
        self.0
            .prepare_cached(
                "UPDATE outbox SET state = ?2, held = ?3, result = ?4, report = coalesce(?5, report) WHERE id = ?1",
            )?
            .execute(params![letter, state.word(), held, said, report])
            .context("What became of a letter cannot be kept")?;
        Ok(())
    }

    /// The next letter about the same thing to the same person that went out or is to.
    ///
    /// # Errors
    /// SQLite's.
    pub fn newer_letter(&self, letter: &Posted) -> Result<Option<i64>> {
        let Some(game) = letter.game else {
            return Ok(None);
        };
        Ok(self
            .0
            .prepare_cached(
                "SELECT max(id) FROM outbox WHERE recipient = ?1 AND game = ?2 AND id > ?3 AND state <> 'failed'",
            )?
            .query_row(params![letter.recipient, game, letter.id], |row| row.get(0))?)
    }

    /// Gives a letter up since a newer one tells all of it that still counts. One that carries a person's words, or asks
    /// something, is never told by another: says whether it was given up.
    ///
    /// # Errors
    /// SQLite's.
    pub fn supersede(&self, letter: i64, newer: i64) -> Result<bool> {
        let changed = self
            .0
            .prepare_cached(
                "UPDATE outbox SET state = 'failed', held = 0, superseded = ?2 WHERE id = ?1 AND nature = 'plain'",
            )?
            .execute([letter, newer])
            .context("A letter cannot be given up")?;
        Ok(changed > 0)
    }

    /// The letters that wait until an address can be reached, newest first.
    ///
    /// # Errors
    /// SQLite's.
    pub fn held_letters(&self, address: &str) -> Result<Vec<Posted>> {
        let mut statement = self.0.prepare_cached(select!(
            "WHERE recipient = ?1 AND held = 1 ORDER BY id DESC"
        ))?;
        let rows = statement.query_map([address], read)?;
        rows.map(|row| row?).collect()
    }

    /// Sends a letter that waited, as if it had never been tried.
    ///
    /// # Errors
    /// SQLite's.
    pub fn let_go(&self, letter: i64, now: DateTime<Utc>) -> Result<()> {
        self.0
            .prepare_cached(
                "UPDATE outbox SET held = 0, next_at = ?2, attempts = 0, uncertain = 0 WHERE id = ?1",
            )?
            .execute(params![letter, seconds(now)])
            .context("A letter cannot be let go")?;
        Ok(())
    }

    /// A letter by its row.
    ///
    /// # Errors
    /// SQLite's.
    pub fn posted(&self, letter: i64) -> Result<Option<Posted>> {
        self.0
            .prepare_cached(select!("WHERE id = ?1"))?
            .query_row([letter], read)
            .optional()?
            .transpose()
    }

    /// The latest letter before that moment that carried a token; to that recipient, if one is named.
    ///
    /// # Errors
    /// SQLite's.
    pub fn posted_with(
        &self,
        token: &str,
        recipient: Option<&str>,
        before: DateTime<Utc>,
    ) -> Result<Option<Posted>> {
        // A Message-ID is the token, `.L`, the number of the letter, and the domain.
        self.0
            .prepare_cached(select!(
                "WHERE message_id >= ?1 || '.L' AND message_id < ?1 || '.M' AND made_at <= ?3
                 AND (?2 IS NULL OR recipient = ?2) ORDER BY id DESC LIMIT 1"
            ))?
            .query_row(params![token, recipient, seconds(before)], read)
            .optional()?
            .transpose()
    }

    /// How many letters wait for people who cannot be reached.
    ///
    /// # Errors
    /// SQLite's.
    pub fn count_held(&self) -> Result<u32> {
        Ok(self
            .0
            .query_row("SELECT count(*) FROM outbox WHERE held = 1", [], |row| {
                row.get(0)
            })?)
    }

    /// Notes that a letter was handed over, whatever the answer.
    ///
    /// # Errors
    /// SQLite's.
    pub fn handed_over(&self, now: DateTime<Utc>) -> Result<()> {
        self.0
            .prepare_cached("INSERT INTO handed (at) VALUES (?1)")?
            .execute([seconds(now)])
            .context("A letter that was handed over cannot be counted")?;
        Ok(())
    }

    /// How many letters were handed over since then.
    ///
    /// # Errors
    /// SQLite's.
    pub fn handed_since(&self, then: DateTime<Utc>) -> Result<u32> {
        Ok(self
            .0
            .prepare_cached("SELECT count(*) FROM handed WHERE at > ?1")?
            .query_row([seconds(then)], |row| row.get(0))?)
    }

    /// Forgets what was handed over before that moment.
    ///
    /// # Errors
    /// SQLite's.
    pub fn forget_handed(&self, before: DateTime<Utc>) -> Result<()> {
        self.0
            .execute("DELETE FROM handed WHERE at < ?1", [seconds(before)])?;
        Ok(())
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<Result<Posted>> {
    let (word, nature): (String, String) = (row.get(4)?, row.get(6)?);
    let (id, message_id, recipient, game, held) = (
        row.get(0)?,
        row.get(1)?,
        row.get(2)?,
        row.get(3)?,
        row.get(5)?,
    );
    Ok(OutboxState::of(&word).and_then(|state| {
        Ok(Posted {
            id,
            message_id,
            recipient,
            game,
            state,
            held,
            nature: Nature::of(&nature)?,
        })
    }))
}
