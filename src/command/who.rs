//! Whom a challenge names: a member's name, or a mail address in any dress.
//!
//! ```text
//! WHO = QUOTED | WORD… | ADDRESS | [QUOTED | WORD…] "<" ADDRESS ">"
//! ```
//!
//! `mailto:` and the second copy of an address that mail programs append are taken off. Knows only
//! the outer form of an address. Refuses to know who plays in the club.

use std::ops::Range;

use super::challenge::{is_almost_option, is_option, missing};
use super::glyph;
use super::name;
use super::phrase::Phrase;
use super::token::Token;
use super::{CommandError, Part, Trouble, Who};

/// An unquoted name has at most this many words, and this many where they are in small letters.
const MOST_WORDS: usize = 4;
const MOST_SMALL_WORDS: usize = 2;

/// "Challenge accepted" is what people say to an invitation; a member of that name has to be quoted.
pub(super) const ACCEPTED: &str = "accepted";

/// Whom the phrase names, and the options that follow; none: a sentence.
#[allow(
    clippy::type_complexity,
    reason = "one caller, which takes it apart at once"
)]
pub(super) fn take<'a>(rest: Phrase<'a>) -> Option<Result<(Who, Phrase<'a>), CommandError>> {
    let line = rest.line;
    let start = rest.start();
    if let Some((name, end)) = name::quotation(line, start) {
        return Some(match line.chunks(end).first() {
            // `"Ben" <ben@example.org>`
            Some(chunk) if line.char_at(chunk.start) == Some('<') => address(rest, chunk.clone()),
            _ => Ok((Who::Name(name), from(rest, end))),
        });
    }
    let mut words: Vec<Range<usize>> = Vec::new();
    for chunk in line.chunks(start) {
        let written = line.slice(chunk.clone());
        if written.contains('@') {
            let named = !words.is_empty() && !written.starts_with('<');
            return (!named).then(|| address(rest, chunk));
        }
        let folded = glyph::fold(written.trim_matches(|c| !glyph::of_word(c)));
        if is_option(&folded) {
            break;
        }
        let small = written.starts_with(char::is_lowercase);
        if !words.is_empty() && small && is_almost_option(&folded) {
            break;
        }
        words.push(chunk);
    }
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return Some(Err(missing(rest, Part::Who)));
    };
    let columns = first.start..last.end;
    let (inside, options) = split(rest, columns.end);
    let capital = |word: &Range<usize>| !line.char_at(word.start).is_some_and(char::is_lowercase);
    let most = if words.iter().skip(1).all(capital) {
        MOST_WORDS
    } else {
        MOST_SMALL_WORDS
    };
    if words.len() > most || !name::without_sentence(inside.undressed().phrase) {
        return None;
    }
    let columns = inside.undressed().phrase.columns();
    Some(match name::cleaned(&line.slice(columns)) {
        Some(name) => Ok((Who::Name(name), options)),
        None => Err(missing(rest, Part::Who)),
    })
    .filter(|named| !matches!(named, Ok((Who::Name(name), _)) if glyph::fold(name) == ACCEPTED))
}

/// Reads the address in this chunk.
fn address<'a>(rest: Phrase<'a>, chunk: Range<usize>) -> Result<(Who, Phrase<'a>), CommandError> {
    let line = rest.line;
    let written = line.slice(chunk.clone());
    let Some(address) = bare(&written) else {
        return Err(CommandError {
            at: chunk,
            trouble: Trouble::NotAnAddress { word: written },
        });
    };
    let again = line.chunks(chunk.end).into_iter().next().filter(|next| {
        bare(&line.slice(next.clone())).is_some_and(|copy| copy.eq_ignore_ascii_case(&address))
    });
    let end = again.map_or(chunk.end, |copy| copy.end);
    Ok((Who::Address(address), from(rest, end)))
}

/// The address alone: without brackets, `mailto:`, closing punctuation, and whatever a mail program
/// appended to it; none: not of the form `local@domain`.
fn bare(written: &str) -> Option<String> {
    let opened =
        written.trim_start_matches(|c| matches!(c, '<' | '[' | '(' | '*') || glyph::quotation(c));
    let opened = match opened.get(..7) {
        Some(scheme) if scheme.eq_ignore_ascii_case("mailto:") => opened.get(7..)?,
        _ => opened,
    };
    let end = opened
        .find(|c| {
            matches!(
                c,
                '<' | '>' | '[' | ']' | '(' | ')' | ',' | ';' | ':' | '\\' | '"'
            )
        })
        .unwrap_or(opened.len());
    let address = opened.get(..end)?.trim_end_matches(['.', '!', '*', '\'']);
    let (local, domain) = address.split_once('@')?;
    let labels_fit = domain
        .split('.')
        .all(|label| !label.is_empty() && label.chars().all(|c| glyph::of_word(c) || c == '-'));
    (!local.is_empty() && labels_fit).then(|| address.to_owned())
}

/// The tokens of the phrase before and behind a column.
fn split(phrase: Phrase<'_>, column: usize) -> (Phrase<'_>, Phrase<'_>) {
    let count = phrase
        .tokens
        .partition_point(|token: &Token| token.at.start < column);
    let (before, behind) = phrase.tokens.split_at_checked(count).unwrap_or_default();
    (phrase.with(before), phrase.with(behind))
}

fn from(phrase: Phrase<'_>, column: usize) -> Phrase<'_> {
    split(phrase, column).1
}
