//! The disk fails, fills up or loses its program in the middle of a migration, at every call that reaches it: the database
//! is of a version that some program made, whole and with all that was in it, and the next start brings it up to date.
//!
//! Versions are those that the program had when it was published with them; what was in the first is put in by hand, since
//! its tables never change.

use std::fs;
use std::path::{Path, PathBuf};

use dvonn_post::store::Store;
use rusqlite::Connection;

use crate::disk::{self, Plan, Trouble};
use crate::disk_trouble::stride;
use crate::dump::{assert_same, dump, tables};
use crate::versions::{migrations, of_version, schema, version};

/// The version that clubs have from the releases before this one.
const PUBLISHED: usize = 1;

/// Members, games, mails and letters of a club that has played for a while with the first version.
const OF_THE_FIRST_VERSION: &str = "
    INSERT INTO club VALUES (1, 1000, x'07');
    INSERT INTO heartbeat VALUES ('poll', 2000, ''), ('send', 2000, 'it takes no mail');
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
        INSERT INTO players SELECT i, 'Player ' || i, 'player ' || i, 'p' || i || '@example.org', 'en', 'UTC', 1000, i % 7 = 0 FROM n;
    INSERT INTO addresses SELECT address, id, 1000 FROM players;
    INSERT INTO suppressed VALUES ('never@example.org', 1500);
    INSERT INTO challenges SELECT id, id, id % 40 + 1, NULL, 'white', 'random', 1000, 2000, x'09', 'accepted' FROM players;
    INSERT INTO games SELECT number, from_player, to_player, setup, NULL, NULL, NULL, NULL, 1000, 'white', 1000, 20, NULL, NULL, NULL, 0, 0
        FROM challenges;
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
        INSERT INTO events SELECT number, i, 1000 + i, 'ply', 'c3' FROM games, n;
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
        INSERT INTO inbox SELECT i, CAST(i AS BLOB), 1000, 1001, 'p1@example.org',
            CASE i % 5 WHEN 0 THEN 'shunted' WHEN 1 THEN 'waiting' ELSE 'done' END, '', 0, 0, 0, zeroblob(600) FROM n;
    INSERT INTO cursors VALUES ('inbox', 9, 100);
    INSERT INTO entries SELECT 'inbox', '9:' || id, id, id % 2 FROM inbox;
    INSERT INTO questions VALUES (1, 3, 'p3@example.org', '', 1000, 2000, 'open');
    INSERT INTO held VALUES (1, 1, 2, 'p3@example.org', 1000, 'list', '', NULL, NULL, NULL);
    INSERT INTO outbox SELECT id, id || '@club.example', 'dvonn@club.example', 'p' || (id % 40 + 1) || '@example.org', NULL, id, 0,
            'Your turn.', zeroblob(1500), 1000, 1000, id % 3, 0, CASE WHEN id % 4 = 0 THEN 'waiting' ELSE 'sent' END, '', NULL
        FROM inbox;";

fn folder() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() {
        tempfile::tempdir_in(memory).unwrap()
    } else {
        tempfile::tempdir().unwrap()
    }
}

/// A filled database of that version, as one file.
fn filled(path: &Path, of: usize) {
    let connection = of_version(path, of.min(1));
    if of > 0 {
        connection.execute_batch(OF_THE_FIRST_VERSION).unwrap();
    }
    for sql in migrations().iter().take(of).skip(1) {
        connection.execute_batch(sql).unwrap();
    }
    connection
        .pragma_update(None, "user_version", i64::try_from(of).unwrap())
        .unwrap();
}

/// What the tables of an older version hold, by its own columns, in a database that may be newer.
fn holds(connection: &Connection, columns: &[(String, Vec<String>)]) -> String {
    let mut text = String::new();
    for (table, columns) in columns {
        let found: Vec<String> = columns_of(connection, table);
        let newer: Vec<String> = found
            .into_iter()
            .filter(|column| !columns.contains(column))
            .map(|column| format!("{table}.{column}"))
            .collect();
        let newer: Vec<&str> = newer.iter().map(String::as_str).collect();
        let of_table = format!("{table} ");
        let dump = dump(connection, &newer);
        for line in dump.lines().filter(|line| line.starts_with(&of_table)) {
            text += line;
            text.push('\n');
        }
    }
    text
}

fn columns_of(connection: &Connection, table: &str) -> Vec<String> {
    let mut statement = connection
        .prepare("SELECT name FROM pragma_table_info(?1)")
        .unwrap();
    let names = statement.query_map([table], |row| row.get(0)).unwrap();
    names.map(|name| name.unwrap()).collect()
}

/// Begins with a database of that version, once for each call and each trouble; gives the number of points.
fn everywhere(old: usize, schemas: &[Vec<String>]) -> u64 {
    let newest = migrations().len();
    let origin = folder();
    let from = origin.path().join("club.sqlite");
    // The trouble that the last round never came to must not strike here.
    disk::reset();
    filled(&from, old);
    let connection = Connection::open(&from).unwrap();
    let columns: Vec<_> = tables(&connection)
        .into_iter()
        .map(|table| {
            let columns = columns_of(&connection, &table);
            (table, columns)
        })
        .collect();
    let before = holds(&connection, &columns);
    drop(connection);
    let bytes = fs::read(&from).unwrap();
    // Tables are made, and the copy of an older version is checked, in many like calls.
    let stride = usize::try_from(stride(17)).unwrap();
    let mut points = 0;
    for kind in 0..5 {
        for at in (1..).step_by(stride) {
            let folder = folder();
            let path = folder.path().join("club.sqlite");
            fs::write(&path, &bytes).unwrap();
            disk::reset();
            let trouble = [Trouble::Full, Trouble::Io, Trouble::ReadOnly].get(kind);
            disk::plan(match trouble {
                Some(trouble) => Plan::Fail {
                    at,
                    trouble: *trouble,
                    lasting: at % 2 == 0,
                },
                None => Plan::Die { at },
            });
            let name = format!("from {old}, {kind}, call {at}");
            let opened = Store::open(&path);
            let said_done = opened.is_ok();
            drop(opened);
            if !disk::struck() {
                assert!(said_done, "{name}");
                break;
            }
            points += 1;
            if kind == 4 {
                disk::power_cut(at);
            }
            disk::revive();
            check(&path, (old, said_done), schemas, &name);
            drop(Store::open(&path).unwrap());
            let found = check(&path, (old, true), schemas, &name);
            assert_eq!(found, newest, "{name}");
            let connection = Connection::open(&path).unwrap();
            assert_same(&holds(&connection, &columns), &before, &name);
        }
    }
    points
}

/// A database is whole, and of a version that there was; gives that version.
fn check(
    path: &PathBuf,
    (old, is_done): (usize, bool),
    schemas: &[Vec<String>],
    name: &str,
) -> usize {
    let connection = Connection::open(path).unwrap();
    let check: String = connection
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(check, "ok", "{name}");
    let found = version(&connection);
    assert!((old..schemas.len()).contains(&found), "{name}: {found}");
    assert!(!is_done || found == schemas.len() - 1, "{name}: {found}");
    assert_eq!(schema(&connection), schemas[found], "{name}");
    found
}

#[test]
fn a_migration_whose_disk_fails_dies_or_loses_power_leaves_an_old_version_or_a_new_one() {
    disk::install();
    disk::reset();
    let newest = migrations().len();
    assert!(PUBLISHED < newest);
    let folder = folder();
    let schemas: Vec<Vec<String>> = (0..=newest)
        .map(|of| schema(&of_version(&folder.path().join(format!("{of}.sqlite")), of)))
        .collect();
    let mut points = 0;
    // Nothing at all, and what was published.
    for old in [0, PUBLISHED] {
        points += everywhere(old, &schemas);
    }
    eprintln!("migrations: {points} points");
    assert!(points > 100, "{points}");
}
