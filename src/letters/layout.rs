//! The plain text part: lines of at most 72 columns, without trailing blanks.
//!
//! Templates write each sentence or paragraph as one line however long it is; this file breaks it. A line keeps its own
//! indent when it is broken, so that no line of a quoted text can look like one of the club's.

use textwrap::core::display_width;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// Columns of the text part.
pub(super) const WIDTH: usize = 72;

/// Breaks long lines, drops trailing blanks, and lets no two blank lines follow each other.
pub(super) fn tidy(text: &str) -> String {
    let mut tidy = String::new();
    let mut blank = true;
    for line in text.lines().map(str::trim_end) {
        if line.is_empty() && blank {
            continue;
        }
        blank = line.is_empty();
        let indent = line.len() - line.trim_start_matches(' ').len();
        tidy.push_str(&hang(line, indent));
        tidy.push('\n');
    }
    while tidy.ends_with("\n\n") {
        tidy.pop();
    }
    tidy
}

/// Breaks one line; what follows the first break is indented by that many blanks. No line is broken at a no-break
/// space, and none is left.
pub(super) fn hang(line: &str, indent: usize) -> String {
    if display_width(line) <= WIDTH {
        return line.replace('\u{A0}', " ");
    }
    let start = line.len() - line.trim_start_matches(' ').len();
    let (first, next) = (" ".repeat(start), " ".repeat(indent.min(WIDTH / 2)));
    let options = Options::new(WIDTH)
        .initial_indent(&first)
        .subsequent_indent(&next)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    let broken = textwrap::fill(&glued(line.trim_start_matches(' ')), options);
    broken
        .replace('\u{A0}', " ")
        .lines()
        .map(str::trim_end)
        .collect::<Vec<_>>()
        .join("\n")
}

/// A text without indent, broken into lines of at most that many columns; one empty line where it is empty.
pub(super) fn broken(line: &str, columns: usize) -> Vec<String> {
    let options = Options::new(columns)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    textwrap::wrap(line, options)
        .into_iter()
        .map(|line| line.into_owned())
        .collect()
}

/// Ties what a reader may type, which stands between two blanks, to the word before it. An example alone on a line
/// could be read as a command when a mail program quotes it without any mark (MAIL-01, MAIL-07).
fn glued(line: &str) -> String {
    let piece = |(place, piece): (usize, &str)| {
        let typed = place % 2 == 1 && display_width(piece) <= WIDTH / 2;
        if typed {
            piece.replace(' ', "\u{A0}")
        } else {
            piece.to_owned()
        }
    };
    line.split("  ")
        .enumerate()
        .map(piece)
        .collect::<Vec<_>>()
        .join("\u{A0}\u{A0}")
}

/// Paragraphs of a catalog as lines: what is written over several lines flows, what is indented stays as it is.
pub(super) fn prose(text: &str) -> String {
    let mut out = String::new();
    for paragraph in paragraphs(text) {
        match paragraph {
            Paragraph::Flowing(line) => out.push_str(&line),
            Paragraph::Fixed(lines) => out.push_str(&lines),
        }
        out.push_str("\n\n");
    }
    out
}

/// A paragraph of a catalog.
pub(super) enum Paragraph {
    /// A sentence or more, in one line.
    Flowing(String),
    /// Lines as they stand, each indented.
    Fixed(String),
}

/// Splits a text at its blank lines.
pub(super) fn paragraphs(text: &str) -> impl Iterator<Item = Paragraph> {
    text.split("\n\n")
        .map(|paragraph| paragraph.trim_matches('\n'))
        .filter(|paragraph| !paragraph.is_empty())
        .map(|paragraph| {
            if paragraph.starts_with(' ') {
                Paragraph::Fixed(paragraph.to_owned())
            } else {
                Paragraph::Flowing(paragraph.lines().collect::<Vec<_>>().join(" "))
            }
        })
}

/// Fills up with blanks to that many columns.
pub(super) fn pad(text: &str, width: usize) -> String {
    let blanks = width.saturating_sub(display_width(text));
    format!("{text}{}", " ".repeat(blanks))
}

/// Columns that a text takes.
pub(super) fn columns(text: &str) -> usize {
    display_width(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_line_keeps_its_indent() {
        let text = tidy(&format!("  {}", "word ".repeat(30)));
        assert!(text.lines().count() > 2);
        assert!(
            text.lines()
                .all(|line| line.starts_with("  word") && line.len() <= WIDTH)
        );
    }

    #[test]
    fn an_example_is_never_alone_on_a_line() {
        for length in 30..80 {
            let text = tidy(&format!(
                "{} is possible, for example:  e1-e3",
                "x".repeat(length)
            ));
            assert!(text.lines().all(|line| line.trim() != "e1-e3"), "{text}");
            let text = tidy(&format!(
                "{} is possible, for example:  12: e1-e3",
                "x".repeat(length)
            ));
            assert!(text.contains("  12: e1-e3"), "{text}");
        }
    }

    #[test]
    fn blank_lines_do_not_pile_up() {
        assert_eq!(tidy("\n\na  \n\n\n\nb\n\n"), "a\n\nb\n");
    }
}
