//! The line that a mail program writes over a quote, `On 30 Nov 2026, at 09:14, DVONN club <…> wrote:`, in one line or
//! folded over up to four (MAIL-03, MAIL-04). It knows no blocks of labels and refuses to know what is below.

use crate::mail::newtext::Names;
use crate::mail::newtext::dates::{has_date, has_time};
use crate::mail::newtext::lines::{Lines, bare};
use crate::mail::newtext::words::{WROTE, has_word};

/// Most lines that a header is folded over (MAIL-03).
const FOLDS: usize = 4;
/// Longest header in bytes; longer is talk.
const LENGTH_MAX: usize = 600;
/// Longest line, in bytes, that is taken as a header only because it stands right before a quote (Delta Chat's rule,
/// situation a5).
const HEADLINE_MAX: usize = 120;

/// A header: how many lines it takes, and whether quoted text follows on its last line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) lines: usize,
    pub(super) quote_on_line: bool,
}

/// The header that starts at this line. Lines are joined up to a blank one, never across it (MAIL-04).
pub(super) fn header_at(lines: &Lines, at: usize, names: &Names) -> Option<Header> {
    let first = lines.plain(at)?.to_lowercase();
    // MAIL-04: it starts at a line that holds a date or our name.
    if !has_date(&first) && !names.in_text(&first) {
        return None;
    }
    let mut joined = String::new();
    for count in 1..=FOLDS {
        let Some(line) = lines.plain(at + count - 1) else {
            break;
        };
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(line.trim());
        if joined.len() > LENGTH_MAX && count > 1 {
            break;
        }
        let marked_next = lines
            .next_full(at + count)
            .and_then(|n| lines.get(n))
            .is_some_and(|l| l.marked);
        if let Some(quote_on_line) = is_header(&joined, names, marked_next) {
            // The last line with a date is the start, so that talk right above a header is not swallowed with it.
            let dated = |at: usize| lines.plain(at).is_some_and(|l| has_date(&l.to_lowercase()));
            let later =
                (at + 1..at + count).any(|n| dated(n) && header_at(lines, n, names).is_some());
            return (!later).then_some(Header {
                lines: count,
                quote_on_line,
            });
        }
    }
    None
}

/// Whether the joined line is a header; the value says whether quoted text follows on it.
fn is_header(joined: &str, names: &Names, marked_next: bool) -> Option<bool> {
    let text = bare(joined);
    let lower = text.to_lowercase();
    if text.ends_with([':', '：']) && text.len() <= LENGTH_MAX {
        let (date, person) = (
            has_date(&lower),
            names.in_text(&lower) || has_address(&lower),
        );
        let verb = has_word(&lower, WROTE);
        // Date and address without a verb are enough, so is a verb beside a person (situation a2).
        let ours = (date && (person || verb || has_time(&lower)))
            || (verb && person)
            || lower.ends_with(">:");
        return ours.then_some(false);
    }
    // Yahoo's Android program puts the first quoted line behind the header (situation a9).
    if let Some((head, _)) = lower.split_once(">:").or_else(|| lower.split_once("> :"))
        && head.len() <= LENGTH_MAX
        && has_date(head)
        && head.contains('@')
    {
        return Some(true);
    }
    // A verb with a colon and more behind: the same with a bare name.
    if let Some((head, rest)) = lower.split_once(": ")
        && !rest.trim().is_empty()
        && has_date(head)
        && has_word(head, WROTE)
        && (names.in_text(head) || has_address(head))
    {
        return Some(true);
    }
    // Without a colon only right above a quote.
    let quoted = marked_next
        && has_date(&lower)
        && (names.in_text(&lower) || has_address(&lower) || has_word(&lower, WROTE));
    (quoted && text.len() <= LENGTH_MAX).then_some(false)
}

/// A line right before the first quote that ends in a colon, in whatever language (situation a5).
pub(super) fn is_headline(text: &str) -> bool {
    text.len() <= HEADLINE_MAX && bare(text).ends_with([':', '：'])
}

fn has_address(lower: &str) -> bool {
    lower.split_whitespace().any(|word| {
        word.split_once('@')
            .is_some_and(|(local, domain)| !local.is_empty() && domain.contains('.'))
    })
}
