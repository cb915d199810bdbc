//! The database gives way at the first, second, third … write of a mail's transaction, and at its commit: afterwards it
//! is as before the mail or as after it, never between, and the mail is done once it holds again.
//!
//! Triggers that only this test makes count the writes and refuse one of them.

use std::fs;
use std::path::Path;

use chrono::{DateTime, Utc};
use dvonn_post::daemon::{Club, Found, Outside, Place, clock, open_club, take_in, take_waiting};
use dvonn_post::store::Store;
use rusqlite::Connection;

use crate::club::{game_where, insert_game, mail};
use crate::dump::{assert_same, dump, tables};
use crate::world::{World, settings};

/// What differs from run to run: moments of the test itself, and secret numbers.
const VOLATILE: [&str; 15] = [
    "challenges.made_at",
    "challenges.until_at",
    "challenges.nonce",
    "inbox.taken_at",
    "inbox.attempts",
    "outbox.made_at",
    "outbox.next_at",
    "outbox.bytes",
    "outbox.text",
    "players.joined_at",
    "addresses.learned_at",
    "suppressed.at",
    "questions.asked_at",
    "questions.until_at",
    "held.arrived_at",
];

const ANNA: &str = "anna@example.org";
const BEN: &str = "ben@example.org";

/// A club before a mail, as a file.
struct Scene {
    name: &'static str,
    world: World,
    raw: String,
    arrived: DateTime<Utc>,
}

impl Scene {
    /// Anna and Ben play games 12 and 14; earlier mails are behind them.
    fn new(
        name: &'static str,
        earlier: &[(&str, &str)],
        last: impl FnOnce(&World) -> String,
    ) -> Scene {
        let arrived = clock::now();
        let mut world = World::new(arrived);
        let anna = world.join("Anna", ANNA);
        let ben = world.join("Ben", BEN);
        for number in [12, 14] {
            let game = game_where(&["a1-b1"]);
            insert_game(&mut world.store, number, (anna, ben), &game, arrived);
        }
        for (index, (from, body)) in earlier.iter().enumerate() {
            world.receive(
                mail(from, &format!("{index}@earlier"), body).as_bytes(),
                arrived,
            );
        }
        let raw = last(&world);
        Scene {
            name,
            world,
            raw,
            arrived,
        }
    }

    /// A copy of the club before the mail.
    fn copy(&self, to: &Path) {
        // The log is written back, so that one file is all there is.
        let database = self.world.database();
        database
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
            .unwrap();
        fs::copy(self.world.path(), to).unwrap();
    }

    fn take_in(&self, store: &mut Store, club: &Club) -> anyhow::Result<bool> {
        let found = Found {
            raw: self.raw.as_bytes(),
            arrived: self.arrived,
            too_large: None,
            junk: false,
            place: Place {
                folder: "inbox",
                key: "file:1".to_owned(),
                cursor: None,
            },
        };
        take_in(store, club, &found, false, clock::now()).map(|verdict| verdict.is_some())
    }
}

/// The latest letter to somebody, answered.
fn answer(world: &World, from: &str, body: &str) -> String {
    let letter: String = world
        .database()
        .query_row(
            "SELECT message_id FROM outbox WHERE recipient = ?1 ORDER BY id DESC LIMIT 1",
            [from],
            |row| row.get(0),
        )
        .unwrap();
    mail(from, "last@example.org", body).replace(
        "Subject: dvonn",
        &format!("Subject: Re: dvonn\nIn-Reply-To: <{letter}>"),
    )
}

fn scenes() -> Vec<Scene> {
    let fresh = |from: &'static str, body: &'static str| {
        move |_: &World| mail(from, "last@example.org", body)
    };
    vec![
        Scene::new(
            "a move with a message",
            &[],
            fresh(ANNA, "12: a1-b1\n\nYour turn, Ben."),
        ),
        Scene::new(
            "much in one mail",
            &[],
            fresh(
                ANNA,
                "12: a1-b1\n14: a1-b1\nname Annabel\nchallenge dora@example.org\nopen\n14: resign",
            ),
        ),
        Scene::new(
            "a game begins",
            &[(ANNA, "challenge Ben white")],
            fresh(BEN, "accept 15"),
        ),
        Scene::new(
            "a stranger is asked",
            &[],
            fresh("dora@example.org", "join"),
        ),
        Scene::new(
            "a stranger becomes a member",
            &[("dora@example.org", "challenge Ben")],
            |world| answer(world, "dora@example.org", "yes"),
        ),
        Scene::new("a member leaves two games", &[(ANNA, "stop")], |world| {
            answer(world, ANNA, "yes")
        }),
    ]
}

/// Refuses the n-th write of a transaction.
fn refuse(database: &Connection, n: i64) {
    database
        .execute_batch(&format!(
            "CREATE TABLE test_crash (n INTEGER NOT NULL, at INTEGER NOT NULL) STRICT;
             INSERT INTO test_crash VALUES (0, {n});"
        ))
        .unwrap();
    for table in tables(database) {
        for write in ["INSERT", "UPDATE", "DELETE"] {
            database
                .execute_batch(&format!(
                    "CREATE TRIGGER test_{write}_{table} BEFORE {write} ON {table} BEGIN
                         UPDATE test_crash SET n = n + 1;
                         SELECT RAISE(ABORT, 'the disk went away') FROM test_crash WHERE n = at;
                     END;"
                ))
                .unwrap();
        }
    }
}

/// Refuses the commit of a mail that is done.
fn refuse_commit(database: &Connection) {
    database
        .execute_batch(
            "CREATE TABLE test_doomed (x INTEGER REFERENCES players (id) DEFERRABLE INITIALLY DEFERRED) STRICT;
             CREATE TRIGGER test_commit AFTER UPDATE ON inbox WHEN new.state <> 'waiting' BEGIN
                 INSERT INTO test_doomed VALUES (-1);
             END;",
        )
        .unwrap();
}

/// Lets the database hold again.
fn heal(database: &Connection) {
    let mut statement = database
        .prepare("SELECT 'DROP ' || type || ' ' || name FROM sqlite_schema WHERE name LIKE 'test_%' ORDER BY type DESC")
        .unwrap();
    let drops: Vec<String> = statement
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(|sql| sql.unwrap())
        .collect();
    for sql in drops {
        database.execute_batch(&sql).unwrap();
    }
}

/// All but the mail itself: it may be kept, waiting.
fn of_the_club(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|line| !line.starts_with("inbox ") && !line.starts_with("entries "))
        .collect()
}

/// One try in a copy of the club. Says whether the mail was done in spite of the refusal.
fn attempt(scene: &Scene, break_it: impl FnOnce(&Connection), after: &str) -> bool {
    let folder = tempfile::tempdir_in(scene.world.path().parent().unwrap()).unwrap();
    let path = folder.path().join("club.sqlite");
    scene.copy(&path);
    let database = Connection::open(&path).unwrap();
    let before = dump(&database, &[]);
    let mut store = Store::open(&path).unwrap();
    let club = open_club(&mut store, settings(), Outside::system()).unwrap();
    break_it(&database);
    let outcome = scene.take_in(&mut store, &club);
    heal(&database);
    if let Ok(true) = outcome {
        assert_same(&dump(&database, &VOLATILE), after, scene.name);
        return true;
    }
    let between = dump(&database, &[]);
    match outcome {
        // Not even the mail could be kept: it stays in the mailbox and is found there again.
        Err(_) => {
            assert_same(&between, &before, scene.name);
            assert!(scene.take_in(&mut store, &club).unwrap());
        }
        Ok(_) => {
            assert_eq!(
                of_the_club(&between),
                of_the_club(&before),
                "{}",
                scene.name
            );
            assert_eq!(between.lines().count(), before.lines().count() + 2);
            assert_eq!(take_waiting(&mut store, &club, true).unwrap(), 1);
        }
    }
    assert_same(&dump(&database, &VOLATILE), after, scene.name);
    false
}

/// B9.
#[test]
fn a_mail_is_taken_in_whole_or_not_at_all_wherever_the_database_gives_way() {
    let scenes = scenes();
    assert_eq!(scenes.len(), 6);
    for scene in &scenes {
        let after = {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("club.sqlite");
            scene.copy(&path);
            let mut store = Store::open(&path).unwrap();
            let club = open_club(&mut store, settings(), Outside::system()).unwrap();
            assert!(scene.take_in(&mut store, &club).unwrap(), "{}", scene.name);
            dump(&Connection::open(&path).unwrap(), &VOLATILE)
        };
        let mut n = 1;
        while !attempt(scene, |database| refuse(database, n), &after) {
            n += 1;
            assert!(n < 200, "{}", scene.name);
        }
        // The digest, what the mail does, a letter at least, the verdict, the place.
        assert!(n > 5, "{}: only {n} writes", scene.name);
        assert!(!attempt(scene, refuse_commit, &after), "{}", scene.name);
    }
}
