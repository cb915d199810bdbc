//! The command language: one command a line, in the part of a mail that its writer typed.
//!
//! Knows words, spaces and their spellings. Refuses to know who sends, which games exist, and mail
//! headers. The way of a line: `line` and `glyph` (characters) → `token` → `phrase` (what is
//! around it is taken off) → `game` (`12:`) → `grammar` → one file per family of verbs, with its
//! grammar in the file's head. What fits no grammar is chat, in which `mention` looks for what may
//! have been meant.
//! Quoted lines, struck-out text, questions and the last words of a wrapped paragraph order nothing.
//!
//! Three answers to a line:
//! - it fits a grammar: a [`Command`];
//! - its first words fit and a later one does not: a [`CommandError`], with the columns;
//! - it does not begin to fit (`no way`, `show me how`, `I feared b3-c3`): chat, never carried out.

mod challenge;
mod error;
mod game;
mod glyph;
mod grammar;
mod later;
mod line;
mod lone;
mod look;
mod meaning;
mod mention;
mod name;
mod offer;
mod phrase;
mod play;
mod reader;
mod reading;
mod space;
mod talk;
mod token;
mod verb;
mod who;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod testing;

pub use error::{CommandError, Part, Trouble};
pub use meaning::{Command, Terms, Who};
pub use reader::read;
pub use reading::{Heard, MOST_MENTIONS, MOST_READINGS, Mention, Reading};
pub use verb::Verb;

/// A line longer than this many characters is chat, unless it begins with `say`.
pub const LONGEST_LINE: usize = 300;
