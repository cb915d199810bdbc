//! A database as text, so that two can be compared and their difference read.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use rusqlite::Connection;
use rusqlite::types::ValueRef;

/// Every row of every table, in the order of its keys, without these columns (`table.column`).
pub(crate) fn dump(connection: &Connection, without: &[&str]) -> String {
    let mut text = String::new();
    for table in tables(connection) {
        let (sql, shown) = select(connection, &table, without);
        let mut statement = connection.prepare(&sql).unwrap();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            text.push_str(&table);
            for (index, column) in shown.iter().enumerate() {
                let value = match row.get_ref(index).unwrap() {
                    ValueRef::Null => "-".to_owned(),
                    ValueRef::Integer(number) => number.to_string(),
                    ValueRef::Real(number) => number.to_string(),
                    ValueRef::Text(bytes) => {
                        format!("{:?}", String::from_utf8(bytes.to_vec()).unwrap())
                    }
                    ValueRef::Blob(bytes) => format!("{:?}", String::from_utf8_lossy(bytes)),
                };
                text.push_str(&format!(" {column}={value}"));
            }
            text.push('\n');
        }
    }
    text
}

/// A number for each table that is the same when its part of a [`dump`] is: thousands are compared in less time than a
/// few dumps take.
pub(crate) fn fingerprint(connection: &Connection, without: &[&str]) -> BTreeMap<String, u64> {
    let mut all = BTreeMap::new();
    for table in tables(connection) {
        let mut hasher = DefaultHasher::new();
        let (sql, shown) = select(connection, &table, without);
        let mut statement = connection.prepare(&sql).unwrap();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            for index in 0..shown.len() {
                match row.get_ref(index).unwrap() {
                    ValueRef::Null => hasher.write_u8(0),
                    ValueRef::Integer(number) => (1, number).hash(&mut hasher),
                    ValueRef::Real(number) => (2, number.to_bits()).hash(&mut hasher),
                    ValueRef::Text(bytes) => (3, bytes).hash(&mut hasher),
                    ValueRef::Blob(bytes) => (4, bytes).hash(&mut hasher),
                }
            }
        }
        all.insert(table, hasher.finish());
    }
    all
}

/// The query for all rows of a table without these columns, and the columns that are left.
fn select(connection: &Connection, table: &str, without: &[&str]) -> (String, Vec<String>) {
    let (columns, keys) = columns(connection, table);
    let shown: Vec<String> = columns
        .into_iter()
        .filter(|column| !without.contains(&format!("{table}.{column}").as_str()))
        .collect();
    let list = |names: &[String]| {
        names
            .iter()
            .map(|name| format!("\"{name}\""))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let sql = format!(
        "SELECT {} FROM {table} ORDER BY {}",
        list(&shown),
        list(&keys)
    );
    (sql, shown)
}

/// Fails with the lines in which two dumps differ.
pub(crate) fn assert_same(found: &str, wanted: &str, what: &str) {
    let (found, wanted): (Vec<&str>, Vec<&str>) =
        (found.lines().collect(), wanted.lines().collect());
    let surplus: Vec<&&str> = found.iter().filter(|line| !wanted.contains(line)).collect();
    let missing: Vec<&&str> = wanted.iter().filter(|line| !found.contains(line)).collect();
    assert!(
        found == wanted,
        "{what}: surplus {surplus:#?}, missing {missing:#?}"
    );
}

/// The tables of the program, by name.
pub(crate) fn tables(connection: &Connection) -> Vec<String> {
    let mut statement = connection
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'test_%' ORDER BY name")
        .unwrap();
    let names = statement.query_map([], |row| row.get(0)).unwrap();
    names.map(|name| name.unwrap()).collect()
}

/// All columns of a table, and those of its primary key.
fn columns(connection: &Connection, table: &str) -> (Vec<String>, Vec<String>) {
    let mut statement = connection
        .prepare("SELECT name, pk FROM pragma_table_info(?1)")
        .unwrap();
    let columns: Vec<(String, i64)> = statement
        .query_map([table], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(|column| column.unwrap())
        .collect();
    let mut keys: Vec<(i64, String)> = columns
        .iter()
        .filter(|(_, place)| *place > 0)
        .map(|(name, place)| (*place, name.clone()))
        .collect();
    keys.sort();
    (
        columns.into_iter().map(|(name, _)| name).collect(),
        keys.into_iter().map(|(_, name)| name).collect(),
    )
}
