//! Troubles that others had with mail, put to the whole daemon: real dialogues with a provider that lives in the test,
//! on a clock that is wound on, so that silence takes no time.
//!
//! Each test names its trouble; those that belong to one floor are tested there.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used,
    unreachable_pub
)]

#[path = "bugs/answers.rs"]
mod answers;
#[path = "bugs/day.rs"]
mod day;
#[path = "bugs/house.rs"]
mod house;
#[path = "bugs/imap.rs"]
mod imap;
#[path = "bugs/mailbox_silence.rs"]
mod mailbox_silence;
#[path = "bugs/office.rs"]
mod office;
#[path = "bugs/poison.rs"]
mod poison;
#[path = "bugs/smtp.rs"]
mod smtp;
#[path = "bugs/way_out.rs"]
mod way_out;
