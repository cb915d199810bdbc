//! Every letter the club writes: facts in, subject, plain text and HTML out.
//!
//! Knows the reader's language and zone, how a letter is laid out, and which word belongs to which fact. The words
//! themselves stand in `templates/wording/*.ftl`, the order of a letter in the other folders of `templates`. It refuses
//! to know SQL, sockets, secrets and the clock: tokens come in as opaque text, moments stand in the notice.

mod admin;
mod board;
mod clean;
mod frame;
mod illegal;
mod invitation;
mod layout;
mod lists;
mod markup;
mod message;
mod moment;
mod news;
mod pages;
mod puzzled;
mod question;
mod record;
mod refused;
mod report;
mod seats;
mod section;
mod stacks;
mod unreachable;
mod unread;
mod voice;
mod wording;

#[cfg(test)]
mod tests;

pub use wording::languages;

use crate::club::notice::Notice;

/// What every letter may say about the club.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClubFacts {
    /// Its name, as in the footer.
    pub name: String,
    /// The mail address that players write to.
    pub address: String,
}

/// A letter in words, without headers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// One line; the same for every letter about one game.
    pub subject: String,
    /// Lines of at most 72 columns that end with `\n`.
    pub text: String,
    /// The same letter as a whole HTML document.
    pub html: String,
}

/// A fault of ours: a letter that cannot be composed.
#[derive(Debug, thiserror::Error)]
pub enum ComposeError {
    /// A template failed.
    #[error("a letter's template failed: {0}")]
    Template(#[from] askama::Error),
    /// The catalogs lack a sentence, or a sentence lacks a fact.
    #[error("the wording of a letter is at fault: {0}")]
    Wording(String),
    /// The notice says nothing.
    #[error("a letter without any part")]
    Empty,
}

/// Puts a notice into words. `token` is the text behind `ref:` in the footer.
///
/// # Errors
/// A fault of ours: see [`ComposeError`].
pub fn compose(
    notice: &Notice,
    club: &ClubFacts,
    token: Option<&str>,
) -> Result<Letter, ComposeError> {
    let voice = voice::Voice::new(&notice.to, club);
    let letter = frame::letter(&voice, notice, token)?;
    voice.check()?;
    Ok(letter)
}
