//! Maildirs as a way in and as a way out: the embedded default, and the door for other mail systems.
//!
//! Knows `new`, `cur`, `tmp` and when files arrived; refuses to read what is in them.

mod inbox;
mod outbox;

pub use inbox::Inbox;
pub use outbox::Outbox;

use std::io;
use std::path::Path;

/// The three directories that make a Maildir.
const ROOMS: [&str; 3] = ["tmp", "new", "cur"];

/// Makes a Maildir where there is none.
fn furnish(path: &Path) -> io::Result<()> {
    ROOMS
        .iter()
        .try_for_each(|room| std::fs::create_dir_all(path.join(room)))
}

/// Runs file work off the runtime's threads: a disk may take its time.
async fn on_disk<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|fault| Err(io::Error::other(fault)))
}
