//! Challenges: `challenge` to one player, `open` to all.
//!
//! ```text
//! CHALLENGE = "challenge" WHO OPTION…
//! OPEN      = "open" OPTION…
//! WHO       = QUOTED | WORD… | ADDRESS | [QUOTED | WORD…] "<" ADDRESS ">"
//! OPTION    = ["as"] ("white" | "black" | "random") | "setup" ("place" | "random" | "symmetric")
//! ```
//!
//! An unquoted name ends before the first word of an option. `time` and `unrated` are not known yet.
//! Refuses to know who plays in the club.

use crate::dvonn::{Colour, Setup};

use super::phrase::{Phrase, end_of};
use super::token::Token;
use super::who;
use super::{Command, CommandError, Part, Terms, Trouble, Verb};

const OPTIONS: [&str; 4] = ["white", "black", "random", "setup"];
const SETUPS: [&str; 3] = ["place", "random", "symmetric"];
const LATER: [&str; 3] = ["time", "unrated", "rated"];

/// Whether a folded word begins an option, known or not known yet.
pub(super) fn is_option(word: &str) -> bool {
    OPTIONS.contains(&word) || LATER.contains(&word) || word == "as"
}

/// Whether a folded word was probably meant to begin one: `whit`, `unratd`.
pub(super) fn is_almost_option(word: &str) -> bool {
    word.len() >= 4
        && word.len() <= 9
        && OPTIONS
            .iter()
            .chain(&LATER)
            .any(|option| strsim::osa_distance(word, option) <= 1)
}

/// Reads what follows a verb; none: a sentence.
pub(super) fn read(verb: Verb, rest: Phrase<'_>) -> Option<Result<Command, CommandError>> {
    match verb {
        Verb::Challenge => Some(match who::take(rest)? {
            Ok((who, options)) => terms(options).map(|terms| Command::Challenge { who, terms }),
            Err(error) => Err(error),
        }),
        Verb::Open => {
            // `open your eyes`
            let sentence = rest.split_word().is_none_or(|(word, _)| !is_option(word));
            if sentence && !rest.is_empty() {
                return None;
            }
            Some(terms(rest).map(Command::Open))
        }
        _ => None,
    }
}

/// Reads options to the end of the phrase. Marks between them do not matter (`setup: random`).
fn terms(phrase: Phrase<'_>) -> Result<Terms, CommandError> {
    let mut terms = Terms::default();
    let mut colour_said = false;
    let mut words = phrase.tokens.iter().filter(|token| token.word().is_some());
    while let Some(token) = words.next() {
        match token.word().unwrap_or_default() {
            "as" => {
                let next = words.next().ok_or_else(|| missing(phrase, Part::Colour))?;
                terms.colour = colour(
                    phrase,
                    next,
                    &mut colour_said,
                    &["white", "black", "random"],
                )?;
            }
            "setup" => {
                let next = words.next().ok_or_else(|| missing(phrase, Part::Setup))?;
                let said: Setup = next
                    .word()
                    .and_then(|word| word.parse().ok())
                    .ok_or_else(|| bad_option(phrase, next, &SETUPS))?;
                if terms.setup.replace(said).is_some() {
                    return Err(phrase.error(token, |word| Trouble::Twice { word }));
                }
            }
            word if LATER.contains(&word) => {
                return Err(phrase.error(token, |word| Trouble::NotYet { word }));
            }
            _ => terms.colour = colour(phrase, token, &mut colour_said, &OPTIONS)?,
        }
    }
    Ok(terms)
}

fn colour(
    phrase: Phrase<'_>,
    token: &Token,
    said: &mut bool,
    known: &'static [&'static str],
) -> Result<Option<Colour>, CommandError> {
    let colour = match token.word().unwrap_or_default() {
        "white" => Some(Colour::White),
        "black" => Some(Colour::Black),
        "random" => None,
        _ => return Err(bad_option(phrase, token, known)),
    };
    if std::mem::replace(said, true) {
        return Err(phrase.error(token, |word| Trouble::Twice { word }));
    }
    Ok(colour)
}

fn bad_option(phrase: Phrase<'_>, token: &Token, known: &'static [&'static str]) -> CommandError {
    phrase.error(token, |word| Trouble::BadOption { word, known })
}

pub(super) fn missing(phrase: Phrase<'_>, part: Part) -> CommandError {
    CommandError {
        at: end_of(phrase.line),
        trouble: Trouble::Missing(part),
    }
}

#[cfg(test)]
#[path = "challenge_tests.rs"]
mod tests;
