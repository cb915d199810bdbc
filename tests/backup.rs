//! Backups as an admin meets them: made beside a daemon, checked, and brought back after a disaster, with the mails that
//! came since.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used
)]

mod club;

#[path = "backup/coming_back.rs"]
mod coming_back;
#[path = "backup/damaged.rs"]
mod damaged;
#[path = "backup/making.rs"]
mod making;
#[path = "backup/migrating.rs"]
mod migrating;
#[path = "backup/players.rs"]
mod players;
#[path = "backup/refused.rs"]
mod refused;
#[path = "backup/verify.rs"]
mod verify;

const ANNA: &str = "anna@example.org";
const BEN: &str = "ben@example.org";
