//! Sending: letters are claimed before anything is dialled, and what came of a try is noted after it.

use anyhow::{Context, Result};
use chrono::{DateTime, Utc};
use rusqlite::params;

use super::Tx;
use super::words::{moment, seconds};

/// A letter claimed for one try; the claim is committed before anything is dialled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    /// Row id.
    pub id: i64,
    /// Envelope sender.
    pub sender: Option<String>,
    /// Envelope recipient.
    pub recipient: String,
    /// The whole mail.
    pub bytes: Vec<u8>,
    /// Which try this is, from 1.
    pub attempt: u32,
    /// How many tries before ended without an answer after the final dot.
    pub uncertain: u32,
    /// When it was made.
    pub made: DateTime<Utc>,
}

/// What came of a try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The server has it.
    Sent,
    /// It is tried again then.
    Again {
        /// When.
        at: DateTime<Utc>,
        /// Whether the server may have it all the same.
        uncertain: bool,
    },
    /// The same, and the try does not count: nothing was wrong with this letter.
    NotTried {
        /// When it is tried again.
        at: DateTime<Utc>,
    },
    /// It is given up.
    Failed,
}

impl Tx<'_> {
    /// Claims letters that are due, at most `most` and to at most `recipients` of those who are not `busy`: counts the try
    /// and sets the next one, so that a crash never hammers a server. `scarce`: limits bite, and letters about games go
    /// first (OUT-05).
    ///
    /// # Errors
    /// SQLite's.
    pub fn claim(
        &self,
        now: DateTime<Utc>,
        busy: &[String],
        recipients: u32,
        most: u32,
        scarce: bool,
        next: impl Fn(u32) -> DateTime<Utc>,
    ) -> Result<Vec<Claimed>> {
        let mut claimed: Vec<Claimed> = Vec::new();
        let mut chosen: Vec<String> = Vec::new();
        let ranks: &[Option<bool>] = if scarce {
            &[Some(false), Some(true)]
        } else {
            &[None]
        };
        for later in ranks {
            for recipient in self.heads(now, *later)? {
                let left = most.saturating_sub(u32::try_from(claimed.len())?);
                if left == 0 || chosen.len() >= usize::try_from(recipients)? {
                    break;
                }
                if !busy.contains(&recipient) && !chosen.contains(&recipient) {
                    claimed.extend(self.due(now, &recipient, *later, left)?);
                    chosen.push(recipient);
                }
            }
        }
        for letter in &claimed {
            self.0
                .prepare_cached("UPDATE outbox SET attempts = ?2, next_at = ?3 WHERE id = ?1")?
                .execute(params![
                    letter.id,
                    letter.attempt,
                    seconds(next(letter.attempt))
                ])
                .context("A try cannot be noted")?;
        }
        Ok(claimed)
    }

    /// Recipients of letters that are due, the longest due first, each perhaps several times; of letters of one rank, if
    /// that is asked for.
    fn heads(&self, now: DateTime<Utc>, later: Option<bool>) -> Result<Vec<String>> {
        let recipients = match later {
            None => self
                .0
                .prepare_cached(
                    "SELECT recipient FROM outbox
                     WHERE state = 'waiting' AND held = 0 AND next_at <= ?1 ORDER BY next_at, id LIMIT 1000",
                )?
                .query_map([seconds(now)], |row| row.get(0))?
                .collect::<rusqlite::Result<Vec<String>>>(),
            Some(later) => self
                .0
                .prepare_cached(
                    "SELECT recipient FROM outbox
                     WHERE state = 'waiting' AND held = 0 AND later = ?2 AND next_at <= ?1
                     ORDER BY next_at, id LIMIT 1000",
                )?
                .query_map(params![seconds(now), later], |row| row.get(0))?
                .collect(),
        };
        recipients.context("The letters that are due cannot be read")
    }

    fn due(
        &self,
        now: DateTime<Utc>,
        recipient: &str,
        later: Option<bool>,
        most: u32,
    ) -> Result<Vec<Claimed>> {
        let mut statement = self.0.prepare_cached(
            "SELECT id, sender, recipient, bytes, attempts, uncertain, made_at FROM outbox
             WHERE recipient = ?3 AND state = 'waiting' AND held = 0 AND next_at <= ?1 AND (?4 IS NULL OR later = ?4)
             ORDER BY id LIMIT ?2",
        )?;
        let rows = statement.query_map(params![seconds(now), most, recipient, later], |row| {
            Ok((
                Claimed {
                    id: row.get(0)?,
                    sender: row.get(1)?,
                    recipient: row.get(2)?,
                    bytes: row.get::<_, Option<Vec<u8>>>(3)?.unwrap_or_default(),
                    attempt: row.get::<_, u32>(4)? + 1,
                    uncertain: row.get(5)?,
                    made: now,
                },
                row.get::<_, i64>(6)?,
            ))
        })?;
        let mut claimed = Vec::new();
        for row in rows {
            let (letter, made) = row?;
            claimed.push(Claimed {
                made: moment(made)?,
                ..letter
            });
        }
        Ok(claimed)
    }

    /// Makes letters due whose first tries were claimed by a daemon that was killed before it could note what came of them:
    /// else newer letters would overtake them. After a second try the schedule holds, so that crashes hammer no server.
    ///
    /// # Errors
    /// SQLite's.
    pub fn release_claims(&self, now: DateTime<Utc>) -> Result<()> {
        self.0
            .prepare_cached(
                "UPDATE outbox SET next_at = ?1
                 WHERE state = 'waiting' AND held = 0 AND next_at > ?1 AND attempts BETWEEN 1 AND 2 AND result = ''",
            )?
            .execute([seconds(now)])
            .context("Letters that were claimed cannot be made due")?;
        Ok(())
    }

    /// Notes what came of a try.
    ///
    /// # Errors
    /// SQLite's.
    pub fn tried(
        &self,
        id: i64,
        outcome: &Outcome,
        result: &str,
        now: DateTime<Utc>,
    ) -> Result<()> {
        match outcome {
            Outcome::Sent => self
                .0
                .prepare_cached("UPDATE outbox SET state = 'sent', held = 0, result = ?2, sent_at = ?3 WHERE id = ?1")?
                .execute(params![id, result, seconds(now)]),
            Outcome::Again { at, uncertain } => self
                .0
                .prepare_cached("UPDATE outbox SET next_at = ?3, result = ?2, uncertain = uncertain + ?4 WHERE id = ?1")?
                .execute(params![id, result, seconds(*at), u8::from(*uncertain)]),
            Outcome::NotTried { at } => self
                .0
                .prepare_cached("UPDATE outbox SET next_at = ?3, result = ?2, attempts = attempts - 1 WHERE id = ?1")?
                .execute(params![id, result, seconds(*at)]),
            Outcome::Failed => self
                .0
                .prepare_cached("UPDATE outbox SET state = 'failed', held = 0, result = ?2 WHERE id = ?1")?
                .execute(params![id, result]),
        }
        .context("The result of a try cannot be kept")?;
        Ok(())
    }

    /// When the next letter is due.
    ///
    /// # Errors
    /// SQLite's.
    pub fn next_due(&self) -> Result<Option<DateTime<Utc>>> {
        let at: Option<i64> = self
            .0
            .prepare_cached("SELECT min(next_at) FROM outbox WHERE state = 'waiting' AND held = 0")?
            .query_row([], |row| row.get(0))?;
        at.map(moment).transpose()
    }

    /// How many letters got through since then, within two days: see [`Tx::answers_since`].
    ///
    /// # Errors
    /// SQLite's.
    pub fn sent_since(&self, then: DateTime<Utc>) -> Result<u32> {
        Ok(self
            .0
            .prepare_cached("SELECT count(*) FROM outbox WHERE state = 'sent' AND sent_at > ?1 AND sent_at < ?1 + 172800")?
            .query_row([seconds(then)], |row| row.get(0))?)
    }
}
