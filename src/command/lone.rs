//! Verbs that stand alone: `list`, `players`, `rules`, `join`, `yes`, `no`, `stop`, and `moves` and
//! `resign`, which may name a game.
//!
//! ```text
//! LONE = VERB | ("moves" | "resign") NUMBER
//! ```
//!
//! With any other word behind it such a verb begins a sentence: `no way`, `yes I think so`.

use super::game;
use super::phrase::Phrase;
use super::{Command, Verb};

/// Reads what follows a verb; none: a sentence. The number is the game's.
pub(super) fn read(verb: Verb, rest: Phrase<'_>) -> Option<(Command, Option<u32>)> {
    let command = match verb {
        Verb::Resign => Command::Resign,
        Verb::List => Command::List,
        Verb::Moves => Command::Moves,
        Verb::Players => Command::Players,
        Verb::Rules => Command::Rules,
        Verb::Join => Command::Join,
        Verb::Yes => Command::Yes,
        Verb::No => Command::No,
        Verb::Stop => Command::Stop,
        _ => return None,
    };
    if rest.is_empty() {
        return Some((command, None));
    }
    match (verb, game::number(rest)?) {
        (Verb::Resign | Verb::Moves, (number, end)) if end.is_empty() => {
            Some((command, Some(number)))
        }
        _ => None,
    }
}
