//! The disk of the tests is as bad as it says: without syncs a power cut loses what was committed and spoils databases,
//! and with them it does neither. Else the tests on it would prove nothing.

use std::path::Path;

use rusqlite::Connection;

use crate::disk::{self, Plan, Trouble};

/// What a database of numbers comes to.
#[derive(Debug, PartialEq, Eq)]
enum Left {
    /// All that was committed, and nothing else.
    Whole,
    /// The first of it.
    Less,
    /// No database at all, or numbers in no order.
    Spoilt,
}

fn folder() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() {
        tempfile::tempdir_in(memory).unwrap()
    } else {
        tempfile::tempdir().unwrap()
    }
}

fn open(path: &Path, synchronous: &str) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", synchronous)?;
    // Small, so that pages move from the log to the database in the middle of it all.
    connection.pragma_update(None, "wal_autocheckpoint", 20)?;
    connection.execute_batch(
        "CREATE TABLE IF NOT EXISTS numbers (n INTEGER NOT NULL, text TEXT NOT NULL) STRICT",
    )?;
    Ok(connection)
}

/// Commits number after number until the disk dies; gives the last that was committed.
fn count(path: &Path, synchronous: &str) -> i64 {
    let Ok(connection) = open(path, synchronous) else {
        return 0;
    };
    for n in 1..=40 {
        let text = "x".repeat(3000);
        if connection
            .execute("INSERT INTO numbers VALUES (?1, ?2)", (n, text))
            .is_err()
        {
            return n - 1;
        }
    }
    40
}

fn left(path: &Path, committed: i64) -> Left {
    let Ok(connection) = Connection::open(path) else {
        return Left::Spoilt;
    };
    let check: rusqlite::Result<String> =
        connection.query_row("PRAGMA integrity_check", [], |row| row.get(0));
    if check.as_deref() != Ok("ok") {
        return Left::Spoilt;
    }
    let counted = connection.query_row(
        "SELECT count(*), coalesce(max(n), 0) FROM numbers",
        [],
        |row| Ok((row.get(0)?, row.get(1)?)),
    );
    let (many, last): (i64, i64) = counted.unwrap_or((0, 0));
    match (many == last, last) {
        (false, _) => Left::Spoilt,
        // The commit during which the disk died may have come through.
        (true, last) if last == committed || last == committed + 1 => Left::Whole,
        _ => Left::Less,
    }
}

/// What was left after power cuts at many places.
fn after_power_cuts(synchronous: &str) -> Vec<Left> {
    disk::install();
    let mut all = Vec::new();
    for at in (1..300).step_by(7) {
        disk::reset();
        let folder = folder();
        let path = folder.path().join("numbers.sqlite");
        disk::plan(Plan::Die { at });
        let committed = count(&path, synchronous);
        assert!(disk::is_dead(), "{at}");
        disk::power_cut(at);
        disk::revive();
        all.push(left(&path, committed));
    }
    all
}

#[test]
fn a_power_cut_takes_nothing_that_was_synced() {
    let all = after_power_cuts("FULL");
    assert!(all.iter().all(|left| *left == Left::Whole), "{all:?}");
}

#[test]
fn a_power_cut_takes_commits_that_were_not_synced() {
    let all = after_power_cuts("NORMAL");
    assert!(all.contains(&Left::Less), "{all:?}");
    assert!(!all.contains(&Left::Spoilt), "{all:?}");
}

#[test]
fn a_power_cut_spoils_a_database_that_is_never_synced() {
    let all = after_power_cuts("OFF");
    assert!(all.contains(&Left::Spoilt), "{all:?}");
}

#[test]
fn the_call_that_was_named_fails_and_no_other() {
    disk::install();
    disk::reset();
    let folder = folder();
    let connection = open(&folder.path().join("numbers.sqlite"), "FULL").unwrap();
    let insert = || connection.execute("INSERT INTO numbers VALUES (1, 'x')", []);
    disk::plan(Plan::Well);
    insert().unwrap();
    let each = disk::calls();
    assert!(each >= 2, "{each}");
    for (trouble, code) in [
        (Trouble::Full, rusqlite::ErrorCode::DiskFull),
        (Trouble::Io, rusqlite::ErrorCode::SystemIoFailure),
        (Trouble::ReadOnly, rusqlite::ErrorCode::ReadOnly),
    ] {
        disk::plan(Plan::Fail {
            at: 1,
            trouble,
            lasting: false,
        });
        assert_eq!(insert().unwrap_err().sqlite_error_code(), Some(code));
        assert!(disk::struck());
        insert().unwrap();
        disk::plan(Plan::Fail {
            at: 2,
            trouble,
            lasting: true,
        });
        insert().unwrap_err();
        insert().unwrap_err();
        disk::heal();
        insert().unwrap();
    }
}

#[test]
fn another_thread_has_another_disk() {
    disk::install();
    disk::reset();
    let folder = folder();
    let path = folder.path().join("numbers.sqlite");
    disk::plan(Plan::Die { at: 1 });
    assert_eq!(
        std::thread::scope(|scope| scope.spawn(|| count(&path, "FULL")).join().unwrap()),
        40
    );
    assert!(!disk::is_dead());
    assert_eq!(disk::calls(), 0);
}
