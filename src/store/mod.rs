//! The club's memory: SQLite, and the only place that says SQL.
//!
//! A file a table or two. All reading and writing happens inside [`Store::write`] or [`Store::read`]: one transaction
//! each, rolled back whole when the closure fails. Nothing is decided here, and nothing is held over the network.

mod audit;
mod backup;
mod bounces;
mod challenges;
mod club;
mod copy;
mod desk;
mod door;
mod future;
mod games;
mod hand;
mod inbox;
mod mailbox;
mod migrate;
mod notices;
mod outbox;
mod owner;
mod players;
mod questions;
mod restore;
mod room;
mod sending;
mod sound;
mod verify;
mod words;

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use anyhow::{Context, Result};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use door::Door;

pub use backup::{Label, label_of};
pub use bounces::{Posted, Reach};
pub use club::{Beat, Loop};
pub use copy::InTheMaking;
pub use games::GameRow;
pub use hand::Again;
pub use inbox::{Arrival, InboxRow, InboxState};
pub use mailbox::Cursor;
pub use migrate::{NewerDatabase, OlderDatabase};
pub use notices::{Ill, Told};
pub use outbox::{Letter, Nature, OutboxRow, OutboxState};
pub use owner::Owner;
pub use questions::{Held, Question};
pub use restore::{InTheWay, Restored, restore, verify_file};
pub use room::Room;
pub use sending::{Claimed, Outcome};
pub use sound::{Damaged, is_damaged, is_lasting};
pub use verify::{Checked, Tell};

/// How long a statement waits for another process that writes.
const BUSY: std::time::Duration = std::time::Duration::from_secs(10);

/// An open database.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    /// Goes after the connection: what SQLite does when it is closed belongs inside.
    _door: Door,
}

/// One transaction; what it may do is spread over the files of this floor.
#[derive(Debug)]
pub struct Tx<'a>(&'a Connection);

/// Whether the disk or another process is to blame, and not what was to be kept: nothing that is tried meanwhile counts.
#[must_use]
pub fn is_of_the_disk(error: &anyhow::Error) -> bool {
    let of_the_disk = |error: &rusqlite::Error| {
        matches!(
            error.sqlite_error_code(),
            Some(
                ErrorCode::DiskFull
                    | ErrorCode::SystemIoFailure
                    | ErrorCode::DatabaseBusy
                    | ErrorCode::DatabaseLocked
                    | ErrorCode::ReadOnly
                    | ErrorCode::CannotOpen
            )
        )
    };
    error
        .chain()
        .any(|cause| cause.downcast_ref().is_some_and(of_the_disk))
}

/// Whether a person has to look after the disk or the file: full, without rights, failing or broken; and not just busy.
#[must_use]
pub fn is_unusable(error: &anyhow::Error) -> bool {
    let of_sqlite = |error: &rusqlite::Error| {
        matches!(
            error.sqlite_error_code(),
            Some(
                ErrorCode::DiskFull
                    | ErrorCode::SystemIoFailure
                    | ErrorCode::ReadOnly
                    | ErrorCode::CannotOpen
                    | ErrorCode::NotADatabase
                    | ErrorCode::DatabaseCorrupt
            )
        )
    };
    error.chain().any(|cause| {
        cause.downcast_ref().is_some_and(of_sqlite)
            || cause.downcast_ref::<std::io::Error>().is_some()
    })
}

impl Store {
    /// Opens the database for the daemon, makes it where it is missing, and brings it to this program's version, with a
    /// copy of the older one beside it (G-08).
    ///
    /// # Errors
    /// The file cannot be opened, is no database, or was made by a newer version ([`NewerDatabase`]).
    pub fn open(path: &Path) -> Result<Store> {
        let door = Door::enter(path);
        let connection = connect(path)?;
        let old = version(&connection, path)?;
        if old > 0 && old < migrate::newest() {
            let copy = copy::before_migration(&connection, path, old).with_context(|| {
                format!(
                    "The database {} is not brought up to date, since it cannot be copied first",
                    path.display()
                )
            })?;
            tracing::info!(
                "The database is brought up to date; as it was before it is kept as {}",
                copy.display()
            );
        }
        Store::prepare(connection, door, path)
    }

    /// Opens the database beside the daemon, to put a mail into it, and makes it where it is missing. It is not brought up
    /// to date: a daemon of the older version may be at work on it.
    ///
    /// # Errors
    /// As [`Store::open`], and [`OlderDatabase`].
    pub fn open_beside(path: &Path) -> Result<Store> {
        let door = Door::enter(path);
        let connection = connect(path)?;
        if version(&connection, path)? > 0 {
            refuse_older(&connection, path)?;
        }
        Store::prepare(connection, door, path)
    }

    /// Opens an existing database only to look at it: nothing is migrated.
    ///
    /// # Errors
    /// As [`Store::open`], when there is none yet, and when an older version of this program made it ([`OlderDatabase`]).
    pub fn open_existing(path: &Path) -> Result<Store> {
        anyhow::ensure!(
            path.exists(),
            "There is no database {} yet; start the club with `dvonn-post serve`, or bring it back with `dvonn-post restore FILE`",
            path.display()
        );
        let door = Door::enter(path);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)
            .with_context(|| format!("The database {} cannot be opened", path.display()))?;
        connection.busy_timeout(BUSY)?;
        refuse_older(&connection, path)?;
        Store::prepare(connection, door, path)
    }

    /// Looks quickly whether a database is damaged, before anything is done with it: the last owner ended uncleanly, and
    /// that may have been a power cut (D-04).
    ///
    /// # Errors
    /// It is ([`Damaged`]), or it cannot be read.
    pub fn check(path: &Path) -> Result<()> {
        if !path.exists() {
            return Ok(());
        }
        let door = Door::enter(path);
        let mut store = Store {
            connection: connect(path)?,
            _door: door,
        };
        match store.read(|tx| tx.quick_check()) {
            Ok(None) => Ok(()),
            Ok(Some(found)) => Err(Damaged(found).into()),
            Err(error) if is_damaged(&error) => Err(Damaged(format!("{error:#}")).into()),
            Err(error) => Err(error),
        }
    }

    fn prepare(mut connection: Connection, door: Door, path: &Path) -> Result<Store> {
        let named = || format!("The database {} cannot be used", path.display());
        // A move is acknowledged by mail, so a commit must survive a power cut: FULL, not NORMAL (D-01).
        connection
            .execute_batch(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;",
            )
            .with_context(named)?;
        // Plans follow from the words of a query alone. Else SQLite makes a new plan for every new value, which is half the
        // work of looking once a second whether anything waits.
        connection
            .set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)
            .with_context(named)?;
        connection.set_prepared_statement_cache_capacity(128);
        migrate::run(&mut connection).with_context(named)?;
        Ok(Store {
            connection,
            _door: door,
        })
    }

    /// Runs one writing transaction; it commits when the closure succeeds.
    ///
    /// # Errors
    /// Those of the closure, or of SQLite; then nothing of it is kept.
    pub fn write<T>(&mut self, work: impl FnOnce(&Tx<'_>) -> Result<T>) -> Result<T> {
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .context("The database does not take a new transaction")?;
        let value = work(&Tx(&transaction))?;
        transaction
            .commit()
            .context("The database does not keep a transaction")?;
        Ok(value)
    }

    /// Runs one reading transaction: all its answers are of one moment.
    ///
    /// # Errors
    /// Those of the closure, or of SQLite.
    pub fn read<T>(&mut self, work: impl FnOnce(&Tx<'_>) -> Result<T>) -> Result<T> {
        let transaction = self
            .connection
            .transaction()
            .context("The database cannot be read")?;
        work(&Tx(&transaction))
    }
}

/// Opens the file of a database, and makes it where it is missing.
fn connect(path: &Path) -> Result<Connection> {
    make(path)?;
    let connection = Connection::open(path).with_context(|| {
        format!(
            "The database {} cannot be opened; check that the folder exists and may be written to",
            path.display()
        )
    })?;
    connection.busy_timeout(BUSY)?;
    Ok(connection)
}

/// The version of a database, before anything is set: one of a newer version is left as it is.
fn version(connection: &Connection, path: &Path) -> Result<usize> {
    migrate::version(connection)
        .with_context(|| format!("The database {} cannot be used", path.display()))
}

fn refuse_older(connection: &Connection, path: &Path) -> Result<()> {
    if version(connection, path)? < migrate::newest() {
        return Err(OlderDatabase)
            .with_context(|| format!("The database {} cannot be used", path.display()));
    }
    Ok(())
}

impl Store {
    /// Where the file of the database is.
    #[must_use]
    pub fn path(&self) -> &Path {
        Path::new(self.connection.path().unwrap_or_default())
    }

    /// Writes something that changes nothing, to see whether the database takes it.
    ///
    /// # Errors
    /// What keeps it from being written.
    pub fn probe(&mut self) -> Result<()> {
        self.write(|tx| tx.probe())
    }
}

/// Makes an empty database that only its owner can read: it will hold the club's secret.
fn make(path: &Path) -> Result<()> {
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error).with_context(|| {
            format!("The database {} cannot be made; check that the folder exists and may be written to", path.display())
        }),
    }
}
