//! Several processes at one database: one owner of the loops, and a pipe that may be entered by any number at once.

use dvonn_post::daemon::{Lease, Taken};

use crate::club::{Club, mail};

/// This process, as a refusal names it.
fn me() -> String {
    let host = hostname::get().unwrap().into_string().unwrap();
    format!("{} on {host}", std::process::id())
}

#[test]
fn the_lease_has_one_owner_and_tells_the_next_how_the_last_one_ended() {
    let club = Club::new();
    let store = club.path("club.sqlite");
    assert!(!Lease::is_taken(&store).unwrap());
    let lease = Lease::take(&store).unwrap();
    assert!(!lease.unclean);
    assert!(Lease::is_taken(&store).unwrap());
    let error = Lease::take(&store).unwrap_err();
    let taken: &Taken = error.downcast_ref().unwrap();
    assert_eq!(taken.owner, me());
    lease.give_back().unwrap();
    assert!(!Lease::is_taken(&store).unwrap());
    let lease = Lease::take(&store).unwrap();
    assert!(!lease.unclean);
    // A process that is killed gives nothing back.
    drop(lease);
    assert!(!Lease::is_taken(&store).unwrap());
    assert!(Lease::take(&store).unwrap().unclean);
}

#[test]
fn a_second_daemon_names_the_first_and_asks_to_try_again() {
    let club = Club::new();
    let _lease = Lease::take(&club.path("club.sqlite")).unwrap();
    let me = me();
    for arguments in [&["serve", "--once"][..], &["serve"]] {
        let ran = club.run(arguments);
        assert_eq!(ran.code, 75, "{}", ran.err);
        assert_eq!(
            ran.err,
            format!(
                "dvonn-post: another dvonn-post (process {me}) serves this club already; stop it first\n"
            )
        );
    }
}

#[test]
fn many_deliveries_at_once_into_no_database_yet_lose_nothing() {
    let club = Club::new();
    let mails: Vec<String> = (0..12)
        .map(|number| {
            // Every second one is the same mail.
            let id = if number % 2 == 0 { 0 } else { number };
            mail(
                "anna@example.org",
                &format!("{id}@example.org"),
                &format!("list {id}"),
            )
        })
        .collect();
    let children: Vec<_> = mails
        .iter()
        .map(|raw| {
            use std::io::Write;
            let mut child = club
                .command(&["deliver"])
                .stdin(std::process::Stdio::piped())
                .spawn()
                .unwrap();
            child
                .stdin
                .take()
                .unwrap()
                .write_all(raw.as_bytes())
                .unwrap();
            child
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
    }
    let waiting: i64 = club.value("SELECT count(*) FROM inbox WHERE state = 'waiting'");
    assert_eq!(waiting, 7);
    let whole: i64 = club.value("SELECT count(*) FROM inbox WHERE length(raw) > 100");
    assert_eq!(whole, 7);
}
