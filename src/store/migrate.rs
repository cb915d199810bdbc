//! Migrations: numbered SQL files, each run once, all that are missing in one transaction; `user_version` counts them.

use anyhow::{Context, Result};
use rusqlite::Connection;

/// All migrations, oldest first. A published one is never changed.
const MIGRATIONS: [&str; 5] = [
    include_str!("../../migrations/0001_club.sql"),
    include_str!("../../migrations/0002_notices.sql"),
    include_str!("../../migrations/0003_bounces.sql"),
    include_str!("../../migrations/0004_owner.sql"),
    include_str!("../../migrations/0005_restored.sql"),
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

/// The database was made by an older version of this program, and is not to be changed by whoever opened it.
#[derive(Debug, thiserror::Error)]
#[error("it was made by an older version of dvonn-post; `dvonn-post serve` brings it up to date")]
pub struct OlderDatabase;

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

/// Brings a database to the newest version, in one transaction: the version before stays usable if that fails (G-08).
pub(super) fn run(connection: &mut Connection) -> Result<()> {
    if version(connection)? == newest() {
        return Ok(());
    }
    let transaction =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    // Another process may have been faster while this one waited for the lock.
    for (index, sql) in MIGRATIONS.iter().enumerate().skip(version(&transaction)?) {
        transaction
            .execute_batch(sql)
            .with_context(|| format!("Migration {} fails", index + 1))?;
    }
    transaction.pragma_update(None, "user_version", i64::try_from(newest())?)?;
    transaction.commit()?;
    Ok(())
}
