//! Commands of the language that this club does not know yet.
//!
//! A player who reads of them elsewhere would try them, so a line that has the shape of one is told
//! apart from chat and refused by name. Knows only as much of each shape as that takes:
//!
//! ```text
//! LATER = "if" PLAYS | "try" PLAYS | "show" [NUMBER] "at" NUMBER | "forget" "me"
//!       | "draw" | "undo" | "rematch" | "standings" | "results" | "export" | "pause" [NUMBER]
//!       | ("language" | "timezone" | "auto" | "block" | "mute" | "enter") WORD
//!       | "mail" ("all" | "turn" | "digest" …) | "vacation" DATES | "address" ADDRESS
//! ```

use super::game;
use super::phrase::Phrase;
use super::play;
use super::{CommandError, Trouble};

/// The words that such commands begin with.
const WORDS: [&str; 19] = [
    "if",
    "try",
    "draw",
    "undo",
    "rematch",
    "address",
    "language",
    "timezone",
    "mail",
    "auto",
    "vacation",
    "pause",
    "block",
    "mute",
    "standings",
    "results",
    "enter",
    "export",
    "forget",
];

/// Whether a word begins a command of a later day.
pub(super) fn is_known(word: &str) -> bool {
    WORDS.contains(&word)
}

/// Refuses a line that is such a command; none: it is not.
pub(super) fn read(phrase: Phrase<'_>) -> Option<CommandError> {
    let (word, rest) = phrase.split_word()?;
    let shaped = match word {
        "if" | "try" => play::only_plays(rest),
        "draw" | "undo" | "rematch" | "standings" | "results" | "export" => rest.is_empty(),
        "pause" => rest.is_empty() || game::number(rest).is_some_and(|(_, end)| end.is_empty()),
        "forget" => rest.only().is_some_and(|token| token.is("me")),
        "mail" => mail_setting(rest),
        "vacation" => rest
            .split_word()
            .is_some_and(|(first, _)| first.starts_with(|c: char| c.is_ascii_digit())),
        "address" | "block" | "mute" if is_one_address(rest) => true,
        "timezone" => is_one_zone(rest),
        "language" | "auto" | "block" | "mute" | "enter" => {
            rest.only().is_some_and(|token| token.word().is_some())
        }
        "show" => return shown_at(rest),
        _ => false,
    };
    let first = phrase.tokens.first()?;
    shaped.then(|| phrase.error(first, |word| Trouble::NotYet { word }))
}

fn mail_setting(rest: Phrase<'_>) -> bool {
    match rest.split_word() {
        Some(("all" | "turn" | "digest", end)) if end.is_empty() => true,
        Some(("digest", time)) => time
            .split_word()
            .is_some_and(|(hour, _)| hour.starts_with(|c: char| c.is_ascii_digit())),
        _ => false,
    }
}

fn is_one_address(rest: Phrase<'_>) -> bool {
    let columns = rest.columns();
    let written = rest.line.slice(columns);
    written.contains('@') && !written.contains(' ')
}

/// `Europe/Prague`, `UTC+1`, `America/New_York`.
fn is_one_zone(rest: Phrase<'_>) -> bool {
    !rest.is_empty() && rest.tokens.iter().skip(1).all(|token| token.glued)
}

/// `show 12 at 30`: the board of an earlier ply.
fn shown_at(rest: Phrase<'_>) -> Option<CommandError> {
    let rest = game::number(rest).map_or(rest, |(_, rest)| rest);
    let at = rest.tokens.first()?;
    let (_, end) = game::number(rest.after("at")?)?;
    end.is_empty()
        .then(|| rest.error(at, |word| Trouble::NotYet { word }))
}

#[cfg(test)]
#[path = "later_tests.rs"]
mod tests;
