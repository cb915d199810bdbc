//! Questions of the club, and the mails that wait for their answers.

use anyhow::{Context, Result};
use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::{OptionalExtension, Row, params};

use super::Tx;
use super::words::{moment, seconds};
use crate::club::player::PlayerId;
use crate::club::which::Answered;

/// How long a question waits for its answer.
const LIFETIME: TimeDelta = TimeDelta::days(7);

/// A question that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Row id; never used twice.
    pub id: i64,
    /// Whose; `None` for an address that is no member yet.
    pub player: Option<PlayerId>,
    /// Who is asked.
    pub address: String,
    /// The name in the first mail's From, for a new member.
    pub name: String,
    /// Until when an answer counts.
    pub until: DateTime<Utc>,
}

/// A mail that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Row of the mail.
    pub inbox: i64,
    /// Address of From.
    pub sender: String,
    /// When it came to the club's mailbox.
    pub arrived: DateTime<Utc>,
    /// What waits, a line each, in canonical spelling.
    pub commands: String,
    /// The text around it, for the opponent.
    pub chat: String,
    /// The letter of the club that it answered.
    pub answered: Option<Answered>,
}

impl Tx<'_> {
    /// The open question to an address; one is made where there is none.
    ///
    /// # Errors
    /// SQLite's.
    pub fn ask(
        &self,
        player: Option<PlayerId>,
        address: &str,
        name: &str,
        now: DateTime<Utc>,
    ) -> Result<Question> {
        if let Some(question) = self.open_question(address, now)? {
            return Ok(question);
        }
        self.0
            .prepare_cached(
                "UPDATE questions SET state = 'expired' WHERE address = ?1 AND state = 'open'",
            )?
            .execute([address])?;
        let until = now + LIFETIME;
        self.0
            .prepare_cached(
                "INSERT INTO questions (player, address, name, asked_at, until_at, state) VALUES (?1, ?2, ?3, ?4, ?5, 'open')",
            )?
            .execute(params![player.map(|id| id.0), address, name, seconds(now), seconds(until)])
            .context("A question cannot be kept")?;
        let id = self.0.last_insert_rowid();
        Ok(Question {
            id,
            player,
            address: address.to_owned(),
            name: name.to_owned(),
            until,
        })
    }

    /// The open question to an address, if its time is not over.
    ///
    /// # Errors
    /// SQLite's.
    pub fn open_question(&self, address: &str, now: DateTime<Utc>) -> Result<Option<Question>> {
        self.0
            .prepare_cached(
                "SELECT id, player, address, name, until_at FROM questions
                 WHERE address = ?1 AND state = 'open' AND until_at >= ?2",
            )?
            .query_row(params![address, seconds(now)], read)
            .optional()?
            .transpose()
    }

    /// A question by its number, if it was not answered. Its time may be over: what counts is when the answer arrived,
    /// not when the club noticed.
    ///
    /// # Errors
    /// SQLite's.
    pub fn question(&self, id: i64) -> Result<Option<Question>> {
        self.0
            .prepare_cached("SELECT id, player, address, name, until_at FROM questions WHERE id = ?1 AND state IN ('open', 'expired')")?
            .query_row([id], read)
            .optional()?
            .transpose()
    }

    /// Lets a mail wait for the answer to a question.
    ///
    /// # Errors
    /// SQLite's.
    pub fn hold(&self, question: i64, held: &Held) -> Result<()> {
        let (game, serial, challenge) = match held.answered {
            Some(Answered::Game { game, serial }) => (Some(game), Some(serial), None),
            Some(Answered::Challenge { number }) => (None, None, Some(number)),
            None => (None, None, None),
        };
        self.0
            .prepare_cached(
                "INSERT INTO held (question, place, inbox, sender, arrived_at, commands, chat, game, serial, challenge)
                 VALUES (?1, 1 + (SELECT count(*) FROM held WHERE question = ?1), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            )?
            .execute(params![
                question,
                held.inbox,
                held.sender,
                seconds(held.arrived),
                held.commands,
                held.chat,
                game,
                serial,
                challenge
            ])
            .context("A mail cannot be held")?;
        Ok(())
    }

    /// The mails that wait for a question's answer, oldest first.
    ///
    /// # Errors
    /// SQLite's.
    pub fn held(&self, question: i64) -> Result<Vec<Held>> {
        let mut statement = self.0.prepare_cached(
            "SELECT inbox, sender, arrived_at, commands, chat, game, serial, challenge FROM held
             WHERE question = ?1 ORDER BY place",
        )?;
        let rows = statement.query_map([question], read_held)?;
        rows.map(|row| row?).collect()
    }

    /// Closes a question. Mails that came after the letter that was answered are asked about anew by the caller.
    ///
    /// # Errors
    /// SQLite's.
    pub fn close_question(&self, id: i64, yes: bool) -> Result<()> {
        self.0
            .prepare_cached("UPDATE questions SET state = ?2 WHERE id = ?1")?
            .execute(params![id, if yes { "yes" } else { "no" }])?;
        Ok(())
    }

    /// Moves mails that a letter did not name yet from a closed question to another.
    ///
    /// # Errors
    /// SQLite's.
    pub fn move_held(&self, from: i64, after: u32, to: i64) -> Result<()> {
        let there = i64::try_from(self.held(to)?.len())?;
        self.0
            .prepare_cached("UPDATE held SET question = ?3, place = place - ?2 + ?4 WHERE question = ?1 AND place > ?2")?
            .execute(params![from, after, to, there])?;
        Ok(())
    }

    pub(super) fn close_questions_of(&self, player: PlayerId) -> Result<()> {
        self.0.execute(
            "UPDATE questions SET state = 'no' WHERE player = ?1 AND state = 'open'",
            [player.0],
        )?;
        Ok(())
    }

    /// Closes questions whose time is over.
    ///
    /// # Errors
    /// SQLite's.
    pub fn expire_questions(&self, now: DateTime<Utc>) -> Result<()> {
        self.0.execute(
            "UPDATE questions SET state = 'expired' WHERE state = 'open' AND until_at < ?1",
            [seconds(now)],
        )?;
        Ok(())
    }

    /// Whether a stranger's address was asked within a week, by whatever clock: one that ran ahead for long asked nobody.
    ///
    /// # Errors
    /// SQLite's.
    pub fn was_asked(&self, address: &str, now: DateTime<Utc>) -> Result<bool> {
        let count: i64 = self
            .0
            .prepare_cached("SELECT count(*) FROM questions WHERE address = ?1 AND asked_at > ?2 AND asked_at < ?3 AND player IS NULL")?
            .query_row(params![address, seconds(now - TimeDelta::days(7)), seconds(now + TimeDelta::days(7))], |row| row.get(0))?;
        Ok(count > 0)
    }

    /// Questions to strangers since yesterday.
    ///
    /// # Errors
    /// SQLite's.
    pub fn strangers_asked_today(&self, now: DateTime<Utc>) -> Result<u32> {
        Ok(self
            .0
            .prepare_cached(
                "SELECT count(*) FROM questions WHERE asked_at > ?1 AND asked_at < ?2 AND player IS NULL",
            )?
            .query_row([seconds(now - TimeDelta::days(1)), seconds(now + TimeDelta::days(1))], |row| row.get(0))?)
    }

    /// Whether a member was asked about a foreign address before and did not say yes.
    ///
    /// # Errors
    /// SQLite's.
    pub fn refused_address(&self, player: PlayerId, address: &str) -> Result<bool> {
        let count: i64 = self
            .0
            .prepare_cached(
                "SELECT count(*) FROM held h JOIN questions q ON q.id = h.question
                 WHERE h.sender = ?1 AND q.player = ?2 AND q.state IN ('no', 'expired')",
            )?
            .query_row(params![address, player.0], |row| row.get(0))?;
        Ok(count > 0)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<Result<Question>> {
    let until: i64 = row.get(4)?;
    let (id, player, address, name) = (
        row.get(0)?,
        row.get::<_, Option<i64>>(1)?,
        row.get(2)?,
        row.get(3)?,
    );
    Ok(moment(until).map(|until| Question {
        id,
        player: player.map(PlayerId),
        address,
        name,
        until,
    }))
}

fn read_held(row: &Row<'_>) -> rusqlite::Result<Result<Held>> {
    let arrived: i64 = row.get(2)?;
    let (inbox, sender, commands, chat) = (row.get(0)?, row.get(1)?, row.get(3)?, row.get(4)?);
    let answered = match (row.get(5)?, row.get(6)?, row.get(7)?) {
        (Some(game), Some(serial), _) => Some(Answered::Game { game, serial }),
        (_, _, Some(number)) => Some(Answered::Challenge { number }),
        _ => None,
    };
    Ok(moment(arrived).map(|arrived| Held {
        inbox,
        sender,
        arrived,
        commands,
        chat,
        answered,
    }))
}
