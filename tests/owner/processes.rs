//! The same with real processes at a Maildir: what they end with, and whom they name.

use std::fs;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant, SystemTime};

use crate::club::{Club, PROGRAM};

const ANNA: &str = "anna@example.org";

struct Running(Child);

impl Running {
    /// Starts a daemon and waits until it is at work.
    fn start(club: &Club) -> Running {
        let child = club
            .command(&["serve"])
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let running = Running(child);
        let start = Instant::now();
        while club.run(&["status"]).code != 0 {
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "it never is well"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
        running
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A second club at the mailbox of the first.
fn beside(first: &Club) -> Club {
    let second = Club::new();
    let config = second.path("config.toml");
    let text = fs::read_to_string(&config)
        .unwrap()
        .replace(
            "path = \"in\"",
            &format!("path = \"{}\"", first.path("in").display()),
        )
        .replace("Test Club", "Second Club");
    fs::write(config, text).unwrap();
    second
}

#[track_caller]
fn refused(club: &Club, pid: u32) {
    for arguments in [&["serve", "--once"][..], &["serve"]] {
        let ran = club.run(arguments);
        assert_eq!(ran.code, 75, "{ran:?}");
        let host = hostname::get().unwrap().into_string().unwrap();
        let last = ran.err.lines().last().unwrap();
        assert_eq!(
            last,
            format!(
                "dvonn-post: another dvonn-post (process {pid} on {host}, club \"Test Club\") reads this mailbox \
                 already; stop it, or wait 30 minutes if it is gone"
            )
        );
    }
}

#[test]
fn a_second_club_and_a_copy_of_the_first_are_refused_at_its_maildir() {
    let club = Club::new();
    club.join("Anna", ANNA);
    let daemon = Running::start(&club);
    let pid = daemon.0.id();
    refused(&beside(&club), pid);
    let copy = beside(&club);
    club.database()
        .execute(
            "VACUUM INTO ?1",
            [copy.path("club.sqlite").to_str().unwrap()],
        )
        .unwrap();
    refused(&copy, pid);
    club.write(ANNA, "list");
    let start = Instant::now();
    while club.letters(ANNA).is_empty() {
        assert!(start.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(copy.letters(ANNA).is_empty());
    assert!(PROGRAM.ends_with("dvonn-post"));
}

#[test]
fn a_daemon_that_was_killed_starts_again_at_once_and_a_stranger_after_half_an_hour() {
    let club = Club::new();
    let mut daemon = Running::start(&club);
    daemon.0.kill().unwrap();
    daemon.0.wait().unwrap();
    let ran = club.run(&["status"]);
    assert_eq!(ran.code, 2, "{}", ran.out);
    club.once();
    let second = beside(&club);
    assert_eq!(second.run(&["serve", "--once"]).code, 75);
    let mark = fs::File::options()
        .append(true)
        .open(club.path("in/dvonn-post.owner"))
        .unwrap();
    mark.set_modified(SystemTime::now() - Duration::from_secs(31 * 60))
        .unwrap();
    let ran = second.once();
    assert!(ran.err.contains("it is taken over"), "{}", ran.err);
    // Now the first finds the second.
    assert_eq!(club.run(&["serve", "--once"]).code, 75);
}
