//! Threads: which letter of ours a mail answers, and the ids and subjects by which mail programs keep a game together
//! (MAIL-18, MAIL-40). It reads and writes tokens but proves none.

use crate::mail::address::Address;
use crate::mail::incoming::Incoming;
use crate::mail::token::Token;

/// Most ids in References (mail.md section 2).
const REFERENCES_MAX: usize = 10;

/// Where a token stood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Found {
    /// In the plus address that the mail was sent to. Without [`Clues::is_reply`] only an old hint: address books
    /// complete such addresses years later.
    Address,
    /// In In-Reply-To or References.
    ReplyHeader,
    /// In a `ref:` of the text.
    RefLine,
}

/// What a mail says about the letter it answers. Nothing of it is proved.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Clues {
    /// The tokens, most telling first (MAIL-18), each once.
    pub tokens: Vec<(Token, Found)>,
    /// Whether In-Reply-To or References is there at all.
    pub is_reply: bool,
    /// The number of the `[dvonn #12]` tag in the subject.
    pub tag: Option<u32>,
}

/// Collects the clues. `club` is our address, without a tag.
pub fn clues(mail: &Incoming, club: &Address) -> Clues {
    let _ = club;
    Clues {
        tokens: Vec::new(),
        is_reply: mail.is_reply(),
        tag: tag(&mail.subject),
    }
}

/// The number in the first `[dvonn #12]` of a subject, wherever it stands.
pub fn tag(subject: &str) -> Option<u32> {
    let _ = subject;
    None
}

/// The one subject of a game's thread: `[dvonn #12] Anna - Ben`.
pub fn subject(number: u32, white: &str, black: &str) -> String {
    format!("[dvonn #{number}] {white} - {black}")
}

/// The Message-ID of a letter, without angle brackets: `12.57.w.MAC.L7@domain`. `letter` counts the letters that show
/// one state.
pub fn message_id(token: &Token, letter: u32, domain: &str) -> String {
    format!("{token}.L{letter}@{domain}")
}

/// The token and letter number in a Message-ID of ours, with or without angle brackets.
pub fn read_message_id(id: &str) -> Option<(Token, u32)> {
    let _ = id;
    None
}

/// References of a letter: the root of the thread first, then the latest ids, ours and the player's, at most ten.
pub fn references(root: &str, ids: &[String]) -> Vec<String> {
    let _ = (root, ids, REFERENCES_MAX);
    Vec::new()
}

/// Cuts out of a text whatever could prove something of its writer's: tokens, alone or in `ref:`, plus addresses and
/// Message-IDs. For text that is passed on to others.
pub fn scrub(text: &str) -> String {
    text.to_owned()
}
