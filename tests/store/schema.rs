//! What every table promises: strict types, no surprise of a NULL, a comment for whoever reads the migration.

use std::collections::BTreeSet;

use crate::club::Club;
use crate::dump::tables;

/// Columns that may be NULL, which must mean something.
const NULLABLE: [(&str, &str); 24] = [
    (
        "challenges.to_player",
        "the invited is no member, or anyone",
    ),
    (
        "challenges.to_address",
        "the invited is a member, or anyone",
    ),
    ("games.start", "nothing was drawn"),
    ("games.draw_nonce", "nothing was drawn"),
    ("games.draw_digest", "nothing was drawn"),
    ("games.draw_seed", "nothing was drawn"),
    ("games.turn", "it is over"),
    ("games.result", "it is not over"),
    ("games.ended_by", "it is not over"),
    ("games.ended_at", "it is not over"),
    ("inbox.raw", "it is old, or was left"),
    (
        "questions.player",
        "put to an address that is no member yet",
    ),
    ("held.game", "the mail answered no game"),
    ("held.serial", "the mail answered no game"),
    ("held.challenge", "the mail answered no challenge"),
    ("outbox.sender", "the empty sender"),
    ("outbox.game", "it is about none"),
    ("outbox.answers", "no mail caused it"),
    ("outbox.bytes", "it is old"),
    ("outbox.sent_at", "it is not sent"),
    ("outbox.superseded", "no newer one went out in its place"),
    ("outbox.report", "no server reported on it"),
    ("bouncing.held_at", "its letters go out"),
    ("bouncing.told_at", "nobody was told"),
];

#[test]
fn every_table_is_strict_and_every_null_has_a_meaning() {
    let club = Club::new();
    drop(club.store());
    let database = club.database();
    let allowed: BTreeSet<String> = NULLABLE
        .iter()
        .map(|(column, _)| (*column).to_owned())
        .collect();
    let mut nullable = BTreeSet::new();
    let names = tables(&database);
    assert!(names.len() >= 14, "{names:?}");
    for table in &names {
        let strict: bool = database
            .query_row(
                "SELECT strict FROM pragma_table_list WHERE name = ?1 AND schema = 'main'",
                [table],
                |row| row.get(0),
            )
            .unwrap();
        assert!(strict, "{table} is not STRICT");
        let mut statement = database
            .prepare("SELECT name, \"notnull\", pk FROM pragma_table_info(?1)")
            .unwrap();
        let columns = statement
            .query_map([table], |row| {
                Ok((
                    row.get::<_, String>(0)?,
                    row.get::<_, bool>(1)?,
                    row.get::<_, i64>(2)?,
                ))
            })
            .unwrap();
        for column in columns {
            let (name, is_filled, _) = column.unwrap();
            if !is_filled {
                nullable.insert(format!("{table}.{name}"));
            }
        }
    }
    assert_eq!(nullable, allowed);
}

#[test]
fn wrong_types_unknown_words_and_dangling_references_are_refused_by_the_tables_themselves() {
    let club = Club::new();
    club.join("Anna", "anna@example.org");
    let database = club.database();
    database.pragma_update(None, "foreign_keys", true).unwrap();
    let player =
        "INSERT INTO players (name, name_key, address, language, timezone, joined_at) VALUES";
    for (sql, why) in [
        (format!("{player} ('B', 'b', 'b@x', 'en', 'UTC', 'soon')"), "INTEGER"),
        (format!("{player} ('B', 'b', NULL, 'en', 'UTC', 1)"), "NOT NULL"),
        (format!("{player} ('ANNA', 'anna', 'b@x', 'en', 'UTC', 1)"), "UNIQUE"),
        (format!("{player} ('B', 'b', 'anna@example.org', 'en', 'UTC', 1)"), "UNIQUE"),
        ("INSERT INTO addresses VALUES ('anna@example.org', 1, 1)".to_owned(), "UNIQUE"),
        ("INSERT INTO addresses VALUES ('b@x', 99, 1)".to_owned(), "FOREIGN KEY"),
        ("INSERT INTO events VALUES (12, 1, 1, 'ply', 'c3')".to_owned(), "FOREIGN KEY"),
        ("INSERT INTO events VALUES (12, 1, 1, 'undo', 'c3')".to_owned(), "CHECK"),
        ("INSERT INTO club VALUES (2, 1, x'00')".to_owned(), "CHECK"),
        (
            "INSERT INTO outbox (message_id, recipient, text, made_at, next_at, state) VALUES ('a', 'b', 'c', 1, 1, 'lost')"
                .to_owned(),
            "CHECK",
        ),
    ] {
        let error = database.execute(&sql, []).unwrap_err().to_string();
        assert!(error.contains(why), "{sql}: {error}");
    }
}
