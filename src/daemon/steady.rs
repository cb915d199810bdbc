//! A clock that believes no jump at once (T-09).
//!
//! The wall clock is held against the time that really passed. Where the two part by more than minutes, the old course is
//! followed until the new one was steady for a while; meanwhile nothing happens because time passed. Machines without a
//! battery start in the past, time services step, people set clocks.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use tokio::time::Instant;

/// How far the wall clock may be off without having jumped.
const TOLERANCE: TimeDelta = TimeDelta::minutes(5);

/// How long a clock must be steady to be believed.
const PROBATION: Duration = Duration::from_secs(10 * 60);

/// After a longer rest nobody knows whether the club was down or the clock ran ahead.
const LONG_REST: TimeDelta = TimeDelta::hours(1);

/// A wall clock under watch.
pub(super) struct Steady {
    wall: Box<dyn Fn() -> DateTime<Utc> + Send + Sync>,
    state: Mutex<State>,
}

struct State {
    /// What is believed.
    course: Course,
    /// What the wall clock says since it jumped.
    rumour: Option<Course>,
    /// Nothing happens because time passed until then.
    frozen_until: Option<Instant>,
    /// A jump that nobody was told of yet.
    jump: Option<TimeDelta>,
}

/// A moment, and when it was.
#[derive(Clone, Copy)]
struct Course {
    moment: DateTime<Utc>,
    at: Instant,
}

impl Course {
    fn now(&self, at: Instant) -> DateTime<Utc> {
        let passed = TimeDelta::from_std(at.saturating_duration_since(self.at));
        self.moment + passed.unwrap_or_default()
    }

    fn agrees(&self, at: Instant, wall: DateTime<Utc>) -> bool {
        (wall - self.now(at)).abs() <= TOLERANCE
    }
}

impl Steady {
    /// A clock that starts now; `last` is the last moment that is known to have passed.
    pub(super) fn new(
        wall: impl Fn() -> DateTime<Utc> + Send + Sync + 'static,
        last: Option<DateTime<Utc>>,
    ) -> Steady {
        let (at, moment) = (Instant::now(), wall());
        let rested = last.is_some_and(|last| moment - last > LONG_REST);
        let course = Course {
            moment: last.map_or(moment, |last| last.max(moment)),
            at,
        };
        Steady {
            wall: Box::new(wall),
            state: Mutex::new(State {
                course,
                rumour: None,
                frozen_until: rested.then_some(at + PROBATION),
                jump: None,
            }),
        }
    }

    /// The moment, as far as it can be known.
    pub(super) fn now(&self) -> DateTime<Utc> {
        self.look().1
    }

    /// Whether the clock can be relied upon to let time pass.
    pub(super) fn is_steady(&self) -> bool {
        let (state, _) = self.look();
        state.rumour.is_none()
            && state
                .frozen_until
                .is_none_or(|until| until <= Instant::now())
    }

    /// By how much the clock jumped, once for each jump.
    pub(super) fn take_jump(&self) -> Option<TimeDelta> {
        self.look().0.jump.take()
    }

    fn look(&self) -> (MutexGuard<'_, State>, DateTime<Utc>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, wall) = (Instant::now(), (self.wall)());
        let now = state.judge(at, wall);
        (state, now)
    }
}

impl State {
    fn judge(&mut self, at: Instant, wall: DateTime<Utc>) -> DateTime<Utc> {
        if self.course.agrees(at, wall) {
            if self.rumour.take().is_some() {
                self.frozen_until = Some(at + PROBATION);
            }
            return wall;
        }
        match self.rumour {
            Some(rumour) if rumour.agrees(at, wall) => {
                if at.saturating_duration_since(rumour.at) >= PROBATION {
                    self.course = Course { moment: wall, at };
                    self.rumour = None;
                    return wall;
                }
            }
            _ => {
                self.jump = Some(wall - self.course.now(at));
                self.rumour = Some(Course { moment: wall, at });
                self.frozen_until = Some(at + PROBATION);
            }
        }
        self.course.now(at)
    }
}

impl fmt::Debug for Steady {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Steady")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicI64, Ordering};

    use tokio::time::advance;

    use super::*;

    const DAY: i64 = 24 * 3600;

    /// A wall clock that can be set, in seconds beside the right time.
    struct Wall {
        off: Arc<AtomicI64>,
        start: Instant,
    }

    impl Wall {
        fn new(off: i64) -> Wall {
            Wall {
                off: Arc::new(AtomicI64::new(off)),
                start: Instant::now(),
            }
        }

        fn clock(&self, last: Option<i64>) -> Steady {
            let (off, start) = (self.off.clone(), self.start);
            let wall = move || right(start, off.load(Ordering::SeqCst));
            Steady::new(wall, last.map(|last| right(self.start, last)))
        }

        fn set(&self, off: i64) {
            self.off.store(off, Ordering::SeqCst);
        }

        /// How far the believed time is off, in seconds.
        fn error(&self, clock: &Steady) -> i64 {
            (clock.now() - right(self.start, 0)).num_seconds()
        }
    }

    fn right(start: Instant, off: i64) -> DateTime<Utc> {
        let passed = TimeDelta::from_std(start.elapsed()).unwrap_or_default();
        DateTime::UNIX_EPOCH + TimeDelta::days(20_000) + passed + TimeDelta::seconds(off)
    }

    async fn minutes(minutes: u64) {
        advance(Duration::from_secs(60 * minutes)).await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_jump_and_back_is_never_believed() {
        for jump in [365 * DAY, -14 * DAY, -3600] {
            let wall = Wall::new(0);
            let clock = wall.clock(None);
            minutes(60).await;
            assert!(clock.is_steady() && clock.take_jump().is_none());
            wall.set(jump);
            assert_eq!(wall.error(&clock), 0);
            assert_eq!(clock.take_jump(), Some(TimeDelta::seconds(jump)));
            minutes(9).await;
            assert_eq!((wall.error(&clock), clock.is_steady()), (0, false));
            assert_eq!(clock.take_jump(), None, "each is told once");
            wall.set(0);
            assert_eq!(wall.error(&clock), 0);
            minutes(11).await;
            assert!(clock.is_steady());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_new_course_is_believed_after_ten_steady_minutes_and_so_is_the_way_back() {
        let wall = Wall::new(0);
        let clock = wall.clock(None);
        for (off, before) in [(7200, 0), (0, 7200), (-3600, 0)] {
            wall.set(off);
            assert_eq!(wall.error(&clock), before);
            minutes(9).await;
            assert_eq!((wall.error(&clock), clock.is_steady()), (before, false));
            minutes(1).await;
            assert_eq!((wall.error(&clock), clock.is_steady()), (off, true));
        }
        // One that jumps on and on is believed in nothing.
        for hours in 1..20 {
            wall.set(-3600 + 3600 * hours);
            assert!(!clock.is_steady());
            minutes(9).await;
            assert_eq!(wall.error(&clock), -3600);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_machine_that_starts_in_the_past_goes_by_the_last_moment_it_noted() {
        let wall = Wall::new(-14 * DAY);
        let clock = wall.clock(Some(-60));
        assert_eq!((wall.error(&clock), clock.is_steady()), (-60, false));
        assert_eq!(clock.take_jump(), Some(TimeDelta::seconds(60 - 14 * DAY)));
        minutes(3).await;
        assert_eq!(wall.error(&clock), -60);
        wall.set(0);
        assert_eq!((wall.error(&clock), clock.is_steady()), (0, false));
        minutes(10).await;
        assert!(clock.is_steady());
    }

    #[tokio::test(start_paused = true)]
    async fn after_a_long_rest_nothing_happens_at_once_and_nobody_is_alarmed() {
        let wall = Wall::new(0);
        let clock = wall.clock(Some(-30 * DAY));
        assert_eq!((wall.error(&clock), clock.is_steady()), (0, false));
        minutes(10).await;
        assert!(clock.is_steady() && clock.take_jump().is_none());
        assert!(wall.clock(Some(-1800)).is_steady());
        assert!(wall.clock(None).is_steady());
    }
}
