//! What a backup must never overwrite, and what is no backup.

use std::fs;

use crate::club::Club;
use crate::players::{begin, two_members};

#[test]
fn nothing_but_an_older_backup_of_this_club_is_overwritten() {
    let club = two_members();
    begin(&club, "white");
    let other = two_members();
    assert_eq!(other.run(&["backup", "theirs.sqlite"]).code, 0);
    fs::copy(other.path("theirs.sqlite"), club.path("theirs.sqlite")).unwrap();
    fs::write(club.path("letter.txt"), "Dear aunt").unwrap();
    fs::write(club.path("empty"), "").unwrap();
    fs::copy(club.path("club.sqlite"), club.path("copied.sqlite")).unwrap();
    for (name, reason) in [
        ("theirs.sqlite", "is a backup of another club"),
        ("letter.txt", "is there already and is no backup"),
        ("empty", "is there already and is no backup"),
        ("copied.sqlite", "is there already and is no backup"),
        ("in", "is there already and is no backup"),
    ] {
        let before = fs::read(club.path(name)).ok();
        let ran = club.run(&["backup", name]);
        assert_eq!(ran.code, 1, "{name}");
        assert!(ran.err.contains(reason), "{name}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{name}: {}", ran.err);
        assert_eq!(fs::read(club.path(name)).ok(), before, "{name}");
    }
    let ran = club.run(&["backup", "missing/backup.sqlite"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains("The folder of missing/backup.sqlite"),
        "{}",
        ran.err
    );
}

#[test]
fn the_live_database_is_refused_under_every_name() {
    let club = two_members();
    fs::hard_link(club.path("club.sqlite"), club.path("hard.sqlite")).unwrap();
    std::os::unix::fs::symlink("club.sqlite", club.path("soft.sqlite")).unwrap();
    let before = fs::read(club.path("club.sqlite")).unwrap();
    for name in [
        "club.sqlite",
        "./in/../club.sqlite",
        "hard.sqlite",
        "soft.sqlite",
        "club.sqlite-wal",
        "club.sqlite-shm",
        "club.sqlite-journal",
        "club.sqlite.lock",
    ] {
        let ran = club.run(&["backup", name]);
        assert_eq!(ran.code, 1, "{name}");
        assert!(
            ran.err.contains("belongs to the database that is served"),
            "{name}: {}",
            ran.err
        );
    }
    assert_eq!(fs::read(club.path("club.sqlite")).unwrap(), before);
    let ran = club.run(&["restore", "hard.sqlite", "--replace"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("is the database itself"), "{}", ran.err);
}

#[test]
fn what_is_no_sound_backup_is_refused_in_one_line_and_nothing_changes() {
    let club = two_members();
    begin(&club, "white");
    assert_eq!(club.run(&["backup", "good.sqlite"]).code, 0);
    let good = fs::read(club.path("good.sqlite")).unwrap();
    let spoil = |name: &str, sql: &str| {
        fs::write(club.path(name), &good).unwrap();
        let copy = rusqlite::Connection::open(club.path(name)).unwrap();
        copy.execute_batch(sql).unwrap();
    };
    spoil("newer.sqlite", "PRAGMA user_version = 9000");
    spoil("wrong.sqlite", "UPDATE games SET score_white = 3");
    spoil(
        "orphan.sqlite",
        "PRAGMA foreign_keys = OFF; DELETE FROM challenges",
    );
    let mut torn = good.clone();
    let half = torn.len() / 2;
    torn[half..half + 20_000].fill(0xAA);
    fs::write(club.path("torn.sqlite"), torn).unwrap();
    fs::write(club.path("short.sqlite"), &good[..half]).unwrap();
    fs::write(club.path("letter.txt"), "Dear aunt, ".repeat(200)).unwrap();
    fs::write(club.path("empty"), "").unwrap();
    let before = fs::read(club.path("club.sqlite")).unwrap();
    for (name, reason) in [
        ("newer.sqlite", "newer version of dvonn-post"),
        ("wrong.sqlite", "has 1 troubles"),
        ("orphan.sqlite", "damaged"),
        ("torn.sqlite", "cannot be used"),
        ("short.sqlite", "cannot be used"),
        ("letter.txt", "cannot be used"),
        ("empty", "no database of dvonn-post"),
    ] {
        let ran = club.run(&["restore", name, "--replace"]);
        assert_eq!(ran.code, 1, "{name}: {}", ran.err);
        assert!(ran.err.contains(reason), "{name}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{name}: {}", ran.err);
        assert_eq!(
            fs::read(club.path("club.sqlite")).unwrap(),
            before,
            "{name}"
        );
        assert!(!club.path("club.sqlite.part").exists(), "{name}");
        let verified = club.run(&["verify", name]);
        assert_eq!(verified.code, 1, "{name}: {}", verified.out);
    }
    assert_eq!(club.run(&["verify", "good.sqlite"]).code, 0);
    assert_eq!(club.run(&["verify", "missing.sqlite"]).code, 2);
    assert_eq!(club.run(&["restore", "missing.sqlite"]).code, 2);
    assert_eq!(
        club.run(&["restore", "letter.txt", "--show-config"]).code,
        1
    );
}

#[test]
fn beside_a_daemon_nothing_is_restored() {
    let club = Club::new();
    club.once();
    assert_eq!(club.run(&["backup", "backup.sqlite"]).code, 0);
    let lock = fs::File::options()
        .read(true)
        .append(true)
        .open(club.path("club.sqlite.lock"))
        .unwrap();
    lock.lock().unwrap();
    let ran = club.run(&["restore", "backup.sqlite", "--replace"]);
    assert_eq!(ran.code, 75, "{}", ran.err);
    assert!(ran.err.contains("another dvonn-post"), "{}", ran.err);
    drop(lock);
    assert_eq!(club.run(&["restore", "backup.sqlite", "--replace"]).code, 0);
}
