//! What [`super::read`] gives back.
//!
//! Knows lines, not mails; nothing here says what is to be done with them.

use std::ops::Range;

use super::{Command, CommandError};

/// At most this many readings are made of one text.
pub const MOST_READINGS: usize = 50;

/// At most this many mentions are kept of one text.
pub const MOST_MENTIONS: usize = 10;

/// Everything that was found in a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Heard {
    /// The lines that are commands, in their order; no more than [`MOST_READINGS`].
    pub readings: Vec<Reading>,
    /// How many further lines are commands. Nothing is known of them and they are not in `chat`:
    /// the answer has to say that they were not read.
    pub beyond: usize,
    /// The other lines, in their order: what was said to a person. Quoted lines are left out.
    pub chat: String,
    /// Chat lines that may have been meant as commands, those with moves first; no more than
    /// [`MOST_MENTIONS`], and only of the first few hundred lines. Of use only when there is no
    /// reading at all.
    pub mentions: Vec<Mention>,
}

/// A line that is a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// Where the line stands in the text, without the blanks around it: bytes, on character boundaries.
    pub span: Range<usize>,
    /// The line as its writer saw it: invisible characters left out, every blank a plain one, cut
    /// after [`super::LONGEST_LINE`] characters.
    pub line: String,
    /// The game that the line names (`12: b3-c3`), or that a line `game 12` above it named.
    pub game: Option<u32>,
    /// What the line asks for, or what is wrong with it.
    pub result: Result<Command, CommandError>,
}

/// A chat line that mentions a move, begins like a command, or is a mistyped one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The line, as [`Reading::line`].
    pub line: String,
    /// What to write if it was meant as a command; none: it is not clear.
    pub suggestion: Option<String>,
}
