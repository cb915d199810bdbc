//! Which part of a mail is read, and what stands in its way. The first text part with visible characters at any depth,
//! else HTML (MAIL-12); attachments and forwarded mails never.

use crate::mail::newtext::Cut;
use crate::mail::report::Report;

/// What is to be read of a mail.
#[derive(Debug, Clone, Default)]
pub struct Body {
    /// The chosen part as text, lines ended by LF; format=flowed undone (MAIL-14), HTML turned into text.
    pub text: String,
    /// Where the text comes from.
    pub part: Part,
    /// What was cut already while HTML became text (MAIL-13).
    pub(crate) cuts: Vec<Cut>,
    /// Why there is no text, if something sealed is in its place (MAIL-17).
    pub(crate) sealed: Option<Sealed>,
    /// The machine-readable part of a report, where the mail is one.
    pub(crate) report: Option<Report>,
    /// The mail carries a calendar message (RFC 5546).
    pub(crate) calendar: bool,
    /// The mail is a bare reaction, an emoji sent in answer to a letter.
    pub(crate) reaction: bool,
}

/// The part that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Part {
    /// text/plain.
    Plain,
    /// text/html.
    Html,
    /// There is nothing to read.
    #[default]
    Nothing,
}

/// A body that cannot be looked into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sealed {
    /// S/MIME with the text inside the signature.
    OpaqueSigned,
    /// Encrypted, by S/MIME or OpenPGP.
    Encrypted,
    /// Outlook's winmail.dat.
    Winmail,
}
