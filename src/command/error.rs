//! What was wrong with a line that is a command all the same.
//!
//! Knows the facts and the place in the line. Refuses to know any prose: the letters tell it, in the
//! reader's language.

use std::ops::Range;

use thiserror::Error;

/// A line that is a command by its first word or its shape, but cannot be read to its end.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{trouble} (columns {} to {})", at.start, at.end)]
pub struct CommandError {
    /// Where in [`super::Reading::line`]: columns counted in characters from 0, never empty, the end
    /// at most one past the line's last character (something is missing there).
    pub at: Range<usize>,
    /// What is wrong there.
    pub trouble: Trouble,
}

impl CommandError {
    /// The line of carets to be written below [`super::Reading::line`] in a monospaced font, for
    /// example four blanks and `^^`.
    pub fn carets(&self) -> String {
        let width = self.at.end.saturating_sub(self.at.start).max(1);
        format!("{}{}", " ".repeat(self.at.start), "^".repeat(width))
    }
}

/// The kinds of trouble in a command. Words stand in them as they were written.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Trouble {
    /// A word that stands for a space, but the board has none of that name.
    #[error("the board has no space {word}")]
    NotASpace {
        /// The word.
        word: String,
    },
    /// More spaces on one line than one placement or one move needs. (Wish lists are not known yet.)
    #[error("more spaces than one move needs")]
    SeveralSpaces,
    /// The line ends, or goes on with something else, where this is needed.
    #[error("{0:?} is missing")]
    Missing(Part),
    /// A word that is none of those that may stand here.
    #[error("{word} is none of {known:?}")]
    BadOption {
        /// The word.
        word: String,
        /// What may stand here.
        known: &'static [&'static str],
    },
    /// An option of a kind that was given before.
    #[error("{word} is said a second time")]
    Twice {
        /// The second one.
        word: String,
    },
    /// A word where only the number of a game or a challenge may stand.
    #[error("{word} is no number of a game or challenge")]
    NotANumber {
        /// The word.
        word: String,
    },
    /// A word with an `@` that is no mail address.
    #[error("{word} is no mail address")]
    NotAnAddress {
        /// The word.
        word: String,
    },
    /// A command or option of the language that this club does not know yet.
    #[error("{word} is not known yet")]
    NotYet {
        /// The word.
        word: String,
    },
    /// `pass`: the server plays forced passes itself, and nobody passes by choice (RULE-08).
    #[error("nobody passes by choice")]
    NoPass,
}

/// What a line can lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The space that a stack moves to.
    Target,
    /// A member's name or a mail address.
    Who,
    /// `white`, `black` or `random`.
    Colour,
    /// `place`, `random` or `symmetric`.
    Setup,
}
