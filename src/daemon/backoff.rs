//! How long to wait before the next try.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use super::clock::Outside;

/// Waits between tries of one letter, in minutes (OUT-03); after the last one, daily.
const LETTER: [i64; 9] = [1, 5, 15, 30, 60, 120, 240, 480, 960];

/// How long a letter is tried before it is given up.
const GIVE_UP: TimeDelta = TimeDelta::days(5);

/// Whether a letter was tried long and often enough. Age alone is no reason: the club itself may have been down.
pub(super) fn is_hopeless(attempt: u32, made: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    made + GIVE_UP < now && usize::try_from(attempt).is_ok_and(|attempt| attempt > LETTER.len())
}

/// The wait after the n-th try of a letter, a little more or less.
pub(super) fn letter(attempt: u32, outside: &Outside) -> TimeDelta {
    let step = usize::try_from(attempt.saturating_sub(1)).unwrap_or(usize::MAX);
    let minutes = LETTER.get(step).copied().unwrap_or(24 * 60);
    let wait = Duration::from_secs(minutes.unsigned_abs() * 60).mul_f64(outside.jitter());
    TimeDelta::seconds(i64::try_from(wait.as_secs()).unwrap_or(i64::MAX))
}

/// How long all letters rest once the server wants less mail, for the n-th time in a row: an hour, two, four … a day
/// (OUT-04).
pub(super) fn limited(before: u32, outside: &Outside) -> Duration {
    Duration::from_secs(3600 * (1 << before.min(5)).min(24)).mul_f64(outside.jitter())
}

/// A growing wait of a loop that is in trouble: 5 s, 10 s, 20 s … 10 minutes (IN-09), or from 5 minutes up where trying
/// sooner locks accounts.
#[derive(Debug, Default)]
pub(super) struct Backoff {
    failures: u32,
}

impl Backoff {
    /// All is well again.
    pub(super) fn reset(&mut self) {
        self.failures = 0;
    }

    /// The wait after one more failure.
    pub(super) fn next(&mut self, refused: bool, outside: &Outside) -> Duration {
        let least = if refused { 300 } else { 5 };
        let grown = 5u64.saturating_mul(1 << self.failures.min(7));
        self.failures = self.failures.saturating_add(1);
        Duration::from_secs(grown.clamp(least, 600)).mul_f64(outside.jitter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A world whose jitter is as small or as large as it gets, or none.
    fn outside(byte: u8) -> Outside {
        Outside::new(DateTime::<Utc>::default, move || Ok([byte; 32]))
    }

    #[test]
    fn a_letter_is_tried_less_and_less_often_ten_percent_more_or_less() {
        let waits = |byte| -> Vec<i64> {
            (1..=11)
                .map(|attempt| letter(attempt, &outside(byte)).num_seconds())
                .collect()
        };
        let minutes = [1, 5, 15, 30, 60, 120, 240, 480, 960, 1440, 1440];
        let percent =
            |part: i64| -> Vec<i64> { minutes.iter().map(|m| m * 60 * part / 100).collect() };
        assert_eq!(waits(0), percent(90));
        assert_eq!(waits(255), percent(110));
        let middle = waits(128);
        assert!(
            middle
                .iter()
                .zip(percent(100))
                .all(|(wait, exact)| (wait - exact).abs() <= exact / 100)
        );
    }

    #[test]
    fn a_limit_that_is_met_again_and_again_is_waited_out_longer_and_longer_up_to_a_day() {
        let hours: Vec<u64> = (0..8)
            .map(|before| (limited(before, &outside(128)).as_secs() + 1800) / 3600)
            .collect();
        assert_eq!(hours, [1, 2, 4, 8, 16, 24, 24, 24]);
    }

    #[test]
    fn a_letter_that_is_old_because_the_club_was_down_is_not_given_up_at_the_first_no() {
        let made: DateTime<Utc> = "2026-11-01T12:00:00Z".parse().unwrap_or_default();
        let now = made + TimeDelta::days(20);
        assert!(!is_hopeless(1, made, now));
        assert!(is_hopeless(10, made, now));
        assert!(!is_hopeless(10, made, made + TimeDelta::days(4)));
    }

    #[test]
    fn a_refused_login_is_not_repeated_within_minutes() {
        let outside = Outside::system();
        let mut backoff = Backoff::default();
        assert!(backoff.next(true, &outside) >= Duration::from_secs(270));
        let mut hour = Duration::ZERO;
        let mut logins = 1;
        let mut backoff = Backoff::default();
        while hour < Duration::from_secs(3600) {
            hour += backoff.next(true, &outside);
            logins += 1;
        }
        assert!(logins <= 14, "{logins} logins in an hour");
    }

    #[test]
    fn a_loop_waits_ten_minutes_at_most() {
        let outside = Outside::system();
        let mut backoff = Backoff::default();
        let waits: Vec<Duration> = (0..20).map(|_| backoff.next(false, &outside)).collect();
        assert!(waits.iter().all(|wait| *wait <= Duration::from_secs(660)));
        assert!(waits.first() < Some(&Duration::from_secs(6)));
        assert!(waits.last() > Some(&Duration::from_secs(530)));
    }
}
