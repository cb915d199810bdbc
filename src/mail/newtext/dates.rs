//! Dates and times of day inside a line, in no particular language: enough to tell the line over a quote from what a
//! person types (situation a2). It refuses to know which day it is.

use crate::mail::newtext::words::MONTHS;

/// Whether the text, in lower case, holds a date: `30. 11. 2026`, `11/30/26`, `2026-11-30`, or a month beside a number.
pub(super) fn has_date(lower: &str) -> bool {
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
        .collect();
    let mut numbers = lower.split(|c: char| !c.is_ascii_digit());
    let year = numbers.any(|n| n.len() == 4 && (n.starts_with("19") || n.starts_with("20")));
    let day = words.iter().any(|w| {
        let digits = w.trim_end_matches(|c: char| c.is_alphabetic());
        (1..=2).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit())
    });
    let month = words
        .iter()
        .any(|w| MONTHS.iter().any(|m| w.starts_with(m)));
    numeric(lower) || (month && (day || year)) || (year && has_time(lower))
}

/// Three numbers with the same mark between them, `.`, `/` or `-`, blanks allowed after it.
fn numeric(lower: &str) -> bool {
    let (mut run, mut mark, mut digits) = (0, None, 0);
    let mut blank = false;
    for c in lower.chars().chain([' ']) {
        if c.is_ascii_digit() {
            if blank && mark.is_none() {
                (run, digits) = (0, 0);
            }
            if digits == 0 {
                run += 1;
            }
            digits += 1;
            if digits > 4 {
                (run, digits) = (0, 0);
                mark = None;
            }
            blank = false;
            if run == 3 && digits >= 2 {
                return true;
            }
            continue;
        }
        match c {
            '.' | '/' | '-' if digits > 0 => {
                if mark.is_some_and(|m| m != c) {
                    run = 1;
                }
                mark = Some(c);
                digits = 0;
            }
            ' ' if digits == 0 && mark.is_some() => blank = true,
            _ => {
                (run, digits) = (0, 0);
                mark = None;
            }
        }
    }
    false
}

/// Whether the text holds a time of day, `9:14` or `09h14`.
pub(super) fn has_time(lower: &str) -> bool {
    let bytes = lower.as_bytes();
    bytes.windows(4).enumerate().any(|(at, w)| match w {
        [h, b':' | b'h', m1, m2] => {
            h.is_ascii_digit()
                && m1.is_ascii_digit()
                && m2.is_ascii_digit()
                && !bytes.get(at + 4).is_some_and(u8::is_ascii_alphanumeric)
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_many_clients_are_seen() {
        for text in [
            "on mon, nov 30, 2026 at 9:14 am",
            "po 30. 11. 2026 v 9:14",
            "am 30.11.26 um 09:14",
            "11/30/26 9:14 am",
            "2026-11-30 9:14 gmt+01:00",
            "пн, 30 лист. 2026 р.",
            "monday, november 30th, 2026",
            "2026年11月30日 9:14",
        ] {
            assert!(has_date(text), "{text}");
        }
    }

    #[test]
    fn moves_and_talk_are_no_dates() {
        for text in [
            "b3-c3",
            "d4-e4-f4",
            "12: b3-c3",
            "1. b3-c3 2. c3-d3",
            "two of 3 and 4",
            "c3 d4 e5",
            "1.5",
        ] {
            assert!(!has_date(text), "{text}");
        }
        assert!(
            has_time("09:14:05")
                && has_time("a 9:14.")
                && !has_time("12: b3")
                && !has_time("1:2:3")
        );
    }
}
