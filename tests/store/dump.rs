//! A database as text, so that two can be compared and their difference read.

use rusqlite::Connection;
use rusqlite::types::ValueRef;

/// Every row of every table, in the order of its keys, without these columns (`table.column`).
pub(crate) fn dump(connection: &Connection, without: &[&str]) -> String {
    let mut text = String::new();
    for table in tables(connection) {
        let (columns, keys) = columns(connection, &table);
        let shown: Vec<&String> = columns
            .iter()
            .filter(|column| !without.contains(&format!("{table}.{column}").as_str()))
            .collect();
        let list = |names: &[&String]| {
            names
                .iter()
                .map(|name| format!("\"{name}\""))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let keys: Vec<&String> = keys.iter().collect();
        let sql = format!(
            "SELECT {} FROM {table} ORDER BY {}",
            list(&shown),
            list(&keys)
        );
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
