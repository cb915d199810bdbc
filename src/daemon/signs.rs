//! Signs of life of the loops that speak with servers, for systemd and for whoever waits until the club is ready.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

/// A loop that gave no sign for longer hangs, and systemd is not told that all is well.
const HANGS: Duration = Duration::from_secs(15 * 60);

/// Signs of life of the two loops that speak with servers.
#[derive(Debug, Default)]
pub(super) struct Signs {
    polled: Mutex<Option<Instant>>,
    sent: Mutex<Option<Instant>>,
    mailbox_answered: AtomicBool,
    server_answered: AtomicBool,
    lost: Mutex<Option<anyhow::Error>>,
    loses: Notify,
}

impl Signs {
    /// The club is another daemon's, so this one must end.
    pub(super) fn loses(&self, why: anyhow::Error) {
        *self.lost.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
        self.loses.notify_one();
    }

    /// Waits until the club is another daemon's; gives the reason.
    pub(super) async fn lost(&self) -> anyhow::Error {
        loop {
            self.loses.notified().await;
            let why = self
                .lost
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take();
            if let Some(why) = why {
                return why;
            }
        }
    }

    /// The intake is at work.
    pub(super) fn polls(&self) {
        note(&self.polled);
    }

    /// The sender is at work.
    pub(super) fn sends(&self) {
        note(&self.sent);
    }

    /// The mailbox has answered; says whether for the first time.
    pub(super) fn mailbox_answers(&self) -> bool {
        !self.mailbox_answered.swap(true, Ordering::Relaxed)
    }

    /// The way out has answered.
    pub(super) fn server_answers(&self) {
        self.server_answered.store(true, Ordering::Relaxed);
    }

    /// Whether the way out has answered.
    pub(super) fn has_server_answered(&self) -> bool {
        self.server_answered.load(Ordering::Relaxed)
    }

    /// Whether neither loop hangs.
    pub(super) fn are_fresh(&self) -> bool {
        [&self.polled, &self.sent].into_iter().all(|which| {
            which
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .is_none_or(|at| at.elapsed() < HANGS)
        })
    }

    /// Whether both sides have answered.
    pub(super) fn are_ready(&self) -> bool {
        self.mailbox_answered.load(Ordering::Relaxed) && self.has_server_answered()
    }
}

fn note(which: &Mutex<Option<Instant>>) {
    *which.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
}
