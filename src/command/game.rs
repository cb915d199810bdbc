//! Numbers of games, and the game that a line names.
//!
//! ```text
//! NUMBER = ["game"] ["#"] DIGITS
//! GAME   = DIGITS ":" | "#" DIGITS [":"] | "game" ["#"] DIGITS [":"] | "[dvonn #" DIGITS "]"
//! LINE   = GAME COMMAND | GAME
//! ```
//!
//! `12.` and `12)` are list marks and name no game; `12:30` is a time of day. Refuses to know which
//! games exist.

use super::phrase::Phrase;
use super::token::{Mark, Token};

/// Takes a number from the beginning of a phrase. It has to be one that a game can have.
pub(super) fn number(phrase: Phrase<'_>) -> Option<(u32, Phrase<'_>)> {
    let rest = phrase.after("game").unwrap_or(phrase);
    let rest = rest.after_mark(Mark::Hash).unwrap_or(rest);
    let (word, rest) = rest.split_word()?;
    digits(word).map(|number| (number, rest))
}

/// Takes the game that a line names from its beginning. What follows is empty where the line says
/// nothing else.
pub(super) fn named(phrase: Phrase<'_>) -> Option<(u32, Phrase<'_>)> {
    let (number, rest) = match phrase.after("dvonn") {
        Some(tag) => tagged(tag)?,
        None => number(phrase)?,
    };
    let bare = phrase.tokens.first().is_some_and(is_digits);
    let rest = match rest.tokens {
        [colon, next, ..] if colon.mark() == Some(Mark::Colon) => {
            let time = bare && next.glued && is_digits(next);
            if time || !colon.glued {
                return None;
            }
            rest.with(rest.tokens.get(1..).unwrap_or_default())
        }
        _ if bare => return None,
        [mark, ..] if matches!(mark.mark(), Some(Mark::Comma | Mark::Colon)) => {
            rest.with(rest.tokens.get(1..).unwrap_or_default())
        }
        _ => rest,
    };
    Some((number, rest))
}

/// The tag that stands in the subjects of all letters about a game.
fn tagged(phrase: Phrase<'_>) -> Option<(u32, Phrase<'_>)> {
    let (number, rest) = number(phrase.after_mark(Mark::Hash)?)?;
    let rest = rest.after_mark(Mark::Other)?;
    Some((number, rest))
}

fn is_digits(token: &Token) -> bool {
    token
        .word()
        .is_some_and(|word| word.bytes().all(|b| b.is_ascii_digit()))
}

fn digits(word: &str) -> Option<u32> {
    let plain = word.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| word.parse().ok()).flatten()
}

#[cfg(test)]
#[path = "game_tests.rs"]
mod tests;
