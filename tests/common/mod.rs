//! Help for the integration tests: real mail servers of their own, and scripted peers that misbehave.
//!
//! Knows nothing of DVONN. Each test file uses what it needs.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used
)]

mod peer;
mod servers;
mod stack;
mod system;
mod trouble;

#[allow(unused_imports)]
pub use peer::{Peer, Talk};
#[allow(unused_imports)]
pub use stack::{DOMAIN, MailStack};
#[allow(unused_imports)]
pub use system::signal;
#[allow(unused_imports)]
pub use trouble::SmallDisk;

use std::time::{Duration, Instant};

/// How long a condition may take to come true on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Waits until `look` finds something.
///
/// # Panics
/// When it does not within [`PATIENCE`].
pub fn eventually<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    within(PATIENCE, what, look)
}

/// Waits until `look` finds something.
///
/// # Panics
/// When it does not within `limit`.
pub fn within<T>(limit: Duration, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < limit, "in vain: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
