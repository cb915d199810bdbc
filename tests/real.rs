//! The whole program against real mail servers: players with nothing but mail accounts, and the daemon between them.
//!
//! Knows the program from outside alone, and the rules to say what must come of it. Needs what `tests/common` needs.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used,
    unreachable_pub
)]

mod common;

#[path = "real/anew.rs"]
mod anew;
#[path = "real/beside.rs"]
mod beside;
#[path = "real/club.rs"]
mod club;
#[path = "real/full_disk.rs"]
mod full_disk;
#[path = "real/gate.rs"]
mod gate;
#[path = "real/killed.rs"]
mod killed;
#[path = "real/letter.rs"]
mod letter;
#[path = "real/mailbox.rs"]
mod mailbox;
#[path = "real/notify.rs"]
mod notify;
#[path = "real/other_hands.rs"]
mod other_hands;
#[path = "real/outage.rs"]
mod outage;
#[path = "real/player.rs"]
mod player;
#[path = "real/recorded.rs"]
mod recorded;
#[path = "real/refused.rs"]
mod refused;
#[path = "real/restored.rs"]
mod restored;
#[path = "real/stop.rs"]
mod stop;
#[path = "real/table.rs"]
mod table;
#[path = "real/turned_away.rs"]
mod turned_away;
#[path = "real/whole_game.rs"]
mod whole_game;
