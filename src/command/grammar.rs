//! One line against the grammars of all families.
//!
//! Knows which family a first word belongs to, and nothing of what may follow it.

use super::phrase::Phrase;
use super::{Command, CommandError, Verb};
use super::{challenge, later, lone, look, offer, play, talk};

/// A line that is a command, or fails as one.
pub(super) struct Parsed {
    /// The command, or what is wrong.
    pub(super) result: Result<Command, CommandError>,
    /// The game, where the command itself names it (`resign 12`).
    pub(super) game: Option<u32>,
}

/// Reads the phrase as one command; none: it is something that people say.
pub(super) fn parse(phrase: Phrase<'_>) -> Option<Parsed> {
    let alone = |result| Parsed { result, game: None };
    if let Some(result) = play::read(phrase) {
        return Some(alone(result));
    }
    if let Some(error) = later::read(phrase) {
        return Some(alone(Err(error)));
    }
    let (word, rest) = phrase.split_word()?;
    let verb = Verb::named(word)?;
    match verb {
        Verb::Challenge | Verb::Open => challenge::read(verb, rest).map(alone),
        Verb::Accept | Verb::Decline | Verb::Withdraw => offer::read(verb, rest).map(alone),
        Verb::Show | Verb::History | Verb::Help => look::read(verb, rest).map(alone),
        Verb::Say => talk::said(phrase).map(Ok).map(alone),
        Verb::Name => talk::named(rest).map(Ok).map(alone),
        Verb::Resign
        | Verb::List
        | Verb::Moves
        | Verb::Players
        | Verb::Rules
        | Verb::Join
        | Verb::Yes
        | Verb::No
        | Verb::Stop => lone::read(verb, rest).map(|(command, game)| Parsed {
            result: Ok(command),
            game,
        }),
        // Spaces and games are read before any verb.
        Verb::Place | Verb::Move | Verb::Game => None,
    }
}
