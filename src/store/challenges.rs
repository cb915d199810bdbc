//! Challenges.

use anyhow::{Context, Result};
use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::{OptionalExtension, Params, Row, params};

use super::Tx;
use super::words::{bytes32, colour, moment, number, seconds, state, state_word};
use crate::club::challenge::{Challenge, ChallengeState, Invitee};
use crate::club::player::{Player, PlayerId};

/// How long one address is left in peace after an invitation, whoever sent it.
const INVITED_AGAIN: TimeDelta = TimeDelta::days(30);

/// Most open challenges of others in a list.
const OPEN_SHOWN: i64 = 20;

macro_rules! select {
    ($where:literal) => {
        concat!(
            "SELECT c.number, c.from_player, f.name, c.to_player, t.name, c.to_address, c.colour, c.setup, c.made_at,
                    c.until_at, c.nonce, c.state
             FROM challenges c JOIN players f ON f.id = c.from_player LEFT JOIN players t ON t.id = c.to_player ",
            $where
        )
    };
}

impl Tx<'_> {
    /// A challenge, however it stands.
    ///
    /// # Errors
    /// SQLite's.
    pub fn challenge(&self, number: u32) -> Result<Option<Challenge>> {
        self.0
            .prepare_cached(select!("WHERE c.number = ?1"))?
            .query_row([number], read)
            .optional()?
            .transpose()
    }

    /// Challenges that wait for or from a member, and open ones of others, oldest first.
    pub(super) fn challenges_of(&self, player: &Player) -> Result<Vec<Challenge>> {
        let mut found = self.challenges(
            select!("WHERE c.state = 'waiting' AND c.to_player = ?1"),
            [player.id.0],
        )?;
        found.extend(self.challenges(
            select!("WHERE c.from_player = ?1 AND c.state = 'waiting'"),
            [player.id.0],
        )?);
        found.extend(self.challenges(
            select!("WHERE c.to_address = ?1 AND c.state = 'waiting' AND c.from_player <> ?2"),
            params![player.address, player.id.0],
        )?);
        found.extend(self.challenges(
            select!(
                "WHERE c.state = 'waiting' AND c.to_player IS NULL AND c.to_address IS NULL AND c.from_player <> ?1
                 ORDER BY c.until_at LIMIT ?2"
            ),
            params![player.id.0, OPEN_SHOWN],
        )?);
        found.sort_by_key(|challenge| challenge.number);
        Ok(found)
    }

    /// Challenges whose time is over, oldest first.
    ///
    /// # Errors
    /// SQLite's.
    pub fn challenges_expired(&self, now: DateTime<Utc>) -> Result<Vec<Challenge>> {
        self.challenges(
            select!("WHERE c.state = 'waiting' AND c.until_at < ?1 ORDER BY c.until_at LIMIT 100"),
            [seconds(now)],
        )
    }

    fn challenges(&self, sql: &str, params: impl Params) -> Result<Vec<Challenge>> {
        let mut statement = self.0.prepare_cached(sql)?;
        let rows = statement.query_map(params, read)?;
        rows.map(|row| row?).collect()
    }

    /// The number that the next challenge gets.
    pub(super) fn next_number(&self) -> Result<u32> {
        // AUTOINCREMENT keeps the highest number ever used, so none comes twice.
        let last: Option<i64> = self
            .0
            .prepare_cached("SELECT seq FROM sqlite_sequence WHERE name = 'challenges'")?
            .query_row([], |row| row.get(0))
            .optional()?;
        number(last.unwrap_or(0) + 1)
    }

    pub(super) fn add_challenge(&self, challenge: &Challenge) -> Result<()> {
        let (to_player, to_address) = match &challenge.to {
            Invitee::Member { id, .. } => (Some(id.0), None),
            Invitee::Address(address) => (None, Some(address)),
            Invitee::Anyone => (None, None),
        };
        self.0
            .prepare_cached(
                "INSERT INTO challenges (number, from_player, to_player, to_address, colour, setup, made_at, until_at, nonce, state)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?
            .execute(params![
                challenge.number,
                challenge.from.0,
                to_player,
                to_address,
                challenge.colour.map_or_else(|| "random".to_owned(), |colour| colour.to_string()),
                challenge.setup.to_string(),
                seconds(challenge.made),
                seconds(challenge.until),
                challenge.nonce.as_slice(),
                state_word(challenge.state),
            ])
            .with_context(|| format!("Challenge {} cannot be kept", challenge.number))?;
        Ok(())
    }

    /// Ends a challenge that waits.
    ///
    /// # Errors
    /// SQLite's, or it does not wait any more.
    pub fn close_challenge(&self, number: u32, state: ChallengeState) -> Result<()> {
        let closed = self
            .0
            .prepare_cached(
                "UPDATE challenges SET state = ?2 WHERE number = ?1 AND state = 'waiting'",
            )?
            .execute(params![number, state_word(state)])?;
        anyhow::ensure!(closed == 1, "Challenge {number} does not wait any more");
        Ok(())
    }

    /// Invitations to strangers that a member sent since yesterday.
    pub(super) fn invited_today(&self, player: PlayerId, now: DateTime<Utc>) -> Result<u32> {
        self.0
            .prepare_cached(
                "SELECT count(*) FROM challenges WHERE from_player = ?1 AND made_at > ?2 AND made_at < ?3 AND to_address IS NOT NULL",
            )?
            .query_row(params![player.0, seconds(now - TimeDelta::days(1)), seconds(now + TimeDelta::days(1))], |row| row.get(0))
            .context("Invitations cannot be counted")
    }

    /// Whether an address was invited of late, by whomever.
    pub(super) fn was_invited(&self, address: &str, now: DateTime<Utc>) -> Result<bool> {
        let count: i64 = self
            .0
            .prepare_cached(
                "SELECT count(*) FROM challenges WHERE to_address = ?1 AND made_at > ?2 AND made_at < ?3",
            )?
            .query_row(params![address, seconds(now - INVITED_AGAIN), seconds(now + INVITED_AGAIN)], |row| row.get(0))?;
        Ok(count > 0)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<Result<Challenge>> {
    let to_player: Option<i64> = row.get(3)?;
    let to_name: Option<String> = row.get(4)?;
    let to_address: Option<String> = row.get(5)?;
    let (its_number, from, from_name): (i64, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let (colour_word, setup, made, until): (String, String, i64, i64) =
        (row.get(6)?, row.get(7)?, row.get(8)?, row.get(9)?);
    let (nonce, state_word): (Vec<u8>, String) = (row.get(10)?, row.get(11)?);
    Ok((|| {
        let to = match (to_player, to_name, to_address) {
            (Some(id), Some(name), _) => Invitee::Member {
                id: PlayerId(id),
                name,
            },
            (_, _, Some(address)) => Invitee::Address(address),
            _ => Invitee::Anyone,
        };
        Ok(Challenge {
            number: number(its_number)?,
            from: PlayerId(from),
            from_name,
            to,
            colour: (colour_word != "random")
                .then(|| colour(&colour_word))
                .transpose()?,
            setup: setup.parse()?,
            made: moment(made)?,
            until: moment(until)?,
            nonce: bytes32(&nonce)?,
            state: state(&state_word)?,
        })
    })())
}
