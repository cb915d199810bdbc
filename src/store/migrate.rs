//! Migrations: numbered SQL files, each run once in a transaction of its own; `user_version` counts them.

use anyhow::{Context, Result};
use rusqlite::Connection;

/// All migrations, oldest first. A published one is never changed.
const MIGRATIONS: [&str; 3] = [
    include_str!("../../migrations/0001_club.sql"),
    include_str!("../../migrations/0002_notices.sql"),
    include_str!("../../migrations/0004_owner.sql"),
];

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

/// The newest version of the tables that this program knows.
pub(super) fn newest() -> usize {
    MIGRATIONS.len()
}

/// The version of a database's tables: how many migrations it went through.
///
/// # Errors
/// It cannot be read, or the tables are newer than this program ([`NewerDatabase`]).
pub(super) fn version(connection: &Connection) -> Result<usize> {
    let known = newest();
    let found: i64 = connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .context("Its version cannot be read")?;
    let found = usize::try_from(found).unwrap_or(usize::MAX);
    if found > known {
        return Err(NewerDatabase { found, known }.into());
    }
    Ok(found)
}

/// Brings a database to the newest version.
pub(super) fn run(connection: &mut Connection) -> Result<()> {
    for (index, sql) in MIGRATIONS.iter().enumerate().skip(version(connection)?) {
        let transaction =
            connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        // Another process may have been faster while this one waited for the lock.
        if version(&transaction)? > index {
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
