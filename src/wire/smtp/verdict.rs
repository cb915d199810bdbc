//! What a failure means for the mail, the recipient and the server.
//!
//! Knows reply codes (RFC 5321 4.2.3) and enhanced codes (RFC 3463); refuses to know when to try again. Nothing is
//! permanent unless it is proven to be (OUT-04).

use std::time::Duration;

use crate::wire::Sent;
use crate::wire::error::tame;

/// Where in a mail's transaction something happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    /// MAIL FROM.
    Mail,
    /// RCPT TO.
    Rcpt,
    /// DATA.
    Data,
    /// The content, before its final dot.
    Content,
    /// The final dot: the mail is handed over.
    Dot,
}

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    /// The server refused, with a code and words.
    Refusal(u16, String),
    /// No answer for so long.
    Silence(Duration),
    /// The connection broke, or the answer made no sense.
    Broken(String),
}

/// A mail that was not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Failure {
    phase: Phase,
    cause: Cause,
}

impl Failure {
    pub(super) fn new(phase: Phase, cause: Cause) -> Failure {
        Failure { phase, cause }
    }

    pub(super) fn refusal(phase: Phase, code: u16, text: &str) -> Failure {
        Failure::new(phase, Cause::Refusal(code, tame(text)))
    }

    /// On a connection that rested, this is the fault of the rest: nothing of the mail was handed over, and a fresh
    /// connection tells more (B13, B19).
    pub(super) fn stale(&self) -> bool {
        match (self.phase, &self.cause) {
            (Phase::Content | Phase::Dot, _) => false,
            (Phase::Mail, _) | (_, Cause::Silence(_) | Cause::Broken(_)) => true,
            (_, Cause::Refusal(code, _)) => *code == 421,
        }
    }

    /// The server answered and stays on the line.
    pub(super) fn civil(&self) -> bool {
        matches!(self.cause, Cause::Refusal(code, _) if code != 421)
    }

    /// What became of the mail.
    pub(super) fn verdict(self, place: &str) -> Sent {
        let what = match self.phase {
            Phase::Mail => "MAIL",
            Phase::Rcpt => "RCPT",
            Phase::Data => "DATA",
            Phase::Content => "the content",
            Phase::Dot => "the end of the content",
        };
        let text = match self.cause {
            Cause::Refusal(code, text) => return judge(self.phase, code, text),
            Cause::Silence(limit) => {
                format!(
                    "{place}: no answer to {what} within {} s",
                    limit.as_secs_f32()
                )
            }
            Cause::Broken(text) => format!("{place}: the connection was lost at {what} ({text})"),
        };
        if self.phase == Phase::Dot {
            Sent::Uncertain { text }
        } else {
            Sent::Down { text }
        }
    }
}

fn judge(phase: Phase, code: u16, text: String) -> Sent {
    let enhanced = enhanced(&text);
    let full = format!("{code} {text}");
    match (code, enhanced) {
        (530 | 534 | 535 | 538, _) => Sent::Credentials {
            text: format!("{full}; check user and password_file"),
        },
        // Going down, or no room for anybody: it is not about this mail.
        (421, _) => Sent::Down { text: full },
        (400..=499, _) if phase == Phase::Mail => Sent::Down { text: full },
        (400..=499, _) => Sent::Temporary { text: full },
        // Gmail's and others' ways to say "enough for today".
        (_, Some((4, 5) | (5, 0))) => Sent::Limit { text: full },
        (_, Some((7, _)) | None) if speaks_of_limits(&text) && code != 552 => {
            Sent::Limit { text: full }
        }
        (_, Some((3, 4) | (2, 3))) | (552, None) => Sent::TooLarge { text: full },
        // X.1.7 and X.1.8 are about the sender: us.
        (_, Some((1, detail))) if phase != Phase::Mail && !matches!(detail, 7 | 8) => {
            Sent::Refused { code, text: full }
        }
        (_, Some((2, 1))) if phase != Phase::Mail => Sent::Refused { code, text: full },
        // No enhanced code, but said about the recipient.
        (550 | 551 | 553, None) if phase == Phase::Rcpt => Sent::Refused { code, text: full },
        _ => Sent::Doubtful { code, text: full },
    }
}

/// Subject and detail of the enhanced code that begins the text: `5.1.1 unknown` is (1, 1).
fn enhanced(text: &str) -> Option<(u16, u16)> {
    let mut numbers = text.split_whitespace().next()?.split('.');
    let class = numbers.next()?;
    let subject = numbers.next()?.parse().ok()?;
    let detail = numbers.next()?.parse().ok()?;
    (matches!(class, "4" | "5") && numbers.next().is_none()).then_some((subject, detail))
}

/// Whole words, since every server is "separate" and many are "unlimited".
fn speaks_of_limits(text: &str) -> bool {
    const WORDS: [&str; 6] = [
        "limit",
        "limits",
        "limited",
        "rate",
        "ratelimit",
        "throttled",
    ];
    text.split(|c: char| !c.is_ascii_alphabetic())
        .any(|word| WORDS.contains(&word.to_ascii_lowercase().as_str()))
}

#[cfg(test)]
#[path = "verdict_tests.rs"]
mod tests;
