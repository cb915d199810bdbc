//! Spans of time and sizes as people write them: `7d`, `24h`, `5MiB`.
//!
//! Knows the units. Refuses to know which key a value belongs to.

use std::time::Duration;

/// Reads a span of time: a whole number and `s`, `m`, `h` or `d`. `None` when it is written otherwise or too large.
pub(super) fn duration(text: &str) -> Option<Duration> {
    let (number, unit) = number_and_unit(text)?;
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 60 * 60,
        "d" => 24 * 60 * 60,
        _ => return None,
    };
    Some(Duration::from_secs(number.checked_mul(seconds)?))
}

/// Reads a size in bytes: a whole number and `KiB`, `MiB` (powers of 1,024) or `kB`, `MB` (powers of 1,000). `None`
/// when it is written otherwise or too large.
pub(super) fn size(text: &str) -> Option<u64> {
    let (number, unit) = number_and_unit(text)?;
    let bytes = match unit {
        "kB" => 1_000,
        "KiB" => 1_024,
        "MB" => 1_000_000,
        "MiB" => 1_048_576,
        _ => return None,
    };
    number.checked_mul(bytes)
}

/// Whether the text is a time control: `none`, a span of time, or a bank with an increment such as `30d+1d`.
pub(super) fn is_time_control(text: &str) -> bool {
    text == "none"
        || match text.split_once('+') {
            Some((bank, increment)) => duration(bank).is_some() && duration(increment).is_some(),
            None => duration(text).is_some(),
        }
}

fn number_and_unit(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit())?;
    let (number, unit) = text.split_at_checked(end)?;
    Some((number.parse().ok()?, unit.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_of_time_have_one_unit() {
        assert_eq!(duration("7d"), Some(Duration::from_secs(604_800)));
        assert_eq!(duration("24h"), duration("1d"));
        assert_eq!(duration("90m"), Some(Duration::from_secs(5_400)));
        for wrong in [
            "",
            "7",
            "d",
            "7 weeks",
            "-7d",
            "1.5h",
            "99999999999999999999d",
            "18446744073709551615d",
        ] {
            assert_eq!(duration(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn sizes_tell_thousands_from_powers_of_two() {
        assert_eq!(size("5MiB"), Some(5_242_880));
        assert_eq!(size("5 MB"), Some(5_000_000));
        assert_eq!(size("256KiB"), Some(262_144));
        for wrong in ["", "5", "5mib", "5 GB", "MiB", "-1MiB"] {
            assert_eq!(size(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn time_controls_are_none_a_span_or_a_bank() {
        for right in ["none", "7d", "30d+1d"] {
            assert!(is_time_control(right), "{right}");
        }
        for wrong in ["", "never", "30d+", "+1d", "30d+1d+1d"] {
            assert!(!is_time_control(wrong), "{wrong}");
        }
    }
}
