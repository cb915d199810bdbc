//! Bad input of every kind, to the program with Maildirs both ways: one clear sentence to the right person, nothing
//! lost, and the next mail goes on.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used
)]

mod club;

#[path = "bad_input/disk.rs"]
mod disk;
#[path = "bad_input/mails.rs"]
mod mails;
#[path = "bad_input/poison.rs"]
mod poison;
#[path = "bad_input/start.rs"]
mod start;
#[path = "bad_input/trouble.rs"]
mod trouble;

use club::Club;

const ANNA: &str = "anna@example.org";
const BEN: &str = "ben@example.org";

/// Anna and Ben, who play nothing yet.
fn two_members() -> Club {
    let club = Club::new();
    club.join("Anna", ANNA);
    club.join("Ben", BEN);
    club
}

/// Ben asks for his games, and gets one answer: the mails before his hold nothing up.
fn assert_the_next_mail_goes_on(club: &Club) {
    let (before, left) = (club.letters(BEN).len(), club.count("new"));
    club.write(BEN, "list");
    club.once();
    let letters = club.letters(BEN);
    assert_eq!(letters.len(), before + 1, "{letters:#?}");
    assert!(letters[before].text.contains("game"), "{letters:#?}");
    assert!(club.count("new") <= left);
}
