//! A line cut into words and marks.
//!
//! Knows kinds of characters. Refuses to know what any word means. What mail programs append to
//! something that looks to them like a web or mail address (`g4.f4 <http://g4.f4>`) is left out.

use std::ops::Range;

use super::glyph;
use super::line::Line;

/// A word or a mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// Its columns in the line.
    pub(super) at: Range<usize>,
    /// Whether it follows the token before it without a blank.
    pub(super) glued: bool,
    /// What it is.
    pub(super) kind: Kind,
}

/// The kinds of token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters and digits, folded.
    Word(String),
    /// One character that is no letter or digit.
    Mark(Mark),
}

/// The kinds of mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// A dash of any width.
    Dash,
    /// An arrow to the right, `>` too.
    Arrow,
    /// `:`
    Colon,
    /// `,` or `;`
    Comma,
    /// `.` or `…`
    Dot,
    /// A question mark.
    Question,
    /// A quotation mark or apostrophe.
    Quote,
    /// `#`
    Hash,
    /// `~`, which strikes text out.
    Strike,
    /// `<`
    Less,
    /// `)`
    Bracket,
    /// All others: emphasis, other brackets, exclamation marks, bullets, emoji.
    Other,
}

impl Token {
    /// The folded word; none: a mark.
    pub(super) fn word(&self) -> Option<&str> {
        match &self.kind {
            Kind::Word(word) => Some(word),
            Kind::Mark(_) => None,
        }
    }

    /// The mark; none: a word.
    pub(super) fn mark(&self) -> Option<Mark> {
        match self.kind {
            Kind::Word(_) => None,
            Kind::Mark(mark) => Some(mark),
        }
    }

    /// Whether it is this very word.
    pub(super) fn is(&self, word: &str) -> bool {
        self.word() == Some(word)
    }
}

/// The tokens of the line, of a long one those of its beginning.
pub(super) fn tokens(line: &Line<'_>) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut column = 0;
    while let Some(c) = line.char_at(column) {
        let start = column;
        column += 1;
        if c == ' ' {
            continue;
        }
        if !tokens.is_empty()
            && let Some(end) = link_end(line, start)
        {
            column = end;
            continue;
        }
        let kind = if glyph::of_word(c) {
            while line.char_at(column).is_some_and(glyph::of_word) {
                column += 1;
            }
            Kind::Word(glyph::fold(&line.slice(start..column)))
        } else {
            Kind::Mark(mark(c))
        };
        tokens.push(Token {
            at: start..column,
            glued: start > 0 && line.char_at(start - 1) != Some(' '),
            kind,
        });
    }
    tokens
}

fn mark(c: char) -> Mark {
    match c {
        ':' | '：' => Mark::Colon,
        ',' | ';' | '，' => Mark::Comma,
        '.' | '…' | '．' | '。' => Mark::Dot,
        '?' | '？' | '⁇' | '⁈' | '⁉' | '❓' | '❔' => Mark::Question,
        '#' | '＃' => Mark::Hash,
        '~' => Mark::Strike,
        '<' => Mark::Less,
        ')' => Mark::Bracket,
        c if glyph::dash(c) => Mark::Dash,
        c if glyph::arrow(c) => Mark::Arrow,
        c if glyph::quotation(c) => Mark::Quote,
        _ => Mark::Other,
    }
}

/// Where `<http://…>` or the `](http://…)` of a link ends, if one begins in this column.
fn link_end(line: &Line<'_>, column: usize) -> Option<usize> {
    const SCHEMES: [&str; 3] = ["http://", "https://", "www."];
    let (body, closing) = match (line.char_at(column)?, line.char_at(column + 1)?) {
        ('<', _) => (column + 1, '>'),
        (']', '(') => (column + 2, ')'),
        _ => return None,
    };
    let opening = line.slice(body..body + 8).to_ascii_lowercase();
    if !SCHEMES.iter().any(|scheme| opening.starts_with(scheme)) {
        return None;
    }
    let (end, _) = line.chars().skip(body).find(|(_, c)| *c == closing)?;
    Some(end + 1)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]
    use super::*;
    use crate::command::line::lines;

    fn words(text: &str) -> Vec<String> {
        let line = lines(text).next().expect("a line");
        tokens(&line)
            .iter()
            .map(|token| token.word().unwrap_or(".").to_owned())
            .collect()
    }

    #[test]
    fn dashes_and_arrows_part_words() {
        assert_eq!(words("B3–C3."), ["b3", ".", "c3", "."]);
        assert_eq!(words("b3→c3"), ["b3", ".", "c3"]);
    }

    #[test]
    fn links_that_programs_append_are_left_out() {
        assert_eq!(words("g4.f4 <http://g4.f4>"), ["g4", ".", "f4"]);
        assert_eq!(words("[g4.f4](http://g4.f4/)"), [".", "g4", ".", "f4"]);
        assert_eq!(words("<http://g4"), [".", "http", ".", ".", ".", "g4"]);
    }
}
