//! What a player says: `say` and `name`.
//!
//! ```text
//! SAY  = "say" [":"] TEXT
//! NAME = "name" ( QUOTED | WORD | WORD WORD … )
//! ```
//!
//! A name of several words that is not quoted needs a capital letter or a digit at the beginning of
//! each: `name your poison` is a sentence. `name:` begins a line of a form, not a command.

use super::name;
use super::phrase::Phrase;
use super::token::Mark;
use super::{Command, Verb};

/// The text behind `say`; none: there is none. Of the text nothing is taken off, but what was opened
/// before the verb is closed: `**say hello**`.
pub(super) fn said(phrase: Phrase<'_>) -> Option<Command> {
    let (verb, rest) = phrase.tokens.split_first()?;
    if !verb.is(Verb::Say.word()) {
        return None;
    }
    let start = match rest.first() {
        Some(colon) if colon.glued && colon.mark() == Some(Mark::Colon) => colon.at.end,
        _ => verb.at.end,
    };
    let mut text = phrase.line.raw_from(start);
    for opened in phrase.line.slice(0..verb.at.start).chars().rev() {
        let closing = match opened {
            '*' | '_' | '`' | '"' => opened,
            '“' => '”',
            _ => break,
        };
        text = text.strip_suffix(closing).unwrap_or(text);
    }
    let text = text.trim();
    (!text.is_empty()).then(|| Command::Say(text.to_owned()))
}

/// The new name behind `name`; none: a sentence.
pub(super) fn named(rest: Phrase<'_>) -> Option<Command> {
    let (new, end) = match name::quotation(rest.line, rest.start()) {
        Some(quoted) => quoted,
        None => (name::unquoted(rest)?, rest.line.width()),
    };
    // Nothing but marks may follow.
    let done = rest
        .tokens
        .iter()
        .all(|token| token.at.start < end || token.word().is_none());
    done.then_some(Command::Name(new))
}

#[cfg(test)]
#[path = "talk_tests.rs"]
mod tests;
