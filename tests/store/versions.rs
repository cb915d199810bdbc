//! Databases of every version: older ones are brought up, newer and foreign ones are left as they are.

use std::fs;
use std::path::{Path, PathBuf};

use dvonn_post::store::{NewerDatabase, Store};
use rusqlite::Connection;

use crate::club::Club;

/// The migrations, oldest first.
pub(crate) fn migrations() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
        .into_iter()
        .map(|file| fs::read_to_string(file).unwrap())
        .collect()
}

/// A database of a version, as that version left it.
pub(crate) fn of_version(path: &Path, version: usize) -> Connection {
    let connection = Connection::open(path).unwrap();
    for sql in &migrations()[..version] {
        connection.execute_batch(sql).unwrap();
    }
    connection
        .pragma_update(None, "user_version", i64::try_from(version).unwrap())
        .unwrap();
    connection
}

pub(crate) fn version(connection: &Connection) -> usize {
    let found: i64 = connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap();
    usize::try_from(found).unwrap()
}

/// Everything that the schema says.
pub(crate) fn schema(connection: &Connection) -> Vec<String> {
    let mut statement = connection
        .prepare(
            "SELECT type || ' ' || name || ': ' || coalesce(sql, '') FROM sqlite_schema ORDER BY 1",
        )
        .unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(|row| row.unwrap()).collect()
}

#[test]
fn a_database_of_a_newer_version_is_refused_in_one_line_and_left_untouched() {
    let newest = migrations().len();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("club.sqlite");
    let connection = of_version(&path, newest);
    connection
        .execute_batch("CREATE TABLE of_tomorrow (x) STRICT")
        .unwrap_err();
    connection
        .execute_batch("CREATE TABLE of_tomorrow (x INTEGER) STRICT")
        .unwrap();
    connection
        .pragma_update(None, "user_version", i64::try_from(newest + 3).unwrap())
        .unwrap();
    connection.close().unwrap();
    let before = fs::read(&path).unwrap();
    for error in [
        Store::open(&path).unwrap_err(),
        Store::open_existing(&path).unwrap_err(),
    ] {
        assert!(error.is::<NewerDatabase>());
        let said = format!("{error:#}");
        assert_eq!(
            said,
            format!(
                "The database {} cannot be used: it was made by a newer version of dvonn-post (version {} of its \
                 tables, this program knows {newest}); install the newer program again",
                path.display(),
                newest + 3
            )
        );
    }
    assert_eq!(fs::read(&path).unwrap(), before);
    let mut left: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["club.sqlite", "club.sqlite.door"]);
}

#[test]
fn every_older_version_becomes_the_newest() {
    let all = migrations();
    let folder = tempfile::tempdir().unwrap();
    let fresh = folder.path().join("fresh.sqlite");
    drop(Store::open(&fresh).unwrap());
    let fresh = Connection::open(fresh).unwrap();
    assert_eq!(version(&fresh), all.len());
    for old in 0..=all.len() {
        let path = folder.path().join(format!("{old}.sqlite"));
        drop(of_version(&path, old));
        drop(Store::open(&path).unwrap());
        let connection = Connection::open(&path).unwrap();
        assert_eq!(version(&connection), all.len(), "from {old}");
        assert_eq!(schema(&connection), schema(&fresh), "from {old}");
    }
}

/// Whatever the last thing is that a migration makes, it is in its way already.
#[test]
fn a_migration_that_fails_half_way_leaves_the_version_before() {
    let all = migrations();
    for (index, sql) in all.iter().enumerate() {
        let made = |word: &str| {
            let (_, rest) = sql.rsplit_once(word)?;
            Some(rest.split_whitespace().next()?.to_owned())
        };
        let Some(last) = made("\nCREATE TABLE ").or(made("\nCREATE INDEX ")) else {
            continue;
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("club.sqlite");
        let connection = of_version(&path, index);
        connection
            .execute_batch(&format!("CREATE TABLE {last} (in_its_way INTEGER)"))
            .unwrap();
        let before = schema(&connection);
        let error = format!("{:#}", Store::open(&path).unwrap_err());
        assert!(
            error.contains(&format!("Migration {} fails", index + 1)),
            "{error}"
        );
        assert_eq!(version(&connection), index);
        assert_eq!(schema(&connection), before);
        connection
            .execute_batch(&format!("DROP TABLE {last}"))
            .unwrap();
        drop(Store::open(&path).unwrap());
        assert_eq!(version(&connection), all.len());
    }
}

/// A process that is killed leaves the journal of its transaction behind, and no more.
#[test]
fn a_migration_that_is_killed_half_way_leaves_the_version_before() {
    let all = migrations();
    let folder = tempfile::tempdir().unwrap();
    for (index, sql) in all.iter().enumerate() {
        let path = folder.path().join(format!("{index}.sqlite"));
        let mut connection = of_version(&path, index);
        connection
            .pragma_update(None, "journal_mode", "wal")
            .unwrap();
        // Little memory, so that pages go to the disk long before the end of the transaction.
        connection.pragma_update(None, "cache_size", 1).unwrap();
        let transaction = connection.transaction().unwrap();
        let mut statements: Vec<&str> = sql.split_inclusive(";\n").collect();
        statements.truncate(statements.len() / 2);
        transaction.execute_batch(&statements.concat()).unwrap();
        let killed = folder.path().join(format!("killed{index}.sqlite"));
        for suffix in ["", "-wal"] {
            let name = |path: &Path| PathBuf::from(format!("{}{suffix}", path.display()));
            fs::copy(name(&path), name(&killed)).unwrap();
        }
        drop(transaction);
        let copy = Connection::open(&killed).unwrap();
        assert_eq!(version(&copy), index);
        drop(copy);
        drop(Store::open(&killed).unwrap());
        let copy = Connection::open(&killed).unwrap();
        assert_eq!(version(&copy), all.len());
    }
}

#[test]
fn a_file_that_is_no_database_is_named_and_left_untouched() {
    let club = Club::new();
    let text = "This is a letter to my aunt. ".repeat(200);
    fs::write(club.path("club.sqlite"), &text).unwrap();
    let error = format!("{:#}", Store::open(&club.path("club.sqlite")).unwrap_err());
    assert!(error.contains("club.sqlite cannot be used"), "{error}");
    assert!(error.contains("not a database"), "{error}");
    assert_eq!(fs::read_to_string(club.path("club.sqlite")).unwrap(), text);
}

#[test]
fn a_database_that_is_not_there_is_not_made_by_looking() {
    let club = Club::new();
    let error = format!(
        "{:#}",
        Store::open_existing(&club.path("club.sqlite")).unwrap_err()
    );
    assert!(error.contains("There is no database"), "{error}");
    assert!(error.contains("dvonn-post serve"), "{error}");
    assert!(!club.path("club.sqlite").exists());
}
