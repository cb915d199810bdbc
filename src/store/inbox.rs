//! Mails that came in, each once by its digest.

use anyhow::{Context, Result};
use chrono::{DateTime, Utc};
use rusqlite::{OptionalExtension, Row, params};

use super::Tx;
use super::words::{bytes32, moment, seconds};

/// What became of a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InboxState {
    /// Stored by `deliver`; the daemon has not looked at it.
    Waiting,
    /// Acted upon and answered.
    Done,
    /// Neither acted upon nor answered: automatic mail, bounces, mails without an author.
    Ignored,
    /// None of the club's business; it stays where it lies.
    Left,
    /// Set aside for the admin.
    Shunted,
}

impl InboxState {
    /// Its word in the table and for the admin.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            InboxState::Waiting => "waiting",
            InboxState::Done => "done",
            InboxState::Ignored => "ignored",
            InboxState::Left => "left",
            InboxState::Shunted => "shunted",
        }
    }

    fn of(word: &str) -> Result<Self> {
        [
            Self::Waiting,
            Self::Done,
            Self::Ignored,
            Self::Left,
            Self::Shunted,
        ]
        .into_iter()
        .find(|state| state.word() == word)
        .with_context(|| format!("{word} is no state of a mail"))
    }
}

/// A mail as it arrives.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<'a> {
    /// Digest of what its writer wrote.
    pub digest: &'a [u8; 32],
    /// When it came to the club's mailbox.
    pub arrived: DateTime<Utc>,
    /// The mail, if it is to be kept.
    pub raw: Option<&'a [u8]>,
    /// Whether it lay among suspected junk.
    pub junk: bool,
    /// Whether `raw` is the header alone, of a mail that is too large.
    pub cut: bool,
}

/// A mail in the inbox table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InboxRow {
    /// Row id.
    pub id: i64,
    /// When it came to the club's mailbox.
    pub arrived: DateTime<Utc>,
    /// Address of From, empty where there is none.
    pub sender: String,
    /// What became of it.
    pub state: InboxState,
    /// Why it was ignored, left or shunted.
    pub reason: String,
    /// Tries that may have ended in a fault of ours: each is counted before the mail is looked at.
    pub attempts: u32,
    /// Whether it lay among suspected junk.
    pub junk: bool,
    /// Whether only its header was kept, since it is too large.
    pub cut: bool,
}

impl Tx<'_> {
    /// Takes a mail in, waiting; `None` if it is known already.
    ///
    /// # Errors
    /// SQLite's.
    pub fn take_in(&self, mail: &Arrival<'_>, now: DateTime<Utc>) -> Result<Option<i64>> {
        // Without RETURNING, beside which SQLite would look for rows that wait for this one, in tables that grow.
        let added = self
            .0
            .prepare_cached(
                "INSERT INTO inbox (digest, arrived_at, taken_at, state, raw, junk, cut)
                 VALUES (?1, ?2, ?3, 'waiting', ?4, ?5, ?6) ON CONFLICT (digest) DO NOTHING",
            )?
            .execute(params![
                mail.digest.as_slice(),
                seconds(mail.arrived),
                seconds(now),
                mail.raw,
                mail.junk,
                mail.cut
            ])
            .context("A mail cannot be kept")?;
        Ok((added > 0).then(|| self.0.last_insert_rowid()))
    }

    /// The row of a digest.
    ///
    /// # Errors
    /// SQLite's.
    pub fn mail_of(&self, digest: &[u8; 32]) -> Result<Option<InboxRow>> {
        self.0
            .prepare_cached("SELECT id, arrived_at, sender, state, reason, attempts, junk, cut FROM inbox WHERE digest = ?1")?
            .query_row([digest.as_slice()], read)
            .optional()?
            .transpose()
    }

    /// The oldest mails that wait and were tried no more than so often.
    ///
    /// # Errors
    /// SQLite's.
    pub fn waiting_mails(&self, most_attempts: u32, most: u32) -> Result<Vec<InboxRow>> {
        let mut statement = self.0.prepare_cached(
            "SELECT id, arrived_at, sender, state, reason, attempts, junk, cut FROM inbox
             WHERE state = 'waiting' AND attempts <= ?1 ORDER BY id LIMIT ?2",
        )?;
        let rows = statement.query_map([most_attempts, most], read)?;
        rows.map(|row| row?).collect()
    }

    /// The bytes of a mail, as far as they are kept.
    ///
    /// # Errors
    /// SQLite's.
    pub fn raw_of(&self, id: i64) -> Result<Vec<u8>> {
        let raw: Option<Vec<u8>> = self
            .0
            .prepare_cached("SELECT raw FROM inbox WHERE id = ?1")?
            .query_row([id], |row| row.get(0))
            .with_context(|| format!("There is no mail {id}"))?;
        Ok(raw.unwrap_or_default())
    }

    /// Notes what became of a mail. `keep`: its bytes stay for now.
    ///
    /// # Errors
    /// SQLite's.
    pub fn conclude(
        &self,
        id: i64,
        sender: &str,
        state: InboxState,
        reason: &str,
        keep: bool,
    ) -> Result<()> {
        self.0
            .prepare_cached(
                "UPDATE inbox SET state = ?2, sender = ?3, reason = ?4, raw = CASE WHEN ?5 THEN raw END WHERE id = ?1",
            )?
            .execute(params![id, state.word(), sender, reason, keep])
            .context("What became of a mail cannot be kept")?;
        Ok(())
    }

    /// Counts a try of a mail, which may end in a fault of ours; gives the number of tries so far.
    ///
    /// # Errors
    /// SQLite's.
    pub fn count_attempt(&self, id: i64) -> Result<u32> {
        self.0
            .prepare_cached(
                "UPDATE inbox SET attempts = attempts + 1 WHERE id = ?1 RETURNING attempts",
            )?
            .query_row([id], |row| row.get(0))
            .context("A try cannot be counted")
    }

    /// Takes the count of a try back that was no fault of the mail.
    ///
    /// # Errors
    /// SQLite's.
    pub fn uncount_attempt(&self, id: i64) -> Result<()> {
        self.0
            .prepare_cached(
                "UPDATE inbox SET attempts = attempts - 1 WHERE id = ?1 AND attempts > 0",
            )?
            .execute([id])
            .context("The count of a try cannot be taken back")?;
        Ok(())
    }

    /// How many mails of a sender ended with that reason since then.
    ///
    /// # Errors
    /// SQLite's.
    pub fn concluded_since(&self, sender: &str, reason: &str, then: DateTime<Utc>) -> Result<u32> {
        Ok(self
            .0
            .prepare_cached(
                "SELECT count(*) FROM inbox WHERE sender = ?1 AND taken_at > ?2 AND reason = ?3",
            )?
            .query_row(params![sender, seconds(then), reason], |row| row.get(0))?)
    }

    /// When the last mail of a sender was taken in that was understood.
    ///
    /// # Errors
    /// SQLite's.
    pub fn last_understood(&self, sender: &str) -> Result<Option<DateTime<Utc>>> {
        let at: Option<i64> = self
            .0
            .prepare_cached(
                "SELECT max(taken_at) FROM inbox WHERE sender = ?1 AND state = 'done' AND reason = ''",
            )?
            .query_row([sender], |row| row.get(0))?;
        at.map(moment).transpose()
    }

    /// The digest of a mail.
    ///
    /// # Errors
    /// SQLite's.
    pub fn digest_of(&self, id: i64) -> Result<[u8; 32]> {
        let digest: Vec<u8> = self
            .0
            .prepare_cached("SELECT digest FROM inbox WHERE id = ?1")?
            .query_row([id], |row| row.get(0))
            .with_context(|| format!("There is no mail {id}"))?;
        bytes32(&digest)
    }

    /// How many mails are set aside.
    ///
    /// # Errors
    /// SQLite's.
    pub fn count_shunted(&self) -> Result<u32> {
        Ok(self.0.query_row(
            "SELECT count(*) FROM inbox WHERE state = 'shunted'",
            [],
            |row| row.get(0),
        )?)
    }

    /// Forgets the bytes of mails that were taken in before that moment, save those that are set aside.
    ///
    /// # Errors
    /// SQLite's.
    pub fn forget_raw(&self, before: DateTime<Utc>) -> Result<()> {
        self.0.execute(
            "UPDATE inbox SET raw = NULL
             WHERE raw IS NOT NULL AND taken_at < ?1 AND state NOT IN ('waiting', 'shunted')",
            [seconds(before)],
        )?;
        Ok(())
    }
}

pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Result<InboxRow>> {
    let (id, arrived, sender, word): (i64, i64, String, String) =
        (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
    let (reason, attempts, junk, cut) = (row.get(4)?, row.get(5)?, row.get(6)?, row.get(7)?);
    Ok(InboxState::of(&word).and_then(|state| {
        Ok(InboxRow {
            id,
            arrived: moment(arrived)?,
            sender,
            state,
            reason,
            attempts,
            junk,
            cut,
        })
    }))
}
