//! A newer program meets the database of an older one.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use rusqlite::Connection;

use crate::ANNA;
use crate::club::{Club, PROGRAM, mail};

/// A club of the first version, with something in it.
fn of_the_first_version() -> (Club, i64) {
    let club = Club::new_with_database();
    let newest: i64 = club.value("PRAGMA user_version");
    fs::remove_file(club.path("club.sqlite")).unwrap();
    let old = club.database();
    old.execute_batch(include_str!("../../migrations/0001_club.sql"))
        .unwrap();
    old.execute_batch(
        "PRAGMA user_version = 1;
         INSERT INTO club VALUES (1, 0, zeroblob(32));
         INSERT INTO players (name, name_key, address, language, timezone, joined_at)
         VALUES ('Anna', 'anna', 'anna@example.org', 'en', 'UTC', 0);
         INSERT INTO addresses VALUES ('anna@example.org', 1, 0);
         INSERT INTO inbox (digest, arrived_at, taken_at, state, raw)
         VALUES (zeroblob(32), 0, 4000000000, 'done', zeroblob(200000));",
    )
    .unwrap();
    (club, newest)
}

fn version(club: &Club, name: &str) -> i64 {
    Connection::open(club.path(name))
        .unwrap()
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap()
}

#[test]
fn the_daemon_keeps_the_older_database_beside_and_deliver_leaves_it_to_the_daemon() {
    let (club, newest) = of_the_first_version();
    let raw = mail(ANNA, "1@example.org", "list");
    let ran = club.feed(&["deliver"], raw.as_bytes());
    assert_eq!(ran.code, 75);
    assert!(ran.err.contains("older version"), "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1);
    assert_eq!(version(&club, "club.sqlite"), 1);
    club.once();
    assert_eq!(version(&club, "club.sqlite"), newest);
    let kept = format!("club.sqlite.before-{newest}");
    assert_eq!(version(&club, &kept), 1);
    let mode = fs::metadata(club.path(&kept)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let verified = club.run(&["verify", &kept]);
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    assert!(
        verified.out.contains("1 members, 1 mails"),
        "{}",
        verified.out
    );
    assert_eq!(club.feed(&["deliver"], raw.as_bytes()).code, 0);
    club.once();
    assert_eq!(club.letters(ANNA).len(), 1);

    // What was kept is a backup like any other.
    let ran = club.run(&["restore", &kept, "--replace"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(version(&club, "club.sqlite"), newest);
    assert_eq!(club.value::<i64>("SELECT count(*) FROM inbox"), 1);
    assert_eq!(club.run(&["verify"]).code, 0);
}

/// The disk is full while the copy is made, or while the database is changed.
#[test]
fn on_a_full_disk_the_older_version_stays_usable() {
    let (mut refused, mut done) = (0, 0);
    for kilobytes in [4, 100, 200, 250, 300, 340, 360, 400, 500, 700] {
        let (club, newest) = of_the_first_version();
        let script = format!("trap '' XFSZ; ulimit -f {kilobytes}; exec {PROGRAM} serve --once");
        let output = Command::new("bash")
            .args(["-c", &script])
            .current_dir(club.path(""))
            .output()
            .unwrap();
        match output.status.code() {
            Some(75) => refused += 1,
            Some(0) => done += 1,
            other => panic!("{kilobytes} KiB: {other:?}, {output:?}"),
        }
        let found = version(&club, "club.sqlite");
        assert!(found == 1 || found == newest, "{kilobytes} KiB: {found}");
        assert!(
            !club
                .path(&format!("club.sqlite.before-{newest}.part"))
                .exists()
        );
        if found == 1 {
            let checked: String = club.value("PRAGMA integrity_check");
            assert_eq!(checked, "ok");
        }
        club.once();
        assert_eq!(version(&club, "club.sqlite"), newest);
        assert_eq!(version(&club, &format!("club.sqlite.before-{newest}")), 1);
    }
    assert!(refused >= 3 && done >= 1, "{refused} refused, {done} done");
}
