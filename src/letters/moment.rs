//! Days and times of day as a reader says them; names of days and months come from the catalog.

use chrono::{DateTime, Datelike, Offset, Timelike};
use chrono_tz::Tz;

use super::wording::Wording;

/// "Thursday 10 December, 18:30 (UTC+1)".
pub(super) fn time(wording: &Wording, at: DateTime<Tz>) -> String {
    let clock = format!("{:02}:{:02}", at.hour(), at.minute());
    let offset = offset(at.offset().fix().local_minus_utc());
    wording.say(
        "time-full",
        &[
            ("day", day(wording, at).into()),
            ("clock", clock.into()),
            ("offset", offset.into()),
        ],
    )
}

/// "Thursday 10 December".
pub(super) fn day(wording: &Wording, at: DateTime<Tz>) -> String {
    let facts = [
        ("weekday", at.weekday().number_from_monday().into()),
        ("day", at.day().into()),
        ("month", month(wording, at).into()),
    ];
    wording.say("time-day", &facts)
}

/// "10 December 2026".
pub(super) fn date(wording: &Wording, at: DateTime<Tz>) -> String {
    // As text: a number would invite a catalog to group its digits.
    let facts = [
        ("day", at.day().into()),
        ("month", month(wording, at).into()),
        ("year", at.year().to_string().into()),
    ];
    wording.say("time-date", &facts)
}

fn month(wording: &Wording, at: DateTime<Tz>) -> String {
    wording.say("time-month", &[("month", at.month().into())])
}

/// The offset from UTC in hours, and minutes where there are any.
fn offset(seconds: i32) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let minutes = seconds.unsigned_abs() / 60;
    match (minutes / 60, minutes % 60) {
        (0, 0) => "UTC".to_owned(),
        (hours, 0) => format!("UTC{sign}{hours}"),
        (hours, minutes) => format!("UTC{sign}{hours}:{minutes:02}"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn at(zone: &str) -> DateTime<Tz> {
        let at: DateTime<chrono::Utc> = "2026-12-10T17:30:00Z".parse().unwrap();
        at.with_timezone(&zone.parse().unwrap())
    }

    #[test]
    fn a_time_is_told_in_the_readers_zone_with_its_offset() {
        let english = Wording::new("en");
        assert_eq!(
            time(&english, at("Europe/Prague")),
            "Thursday 10 December, 18:30 (UTC+1)"
        );
        assert_eq!(
            time(&english, at("Asia/Kolkata")),
            "Thursday 10 December, 23:00 (UTC+5:30)"
        );
        assert_eq!(
            time(&english, at("America/St_Johns")),
            "Thursday 10 December, 14:00 (UTC-3:30)"
        );
        assert_eq!(
            time(&english, at("Pacific/Auckland")),
            "Friday 11 December, 06:30 (UTC+13)"
        );
        assert_eq!(
            time(&english, at("UTC")),
            "Thursday 10 December, 17:30 (UTC)"
        );
        assert_eq!(date(&english, at("UTC")), "10 December 2026");
    }
}
