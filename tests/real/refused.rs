//! Servers that do not let the club in: one clear sentence wherever the admin may look, until it is put right.

use crate::club::{Club, Ways};
use crate::common::{MailStack, eventually};

/// Starts a daemon that is refused, and looks wherever the admin may look.
fn check(wrong: impl Fn(&mut Ways), name: &str, sentence: &str, advice: &str) {
    let never = match name {
        "mailbox" => "last look at the mailbox: never\n",
        _ => "last letter sent: never\n",
    };
    let stack = MailStack::start(&["club", "admin"]);
    let right = Ways::of(&stack);
    let mut ways = right.clone();
    wrong(&mut ways);
    let club = Club::new(&ways);
    let mut daemon = club.serve();
    daemon.says(sentence);
    let told = daemon.lines("WARN");
    assert_eq!(told.len(), 1, "{}", daemon.log());
    assert!(told[0].contains(advice), "{}", told[0]);
    for word in ["-pw", "Some(", "Err(", "stack backtrace"] {
        assert!(!daemon.log().contains(word), "{}", daemon.log());
    }

    let doctor = club.run(&["doctor"]);
    assert_eq!(doctor.code, 1, "{}", doctor.out);
    let failed: Vec<&str> = doctor
        .out
        .lines()
        .filter(|line| line.starts_with("fail"))
        .collect();
    assert_eq!(failed.len(), 1, "{}", doctor.out);
    assert!(
        failed[0].starts_with(&format!("fail  {name}: ")),
        "{}",
        failed[0]
    );
    assert!(
        failed[0].contains(sentence) && failed[0].contains(advice),
        "{}",
        failed[0]
    );

    let status = eventually("the trouble is in the status", || {
        let status = club.run(&["status"]);
        (status.code == 1).then_some(status.out)
    });
    assert_eq!(status.matches(sentence).count(), 1, "{status}");
    assert!(status.starts_with("trouble\n"), "{status}");
    assert!(status.contains(never), "{status}");
    assert_eq!(daemon.lines("Ready").len(), 0);
    daemon.stop();

    club.configure(&right);
    let mut daemon = club.serve();
    daemon.says("Ready");
    let doctor = club.run(&["doctor"]);
    assert_eq!(doctor.code, 0, "{}", doctor.out);
    let status = club.run(&["status"]);
    assert_eq!(
        status.code, 0,
        "what is put right is no trouble: {}",
        status.out
    );
    daemon.stop();
}

#[test]
fn a_wrong_password_of_the_mailbox_is_told_in_one_sentence() {
    let wrong = |ways: &mut Ways| ways.imap_password = "wrong-pw".to_owned();
    check(
        wrong,
        "mailbox",
        "login as club was refused",
        "check user and password_file",
    );
}

#[test]
fn a_wrong_password_of_the_way_out_is_told_in_one_sentence() {
    let wrong = |ways: &mut Ways| ways.smtp_password = "wrong-pw".to_owned();
    check(
        wrong,
        "way out",
        "login as club was refused",
        "check user and password_file",
    );
}

#[test]
fn a_mailbox_that_does_not_exist_is_told_in_one_sentence() {
    let wrong = |ways: &mut Ways| ways.mailbox = "Nowhere";
    check(
        wrong,
        "mailbox",
        "mailbox \"Nowhere\" cannot be opened",
        "create it or correct its name",
    );
}
