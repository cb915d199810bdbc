//! One owner, and a clock that can be relied upon: daemons on a paused clock, with a mailbox in memory.
//!
//! Knows what a daemon leaves behind in mailbox, database and letters; refuses to know how it gets there.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used,
    unreachable_pub
)]

mod club;

#[path = "owner/arrivals.rs"]
mod arrivals;
#[path = "owner/clock.rs"]
mod clock;
#[path = "owner/marks.rs"]
mod marks;
#[path = "owner/processes.rs"]
mod processes;
#[path = "owner/room.rs"]
mod room;
#[path = "owner/server.rs"]
mod server;
#[path = "owner/stage.rs"]
mod stage;
#[path = "owner/watchdog.rs"]
mod watchdog;
