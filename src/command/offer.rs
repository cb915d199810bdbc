//! Answers to offers: `accept`, `decline`, `withdraw`.
//!
//! ```text
//! OFFER = ("accept" | "decline" | "withdraw") [["challenge"] NUMBER]
//! ```
//!
//! One other word is a mistake in the number; more words are a sentence (`accept my apologies`).

use super::game;
use super::phrase::Phrase;
use super::{Command, CommandError, Trouble, Verb};

/// Reads what follows a verb; none: a sentence.
pub(super) fn read(verb: Verb, rest: Phrase<'_>) -> Option<Result<Command, CommandError>> {
    let command = match verb {
        Verb::Accept => Command::Accept,
        Verb::Decline => Command::Decline,
        Verb::Withdraw => Command::Withdraw,
        _ => return None,
    };
    if rest.is_empty() {
        return Some(Ok(command(None)));
    }
    let numbered = rest.after("challenge").unwrap_or(rest);
    if let Some((number, end)) = game::number(numbered) {
        return match end.split_word() {
            _ if end.is_empty() => Some(Ok(command(Some(number)))),
            // `accept 12 13`: one command a line.
            Some((_, more)) if more.is_empty() => not_a_number(end),
            _ => None,
        };
    }
    not_a_number(rest)
}

fn not_a_number(phrase: Phrase<'_>) -> Option<Result<Command, CommandError>> {
    let only = phrase.only().filter(|token| token.word().is_some())?;
    Some(Err(phrase.error(only, |word| Trouble::NotANumber { word })))
}
