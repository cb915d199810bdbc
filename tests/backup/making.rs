//! A backup is made beside a busy daemon: whole, checked, private, and never half.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::club::{Club, PROGRAM};
use crate::players::{begin, play, record, two_members};
use crate::{ANNA, BEN};

fn names(club: &Club) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(club.path(""))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("backup"))
        .collect();
    names.sort();
    names
}

fn events(file: &std::path::Path) -> i64 {
    rusqlite::Connection::open(file)
        .unwrap()
        .query_row("SELECT count(*) FROM events", [], |row| row.get(0))
        .unwrap()
}

#[test]
fn a_backup_beside_the_daemon_holds_secret_configuration_and_games_and_is_for_its_owner_alone() {
    let club = two_members();
    begin(&club, "white");
    let mut daemon = club.command(&["serve"]).spawn().unwrap();
    for round in 1..=3 {
        let ran = club.run(&["backup", "backup.sqlite"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
        assert!(
            ran.out.starts_with("backup.sqlite: 1 games with "),
            "{}",
            ran.out
        );
        assert_eq!(names(&club), ["backup.sqlite"], "round {round}");
    }
    daemon.kill().unwrap();
    daemon.wait().unwrap();
    let file = club.path("backup.sqlite");
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let copy = rusqlite::Connection::open(&file).unwrap();
    let secret: Vec<u8> = copy
        .query_row("SELECT secret FROM club", [], |row| row.get(0))
        .unwrap();
    assert_eq!(secret, club.value::<Vec<u8>>("SELECT secret FROM club"));
    let (program, config): (String, String) = copy
        .query_row("SELECT program, config FROM backup", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .unwrap();
    assert_eq!(program, env!("CARGO_PKG_VERSION"));
    assert_eq!(
        config,
        fs::read_to_string(club.path("config.toml")).unwrap()
    );
    let in_the_live_one: i64 = club.value("SELECT count(*) FROM backup");
    assert_eq!(in_the_live_one, 0);
    let noted: String = club.value("SELECT file FROM last_backup");
    assert!(noted.ends_with("/backup.sqlite"), "{noted}");
    assert!(noted.starts_with('/'), "{noted}");
}

#[test]
fn a_backup_is_of_one_moment_while_mails_are_taken_in() {
    let club = two_members();
    for number in 0..30 {
        club.write(ANNA, &format!("open\nsay {number}"));
        club.write(BEN, "list");
    }
    let mut daemon = club.command(&["serve"]).spawn().unwrap();
    let mut backups = 0;
    loop {
        let taken: i64 = club.value("SELECT count(*) FROM inbox WHERE state = 'done'");
        let ran = club.run(&["backup", "backup.sqlite"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
        let copy = rusqlite::Connection::open(club.path("backup.sqlite")).unwrap();
        // Every mail that is done has its answer beside it.
        let (mails, letters): (i64, i64) = copy
            .query_row(
                "SELECT (SELECT count(*) FROM inbox WHERE state = 'done'),
                        (SELECT count(DISTINCT answers) FROM outbox)",
                [],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .unwrap();
        assert_eq!(mails, letters);
        backups += 1;
        if taken == 60 {
            break;
        }
        assert!(backups < 200, "{taken} mails are taken in");
    }
    daemon.kill().unwrap();
    daemon.wait().unwrap();
}

#[test]
fn the_weekly_name_is_used_again_and_a_leftover_of_a_killed_backup_is_thrown_away() {
    let club = two_members();
    begin(&club, "white");
    assert_eq!(club.run(&["backup", "backup.sqlite"]).code, 0);
    play(&club, 1, 2);
    // One that was killed: half a file, and its journal, which must not be taken for the new file's.
    fs::write(club.path("backup.sqlite.part"), "half a file").unwrap();
    fs::write(club.path("backup.sqlite.part-journal"), "a journal").unwrap();
    let ran = club.run(&["backup", "backup.sqlite"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert_eq!(names(&club), ["backup.sqlite"]);
    assert_eq!(
        events(&club.path("backup.sqlite")),
        i64::try_from(record(&club).len()).unwrap()
    );
}

#[test]
fn of_two_backups_of_one_name_the_second_waits_for_another_day() {
    let club = two_members();
    let part = fs::File::create(club.path("backup.sqlite.part")).unwrap();
    part.lock().unwrap();
    let ran = club.run(&["backup", "backup.sqlite"]);
    assert_eq!(ran.code, 75);
    assert!(
        ran.err.contains("another copy is being made"),
        "{}",
        ran.err
    );
    assert_eq!(ran.err.lines().count(), 1);
    assert!(!club.path("backup.sqlite").exists());
    drop(part);
    assert_eq!(club.run(&["backup", "backup.sqlite"]).code, 0);
}

/// To SQLite, a file that may not grow is a full disk.
#[test]
fn on_a_full_disk_the_older_backup_stays_and_no_half_one_is_left() {
    let club = two_members();
    begin(&club, "white");
    assert_eq!(club.run(&["backup", "backup.sqlite"]).code, 0);
    let before = fs::read(club.path("backup.sqlite")).unwrap();
    play(&club, 1, 2);
    let kilobytes = fs::metadata(club.path("backup.sqlite")).unwrap().len() / 1024;
    let mut full = 0;
    for limit in [0, 4, 16, kilobytes / 2, kilobytes - 8, kilobytes - 4] {
        let script =
            format!("trap '' XFSZ; ulimit -f {limit}; exec {PROGRAM} backup backup.sqlite");
        let output = Command::new("bash")
            .args(["-c", &script])
            .current_dir(club.path(""))
            .output()
            .unwrap();
        full += u32::from(output.status.code() == Some(75));
        assert_eq!(names(&club), ["backup.sqlite"], "{limit} KiB: {output:?}");
        assert_eq!(
            fs::read(club.path("backup.sqlite")).unwrap(),
            before,
            "{limit} KiB"
        );
    }
    assert!(full >= 4, "{full}");
}
