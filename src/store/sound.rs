//! Whether the file is whole and its tables agree with each other. What a game says is another file's.

use anyhow::{Context, Result};
use rusqlite::{Connection, ErrorCode};

use super::verify::Tell;
use super::{NewerDatabase, Tx};

/// The database is damaged: it will not mend itself, and going on could spread the damage.
#[derive(Debug, thiserror::Error)]
#[error("the database is damaged ({0})")]
pub struct Damaged(pub String);

/// Whether a database is damaged, or none at all.
#[must_use]
pub fn is_damaged(error: &anyhow::Error) -> bool {
    let is_broken = |error: &rusqlite::Error| {
        matches!(
            error.sqlite_error_code(),
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt)
        )
    };
    error.is::<Damaged>()
        || error
            .chain()
            .any(|cause| cause.downcast_ref().is_some_and(is_broken))
}

/// Whether a database will not become usable by itself, as one would on a full disk: it is a newer program's, damaged, or
/// no database at all.
#[must_use]
pub fn is_lasting(error: &anyhow::Error) -> bool {
    error.is::<NewerDatabase>() || is_damaged(error)
}

/// What SQLite finds wrong with a file, at the most thorough: a line each.
pub(super) fn check_file(connection: &Connection, tell: Tell<'_>) -> Result<()> {
    let mut statement = connection.prepare("PRAGMA integrity_check")?;
    let found = statement.query_map([], |row| row.get::<_, String>(0))?;
    for line in found {
        let line = line.context("The database cannot be checked")?;
        for line in line.lines().filter(|line| *line != "ok") {
            tell(&format!("database: {line}"));
        }
    }
    let mut statement = connection.prepare("PRAGMA foreign_key_check")?;
    let rows = statement.query_map([], |row| {
        Ok((
            row.get::<_, String>(0)?,
            row.get::<_, Option<i64>>(1)?,
            row.get::<_, String>(2)?,
        ))
    })?;
    for row in rows {
        let (table, id, parent) = row.context("The references cannot be checked")?;
        let which = id.map(|id| format!(" {id}")).unwrap_or_default();
        tell(&format!(
            "{table}{which}: refers to a row of {parent} that is not there"
        ));
    }
    Ok(())
}

impl Tx<'_> {
    pub(super) fn check_file(&self, tell: Tell<'_>) -> Result<()> {
        check_file(self.0, tell)
    }

    /// What tables say of each other.
    pub(super) fn check_tables(&self, tell: Tell<'_>) -> Result<()> {
        let club: i64 = self
            .0
            .query_row("SELECT count(*) FROM club", [], |row| row.get(0))?;
        if club != 1 {
            tell("club: its row with the secret is missing");
        }
        for (sql, whose, what) in [
            (
                "SELECT c.number FROM challenges c LEFT JOIN games g ON g.number = c.number
                 WHERE c.state = 'accepted' AND g.number IS NULL",
                "challenge",
                "is accepted, but there is no game of its number",
            ),
            (
                "SELECT p.id FROM players p LEFT JOIN addresses a ON a.address = p.address AND a.player = p.id
                 WHERE a.address IS NULL",
                "player",
                "address is not among those that may write for this member",
            ),
            (
                "SELECT id FROM inbox WHERE state = 'waiting' AND raw IS NULL",
                "mail",
                "waits, but raw is empty",
            ),
            (
                "SELECT id FROM outbox WHERE state = 'waiting' AND held = 0 AND bytes IS NULL
                 UNION ALL SELECT id FROM outbox WHERE state = 'waiting' AND held = 1 AND bytes IS NULL",
                "letter",
                "waits, but bytes is empty",
            ),
        ] {
            let mut statement = self.0.prepare(sql)?;
            let rows = statement.query_map([], |row| row.get::<_, i64>(0))?;
            for row in rows {
                tell(&format!("{whose} {}: {what}", row?));
            }
        }
        Ok(())
    }

    /// How many members, mails and letters there are.
    pub(super) fn sizes(&self) -> Result<(u32, u32, u32)> {
        Ok(self.0.query_row(
            "SELECT (SELECT count(*) FROM players), (SELECT count(*) FROM inbox), (SELECT count(*) FROM outbox)",
            [],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )?)
    }
}
