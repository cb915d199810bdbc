//! What the club's database says, read beside the daemon by a connection of its own.
//!
//! Knows the tables; refuses to judge what it finds, and to write.

use std::collections::BTreeMap;
use std::path::Path;

use dvonn_post::dvonn::{Board, Ply};
use rusqlite::{Connection, OpenFlags};

/// An event: game and serial, moment, kind, and what.
pub type Events = BTreeMap<(u32, u32), (i64, String, String)>;

/// A game's row: what it repeats of its events.
#[derive(Debug)]
pub struct GameRow {
    pub number: u32,
    pub white: String,
    pub black: String,
    pub start: Option<Board>,
    pub turn: Option<String>,
    pub serial: u32,
    pub result: Option<String>,
    pub ended_by: Option<String>,
    pub score: (u32, u32),
}

/// A letter's row.
#[derive(Debug)]
pub struct LetterRow {
    pub id: i64,
    pub message_id: String,
    pub recipient: String,
    pub answers: Option<i64>,
    /// It tells that mail to the opponent comes back.
    pub is_of_bounces: bool,
}

/// A mail's row.
#[derive(Debug)]
pub struct MailRow {
    pub id: i64,
    pub digest: Vec<u8>,
    pub state: String,
}

/// The database, open for looking.
pub struct Book(Option<Connection>);

impl Book {
    pub fn open(path: &Path) -> Book {
        // By the system's own way to the disk: looking is none of the daemon's calls.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
        Book(Some(
            Connection::open_with_flags_and_vfs(path, flags, "unix").unwrap(),
        ))
    }

    /// Nothing is open any more, so that the power may fail.
    pub fn close(&mut self) {
        self.0 = None;
    }

    fn rows<T>(
        &self,
        sql: &str,
        read: impl Fn(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Vec<T> {
        let mut statement = self.0.as_ref().unwrap().prepare_cached(sql).unwrap();
        let rows = statement.query_map([], |row| read(row)).unwrap();
        rows.map(Result::unwrap).collect()
    }

    /// A copy of all of it as one file.
    pub fn copy_to(&self, path: &Path) {
        let to = path.to_str().unwrap();
        self.0
            .as_ref()
            .unwrap()
            .execute("VACUUM INTO ?1", [to])
            .unwrap();
    }

    pub fn events(&self) -> Events {
        self.rows("SELECT game, serial, at, kind, what FROM events", |row| {
            Ok((
                (row.get(0)?, row.get(1)?),
                (row.get(2)?, row.get(3)?, row.get(4)?),
            ))
        })
        .into_iter()
        .collect()
    }

    /// The plies of a game.
    pub fn plies(events: &Events, game: u32) -> Vec<Ply> {
        events
            .range((game, 0)..=(game, u32::MAX))
            .filter(|(_, (_, kind, _))| kind == "ply")
            .map(|(_, (_, _, what))| what.parse().unwrap())
            .collect()
    }

    pub fn games(&self) -> Vec<GameRow> {
        self.rows(
            "SELECT g.number, w.address, b.address, g.start, g.turn, g.serial, g.result, g.ended_by, g.score_white,
                    g.score_black
             FROM games g JOIN players w ON w.id = g.white JOIN players b ON b.id = g.black ORDER BY g.number",
            |row| {
                let start: Option<String> = row.get(3)?;
                Ok(GameRow {
                    number: row.get(0)?,
                    white: row.get(1)?,
                    black: row.get(2)?,
                    start: start.map(|start| start.parse().unwrap()),
                    turn: row.get(4)?,
                    serial: row.get(5)?,
                    result: row.get(6)?,
                    ended_by: row.get(7)?,
                    score: (row.get(8)?, row.get(9)?),
                })
            },
        )
    }

    pub fn has_games(&self) -> bool {
        !self.games().is_empty()
    }

    /// Running games in which it is that address's turn.
    pub fn waiting_for(&self, address: &str) -> Vec<u32> {
        self.games()
            .into_iter()
            .filter(|game| match game.turn.as_deref() {
                Some("white") => game.white == address,
                Some("black") => game.black == address,
                _ => false,
            })
            .map(|game| game.number)
            .collect()
    }

    pub fn letters(&self) -> Vec<LetterRow> {
        self.rows(
            "SELECT id, message_id, recipient, answers, text LIKE 'Mail to % comes back%' FROM outbox ORDER BY id",
            |row| {
                Ok(LetterRow {
                    id: row.get(0)?,
                    message_id: row.get(1)?,
                    recipient: row.get(2)?,
                    answers: row.get(3)?,
                    is_of_bounces: row.get(4)?,
                })
            },
        )
    }

    pub fn mails(&self) -> Vec<MailRow> {
        self.rows("SELECT id, digest, state FROM inbox ORDER BY id", |row| {
            Ok(MailRow {
                id: row.get(0)?,
                digest: row.get(1)?,
                state: row.get(2)?,
            })
        })
    }

    /// Whatever happened in a game or was made for the post changes these numbers.
    pub fn marks(&self) -> (i64, i64) {
        let sql = "SELECT (SELECT count(*) FROM events), (SELECT coalesce(max(id), 0) FROM outbox)";
        let marks = self.rows(sql, |row| Ok((row.get(0)?, row.get(1)?)));
        marks.first().copied().unwrap()
    }

    pub fn count(&self, sql: &str) -> i64 {
        self.rows(sql, |row| row.get(0))
            .first()
            .copied()
            .unwrap_or(0)
    }

    pub fn secret(&self) -> Vec<u8> {
        self.rows("SELECT secret FROM club", |row| row.get(0))
            .pop()
            .unwrap_or_default()
    }
}
