//! Mails that go out: final bytes, committed with whatever they tell.

use anyhow::{Context, Result};
use chrono::{DateTime, Utc};
use rusqlite::{OptionalExtension, Row, params};

use super::Tx;
use super::words::{moment, seconds};

/// A letter to be sent.
#[derive(Clone, Debug)]
pub struct Letter {
    /// Without angle brackets; never used twice.
    pub message_id: String,
    /// Envelope sender; `None` is the empty one.
    pub sender: Option<String>,
    /// Envelope recipient.
    pub recipient: String,
    /// Number of the game or challenge that it is about.
    pub game: Option<u32>,
    /// Row of the mail that it answers.
    pub answers: Option<i64>,
    /// Whether that mail did not prove its writer.
    pub unproven: bool,
    /// What it is, where that matters while its recipient cannot be reached.
    pub nature: Nature,
    /// Its text part, to be known again in a reply.
    pub text: String,
    /// The whole mail.
    pub bytes: Vec<u8>,
}

/// What kind of letter it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// A newer one about the same thing tells all of it that still counts.
    Plain,
    /// It carries a person's words, which no newer one repeats.
    Words,
    /// It asks something that waits for yes or no.
    Question,
    /// It tells the admin of trouble, and goes out whatever came back.
    Admin,
}

impl Nature {
    fn word(self) -> &'static str {
        match self {
            Nature::Plain => "plain",
            Nature::Words => "words",
            Nature::Question => "question",
            Nature::Admin => "admin",
        }
    }

    pub(super) fn of(word: &str) -> Result<Self> {
        [Self::Plain, Self::Words, Self::Question, Self::Admin]
            .into_iter()
            .find(|nature| nature.word() == word)
            .with_context(|| format!("{word} is no kind of letter"))
    }
}

/// How a letter stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutboxState {
    /// To be sent.
    Waiting,
    /// Accepted by the server.
    Sent,
    /// Given up.
    Failed,
}

impl OutboxState {
    /// Its word in the table and for the admin.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            OutboxState::Waiting => "waiting",
            OutboxState::Sent => "sent",
            OutboxState::Failed => "failed",
        }
    }

    pub(super) fn of(word: &str) -> Result<Self> {
        [Self::Waiting, Self::Sent, Self::Failed]
            .into_iter()
            .find(|state| state.word() == word)
            .with_context(|| format!("{word} is no state of a letter"))
    }
}

/// A letter in the admin's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboxRow {
    /// Row id.
    pub id: i64,
    /// Envelope recipient.
    pub recipient: String,
    /// Number of the game or challenge that it is about.
    pub game: Option<u32>,
    /// When it was made.
    pub made: DateTime<Utc>,
    /// When it is tried next.
    pub next: DateTime<Utc>,
    /// Tries so far.
    pub attempts: u32,
    /// How it stands.
    pub state: OutboxState,
    /// The last word on it: a server's, or a report's.
    pub result: String,
    /// Whether it waits until its recipient can be reached.
    pub held: bool,
    /// The newer letter that went out in its place.
    pub superseded: Option<i64>,
}

impl OutboxRow {
    /// How it stands, in a word for the admin.
    #[must_use]
    pub fn word(&self) -> &'static str {
        if self.held {
            "held"
        } else if self.superseded.is_some() {
            "superseded"
        } else {
            self.state.word()
        }
    }
}

impl Tx<'_> {
    /// The number that the next letter gets.
    ///
    /// # Errors
    /// SQLite's.
    pub fn next_letter(&self) -> Result<u32> {
        let last: Option<u32> = self
            .0
            .prepare_cached("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'")?
            .query_row([], |row| row.get(0))
            .optional()?;
        Ok(last.unwrap_or(0) + 1)
    }

    /// Puts a letter into the outbox; it waits if its recipient cannot be reached. What answers a mail without proof goes
    /// out all the same: the answer to it is the proof that lets the others go, and there are few of them.
    ///
    /// # Errors
    /// SQLite's.
    pub fn post(&self, letter: &Letter, now: DateTime<Utc>) -> Result<i64> {
        self.0
            .prepare_cached(
                "INSERT INTO outbox (message_id, sender, recipient, game, answers, text, bytes, made_at, next_at, state,
                                     unproven, nature, held)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, 'waiting', ?9, ?10,
                         ?10 <> 'admin' AND NOT ?9 AND EXISTS (SELECT 1 FROM bouncing WHERE address = ?3 AND held_at IS NOT NULL))",
            )?
            .execute(params![
                letter.message_id,
                letter.sender,
                letter.recipient,
                letter.game,
                letter.answers,
                letter.text,
                letter.bytes,
                seconds(now),
                letter.unproven,
                letter.nature.word(),
            ])
            .with_context(|| format!("A letter to {} cannot be kept", letter.recipient))?;
        Ok(self.0.last_insert_rowid())
    }

    /// When a letter was made, by its Message-ID; none where it is not ours.
    ///
    /// # Errors
    /// SQLite's.
    pub fn letter_made(&self, message_id: &str) -> Result<Option<DateTime<Utc>>> {
        let at: Option<i64> = self
            .0
            .prepare_cached("SELECT made_at FROM outbox WHERE message_id = ?1")?
            .query_row([message_id], |row| row.get(0))
            .optional()?;
        at.map(moment).transpose()
    }

    /// How many answers were made for an address since then, within two days, to mails that proved their writer or to
    /// others; questions, which have a limit of their own, aside. What lies further ahead was dated by a clock that ran
    /// ahead, and must not count for ever.
    ///
    /// # Errors
    /// SQLite's.
    pub fn answers_since(&self, recipient: &str, proven: bool, then: DateTime<Utc>) -> Result<u32> {
        Ok(self
            .0
            .prepare_cached(
                "SELECT count(*) FROM outbox
                 WHERE recipient = ?1 AND made_at > ?2 AND made_at < ?2 + 172800 AND answers IS NOT NULL AND unproven = ?3
                   AND nature <> 'question'",
            )?
            .query_row(params![recipient, seconds(then), !proven], |row| row.get(0))?)
    }

    /// The letters whose text a mail of that address may quote: those it names, and the latest of that game or of none.
    ///
    /// # Errors
    /// SQLite's.
    pub fn sent_texts(
        &self,
        recipient: &str,
        ids: &[String],
        game: Option<u32>,
    ) -> Result<Vec<String>> {
        let mut texts = Vec::new();
        let mut by_id = self
            .0
            .prepare_cached("SELECT text FROM outbox WHERE message_id = ?1")?;
        for id in ids {
            texts.extend(
                by_id
                    .query_row([id], |row| row.get::<_, String>(0))
                    .optional()?,
            );
        }
        let mut latest = self.0.prepare_cached(
            "SELECT text FROM outbox WHERE recipient = ?1 AND game IS ?2 ORDER BY id DESC LIMIT 3",
        )?;
        for about in [game, None] {
            let rows = latest.query_map(params![recipient, about], |row| row.get(0))?;
            for row in rows {
                texts.push(row?);
            }
        }
        texts.sort_unstable();
        texts.dedup();
        Ok(texts)
    }

    /// Message-IDs of a thread with one person, the first and the latest, oldest first.
    ///
    /// # Errors
    /// SQLite's.
    pub fn thread(&self, recipient: &str, game: u32) -> Result<Vec<String>> {
        let mut ids: Vec<String> = Vec::new();
        for sql in [
            "SELECT message_id FROM outbox WHERE recipient = ?1 AND game = ?2 ORDER BY id DESC LIMIT 8",
            "SELECT message_id FROM outbox WHERE recipient = ?1 AND game = ?2 ORDER BY id LIMIT 1",
        ] {
            let mut statement = self.0.prepare_cached(sql)?;
            for id in statement.query_map(params![recipient, game], |row| row.get(0))? {
                let id: String = id?;
                if !ids.contains(&id) {
                    ids.push(id);
                }
            }
        }
        ids.reverse();
        Ok(ids)
    }

    /// Letters for the admin: all that wait or were given up, and the latest that were sent, oldest first.
    ///
    /// # Errors
    /// SQLite's.
    pub fn outbox(&self) -> Result<Vec<OutboxRow>> {
        let mut letters = Vec::new();
        for (sql, state) in [
            (
                concat!(
                    "SELECT id, recipient, game, made_at, next_at, attempts, result, held, superseded FROM outbox ",
                    "WHERE state = 'waiting' AND held = 0 ORDER BY next_at LIMIT 1000"
                ),
                OutboxState::Waiting,
            ),
            (
                concat!(
                    "SELECT id, recipient, game, made_at, next_at, attempts, result, held, superseded FROM outbox ",
                    "WHERE held = 1 ORDER BY recipient, id LIMIT 1000"
                ),
                OutboxState::Waiting,
            ),
            (
                concat!(
                    "SELECT id, recipient, game, made_at, next_at, attempts, result, held, superseded FROM outbox ",
                    "WHERE state = 'failed' ORDER BY id DESC LIMIT 1000"
                ),
                OutboxState::Failed,
            ),
            (
                concat!(
                    "SELECT id, recipient, game, made_at, next_at, attempts, result, held, superseded FROM outbox ",
                    "WHERE state = 'sent' ORDER BY sent_at DESC LIMIT 20"
                ),
                OutboxState::Sent,
            ),
        ] {
            let mut statement = self.0.prepare_cached(sql)?;
            let rows = statement.query_map([], |row| read(row, state))?;
            for row in rows {
                letters.push(row??);
            }
        }
        letters.sort_by_key(|letter| letter.id);
        Ok(letters)
    }

    /// How many letters wait to go out and how many were given up, and since when the oldest waits. Those that wait for
    /// people who cannot be reached, or that a newer one replaced, are neither.
    ///
    /// # Errors
    /// SQLite's.
    pub fn queue(&self) -> Result<(u32, u32, Option<DateTime<Utc>>)> {
        let (waiting, oldest): (u32, Option<i64>) = self.0.query_row(
            "SELECT count(*), min(made_at) FROM outbox WHERE state = 'waiting' AND held = 0",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let failed = self.0.query_row(
            "SELECT count(*) FROM outbox WHERE state = 'failed' AND superseded IS NULL",
            [],
            |row| row.get(0),
        )?;
        Ok((waiting, failed, oldest.map(moment).transpose()?))
    }

    /// Forgets the bytes of letters that were made before that moment and no longer wait.
    ///
    /// # Errors
    /// SQLite's.
    pub fn forget_bytes(&self, before: DateTime<Utc>) -> Result<()> {
        self.0.execute(
            "UPDATE outbox SET bytes = NULL WHERE bytes IS NOT NULL AND made_at < ?1 AND state <> 'waiting'",
            [seconds(before)],
        )?;
        Ok(())
    }
}

fn read(row: &Row<'_>, state: OutboxState) -> rusqlite::Result<Result<OutboxRow>> {
    let (made, next): (i64, i64) = (row.get(3)?, row.get(4)?);
    let (id, recipient, game, attempts, result) = (
        row.get(0)?,
        row.get(1)?,
        row.get(2)?,
        row.get(5)?,
        row.get(6)?,
    );
    let (held, superseded) = (row.get(7)?, row.get(8)?);
    Ok(moment(made).and_then(|made| {
        Ok(OutboxRow {
            id,
            recipient,
            game,
            made,
            next: moment(next)?,
            attempts,
            state,
            result,
            held,
            superseded,
        })
    }))
}
