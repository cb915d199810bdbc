//! What keeps the daemon from starting: a configuration or a database that it must not touch.

use std::fs;

use super::{ANNA, assert_the_next_mail_goes_on, two_members};
use crate::club::{Club, mail};

#[test]
fn an_unknown_key_ends_every_command_with_the_nearest_one() {
    let club = Club::with("[limits]\nmails_per_our = 20\n");
    let sentence = "dvonn-post: config.toml:13: limits.mails_per_our is not a key of this program; \
                    the nearest one is limits.mails_per_hour\n";
    let line = fs::read_to_string(club.path("config.toml"))
        .unwrap()
        .lines()
        .position(|line| line.starts_with("mails_per_our"))
        .unwrap()
        + 1;
    let sentence = sentence.replace(":13:", &format!(":{line}:"));
    for arguments in [
        &["serve"][..],
        &["serve", "--once"],
        &["games"],
        &["status"],
        &["doctor"],
    ] {
        let ran = club.run(arguments);
        assert_eq!(
            (ran.code, ran.err.as_str()),
            (78, sentence.as_str()),
            "{arguments:?}"
        );
        assert_eq!(ran.out, "");
    }
    // A mail server that pipes a mail in must keep it until the configuration is right.
    let ran = club.feed(&["deliver"], mail(ANNA, "1@example.org", "list").as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (75, sentence.as_str()));
    assert!(!club.path("club.sqlite").exists());
}

#[test]
fn a_database_of_a_newer_version_is_refused_by_every_command_and_kept() {
    let club = two_members();
    club.write(ANNA, "list");
    let known: i64 = club.value("PRAGMA user_version");
    club.database()
        .execute_batch("PRAGMA journal_mode = DELETE; PRAGMA user_version = 9000")
        .unwrap();
    let before = fs::read(club.path("club.sqlite")).unwrap();
    let reason = format!(
        "it was made by a newer version of dvonn-post (version 9000 of its tables, this program knows {known}); \
         install the newer program again"
    );
    for (arguments, code) in [
        (&["serve"][..], 1),
        (&["serve", "--once"], 1),
        (&["games"], 1),
        (&["deliver"], 75),
    ] {
        let ran = club.feed(arguments, mail(ANNA, "1@example.org", "list").as_bytes());
        assert_eq!(ran.code, code, "{arguments:?}: {}", ran.err);
        assert_eq!(
            ran.err,
            format!(
                "dvonn-post: The database {} cannot be used: {reason}\n",
                fs::canonicalize(club.path("club.sqlite"))
                    .unwrap()
                    .display()
            )
            .replace(
                &format!("{}/", fs::canonicalize(club.path("")).unwrap().display()),
                ""
            ),
            "{arguments:?}"
        );
    }
    let doctor = club.run(&["doctor"]);
    assert_eq!(doctor.code, 1);
    assert!(doctor.out.contains("fail  database: "), "{}", doctor.out);
    assert!(doctor.out.contains(&reason), "{}", doctor.out);
    let status = club.run(&["status"]);
    assert_eq!(status.code, 2);
    assert!(status.out.contains(&reason), "{}", status.out);
    assert_eq!(fs::read(club.path("club.sqlite")).unwrap(), before);
    assert_eq!(club.count("new"), 1);

    club.database()
        .pragma_update(None, "user_version", known)
        .unwrap();
    club.once();
    assert_eq!(club.letters(ANNA).len(), 1);
    assert_the_next_mail_goes_on(&club);
}

#[test]
fn a_file_that_is_no_database_is_named_and_nobody_is_asked_to_try_again() {
    let club = Club::new();
    fs::write(
        club.path("club.sqlite"),
        "This is a letter to my aunt. ".repeat(200),
    )
    .unwrap();
    let ran = club.run(&["serve", "--once"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains("club.sqlite cannot be used"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("not a database"), "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1);
}
