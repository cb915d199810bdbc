//! A text cut into lines, and a line as its writer saw it.
//!
//! Knows where everything stands in the text. Refuses to know what it means. Columns are counted in
//! visible characters; only this file turns them into byte positions.

use std::ops::Range;

use super::LONGEST_LINE;
use super::glyph;

/// One line, without the blanks around it.
pub(super) struct Line<'a> {
    /// Where it stands in the whole text, in bytes.
    pub(super) span: Range<usize>,
    /// Exactly as in the text.
    raw: &'a str,
    /// The visible characters, at most [`LONGEST_LINE`], each with its byte position in `raw`.
    glyphs: Vec<(usize, char)>,
    /// Whether there are more than those.
    pub(super) long: bool,
}

/// The lines of a text, blank ones too. CRLF, and each odd line end of word processors, is one end.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    let mut after_cr = false;
    text.split_inclusive(glyph::ends_line)
        .filter_map(move |piece| {
            let at = start;
            start += piece.len();
            let second_half = after_cr && piece == "\n";
            after_cr = piece.ends_with('\r');
            (!second_half).then(|| Line::new(at, piece))
        })
}

impl<'a> Line<'a> {
    fn new(start: usize, piece: &'a str) -> Line<'a> {
        let unseen = |c| glyph::blank(c) || glyph::invisible(c) || glyph::ends_line(c);
        let tail = piece.trim_start_matches(unseen);
        let raw = tail.trim_end_matches(unseen);
        let start = start + (piece.len() - tail.len());
        let mut seen = raw
            .char_indices()
            .filter(|(_, c)| !glyph::invisible(*c))
            .map(|(at, c)| (at, if glyph::blank(c) { ' ' } else { c }));
        let glyphs: Vec<_> = seen.by_ref().take(LONGEST_LINE).collect();
        Line {
            span: start..start + raw.len(),
            raw,
            long: seen.next().is_some(),
            glyphs,
        }
    }

    /// Whether there is nothing to see.
    pub(super) fn is_blank(&self) -> bool {
        self.glyphs.is_empty()
    }

    /// Whether the line is marked as somebody's older words, which are never a command (MAIL-01).
    pub(super) fn is_quoted(&self) -> bool {
        matches!(self.char_at(0), Some('>' | '|' | '\u{ff1e}'))
    }

    /// The line exactly as in the text.
    pub(super) fn raw(&self) -> &'a str {
        self.raw
    }

    /// The number of visible characters, of a long line only the first ones.
    pub(super) fn width(&self) -> usize {
        self.glyphs.len()
    }

    /// The visible character in this column.
    pub(super) fn char_at(&self, column: usize) -> Option<char> {
        self.glyphs.get(column).map(|(_, c)| *c)
    }

    /// The last column and its character; none: there is nothing to see.
    pub(super) fn last(&self) -> Option<(usize, char)> {
        let column = self.width().checked_sub(1)?;
        Some((column, self.char_at(column)?))
    }

    /// The visible characters with their columns.
    pub(super) fn chars(&self) -> impl Iterator<Item = (usize, char)> {
        self.glyphs
            .iter()
            .enumerate()
            .map(|(column, (_, c))| (column, *c))
    }

    /// The visible characters of these columns, as far as there are any.
    pub(super) fn slice(&self, columns: Range<usize>) -> String {
        self.glyphs
            .iter()
            .take(columns.end)
            .skip(columns.start)
            .map(|(_, c)| *c)
            .collect()
    }

    /// The line as its writer saw it.
    pub(super) fn shown(&self) -> String {
        self.slice(0..self.width())
    }

    /// All of the text from this column on, exactly as written, without blanks around it.
    pub(super) fn raw_from(&self, column: usize) -> &'a str {
        let unseen = |c| glyph::blank(c) || glyph::invisible(c);
        self.glyphs
            .get(column)
            .and_then(|(at, _)| self.raw.get(*at..))
            .unwrap_or_default()
            .trim_matches(unseen)
    }

    /// The groups of characters between blanks, from this column on.
    pub(super) fn chunks(&self, from: usize) -> Vec<Range<usize>> {
        let mut chunks: Vec<Range<usize>> = Vec::new();
        let mut open = false;
        for (column, c) in self.chars().skip(from) {
            match chunks.last_mut() {
                Some(chunk) if open && c != ' ' => chunk.end = column + 1,
                _ if c != ' ' => chunks.push(column..column + 1),
                _ => {}
            }
            open = c != ' ';
        }
        chunks
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::string_slice, clippy::expect_used)]
    use super::*;

    #[test]
    fn every_line_end_is_one_line_end() {
        let text = "a\r\nb\n\nc\rd\u{2028}e";
        let shown: Vec<_> = lines(text).map(|line| line.shown()).collect();
        assert_eq!(shown, ["a", "b", "", "c", "d", "e"]);
    }

    #[test]
    fn unseen_characters_do_not_shift_the_columns() {
        let text = "\u{feff}  say\u{a0}\u{200b}hi  \n";
        let line = lines(text).next().expect("a line");
        assert_eq!(line.shown(), "say hi");
        assert_eq!(line.raw_from(4), "hi");
        assert_eq!(&text[line.span.clone()], "say\u{a0}\u{200b}hi");
        assert_eq!(line.chunks(0), [0..3, 4..6]);
    }

    #[test]
    fn a_long_line_keeps_its_beginning_and_its_raw_text() {
        let text = "x".repeat(LONGEST_LINE + 1);
        let line = lines(&text).next().expect("a line");
        assert!(line.long);
        assert_eq!(line.width(), LONGEST_LINE);
        assert_eq!(line.raw().len(), LONGEST_LINE + 1);
    }
}
