//! What a line of chat may have been meant to say.
//!
//! Knows moves inside sentences, verbs before words that do not fit, mistyped verbs. Nothing found
//! here is ever carried out: it becomes a question (MAIL-07).

use std::collections::BTreeSet;

use crate::dvonn::{Cell, Move};

use super::grammar;
use super::name;
use super::phrase::Phrase;
use super::play;
use super::space::{Spot, spots};
use super::token::{Kind, Token};
use super::who::ACCEPTED;
use super::{Command, Verb};

/// What a line mentions.
pub(super) enum Mentioned {
    /// Moves or spaces.
    Play(Option<String>),
    /// A verb, perhaps mistyped.
    Verb(Option<String>),
}

/// A line of more words than this that begins with a verb is a sentence for certain.
const MOST_WORDS: usize = 4;

/// What the phrase mentions; none: it is chat and nothing else.
pub(super) fn find(phrase: Phrase<'_>) -> Option<Mentioned> {
    plays(phrase)
        .map(Mentioned::Play)
        .or_else(|| verb(phrase).map(Mentioned::Verb))
}

/// The only move of the phrase, or its only space; none inside: there are several.
fn plays(phrase: Phrase<'_>) -> Option<Option<String>> {
    let mut jumps = BTreeSet::new();
    let mut places = BTreeSet::new();
    let mut before: Option<Cell> = None;
    for token in phrase.tokens {
        let here: Vec<Cell> = spots(&guessed(&phrase.written(token)))
            .into_iter()
            .filter_map(|spot| match spot {
                Spot::On(cell) => Some(cell),
                Spot::Near | Spot::Far => None,
            })
            .collect();
        match (here.as_slice(), before) {
            ([from, to], _) => {
                jumps.insert((*from, *to));
                before = None;
            }
            ([to], Some(from)) => {
                jumps.insert((from, *to));
                before = None;
            }
            ([cell], None) => {
                places.insert(*cell);
                before = Some(*cell);
            }
            _ if play::is_link(phrase, token) => {}
            _ => before = None,
        }
    }
    let one = |mut all: Vec<Move>| match (all.pop(), all.is_empty()) {
        (Some(only), true) => Some(only.to_string()),
        _ => None,
    };
    if !jumps.is_empty() {
        let jumps = jumps.into_iter().map(|(from, to)| Move::Jump { from, to });
        return Some(one(jumps.collect()));
    }
    if !places.is_empty() {
        return Some(one(places.into_iter().map(Move::Place).collect()));
    }
    None
}

/// Small letters that a reader, but no typesetter, could take for Latin ones.
fn guessed(written: &str) -> String {
    written
        .chars()
        .map(|c| match c {
            'в' => 'b',
            'н' => 'h',
            c => c,
        })
        .collect()
}

/// The command that the phrase may have been meant to be, by its first word.
fn verb(phrase: Phrase<'_>) -> Option<Option<String>> {
    let (word, rest) = phrase.split_word()?;
    let words = rest.tokens.iter().filter(|token| token.word().is_some());
    let few = words.take(MOST_WORDS).count() < MOST_WORDS;
    if let Some(verb) = Verb::named(word) {
        return few.then(|| suggestion(verb, rest));
    }
    let verb = Verb::nearest(word)?;
    let mended: Vec<Token> = phrase
        .tokens
        .iter()
        .enumerate()
        .map(|(at, token)| match at {
            0 => Token {
                kind: Kind::Word(verb.word().to_owned()),
                ..token.clone()
            },
            _ => token.clone(),
        })
        .collect();
    match grammar::parse(phrase.with(&mended)) {
        Some(parsed) => Some(parsed.result.ok().map(|command| command.to_string())),
        None => rest.is_empty().then_some(None),
    }
}

/// How a verb is written when it stands alone, where it can.
fn suggestion(verb: Verb, rest: Phrase<'_>) -> Option<String> {
    match verb {
        Verb::Name => {
            let first = rest.tokens.iter().find(|token| token.word().is_some())?;
            let written = rest.line.slice(first.at.start..rest.columns().end);
            Some(Command::Name(name::cleaned(&written)?).to_string())
        }
        Verb::Challenge if rest.only().is_some_and(|token| token.is(ACCEPTED)) => {
            Some(Verb::Accept.to_string())
        }
        Verb::Place | Verb::Move | Verb::Challenge | Verb::Say | Verb::Game => None,
        _ => Some(verb.to_string()),
    }
}

#[cfg(test)]
#[path = "mention_tests.rs"]
mod tests;
