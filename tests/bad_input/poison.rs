//! A mail that the program cannot process through a fault of its own: it is tried three times, set aside, and told to
//! the admin, while the mails behind it go on. And a program that is killed over it again and again.
//!
//! The fault is a trigger in the database that refuses what only this mail would do.

use super::{ANNA, BEN, assert_the_next_mail_goes_on, two_members};
use crate::club::{ADMIN, Club, mail};

/// Refuses every challenge.
fn poisoned() -> Club {
    let club = two_members();
    club.database()
        .execute_batch(
            "CREATE TRIGGER test_poison BEFORE INSERT ON challenges
             BEGIN SELECT RAISE(ABORT, 'a fault of ours'); END;",
        )
        .unwrap();
    club
}

fn state(club: &Club) -> String {
    club.value("SELECT state FROM inbox WHERE sender <> 'ben@example.org' ORDER BY id LIMIT 1")
}

/// The rounds that it takes until the mail is set aside; every round serves the mails behind it.
fn rounds_until_set_aside(club: &Club) -> usize {
    for round in 1..10 {
        club.write(BEN, "list");
        let ran = club.once();
        assert_eq!(club.letters(BEN).len(), round, "{}", ran.err);
        if state(club) == "shunted" {
            return round;
        }
        assert_eq!(club.letters(ADMIN).len(), 0);
        assert!(ran.err.contains("a fault of ours"), "{}", ran.err);
    }
    panic!("it is never set aside");
}

/// B10.
#[test]
fn a_poison_mail_is_set_aside_at_the_third_fault_and_the_admin_told_once() {
    let club = poisoned();
    club.write(ANNA, "challenge Ben");
    assert_eq!(rounds_until_set_aside(&club), 2);
    let attempts: i64 = club.value("SELECT attempts FROM inbox WHERE state = 'shunted'");
    assert_eq!(attempts, 3);
    let letter = club.only_letter(ADMIN);
    assert!(letter.text.contains("was set aside"), "{letter:#?}");
    assert!(letter.text.contains("a fault of ours"), "{letter:#?}");
    assert_eq!(club.letters(ANNA).len(), 0);
    let raw: String = club.value("SELECT CAST(raw AS TEXT) FROM inbox WHERE state = 'shunted'");
    assert!(raw.contains("challenge Ben"));
    // Nothing goes on about it, and its copy is known.
    club.arrive(mail(ANNA, "m0@example.org", "challenge Ben").as_bytes());
    club.once();
    assert_the_next_mail_goes_on(&club);
    assert_eq!(club.letters(ADMIN).len(), 1);
}

#[test]
fn a_poison_mail_through_the_pipe_ends_the_same_way() {
    let club = poisoned();
    let raw = mail(ANNA, "1@example.org", "challenge Ben");
    assert_eq!(club.feed(&["deliver"], raw.as_bytes()).code, 0);
    assert_eq!(rounds_until_set_aside(&club), 2);
    assert_eq!(club.letters(ADMIN).len(), 1);
    assert_the_next_mail_goes_on(&club);
}

/// Even the letter to the admin is refused.
#[test]
fn a_mail_of_which_the_admin_cannot_be_told_holds_up_nobody() {
    let club = poisoned();
    club.database()
        .execute_batch(
            "CREATE TRIGGER test_mute BEFORE INSERT ON outbox WHEN new.recipient = 'admin@admin.example'
             BEGIN SELECT RAISE(ABORT, 'no letter to the admin'); END;",
        )
        .unwrap();
    club.write(ANNA, "challenge Ben");
    club.arrive(b"no mail at all");
    assert_eq!(rounds_until_set_aside(&club), 2);
    assert_the_next_mail_goes_on(&club);
    let aside: i64 = club.value("SELECT count(*) FROM inbox WHERE state = 'shunted'");
    assert_eq!(aside, 2);
    assert_eq!(club.run(&["status"]).code, 1);
}

#[test]
fn a_fault_that_passes_costs_nothing() {
    let club = poisoned();
    club.write(ANNA, "challenge Ben");
    club.once();
    assert_eq!(state(&club), "waiting");
    club.database()
        .execute_batch("DROP TRIGGER test_poison")
        .unwrap();
    club.once();
    assert_eq!(state(&club), "done");
    let challenges: i64 = club.value("SELECT count(*) FROM challenges");
    assert_eq!(challenges, 1);
    assert_eq!((club.letters(ANNA).len(), club.letters(BEN).len()), (1, 1));
    assert_eq!(club.letters(ADMIN).len(), 0);
    assert_the_next_mail_goes_on(&club);
}

/// An abort of the program leaves a lease that was not given back, and a try that was counted before.
fn killed_over_it(club: &Club) {
    std::fs::write(club.path("club.sqlite.lock"), "4711").unwrap();
}

#[test]
fn a_mail_over_which_the_program_is_killed_each_time_is_set_aside() {
    let club = two_members();
    let raw = mail(ANNA, "1@example.org", "challenge Ben");
    assert_eq!(club.feed(&["deliver"], raw.as_bytes()).code, 0);
    // Three tries were begun, and none came to an end.
    club.database()
        .execute("UPDATE inbox SET attempts = 3", [])
        .unwrap();
    killed_over_it(&club);
    club.write(BEN, "list");
    club.once();
    assert_eq!(state(&club), "shunted");
    assert!(club.only_letter(ADMIN).text.contains("three times"));
    assert_eq!(club.letters(BEN).len(), 1);
    // The same mail in the mailbox is known.
    club.arrive(raw.as_bytes());
    killed_over_it(&club);
    club.once();
    assert_eq!(club.letters(ADMIN).len(), 1);
    assert_the_next_mail_goes_on(&club);
}

#[test]
fn after_a_kill_mail_of_strangers_is_still_left_where_it_lies() {
    let club = two_members();
    club.once();
    killed_over_it(&club);
    club.write("aunt@example.org", "Dear nephew, how are you?");
    club.write(ANNA, "list");
    club.once();
    assert_eq!(club.count("new"), 1);
    assert_eq!(club.recipients(), [ANNA]);
    let kept: i64 = club.value("SELECT count(*) FROM inbox WHERE state = 'left' AND raw IS NULL");
    assert_eq!(kept, 1);
}

#[test]
fn a_mail_of_the_mailbox_whose_tries_were_cut_short_is_tried_again_and_then_set_aside() {
    for (attempts, state_after) in [(1, "done"), (2, "done"), (3, "shunted")] {
        let club = two_members();
        let raw = mail(ANNA, "1@example.org", "list");
        // The try was counted, and the program was killed before it came to an end.
        assert_eq!(club.feed(&["deliver"], raw.as_bytes()).code, 0);
        club.database()
            .execute("UPDATE inbox SET attempts = ?1", [attempts])
            .unwrap();
        club.arrive(raw.as_bytes());
        killed_over_it(&club);
        club.once();
        assert_eq!(state(&club), state_after);
        assert_eq!(club.count("new"), 0);
        let (done, aside) = (club.letters(ANNA).len(), club.letters(ADMIN).len());
        assert_eq!(done + aside, 1);
        assert_the_next_mail_goes_on(&club);
    }
}
