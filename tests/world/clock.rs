//! The moment, as the world has it and as the daemon's machine shows it.
//!
//! Knows tokio's paused clock, and by how much the machine's own clock is wrong; refuses to know the real one.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use tokio::time::Instant;

/// When every world begins.
const BASE: &str = "2026-12-01T08:00:00Z";

/// The world's clock.
#[derive(Clone, Debug)]
pub struct Clock {
    base: DateTime<Utc>,
    start: Instant,
    /// By how many seconds the daemon's machine is wrong.
    wrong: Arc<AtomicI64>,
}

impl Clock {
    /// Begins now; `later`: how much later the base is, for a world after the world.
    pub fn new(later: Duration) -> Clock {
        let base: DateTime<Utc> = BASE.parse().unwrap();
        Clock {
            base: base + later,
            start: Instant::now(),
            wrong: Arc::default(),
        }
    }

    /// How long the world has been going.
    pub fn age(&self) -> Duration {
        self.start.elapsed()
    }

    /// The true moment.
    pub fn now(&self) -> DateTime<Utc> {
        self.base + self.age()
    }

    /// The moment by the clock of the daemon's machine.
    pub fn shown(&self) -> DateTime<Utc> {
        self.now() + TimeDelta::seconds(self.wrong.load(Ordering::Relaxed))
    }

    /// Sets the machine's clock to the true time and that many seconds.
    pub fn set_wrong(&self, seconds: i64) {
        self.wrong.store(seconds, Ordering::Relaxed);
    }
}
