//! What a failure to deliver proves (RFC 3463, RFC 5321 4.2), and the score of an address that letters come back from.
//! It knows codes, words and days; it refuses to know letters, players and who is told.

use chrono::{DateTime, Utc};

/// The score, in half points, from which on an address counts as unreachable (OUT-07, as Mailman's five).
pub const TOO_MUCH: u32 = 10;

/// Days without a failure after which the score begins anew.
const STALE_DAYS: i64 = 7;

/// Seconds of a day.
const DAY: i64 = 24 * 60 * 60;

/// How much a failure says about the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Nothing: the mail itself, its sender or its size was refused.
    Nothing,
    /// Something passing: a full mailbox, a server that did not answer for days.
    Soft,
    /// Refused for good, without proof that there is nobody.
    Hard,
    /// There is no such mailbox, or it takes no mail.
    Gone,
}

impl Weight {
    fn halves(self) -> u32 {
        match self {
            Weight::Nothing => 0,
            Weight::Soft => 1,
            Weight::Hard | Weight::Gone => 2,
        }
    }
}

/// Weighs a failure. `said`: what the server said, as `550 5.1.1 no such user`, behind a type as in Diagnostic-Code
/// perhaps. `status`: the Status field of a report, which says more unless it is `5.0.0`.
#[must_use]
pub fn weigh(said: &str, status: Option<&str>) -> Weight {
    let words: Vec<&str> = said
        .split(|c: char| c.is_whitespace() || matches!(c, ';' | '(' | ')' | ':' | ',' | '-' | '#'))
        .collect();
    let code = words.iter().find_map(|word| reply_code(word));
    let told = words.iter().find_map(|word| enhanced(word));
    let told = match status.and_then(enhanced) {
        Some((class, 0, 0)) => told.or(Some((class, 0, 0))),
        None => told,
        status => status,
    };
    let class = told.map_or(code.map_or(5, |code| code / 100), |told| told.0);
    let said = said.to_ascii_lowercase();
    let speaks_of = |words: &[&str]| words.iter().any(|word| said.contains(word));
    match told.map(|(_, subject, detail)| (subject, detail)) {
        // Of the sender, the content, policy, or the size.
        Some((1, 7 | 8) | (6 | 7, _) | (2, 3) | (3, 4)) => Weight::Nothing,
        Some((2, 2)) => Weight::Soft,
        _ if class == 4 => Weight::Soft,
        Some((1, 1 | 2 | 3 | 6 | 10) | (2, 1)) => Weight::Gone,
        _ if speaks_of(&MISTRUST) => Weight::Nothing,
        None | Some((0, 0)) if speaks_of(&NOBODY) => Weight::Gone,
        // "Transaction failed", and no word why.
        None | Some((0, 0)) if code == Some(554) => Weight::Nothing,
        _ => Weight::Hard,
    }
}

/// Words for somebody who does not exist, from servers that give no better code.
const NOBODY: [&str; 13] = [
    "unknown user",
    "user unknown",
    "no such user",
    "no such recipient",
    "no such mailbox",
    "no mailbox here",
    "unknown recipient",
    "recipient unknown",
    "unknown address",
    "user not found",
    "mailbox not found",
    "does not exist",
    "doesn't exist",
];

/// Words for mail that is not trusted, whoever it is for.
const MISTRUST: [&str; 12] = [
    "spam",
    "unsolicited",
    "blacklist",
    "blocklist",
    "block list",
    "blocked",
    "reputation",
    "policy",
    "spf",
    "dkim",
    "dmarc",
    "virus",
];

fn reply_code(word: &str) -> Option<u16> {
    let is_code = word.len() == 3 && word.bytes().all(|b| b.is_ascii_digit());
    word.parse()
        .ok()
        .filter(|code| is_code && (400..600).contains(code))
}

/// Class, subject and detail of `5.1.1`.
fn enhanced(word: &str) -> Option<(u16, u16, u16)> {
    let mut numbers = word.trim().split('.').map(str::parse);
    let status = (
        numbers.next()?.ok()?,
        numbers.next()?.ok()?,
        numbers.next()?.ok()?,
    );
    (matches!(status.0, 4 | 5) && numbers.next().is_none()).then_some(status)
}

/// What is counted of an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Half points in all.
    pub halves: u32,
    /// The last day that counted, in days since 1970.
    pub day: i64,
    /// Half points of that day.
    pub today: u32,
}

impl Score {
    /// Whether anything came back of late.
    #[must_use]
    pub fn is_fresh(self, now: DateTime<Utc>) -> bool {
        self.halves > 0 && now.timestamp().div_euclid(DAY) - self.day <= STALE_DAYS
    }

    /// The score after one more failure: one increment a day, the worst of the day.
    #[must_use]
    pub fn after(self, weight: Weight, now: DateTime<Utc>) -> Score {
        let day = now.timestamp().div_euclid(DAY);
        let more = weight.halves();
        if more == 0 {
            return self;
        }
        if self.day == day {
            let today = self.today.max(more);
            return Score {
                halves: self.halves + today - self.today,
                day,
                today,
            };
        }
        let before = if day - self.day > STALE_DAYS {
            0
        } else {
            self.halves
        };
        Score {
            halves: before + more,
            day,
            today: more,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_servers_and_reports_say_is_weighed() {
        for (said, status, weight) in [
            // By SMTP.
            (
                "550 5.1.1 The email account that you tried to reach does not exist.",
                None,
                Weight::Gone,
            ),
            (
                "550 5.1.2 Host or domain name not found",
                None,
                Weight::Gone,
            ),
            (
                "550 5.1.10 RESOLVER.ADR.RecipientNotFound",
                None,
                Weight::Gone,
            ),
            (
                "550 5.2.1 The email account that you tried to reach is disabled.",
                None,
                Weight::Gone,
            ),
            ("550-5.1.1 The email account", None, Weight::Gone),
            ("550 No such user here", None, Weight::Gone),
            ("550 Mailbox unavailable", None, Weight::Hard),
            ("550 5.1.0 Address rejected.", None, Weight::Hard),
            (
                "550 5.4.1 Recipient address rejected: Access denied.",
                None,
                Weight::Hard,
            ),
            (
                "552 5.2.2 The recipient's inbox is out of storage space.",
                None,
                Weight::Soft,
            ),
            (
                "452 4.2.2 The recipient's inbox is out of storage space.",
                None,
                Weight::Soft,
            ),
            ("450 4.2.0 Greylisted", None, Weight::Soft),
            ("451 come back later", None, Weight::Soft),
            (
                "550 5.7.1 Our system has detected that this message is likely unsolicited mail.",
                None,
                Weight::Nothing,
            ),
            (
                "550 5.7.26 This mail has been blocked because the sender is unauthenticated.",
                None,
                Weight::Nothing,
            ),
            ("550 5.7.1 Relay access denied", None, Weight::Nothing),
            ("554 Transaction failed", None, Weight::Nothing),
            (
                "550 Rejected: listed at a spam blocklist",
                None,
                Weight::Nothing,
            ),
            (
                "550 5.1.8 Bad sender's system address",
                None,
                Weight::Nothing,
            ),
            (
                "552 5.2.3 Your message exceeded Google's message size limits.",
                None,
                Weight::Nothing,
            ),
            (
                "552 5.3.4 Message size exceeds fixed limit",
                None,
                Weight::Nothing,
            ),
            (
                "554 5.6.0 Message contains invalid header",
                None,
                Weight::Nothing,
            ),
            // By report.
            ("smtp; 550 5.1.1 User unknown", Some("5.1.1"), Weight::Gone),
            ("smtp; 550 No such user", Some("5.0.0"), Weight::Gone),
            ("smtp; 550-5.2.1 disabled", Some("5.0.0"), Weight::Gone),
            (
                "X-Postfix; Host or domain name not found. Name service error",
                Some("5.4.4"),
                Weight::Hard,
            ),
            ("smtp; 550 5.7.1 spam", Some("5.7.1"), Weight::Nothing),
            ("", Some("5.1.1"), Weight::Gone),
            ("", Some("4.4.7"), Weight::Soft),
            ("", Some("4.4.1"), Weight::Soft),
            ("", Some("5.2.2"), Weight::Soft),
            ("", Some("5.7.26"), Weight::Nothing),
            ("", Some("5.0.0"), Weight::Hard),
            ("", None, Weight::Hard),
        ] {
            assert_eq!(weigh(said, status), weight, "{said} {status:?}");
        }
    }

    fn day(day: i64) -> DateTime<Utc> {
        DateTime::from_timestamp((20_000 + day) * DAY + 3600, 0).unwrap_or_default()
    }

    #[test]
    fn one_increment_a_day_and_the_worst_of_the_day_counts() {
        let score = Score::default().after(Weight::Soft, day(0));
        assert_eq!(score.halves, 1);
        let score = score
            .after(Weight::Soft, day(0))
            .after(Weight::Hard, day(0));
        assert_eq!(score.halves, 2);
        let score = score
            .after(Weight::Soft, day(0))
            .after(Weight::Soft, day(1));
        assert_eq!(score.halves, 3);
        assert_eq!(score.after(Weight::Nothing, day(2)), score);
    }

    #[test]
    fn five_hard_days_are_too_much_and_a_quiet_week_begins_anew() {
        let hard = |days: &[i64]| {
            days.iter()
                .fold(Score::default(), |score, at| {
                    score.after(Weight::Hard, day(*at))
                })
                .halves
        };
        assert!(hard(&[0, 1, 2, 3]) < TOO_MUCH);
        assert!(hard(&[0, 1, 2, 3, 4]) >= TOO_MUCH);
        assert!(hard(&[0, 7, 14, 21, 28]) >= TOO_MUCH);
        assert_eq!(hard(&[0, 1, 2, 3, 11]), 2);
    }
}
