//! How SQLite answers every statement of the store: by a search, however much the club has grown.
//!
//! The statements are read off the source of the store, so that none is forgotten; each is explained against the
//! schema. A scan of a table that grows fails, unless it is listed here with its reason.

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use crate::club::Club;
use crate::source::Source;

/// Tables that stay small whatever happens in the club.
const SMALL: [&str; 4] = ["club", "heartbeat", "owner", "sqlite_sequence"];

/// Indexes over the few rows of a table that are in a passing state: walking one of them is what is meant.
const PASSING: [(&str, &str); 6] = [
    ("outbox_due", "letters that wait"),
    ("outbox_lane", "letters that wait"),
    (
        "outbox_failed",
        "letters given up, which the admin is to see",
    ),
    (
        "outbox_sent",
        "the latest letters, newest first, with a limit",
    ),
    ("inbox_waiting", "mails that wait"),
    (
        "inbox_shunted",
        "mails set aside, which the admin is to see",
    ),
];

/// Statements that must look at a whole table, and why that is right.
const WHOLE: [(&str, &str); 4] = [
    (
        "FROM games g JOIN players w ON w.id = g.white JOIN players b ON b.id = g.black ORDER BY g.number",
        "all games, for the admin",
    ),
    ("FROM players p ORDER BY p.id", "all members, for the admin"),
    (
        "FROM players p WHERE p.stopped = 0 ORDER BY p.name_key",
        "all members, for `players`",
    ),
    (
        "SELECT name FROM players WHERE stopped = 0",
        "the nearest name; members are few, and there is a limit",
    ),
];

struct Statement {
    file: String,
    sql: String,
}

/// Every statement of a file: plain texts that begin like SQL, and those built by `select!` and `concat!`.
fn statements(file: &str, source: &str) -> Vec<Statement> {
    let taken = Source::read(source);
    let (code, texts): (Vec<char>, Vec<char>) =
        (taken.code.chars().collect(), taken.texts.chars().collect());
    assert_eq!(code.len(), texts.len());
    let before = |at: usize| code[..at].iter().collect::<String>();
    let mut found = Vec::new();
    let mut prefix = String::new();
    let mut at = 0;
    while at < texts.len() {
        if texts[at] != '"' {
            at += 1;
            continue;
        }
        let ahead = before(at).trim_end().to_owned();
        let (mut sql, mut end) = text(&texts, at);
        if ahead.ends_with("concat!(") {
            // What follows a comma is part of it; a name, as in a macro, is not a text.
            while let Some(next) = (end..texts.len()).find(|at| texts[*at] == '"')
                && code[end..next].iter().collect::<String>().trim() == ","
            {
                let (more, its_end) = text(&texts, next);
                sql.push_str(&more);
                end = its_end;
            }
        }
        at = end;
        let in_macro = ahead
            .rfind("macro_rules!")
            .is_some_and(|start| !ahead[start..].contains("\n}"));
        if in_macro {
            prefix = sql;
            continue;
        }
        if ahead.ends_with("select!(") {
            sql = format!("{prefix}{sql}");
        }
        let first = sql.split_whitespace().next().unwrap_or_default();
        let is_sql = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "REPLACE"].contains(&first);
        let is_run = ["prepare(", "prepare_cached(", "execute(", "query_row("]
            .iter()
            .any(|call| ahead.ends_with(call));
        assert!(
            is_sql || !is_run || first == "PRAGMA",
            "{file}: {sql:?} is run and is no statement that this test can read"
        );
        if is_sql {
            let sql = sql.split_whitespace().collect::<Vec<_>>().join(" ");
            let file = file.to_owned();
            found.push(Statement { file, sql });
        }
    }
    found
}

/// The text that begins at a quote, and where it ends.
fn text(texts: &[char], from: usize) -> (String, usize) {
    let end = (from + 1..texts.len())
        .find(|at| texts[*at] == '"' && texts[*at - 1] != '\\')
        .unwrap();
    (texts[from + 1..end].iter().collect(), end + 1)
}

/// What SQLite says it would do.
fn plan(database: &Connection, sql: &str) -> Vec<String> {
    let mut statement = database
        .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
        .unwrap_or_else(|error| panic!("{sql}: {error}"));
    let mut rows = statement.raw_query();
    let mut steps = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        steps.push(row.get(3).unwrap());
    }
    steps
}

/// The steps of a plan that walk through a whole table without leave.
fn scans(database: &Connection, sql: &str) -> Vec<String> {
    if WHOLE.iter().any(|(part, _)| sql.contains(part)) {
        return Vec::new();
    }
    plan(database, sql)
        .into_iter()
        .filter(|step| {
            let mut words = step.split_whitespace();
            let is_scan = words.next() == Some("SCAN");
            let table = words.next().unwrap_or_default();
            let passing = PASSING
                .iter()
                .any(|(index, _)| step.split_whitespace().any(|word| word == *index));
            is_scan && table != "CONSTANT" && !SMALL.contains(&table) && !passing
        })
        .collect()
}

fn all_statements() -> Vec<Statement> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store");
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        found.extend(statements(&name, &fs::read_to_string(&path).unwrap()));
    }
    found
}

#[test]
fn no_statement_walks_through_a_table_that_grows() {
    let club = Club::new();
    drop(club.store());
    let database = club.database();
    let all = all_statements();
    assert!(all.len() >= 70, "only {} statements were found", all.len());
    let bad: Vec<String> = all
        .iter()
        .flat_map(|statement| {
            scans(&database, &statement.sql)
                .into_iter()
                .map(|step| format!("{}: {step}\n    {}", statement.file, statement.sql))
        })
        .collect();
    assert!(bad.is_empty(), "{}", bad.join("\n"));
    // A reason for a statement that is gone, or needs none any more, is to go too.
    for (part, _) in WHOLE {
        let statement = all.iter().find(|statement| statement.sql.contains(part));
        let statement = statement.unwrap_or_else(|| panic!("{part} is nowhere"));
        let steps = plan(&database, &statement.sql);
        assert!(
            steps.iter().any(|step| step.starts_with("SCAN")),
            "{part}: {steps:?}"
        );
    }
}

#[test]
fn a_scan_is_noticed() {
    let club = Club::new();
    drop(club.store());
    let database = club.database();
    for sql in [
        "SELECT count(*) FROM events WHERE what = 'c3'",
        "SELECT id FROM inbox WHERE reason = 'x'",
        "UPDATE outbox SET result = '' WHERE sender = 'x'",
        "SELECT q.id FROM held h JOIN questions q ON q.id = h.question",
    ] {
        assert_eq!(scans(&database, sql).len(), 1, "{sql}");
    }
}

#[test]
fn statements_are_read_off_the_source() {
    let source = "macro_rules! select {\n    ($w:literal) => {\n        concat!(\"SELECT a FROM t \", $w)\n    };\n}\n\
        fn f() { select!(\"WHERE b\"); x.execute(concat!(\"DELETE \", \"FROM t\")); // \"SELECT no\"\n y(\"why\"); }\n";
    let found: Vec<String> = statements("x.rs", source)
        .into_iter()
        .map(|statement| statement.sql)
        .collect();
    assert_eq!(found, ["SELECT a FROM t WHERE b", "DELETE FROM t"]);
}
