//! The command language: one command a line, in the part of a mail that its writer typed.
//!
//! Knows words, spaces and their spellings. Refuses to know who sends, which games exist, and mail
//! headers.

mod error;
mod meaning;
mod name;
mod reading;
mod verb;

pub use error::{CommandError, Part, Trouble};
pub use meaning::{Command, Terms, Who};
pub use reading::{Heard, MOST_MENTIONS, MOST_READINGS, Mention, Reading};
pub use verb::Verb;

/// A line longer than this many characters is chat, unless it begins with `say`.
pub const LONGEST_LINE: usize = 300;

/// Reads a text line by line.
pub fn read(text: &str) -> Heard {
    Heard {
        chat: text.trim().to_owned(),
        ..Heard::default()
    }
}
