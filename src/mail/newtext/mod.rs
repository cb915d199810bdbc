//! What the writer of a mail typed himself: not quoted, not below a signature (MAIL-01 to MAIL-08). When nothing is
//! left, nothing is returned: a quote is never taken for new text (MAIL-06). In doubt text is lost, and the player asked.
//! It refuses to know what the text means.
//!
//! Two layers stand independently: `known` finds our own letters without looking at marks; the others find quotes
//! without knowing what we wrote.

mod blocks;
mod dates;
mod headers;
mod known;
mod lines;
mod signatures;
mod words;

use crate::mail::body::{Part, Sealed};
use crate::mail::html::EMPTY_QUOTE;
use crate::mail::incoming::Incoming;
use blocks::{Block, block_at, from_us};
use headers::{header_at, is_headline};
use known::Known;
use lines::Lines;

/// A letter that we sent: its text part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentText {
    /// The text part, decoded.
    pub text: String,
}

/// The new text of a mail, and how it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewText {
    /// What is new, lines ended by LF, at most one blank line in a row, none around it; empty when nothing is new.
    pub text: String,
    /// The part that was read.
    pub part: Part,
    /// What was cut: quotes in HTML first, then in the order of the mail.
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
    PhoneLine,
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
            Rule::PhoneLine => "line of a phone",
            Rule::Armour => "OpenPGP armour",
            Rule::HtmlQuote => "quote in HTML",
        }
    }
}

/// Most lines of a reply below a header without its quote.
const REPLY_BELOW_MAX: usize = 10;

/// Most names of ours that are looked for.
const NAMES_MAX: usize = 20;

/// Names and addresses that the writer's program may call us by, in lower case.
struct Names(Vec<String>);

impl Names {
    fn of(mail: &Incoming) -> Names {
        // Who sends himself a copy is no name of ours: what he wrote before is not to be taken for our letter.
        let author = [
            mail.from.as_ref().map(|a| a.key()).unwrap_or_default(),
            mail.from_name.clone().unwrap_or_default().to_lowercase(),
        ];
        let all = mail
            .recipient_names
            .iter()
            .chain(&mail.recipients)
            .map(|n| n.to_lowercase());
        Names(
            all.filter(|n| n.chars().count() >= 3 && !author.contains(n))
                .take(NAMES_MAX)
                .collect(),
        )
    }

    /// Whether a text in lower case names us.
    fn in_text(&self, lower: &str) -> bool {
        self.0.iter().any(|n| lower.contains(n.as_str()))
    }
}

/// Finds the new text. `sent` are the letters that the mail may quote: those that In-Reply-To and References name, and
/// the latest ones to its writer.
pub fn new_text(mail: &Incoming, sent: &[SentText]) -> NewText {
    let mut lines = Lines::new(&mail.body.text);
    let encrypted = signatures::cut_armour(&mut lines);
    let mut known = Known::new(sent);
    below_headers(&mut lines, &Names::of(mail), &mut known);
    known::cut(&mut lines, &mut known);
    let (text, found) = lines.finish();
    let mut cuts = mail.body.cuts.clone();
    // The traces of quotes cut from HTML are named already.
    cuts.extend(
        found
            .into_iter()
            .filter(|c| c.lines.iter().any(|l| l != EMPTY_QUOTE)),
    );
    NewText {
        text,
        part: mail.body.part,
        cuts,
        sealed: if encrypted {
            Some(Sealed::Encrypted)
        } else {
            mail.body.sealed
        },
    }
}

/// Goes down the mail from header to header (MAIL-05: text between and below marked quotes stays).
fn below_headers(lines: &mut Lines, names: &Names, known: &mut Known) {
    let first_quote = (0..lines.len()).find(|&at| lines.get(at).is_some_and(|l| l.marked));
    let mut at = 0;
    while at < lines.len() {
        let Some(text) = lines.plain(at) else {
            at += 1;
            continue;
        };
        if signatures::starts_signature(text) {
            // Nothing below a signature is read; quotes below it are quotes anyway.
            lines.cut(at..lines.len(), Rule::Signature);
            return;
        }
        let (count, rule, on_line) = match block_at(lines, at, names) {
            Some(Block::Forward) => {
                lines.cut(at..lines.len(), Rule::Forward);
                return;
            }
            Some(Block::Quote(count)) => (count, Rule::HeaderBlock, false),
            None => match header_at(lines, at, names) {
                Some(header) => (header.lines, Rule::QuoteHeader, header.quote_on_line),
                None if first_quote == Some(at + 1) && is_headline(text) => {
                    (1, Rule::QuoteHeader, false)
                }
                None => {
                    if signatures::from_phone(text) {
                        lines.cut(at..at + 1, Rule::PhoneLine);
                    }
                    at += 1;
                    continue;
                }
            },
        };
        let leading = (0..at).all(|n| {
            lines
                .get(n)
                .is_none_or(|l| l.cut.is_some() || l.text.trim().is_empty())
        });
        let from_us = from_us(lines, at..at + count, names);
        lines.cut(at..at + count, rule);
        at += count;
        // Below a header the quote is either marked, then only what is marked is quoted; or not, then everything is.
        let marked = lines
            .next_full(at)
            .and_then(|n| lines.get(n))
            .is_none_or(|l| l.marked);
        let reply = leading && from_us && !on_line && is_reply_below(lines, at, known);
        if on_line || !(marked || reply) {
            lines.cut(at..lines.len(), Rule::BelowHeader);
            return;
        }
    }
}

/// Whether the text below a header on top of the mail is the reply, because its writer has deleted our letter and left
/// the header standing (situation a13): it is shorter than any letter with a board, and none of it is ours. Only where
/// our letters are known at all.
fn is_reply_below(lines: &Lines, from: usize, known: &mut Known) -> bool {
    let full: Vec<&str> = (from..lines.len())
        .filter_map(|at| lines.plain(at))
        .take_while(|l| !signatures::starts_signature(l))
        .take(REPLY_BELOW_MAX + 1)
        .collect();
    !known.is_empty() && full.len() <= REPLY_BELOW_MAX && !full.iter().any(|l| known.has_line(l))
}
