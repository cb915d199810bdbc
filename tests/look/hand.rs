//! Acting by hand: letters that were given up, mails that are set aside, and the log of who did it.

use super::status::{Running, eventually};
use super::{ANNA, json};
use crate::club::Club;

/// Anna has a letter that was given up.
fn given_up() -> Club {
    let club = Club::new();
    club.join("Anna", ANNA);
    std::fs::write(club.path("out"), "in the way").unwrap();
    club.write(ANNA, "list");
    assert_eq!(club.run(&["serve", "--once"]).code, 75);
    std::fs::remove_file(club.path("out")).unwrap();
    club.database()
        .execute(
            "UPDATE outbox SET state = 'failed', attempts = 10, result = '550 no'",
            [],
        )
        .unwrap();
    club.once();
    assert_eq!(club.letters(ANNA).len(), 0);
    club
}

fn audited(club: &Club) -> Vec<(String, String)> {
    let database = club.database();
    let mut statement = database
        .prepare("SELECT act, about FROM audit WHERE who <> '' AND at > 0 ORDER BY id")
        .unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    rows.unwrap().map(|row| row.unwrap()).collect()
}

#[test]
fn a_letter_that_was_given_up_is_read_and_sent_again_as_it_was() {
    let club = given_up();
    let shown = club.run(&["outbox", "show", "1"]);
    assert_eq!((shown.code, shown.err.as_str()), (0, ""));
    assert!(shown.out.contains(&format!("To: {ANNA}")) || shown.out.contains(ANNA));
    assert!(shown.out.contains("ref:"), "{}", shown.out);
    let ran = club.run(&["outbox", "retry", "1"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (0, "letter 1 is tried again\n")
    );
    let row = &json(&club, &["outbox", "--json"])[0];
    assert_eq!(
        (&row["state"], &row["attempts"]),
        (&"waiting".into(), &0.into())
    );
    club.once();
    let letter = club.only_letter(ANNA);
    assert_eq!(
        String::from_utf8_lossy(&letter.raw)
            .replace("\r\n", "\n")
            .trim_end(),
        shown.out.trim_end()
    );
    assert_eq!(
        audited(&club),
        [("outbox retry".to_owned(), "1".to_owned())]
    );

    let ran = club.run(&["outbox", "retry", "1"]);
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (1, "dvonn-post: letter 1 was not given up\n")
    );
    let ran = club.run(&["outbox", "retry", "all"]);
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (1, "dvonn-post: no letter was given up\n")
    );
    let ran = club.run(&["outbox", "show", "99"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("there is no letter 99"), "{}", ran.err);
    assert_eq!(audited(&club).len(), 1);
}

#[test]
fn a_letter_whose_bytes_are_forgotten_is_not_sent_empty() {
    let club = given_up();
    club.database()
        .execute("UPDATE outbox SET bytes = NULL", [])
        .unwrap();
    for arguments in [
        ["outbox", "retry", "1"],
        ["outbox", "retry", "all"],
        ["outbox", "show", "1"],
    ] {
        let ran = club.run(&arguments);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{arguments:?}");
        assert!(
            ran.err.contains("its text is not kept any more"),
            "{}",
            ran.err
        );
    }
    club.once();
    assert_eq!(club.letters(ANNA).len(), 0);
    assert_eq!(audited(&club), []);
}

#[test]
fn a_running_daemon_takes_up_what_is_tried_again() {
    let club = given_up();
    let daemon = Running::start(&club);
    eventually("the daemon runs", || club.run(&["status"]).code == 0);
    assert_eq!(club.run(&["outbox", "retry", "all"]).code, 0);
    eventually("Anna has her letter", || club.letters(ANNA).len() == 1);
    assert_eq!(daemon.stop(), Some(0));
}

#[test]
fn a_mail_that_is_set_aside_is_read_and_taken_in_again() {
    let club = Club::new();
    club.join("Anna", ANNA);
    club.database()
        .execute_batch(
            "CREATE TRIGGER test_poison BEFORE INSERT ON challenges BEGIN SELECT RAISE(ABORT, 'poison'); END",
        )
        .unwrap();
    club.write(ANNA, "open");
    for _ in 0..4 {
        club.run(&["serve", "--once"]);
    }
    let list = club.run(&["shunted"]);
    assert_eq!(list.code, 0);
    assert!(list.out.contains("poison"), "{}", list.out);
    let row = &json(&club, &["shunted", "--json"])[0];
    assert_eq!(row["mail"], 1);
    assert!(row["arrived"].as_str().unwrap().starts_with("20"));
    let shown = club.run(&["shunted", "show", "1"]);
    assert!(shown.out.ends_with("\nopen\n"), "{}", shown.out);

    club.database()
        .execute_batch("DROP TRIGGER test_poison")
        .unwrap();
    let ran = club.run(&["shunted", "retry", "all"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, "mail 1 is tried again\n"));
    club.once();
    assert_eq!(club.value::<i64>("SELECT count(*) FROM challenges"), 1);
    assert_eq!(club.value::<String>("SELECT state FROM inbox"), "done");
    assert_eq!(club.run(&["shunted"]).out, "");
    assert_eq!(club.letters(ANNA).len(), 1);
    assert_eq!(
        audited(&club),
        [("shunted retry".to_owned(), "1".to_owned())]
    );
    for (arguments, said) in [
        (["shunted", "retry", "1"], "mail 1 is not set aside"),
        (["shunted", "retry", "all"], "no mail is set aside"),
        (["shunted", "retry", "9"], "there is no mail 9"),
        (
            ["shunted", "show", "1"],
            "there is no mail 1 that is set aside",
        ),
    ] {
        let ran = club.run(&arguments);
        assert_eq!(ran.code, 1, "{arguments:?}");
        assert!(ran.err.contains(said), "{}", ran.err);
    }
}

#[test]
fn a_mail_that_could_never_be_had_cannot_be_tried_again() {
    let club = Club::new();
    club.arrive(b"no mail");
    club.once();
    club.database()
        .execute("UPDATE inbox SET raw = NULL", [])
        .unwrap();
    for arguments in [["shunted", "retry", "1"], ["shunted", "show", "1"]] {
        let ran = club.run(&arguments);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""));
        assert!(
            ran.err.contains("could not be had from the mailbox"),
            "{}",
            ran.err
        );
    }
    assert_eq!(club.value::<String>("SELECT state FROM inbox"), "shunted");
}

/// Everything that the program logs while letters are written, cannot be kept, cannot be sent, and are sent.
#[test]
fn no_log_tells_the_token_of_a_letter() {
    let club = Club::new();
    club.join("Anna", ANNA);
    club.join("Ben", super::BEN);
    let mut logs = String::new();
    let mut round = |club: &Club| {
        let output = club
            .command(&["serve", "--once"])
            .env("RUST_LOG", "trace")
            .output()
            .unwrap();
        logs.push_str(&String::from_utf8(output.stderr).unwrap());
    };
    club.write(ANNA, "challenge Ben white");
    round(&club);
    club.write(super::BEN, "accept 1");
    club.database()
        .execute_batch(
            "CREATE TRIGGER test_poison BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'poison'); END",
        )
        .unwrap();
    round(&club);
    club.database()
        .execute_batch("DROP TRIGGER test_poison")
        .unwrap();
    std::fs::rename(club.path("out"), club.path("away")).unwrap();
    std::fs::write(club.path("out"), "in the way").unwrap();
    round(&club);
    std::fs::remove_file(club.path("out")).unwrap();
    club.database()
        .execute("UPDATE outbox SET next_at = 0", [])
        .unwrap();
    round(&club);
    assert!(
        logs.contains("poison") && logs.contains("is sent"),
        "{logs}"
    );

    let database = club.database();
    let mut statement = database.prepare("SELECT message_id FROM outbox").unwrap();
    let ids: Vec<String> = statement
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(|id| id.unwrap())
        .collect();
    assert!(ids.len() >= 4, "{ids:?}");
    for id in ids {
        let proof = id.split('.').nth(3).unwrap();
        assert!(proof.len() >= 16 && !logs.contains(proof), "{id}:\n{logs}");
    }
}
