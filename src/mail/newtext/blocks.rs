//! Blocks over a quote without marks: `From: … Sent: … To: …` in any language, dashes around words, a row of
//! underscores, the marks of a forwarded mail (MAIL-03). It refuses to know what is below them.

use std::ops::Range;

use crate::mail::newtext::Names;
use crate::mail::newtext::headers::header_at;
use crate::mail::newtext::lines::{Lines, bare};
use crate::mail::newtext::words::{FORWARDED, FROM, LABELS, ORIGINAL};

/// Longest label in characters.
const LABEL_MAX: usize = 24;
/// Most lines of a block.
const LINES_MAX: usize = 15;
/// Outlook writes exactly so many underscores over its block.
const UNDERSCORES: usize = 32;

/// What begins at a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Block {
    /// A block over a quote, of so many lines.
    Quote(usize),
    /// A forwarded mail: nothing below is new.
    Forward,
}

/// The block that starts at this line.
pub(super) fn block_at(lines: &Lines, at: usize, names: &Names) -> Option<Block> {
    let line = bare(lines.plain(at)?);
    let inner = between_dashes(line);
    let lower = inner
        .unwrap_or(line)
        .trim_end_matches([':', '：'])
        .trim()
        .to_lowercase();
    let starts = |words: &[&str]| words.iter().any(|w| lower.starts_with(w));
    if (inner.is_some() && starts(FORWARDED))
        || (line.ends_with([':', '：']) && FORWARDED.contains(&lower.as_str()))
    {
        return Some(Block::Forward);
    }
    let original = inner.is_some() && starts(ORIGINAL);
    let row = line.is_empty()
        && lines
            .plain(at)
            .is_some_and(|l| l.trim().chars().filter(|c| *c == '_').count() >= UNDERSCORES);
    if !(original || row || inner.is_some()) {
        return labels(lines, at, names, false).map(Block::Quote);
    }
    // Below a delimiter a shorter block is enough, or the line that other programs write.
    let below = lines.next_full(at + 1).filter(|next| *next <= at + 3);
    let block = below.and_then(|next| {
        let end = |count: usize| next + count - at;
        labels(lines, next, names, true)
            .map(end)
            .or_else(|| header_at(lines, next, names).map(|h| end(h.lines)))
    });
    // Dashes around unknown words are a player's own, unless a block follows.
    block.or((original || row).then_some(1)).map(Block::Quote)
}

/// The words of `--- words ---`.
fn between_dashes(line: &str) -> Option<&str> {
    let dash = |c: char| matches!(c, '-' | '–' | '—' | '=' | '_');
    let inner = line.trim_matches(dash);
    let around = line.len().checked_sub(inner.len())?;
    (around >= 4
        && line.starts_with(dash)
        && line.ends_with(dash)
        && inner.chars().any(char::is_alphabetic))
    .then_some(inner.trim())
}

/// How many lines a block of `label: value` lines takes: at least three that name us or have known labels, or after a
/// delimiter one.
fn labels(lines: &Lines, at: usize, names: &Names, after_delimiter: bool) -> Option<usize> {
    let (mut found, mut known, mut ours) = (0, 0, false);
    let (mut end, mut next) = (at, at);
    while let Some(text) = lines.plain(next).filter(|_| next < at + LINES_MAX) {
        if let Some((label, value)) = label(text) {
            found += 1;
            known += usize::from(LABELS.contains(&label.as_str()));
            let value = value.to_lowercase();
            ours |= names.in_text(&value) || value.contains('@') || value.contains("[dvonn #");
            // Some programs lose the line ends: From: … Sent: … To: … on one line.
            if known_inside(text) >= 3 {
                (found, known) = (3, 3);
            }
        } else if found == 0 || next > end + 2 || !continues(text) {
            // A long list of recipients is folded; a text is not.
            break;
        }
        if label(text).is_some() || continues(text) {
            end = next + 1;
        }
        next += 1;
        // A blank line inside a block is bridged to a known label only.
        if let Some(full) = lines.next_full(next)
            && full == next + 1
            && lines
                .plain(full)
                .and_then(label)
                .is_some_and(|(l, _)| LABELS.contains(&l.as_str()))
        {
            next = full;
        }
    }
    let enough = match after_delimiter {
        true => known >= 1 || (found >= 1 && ours),
        false => found >= 3 && (ours || known >= 2) || (known >= 2 && ours && found >= 2),
    };
    enough.then_some(end - at)
}

/// Whether the header or block in these lines says that we wrote what is below.
pub(super) fn from_us(lines: &Lines, range: Range<usize>, names: &Names) -> bool {
    range
        .into_iter()
        .filter_map(|at| lines.plain(at))
        .any(|line| match label(line) {
            Some((label, value)) if LABELS.contains(&label.as_str()) => {
                FROM.contains(&label.as_str()) && names.in_text(&value.to_lowercase())
            }
            _ => names.in_text(&line.to_lowercase()),
        })
}

/// The label in lower case, and the value, of `label: value`.
fn label(text: &str) -> Option<(String, &str)> {
    let text = text.trim_start_matches([' ', '*', '_']);
    let at = text.find([':', '：'])?;
    let label = text.get(..at)?.trim_matches([' ', '*', '_']);
    let value = text
        .get(at..)?
        .trim_start_matches([':', '：', '*', '_', ' ']);
    let letters = label
        .chars()
        .all(|c| c.is_alphabetic() || matches!(c, ' ' | '-' | '\'' | '.'));
    (letters
        && (1..=LABEL_MAX).contains(&label.chars().count())
        && label.chars().any(char::is_alphabetic))
    .then(|| (label.to_lowercase(), value))
}

/// How many known labels stand on one line, each before a colon.
fn known_inside(text: &str) -> usize {
    let lower = text.to_lowercase();
    let mut count = 0;
    for piece in lower.split(':') {
        let words: Vec<&str> = piece.split_whitespace().rev().take(1).collect();
        count += usize::from(
            words
                .first()
                .is_some_and(|w| LABELS.contains(&w.trim_matches('*'))),
        );
    }
    count
}

/// A line that goes on with a list of addresses.
fn continues(text: &str) -> bool {
    text.contains('@') || text.trim_end().ends_with([';', ','])
}
