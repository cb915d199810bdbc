//! `status` and `doctor`: how the club is, by exit code and in words.

use std::fs;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{ANNA, json};
use crate::club::{Club, Ran};

fn status(club: &Club) -> (i32, Value) {
    let ran = club.run(&["status", "--json"]);
    assert_eq!(ran.err, "");
    (ran.code, serde_json::from_str(&ran.out).unwrap())
}

fn has_trouble(club: &Club, said: &str) -> bool {
    let ran = club.run(&["status"]);
    ran.out.lines().skip(1).any(|line| line.contains(said))
}

/// A daemon that is stopped at the end of the test, however that ends.
pub(crate) struct Running(Child);

impl Running {
    pub(crate) fn start(club: &Club) -> Running {
        let mut command = club.command(&["serve"]);
        Running(command.stderr(Stdio::null()).spawn().unwrap())
    }

    pub(crate) fn stop(mut self) -> Option<i32> {
        let pid = self.0.id().to_string();
        std::process::Command::new("kill")
            .arg(pid)
            .status()
            .unwrap();
        self.0.wait().unwrap().code()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(crate) fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(20), "in vain: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_club_without_a_database_or_a_daemon_is_broken() {
    let club = Club::new();
    let (code, report) = status(&club);
    assert_eq!((code, &report["state"]), (2, &"broken".into()));
    assert!(has_trouble(&club, "There is no database"));
    club.join("Anna", ANNA);
    let (code, report) = status(&club);
    assert_eq!((code, &report["state"]), (2, &"broken".into()));
    assert_eq!(report["running"], false);
    assert!(has_trouble(
        &club,
        "the daemon does not run; start it with `dvonn-post serve`"
    ));
}

#[test]
fn a_round_by_cron_counts_as_being_up_for_two_hours() {
    let club = Club::new();
    club.once();
    let (code, report) = status(&club);
    assert_eq!((code, &report["state"]), (0, &"well".into()));
    assert_eq!(report["running"], false);
    assert!(report["last_poll"].as_str().unwrap().starts_with("20"));
    let ran = club.run(&["status"]);
    assert_eq!((ran.code, ran.out.lines().next()), (0, Some("well")));
    club.database()
        .execute("UPDATE heartbeat SET at = at - 7300", [])
        .unwrap();
    assert_eq!(status(&club).0, 2);
}

#[test]
fn a_running_daemon_is_well_and_a_stopped_one_broken() {
    let club = Club::new();
    club.join("Anna", ANNA);
    let daemon = Running::start(&club);
    eventually("the daemon is well", || status(&club).0 == 0);
    assert_eq!(status(&club).1["running"], true);
    club.write(ANNA, "list");
    eventually("Anna is answered", || club.letters(ANNA).len() == 1);
    assert_eq!(daemon.stop(), Some(0));
    let (code, report) = status(&club);
    assert_eq!((code, &report["running"]), (2, &false.into()));
}

#[test]
fn a_mail_set_aside_and_a_letter_that_waits_for_long_are_trouble() {
    let club = Club::new();
    club.join("Anna", ANNA);
    club.arrive(b"no mail");
    club.once();
    let (code, report) = status(&club);
    assert_eq!((code, &report["state"]), (1, &"trouble".into()));
    assert_eq!(report["shunted_mails"], 1);
    assert!(has_trouble(
        &club,
        "1 mails are set aside; `dvonn-post shunted` lists them"
    ));

    let club = Club::new();
    club.join("Anna", ANNA);
    fs::write(club.path("out"), "in the way").unwrap();
    club.write(ANNA, "list");
    let ran = club.run(&["serve", "--once"]);
    assert_eq!(ran.code, 75);
    assert_eq!(status(&club).1["waiting_letters"], 1);
    assert_eq!(json(&club, &["outbox", "--json"])[0]["state"], "waiting");
    club.database()
        .execute(
            "UPDATE outbox SET made_at = made_at - 3600, next_at = 0",
            [],
        )
        .unwrap();
    assert!(has_trouble(&club, "a letter waits since 20"));
    fs::remove_file(club.path("out")).unwrap();
    club.once();
    assert_eq!(club.letters(ANNA).len(), 1);
    assert_eq!(status(&club).0, 0);
}

/// One line for each test of `doctor`, by its name.
fn line<'a>(ran: &'a Ran, name: &str) -> &'a str {
    ran.out
        .lines()
        .find(|line| line[6..].starts_with(name))
        .unwrap_or_else(|| panic!("{name}: {}", ran.out))
}

#[test]
fn the_doctor_finds_a_healthy_club_well_before_and_after_its_first_start() {
    let club = Club::new();
    for _ in 0..2 {
        let ran = club.run(&["doctor"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
        for name in [
            "config: ",
            "mailbox: ",
            "way out: ",
            "database: ",
            "clock: ",
            "alarm: ",
        ] {
            assert!(line(&ran, name).starts_with("ok    "), "{}", ran.out);
        }
        assert_eq!(ran.out.lines().count(), 6, "{}", ran.out);
        club.once();
    }
}

#[test]
fn the_doctor_names_what_is_broken_and_goes_on_with_the_rest() {
    let club = Club::new();
    club.once();
    fs::remove_dir_all(club.path("in")).unwrap();
    fs::write(club.path("in"), "in the way").unwrap();
    fs::write(club.path("out"), "in the way").unwrap();
    fs::write(club.path("club.sqlite"), "no database ".repeat(100)).unwrap();
    let ran = club.run(&["doctor"]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    assert!(line(&ran, "config: ").starts_with("ok    "), "{}", ran.out);
    for name in ["mailbox: ", "way out: ", "database: "] {
        assert!(line(&ran, name).starts_with("fail  "), "{}", ran.out);
    }
    assert!(line(&ran, "clock: ").starts_with("ok    "), "{}", ran.out);
    assert_eq!(ran.out.lines().count(), 6, "{}", ran.out);
}

#[test]
fn the_doctor_notices_a_clock_that_runs_behind_and_a_damaged_database() {
    let club = Club::new();
    club.once();
    club.database()
        .execute("UPDATE heartbeat SET at = at + 86400", [])
        .unwrap();
    let ran = club.run(&["doctor"]);
    assert_eq!(ran.code, 1);
    assert!(line(&ran, "clock: ").starts_with("fail  "), "{}", ran.out);
    assert!(
        line(&ran, "clock: ").ends_with("set the clock"),
        "{}",
        ran.out
    );

    let club = Club::new();
    club.once();
    club.database()
        .execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")
        .unwrap();
    let mut bytes = fs::read(club.path("club.sqlite")).unwrap();
    let half = bytes.len() / 2;
    bytes[half..half + 20_000].fill(0xAA);
    fs::write(club.path("club.sqlite"), bytes).unwrap();
    let ran = club.run(&["doctor"]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(
        line(&ran, "database: ").starts_with("fail  "),
        "{}",
        ran.out
    );
}

#[test]
fn the_doctor_changes_nothing() {
    let club = Club::new();
    club.join("Anna", ANNA);
    club.write(ANNA, "list");
    let before = rows(&club);
    assert_eq!(club.run(&["doctor"]).code, 0);
    assert_eq!(rows(&club), before);
    assert_eq!((club.count("new"), club.recipients().len()), (1, 0));
}

fn rows(club: &Club) -> (i64, i64, i64) {
    (
        club.value("SELECT count(*) FROM inbox"),
        club.value("SELECT count(*) FROM outbox"),
        club.value("SELECT count(*) FROM heartbeat"),
    )
}

#[test]
fn the_doctor_says_how_old_the_newest_backup_is_and_misses_one_in_an_older_club() {
    let club = Club::new();
    club.once();
    club.database()
        .execute("UPDATE club SET created_at = created_at - 864000", [])
        .unwrap();
    let ran = club.run(&["doctor"]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    let missing = "warn  database: there is no backup; let cron make one every day with `dvonn-post backup FILE`\n";
    assert!(ran.out.contains(missing), "{}", ran.out);
    assert_eq!(club.run(&["backup", "backup.sqlite"]).code, 0);
    let ran = club.run(&["doctor"]);
    assert!(!ran.out.contains("warn"), "{}", ran.out);
    let well = line(&ran, "database: ");
    assert!(
        well.contains("club.sqlite is sound; newest backup: /"),
        "{well}"
    );
    assert!(club.run(&["status"]).out.contains("\nnewest backup: 20"));
    club.database()
        .execute("UPDATE last_backup SET made_at = made_at - 9 * 86400", [])
        .unwrap();
    let ran = club.run(&["doctor"]);
    assert!(
        ran.out
            .contains("warn  database: the newest backup is 9 days old; "),
        "{}",
        ran.out
    );
}

#[test]
fn the_doctor_warns_of_an_alarm_command_that_is_not_there() {
    let club = Club::new();
    club.configure(
        "admin = ",
        "alarm_command = [\"tell-me\", \"dvonn\"]\nadmin = ",
    );
    let ran = club.run(&["doctor"]);
    assert_eq!(ran.code, 0);
    let warning = ran
        .out
        .lines()
        .find(|line| line.starts_with("warn  alarm: "));
    assert!(
        warning.is_some_and(|line| line.contains("tell-me cannot be found")),
        "{}",
        ran.out
    );
    let ran = club.once();
    assert!(ran.err.contains("tell-me cannot be found"), "{}", ran.err);
    fs::write(club.path("tell-me"), "no program").unwrap();
    let ran = club.run(&["doctor"]);
    assert!(
        ran.out.contains("tell-me is no program that can be run"),
        "{}",
        ran.out
    );
}
