//! The wall clock and randomness: this floor is the only one that asks for either, and this file the only place. With
//! them, whatever else the loops ask of the machine.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use chrono::{DateTime, SubsecRound, Utc};
use ring::rand::{SecureRandom, SystemRandom};

use super::alarm::Alarm;
use crate::store::Room;

/// How much room there is on the disk of a file.
type LookForRoom = dyn Fn(&Path) -> Option<Room> + Send + Sync;

/// What the loops ask of the world outside: the moment, and chance. Tests put a world of their own in its place.
#[derive(Clone)]
pub struct Outside {
    now: Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>,
    chance: Arc<dyn Fn() -> Result<[u8; 32]> + Send + Sync>,
    room: Arc<LookForRoom>,
    alarm: Arc<Alarm>,
}

impl Outside {
    /// The clock and the secret numbers of this machine.
    #[must_use]
    pub fn system() -> Self {
        Outside::new(now, secret)
    }

    /// Some other clock and some other numbers.
    pub fn new(
        now: impl Fn() -> DateTime<Utc> + Send + Sync + 'static,
        chance: impl Fn() -> Result<[u8; 32]> + Send + Sync + 'static,
    ) -> Self {
        Outside {
            now: Arc::new(now),
            chance: Arc::new(chance),
            room: Arc::new(Room::of),
            alarm: Arc::new(Alarm::none()),
        }
    }

    /// The same with another disk.
    #[must_use]
    pub fn with_room(
        mut self,
        room: impl Fn(&Path) -> Option<Room> + Send + Sync + 'static,
    ) -> Self {
        self.room = Arc::new(room);
        self
    }

    /// The same with a way to reach the admin when mail is broken.
    #[must_use]
    pub fn with_alarm(mut self, alarm: Alarm) -> Self {
        self.alarm = Arc::new(alarm);
        self
    }

    /// How much room there is on the disk of a file; `None` where nobody can tell.
    #[must_use]
    pub fn room(&self, file: &Path) -> Option<Room> {
        (self.room)(file)
    }

    /// The way to reach the admin when mail is broken.
    #[must_use]
    pub fn alarm(&self) -> &Alarm {
        &self.alarm
    }

    /// The moment, in whole seconds.
    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        (self.now)().trunc_subsecs(0)
    }

    /// Thirty-two secret bytes.
    ///
    /// # Errors
    /// The system gives none.
    pub fn chance(&self) -> Result<[u8; 32]> {
        (self.chance)()
    }

    /// A factor between 0.9 and 1.1, so that many clients of one server do not come back at once.
    pub(super) fn jitter(&self) -> f64 {
        let byte = self
            .chance()
            .ok()
            .and_then(|bytes| bytes.first().copied())
            .unwrap_or(128);
        0.9 + f64::from(byte) / 1275.0
    }
}

impl fmt::Debug for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Outside")
    }
}

/// The moment, in whole seconds.
#[must_use]
pub fn now() -> DateTime<Utc> {
    Utc::now().trunc_subsecs(0)
}

/// Thirty-two secret bytes.
fn secret() -> Result<[u8; 32]> {
    let mut bytes = [0; 32];
    SystemRandom::new()
        .fill(&mut bytes)
        .map_err(|_| anyhow!("The system gives no random numbers"))?;
    Ok(bytes)
}
