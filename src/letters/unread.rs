//! Lines that begin like a command and cannot be read to their end: the place, and what may stand there.

use super::voice::Voice;
use super::{clean, layout};
use crate::command::{CommandError, Part, Trouble};

/// The line as a quote, with carets below it where it fits into the width.
pub(super) fn pointed(line: &str, error: &CommandError) -> String {
    // Cleaning folds blanks: then the columns are no longer those of the error, and the sentence must do.
    let quoted = format!("> {}", clean::line(line));
    if clean::line(line) == line
        && layout::columns(&quoted) < layout::WIDTH
        && line.chars().count() == layout::columns(line)
    {
        format!("{quoted}\n  {}", error.carets())
    } else {
        quoted
    }
}

/// What is wrong there, and what would be right.
pub(super) fn sentences(voice: &Voice<'_>, error: &CommandError) -> Vec<String> {
    let word = |word: &str| [("word", clean::line(word).into())];
    vec![match &error.trouble {
        Trouble::NotASpace { word: it } => voice.say("unread-not-a-space", &word(it)),
        Trouble::SeveralSpaces => voice.word("unread-several-spaces"),
        Trouble::Missing(part) => voice.word(match part {
            Part::Target => "unread-missing-target",
            Part::Who => "unread-missing-who",
            Part::Colour => "unread-missing-colour",
            Part::Setup => "unread-missing-setup",
        }),
        Trouble::BadOption { word, known } => {
            let facts = [
                ("word", clean::line(word).into()),
                ("known", voice.list(known.iter()).into()),
            ];
            voice.say("unread-bad-option", &facts)
        }
        Trouble::Twice { word: it } => voice.say("unread-twice", &word(it)),
        Trouble::NotANumber { word: it } => voice.say("unread-not-a-number", &word(it)),
        Trouble::NotAnAddress { word: it } => voice.say("unread-not-an-address", &word(it)),
        Trouble::NotYet { word: it } => voice.say("unread-not-yet", &word(it)),
        Trouble::NoPass => voice.word("unread-no-pass"),
    }]
}
