//! Members and their addresses.

use anyhow::{Context, Result};
use chrono::{DateTime, Utc};
use rusqlite::{OptionalExtension, Row, params};

use super::Tx;
use super::words::{moment, seconds};
use crate::club::names;
use crate::club::notice::PlayerLine;
use crate::club::player::{Player, PlayerId};

macro_rules! select {
    ($from:literal) => {
        concat!(
            "SELECT p.id, p.name, p.address, p.language, p.timezone, p.joined_at, p.stopped FROM ",
            $from
        )
    };
}

impl Tx<'_> {
    /// The member whom an address may write for.
    ///
    /// # Errors
    /// SQLite's.
    pub fn player_by_address(&self, address: &str) -> Result<Option<Player>> {
        self.0
            .prepare_cached(select!(
                "addresses a JOIN players p ON p.id = a.player WHERE a.address = ?1"
            ))?
            .query_row([address], read)
            .optional()?
            .transpose()
    }

    /// A member.
    ///
    /// # Errors
    /// SQLite's, or there is none of that id.
    pub fn player(&self, id: PlayerId) -> Result<Player> {
        self.0
            .prepare_cached(select!("players p WHERE p.id = ?1"))?
            .query_row([id.0], read)
            .with_context(|| format!("There is no member {}", id.0))?
    }

    /// The member of exactly that name, case and accents aside.
    ///
    /// # Errors
    /// SQLite's.
    pub fn player_by_name(&self, name: &str) -> Result<Option<Player>> {
        self.0
            .prepare_cached(select!("players p WHERE p.name_key = ?1"))?
            .query_row([names::key(name)], read)
            .optional()?
            .transpose()
    }

    /// Members whose name goes on after these whole words (`Anna` finds `Anna Novak`); at most ten.
    ///
    /// # Errors
    /// SQLite's.
    pub fn players_called_like(&self, name: &str) -> Result<Vec<Player>> {
        let (from, to) = key_range(&format!("{} ", names::key(name)));
        let mut statement = self.0.prepare_cached(select!(
            "players p WHERE p.name_key >= ?1 AND p.name_key < ?2 ORDER BY p.name_key LIMIT 10"
        ))?;
        let rows = statement.query_map([&from, &to], read)?;
        rows.map(|row| row?).collect()
    }

    /// Keys of names that begin like that one; another member's than `but`.
    ///
    /// # Errors
    /// SQLite's.
    pub fn keys_like(&self, name: &str, but: Option<PlayerId>) -> Result<Vec<String>> {
        let (from, to) = key_range(&names::key(name));
        let mut statement = self.0.prepare_cached(
            "SELECT name_key FROM players WHERE name_key >= ?1 AND name_key < ?2 AND id IS NOT ?3",
        )?;
        let rows = statement.query_map(params![from, to, but.map(|id| id.0)], |row| row.get(0))?;
        rows.map(|row| row.context("A name cannot be read"))
            .collect()
    }

    /// All names, for a suggestion of the nearest; the club is small, and it is asked only when a name is not found.
    ///
    /// # Errors
    /// SQLite's.
    pub fn names(&self) -> Result<Vec<String>> {
        let mut statement = self.0.prepare_cached(
            "SELECT name FROM players WHERE stopped = 0 ORDER BY name_key LIMIT 5000",
        )?;
        let rows = statement.query_map([], |row| row.get(0))?;
        rows.map(|row| row.context("A name cannot be read"))
            .collect()
    }

    /// All members who have not left, by name, with the number of their games.
    ///
    /// # Errors
    /// SQLite's.
    pub fn members(&self) -> Result<Vec<PlayerLine>> {
        let mut statement = self.0.prepare_cached(
            "SELECT p.name,
                    (SELECT count(*) FROM games g WHERE g.white = p.id AND g.ended_at IS NULL)
                  + (SELECT count(*) FROM games g WHERE g.black = p.id AND g.ended_at IS NULL),
                    (SELECT count(*) FROM games g WHERE g.white = p.id AND g.ended_at IS NOT NULL)
                  + (SELECT count(*) FROM games g WHERE g.black = p.id AND g.ended_at IS NOT NULL)
             FROM players p WHERE p.stopped = 0 ORDER BY p.name_key",
        )?;
        let rows = statement.query_map([], |row| {
            Ok(PlayerLine {
                name: row.get(0)?,
                running: row.get(1)?,
                finished: row.get(2)?,
            })
        })?;
        rows.map(|row| row.context("A member cannot be read"))
            .collect()
    }

    /// All members with every address that may write for them, for the admin.
    ///
    /// # Errors
    /// SQLite's.
    pub fn all_players(&self) -> Result<Vec<(Player, Vec<String>)>> {
        let mut statement = self.0.prepare_cached(select!("players p ORDER BY p.id"))?;
        let players: Vec<Player> = statement
            .query_map([], read)?
            .map(|row| row?)
            .collect::<Result<_>>()?;
        players
            .into_iter()
            .map(|player| {
                let mut statement = self.0.prepare_cached(
                    "SELECT address FROM addresses WHERE player = ?1 ORDER BY learned_at, address",
                )?;
                let addresses = statement
                    .query_map([player.id.0], |row| row.get(0))?
                    .collect::<Result<_, _>>()?;
                Ok((player, addresses))
            })
            .collect()
    }

    /// Makes a member; the id of `player` is not used, the one it gets is in the answer.
    ///
    /// # Errors
    /// SQLite's: a name or an address that another member has, too.
    pub fn add_player(&self, player: Player) -> Result<Player> {
        self.0
            .execute(
                "INSERT INTO players (name, name_key, address, language, timezone, joined_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![
                    player.name,
                    names::key(&player.name),
                    player.address,
                    player.language,
                    player.timezone,
                    seconds(player.joined)
                ],
            )
            .with_context(|| format!("The member {} cannot be added", player.name))?;
        let id = PlayerId(self.0.last_insert_rowid());
        self.learn_address(id, &player.address, player.joined)?;
        self.0.execute(
            "DELETE FROM suppressed WHERE address = ?1",
            [&player.address],
        )?;
        Ok(Player { id, ..player })
    }

    /// Lets an address write for a member.
    ///
    /// # Errors
    /// SQLite's: an address that another member has, too.
    pub fn learn_address(&self, player: PlayerId, address: &str, now: DateTime<Utc>) -> Result<()> {
        self.0
            .execute(
                "INSERT INTO addresses (address, player, learned_at) VALUES (?1, ?2, ?3)",
                params![address, player.0, seconds(now)],
            )
            .with_context(|| format!("The address of member {} cannot be added", player.0))?;
        // A question that was put to the stranger is now one to the member.
        self.0.execute(
            "UPDATE questions SET player = ?2 WHERE address = ?1 AND player IS NULL AND state = 'open'",
            params![address, player.0],
        )?;
        Ok(())
    }

    pub(super) fn rename(&self, player: PlayerId, name: &str) -> Result<()> {
        self.0
            .execute(
                "UPDATE players SET name = ?2, name_key = ?3 WHERE id = ?1",
                params![player.0, name, names::key(name)],
            )
            .with_context(|| format!("Member {} cannot be renamed", player.0))?;
        Ok(())
    }

    /// Notes whether a member wants no more mail.
    ///
    /// # Errors
    /// SQLite's.
    pub fn set_stopped(&self, player: PlayerId, stopped: bool) -> Result<()> {
        self.0.execute(
            "UPDATE players SET stopped = ?2 WHERE id = ?1",
            params![player.0, stopped],
        )?;
        Ok(())
    }

    /// Never writes to an address of no member again.
    ///
    /// # Errors
    /// SQLite's.
    pub fn suppress(&self, address: &str, now: DateTime<Utc>) -> Result<()> {
        self.0.execute(
            "INSERT INTO suppressed (address, at) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            params![address, seconds(now)],
        )?;
        Ok(())
    }

    /// Whether an address asked never to be written to.
    ///
    /// # Errors
    /// SQLite's.
    pub fn is_suppressed(&self, address: &str) -> Result<bool> {
        let found: Option<i64> = self
            .0
            .prepare_cached("SELECT 1 FROM suppressed WHERE address = ?1")?
            .query_row([address], |row| row.get(0))
            .optional()?;
        Ok(found.is_some())
    }
}

/// All keys that begin so: from the first of them to the first that does not.
fn key_range(beginning: &str) -> (String, String) {
    (beginning.to_owned(), format!("{beginning}\u{10ffff}"))
}

type Read = std::result::Result<Result<Player>, rusqlite::Error>;

fn read(row: &Row<'_>) -> Read {
    let joined: i64 = row.get(5)?;
    let (id, name, address, language, timezone, stopped) = (
        PlayerId(row.get(0)?),
        row.get(1)?,
        row.get(2)?,
        row.get(3)?,
        row.get(4)?,
        row.get(6)?,
    );
    Ok(moment(joined).map(|joined| Player {
        id,
        name,
        address,
        language,
        timezone,
        joined,
        stopped,
    }))
}
