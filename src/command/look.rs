//! Asking for something to read: `show`, `history`, `help`.
//!
//! ```text
//! LOOK = ("show" | "history") [NUMBER] | "help" [VERB]
//! ```
//!
//! Anything else behind such a verb makes it a sentence: `show me how`, `help me please`.

use super::game;
use super::later;
use super::phrase::Phrase;
use super::{Command, CommandError, Trouble, Verb};

/// Reads what follows a verb; none: a sentence.
pub(super) fn read(verb: Verb, rest: Phrase<'_>) -> Option<Result<Command, CommandError>> {
    match verb {
        Verb::Show => numbered(rest).map(Command::Show).map(Ok),
        Verb::History => numbered(rest).map(Command::History).map(Ok),
        Verb::Help if rest.is_empty() => Some(Ok(Command::Help(None))),
        Verb::Help => {
            let topic = rest.only()?;
            match Verb::named(topic.word()?) {
                Some(verb) => Some(Ok(Command::Help(Some(verb)))),
                None => later::is_known(topic.word()?)
                    .then(|| Err(rest.error(topic, |word| Trouble::NotYet { word }))),
            }
        }
        _ => None,
    }
}

fn numbered(rest: Phrase<'_>) -> Option<Option<u32>> {
    if rest.is_empty() {
        return Some(None);
    }
    let (number, end) = game::number(rest)?;
    end.is_empty().then_some(Some(number))
}
