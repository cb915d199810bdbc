//! Migrations: numbered SQL files, each run once in a transaction of its own; `user_version` counts them.

use anyhow::{Context, Result};
use rusqlite::Connection;

/// All migrations, oldest first. A published one is never changed.
const MIGRATIONS: [&str; 1] = [include_str!("../../migrations/0001_club.sql")];

/// The database was made by a newer version of this program.
#[derive(Debug, thiserror::Error)]
#[error(
    "it was made by a newer version of dvonn-post (version {found} of its tables, this program knows {known}); install the newer program again"
)]
pub struct NewerDatabase {
    /// Version of the tables.
    pub found: usize,
    /// The newest version that this program knows.
    pub known: usize,
}

/// Brings a database to the newest version.
pub(super) fn run(connection: &mut Connection) -> Result<()> {
    let known = MIGRATIONS.len();
    let found: i64 = connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .context("Its version cannot be read")?;
    let found = usize::try_from(found).unwrap_or(usize::MAX);
    if found > known {
        return Err(NewerDatabase { found, known }.into());
    }
    for (index, sql) in MIGRATIONS.iter().enumerate().skip(found) {
        let transaction =
            connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        // Another process may have been faster while this one waited for the lock.
        let now: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if usize::try_from(now).is_ok_and(|now| now > index) {
            continue;
        }
        transaction
            .execute_batch(sql)
            .with_context(|| format!("Migration {} fails", index + 1))?;
        transaction.pragma_update(None, "user_version", i64::try_from(index + 1)?)?;
        transaction.commit()?;
    }
    Ok(())
}
