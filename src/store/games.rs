//! Games and their events.

use anyhow::{Context, Result, bail};
use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::{OptionalExtension, Params, Row, params};

use super::Tx;
use super::words::{colour, ended_by, moment, number, outcome, seconds};
use crate::club::game::{Ended, Event, Game, Happened, Seat};
use crate::club::notice::Draw;
use crate::club::player::PlayerId;
use crate::dvonn::{Ply, Position};

/// How long a finished game stands in its players' lists.
const OVER_SHOWN: TimeDelta = TimeDelta::days(30);

/// Most finished games in a list.
const OVER_MOST: i64 = 10;

macro_rules! select {
    ($where:literal) => {
        concat!(
            "SELECT g.number, g.white, w.name, g.black, b.name, g.setup, g.start, g.draw_nonce, g.draw_digest,
                    g.draw_seed, g.started_at, g.result, g.ended_by, g.ended_at
             FROM games g JOIN players w ON w.id = g.white JOIN players b ON b.id = g.black ",
            $where
        )
    };
}

/// A game with its players' addresses, for the admin.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRow {
    /// The game.
    pub game: Game,
    /// White's registered address.
    pub white_address: String,
    /// Black's registered address.
    pub black_address: String,
}

impl Tx<'_> {
    /// A game, running or over.
    ///
    /// # Errors
    /// SQLite's, or a record that does not replay.
    pub fn game(&self, number: u32) -> Result<Option<Game>> {
        let head = self
            .0
            .prepare_cached(select!("WHERE g.number = ?1"))?
            .query_row([number], read)
            .optional()?;
        head.map(|head| self.with_events(head)).transpose()
    }

    /// A member's running games, oldest first.
    ///
    /// # Errors
    /// As [`Tx::game`].
    pub fn running(&self, player: PlayerId) -> Result<Vec<Game>> {
        let mut games = self.games(
            select!("WHERE g.white = ?1 AND g.ended_at IS NULL"),
            [player.0],
        )?;
        games.extend(self.games(
            select!("WHERE g.black = ?1 AND g.ended_at IS NULL"),
            [player.0],
        )?);
        games.sort_by_key(|game| game.number);
        Ok(games)
    }

    /// How many games a member plays now.
    pub(super) fn count_running(&self, player: PlayerId) -> Result<u32> {
        self.0
            .prepare_cached(
                "SELECT (SELECT count(*) FROM games WHERE white = ?1 AND ended_at IS NULL)
                      + (SELECT count(*) FROM games WHERE black = ?1 AND ended_at IS NULL)",
            )?
            .query_row([player.0], |row| row.get(0))
            .context("Games cannot be counted")
    }

    /// A member's games that ended of late, newest first.
    pub(super) fn over_lately(&self, player: PlayerId, now: DateTime<Utc>) -> Result<Vec<Game>> {
        let since = seconds(now - OVER_SHOWN);
        let sql = (
            select!("WHERE g.white = ?1 AND g.ended_at > ?2 ORDER BY g.ended_at DESC LIMIT ?3"),
            select!("WHERE g.black = ?1 AND g.ended_at > ?2 ORDER BY g.ended_at DESC LIMIT ?3"),
        );
        let mut games = self.games(sql.0, params![player.0, since, OVER_MOST])?;
        games.extend(self.games(sql.1, params![player.0, since, OVER_MOST])?);
        games
            .sort_by_key(|game| std::cmp::Reverse((game.ended.map(|ended| ended.at), game.number)));
        games.truncate(usize::try_from(OVER_MOST).unwrap_or(10));
        Ok(games)
    }

    /// All games with addresses, newest last, for the admin.
    ///
    /// # Errors
    /// As [`Tx::game`].
    pub fn all_games(&self) -> Result<Vec<GameRow>> {
        let games = self.games(select!("ORDER BY g.number"), [])?;
        games
            .into_iter()
            .map(|game| self.with_addresses(game))
            .collect()
    }

    /// A game with its players' addresses.
    ///
    /// # Errors
    /// SQLite's.
    pub fn with_addresses(&self, game: Game) -> Result<GameRow> {
        let white_address = self.player(game.white.player)?.address;
        let black_address = self.player(game.black.player)?.address;
        Ok(GameRow {
            game,
            white_address,
            black_address,
        })
    }

    fn games(&self, sql: &str, params: impl Params) -> Result<Vec<Game>> {
        let mut statement = self.0.prepare_cached(sql)?;
        let heads: Vec<Head> = statement
            .query_map(params, read)?
            .collect::<Result<_, _>>()?;
        heads
            .into_iter()
            .map(|head| self.with_events(head))
            .collect()
    }

    fn with_events(&self, head: Head) -> Result<Game> {
        let its_number = number(head.number)?;
        let events = self.events_of(its_number)?;
        head.into_game(its_number, events)
            .with_context(|| format!("The record of game {its_number} does not replay"))
    }

    /// All that happened in a game, oldest first.
    pub(super) fn events_of(&self, game: u32) -> Result<Vec<Event>> {
        let mut statement = self.0.prepare_cached(
            "SELECT serial, at, kind, what FROM events WHERE game = ?1 ORDER BY serial",
        )?;
        let rows = statement.query_map([game], |row| {
            Ok((
                row.get::<_, i64>(0)?,
                row.get::<_, i64>(1)?,
                row.get::<_, String>(2)?,
                row.get::<_, String>(3)?,
            ))
        })?;
        let mut events = Vec::new();
        for row in rows {
            let (serial, at, kind, what) = row?;
            events.push(Event {
                serial: number(serial)?,
                at: moment(at)?,
                what: happened(&kind, &what)?,
            });
        }
        Ok(events)
    }

    pub(super) fn add_game(&self, game: &Game) -> Result<()> {
        let draw = game.draw.as_ref();
        self.0
            .prepare_cached(
                "INSERT INTO games (number, white, black, setup, start, draw_nonce, draw_digest, draw_seed, started_at,
                                    turn_since, serial)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, 0)",
            )?
            .execute(params![
                game.number,
                game.white.player.0,
                game.black.player.0,
                game.setup.to_string(),
                game.start.map(|board| board.to_string()),
                draw.map(|draw| &draw.nonce),
                draw.map(|draw| &draw.digest),
                draw.map(|draw| &draw.seed),
                seconds(game.started),
            ])
            .with_context(|| format!("Game {} cannot be kept", game.number))?;
        self.advance(game, game.events.len())
    }

    /// Keeps the newest events of a game, and the columns that repeat what they say.
    pub(super) fn advance(&self, game: &Game, new: usize) -> Result<()> {
        let known = game.events.len().saturating_sub(new);
        for event in game.events.iter().skip(known) {
            let (kind, what) = match event.what {
                Happened::Ply(ply) => ("ply", ply.to_string()),
                Happened::Resigned(colour) => ("resigned", colour.to_string()),
            };
            // The primary key refuses a second event of one serial: no state comes twice (G-03).
            self.0
                .prepare_cached(
                    "INSERT INTO events (game, serial, at, kind, what) VALUES (?1, ?2, ?3, ?4, ?5)",
                )?
                .execute(params![
                    game.number,
                    event.serial,
                    seconds(event.at),
                    kind,
                    what
                ])
                .with_context(|| {
                    format!(
                        "Event {} of game {} cannot be kept",
                        event.serial, game.number
                    )
                })?;
        }
        let (white, black) = game.score();
        let updated = self
            .0
            .prepare_cached(
                "UPDATE games SET turn = ?2, turn_since = ?3, serial = ?4, result = ?5, ended_by = ?6, ended_at = ?7,
                                  score_white = ?8, score_black = ?9
                 WHERE number = ?1 AND serial = ?10 AND ended_at IS NULL",
            )?
            .execute(params![
                game.number,
                game.turn().map(|colour| colour.to_string()),
                seconds(game.turn_since()),
                game.serial(),
                game.ended.map(|ended| ended.result.to_string()),
                game.ended.map(|ended| ended.by.word()),
                game.ended.map(|ended| seconds(ended.at)),
                white,
                black,
                i64::try_from(known)?,
            ])?;
        anyhow::ensure!(updated == 1, "Game {} went on meanwhile", game.number);
        Ok(())
    }
}

/// A row of `games`, before its events.
struct Head {
    number: i64,
    white: Seat,
    black: Seat,
    setup: String,
    start: Option<String>,
    draw: (Option<String>, Option<String>, Option<String>),
    started: i64,
    ended: (Option<String>, Option<String>, Option<i64>),
}

impl Head {
    fn into_game(self, number: u32, events: Vec<Event>) -> Result<Game> {
        let start = self.start.map(|text| text.parse()).transpose()?;
        let plies: Vec<Ply> = events
            .iter()
            .filter_map(|event| {
                if let Happened::Ply(ply) = event.what {
                    Some(ply)
                } else {
                    None
                }
            })
            .collect();
        let position = Position::replay(start, &plies)?;
        let draw = match self.draw {
            (Some(nonce), Some(digest), Some(seed)) => Some(Draw {
                nonce,
                digest,
                seed,
            }),
            _ => None,
        };
        let ended = match self.ended {
            (Some(result), Some(by), Some(at)) => Some(Ended {
                result: outcome(&result)?,
                by: ended_by(&by)?,
                at: moment(at)?,
            }),
            _ => None,
        };
        Ok(Game {
            number,
            white: self.white,
            black: self.black,
            setup: self.setup.parse()?,
            start,
            draw,
            started: moment(self.started)?,
            events,
            position,
            ended,
        })
    }
}

fn happened(kind: &str, what: &str) -> Result<Happened> {
    match kind {
        "ply" => Ok(Happened::Ply(what.parse()?)),
        "resigned" => Ok(Happened::Resigned(colour(what)?)),
        other => bail!("{other} is no kind of event"),
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<Head> {
    Ok(Head {
        number: row.get(0)?,
        white: Seat {
            player: PlayerId(row.get(1)?),
            name: row.get(2)?,
        },
        black: Seat {
            player: PlayerId(row.get(3)?),
            name: row.get(4)?,
        },
        setup: row.get(5)?,
        start: row.get(6)?,
        draw: (row.get(7)?, row.get(8)?, row.get(9)?),
        started: row.get(10)?,
        ended: (row.get(11)?, row.get(12)?, row.get(13)?),
    })
}
