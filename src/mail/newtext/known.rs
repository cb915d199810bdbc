//! Text of our own letters, found in a mail without any parsing of quotes (MAIL-02): line by line, and where a program
//! has broken or joined lines, as a piece of the whole text. It refuses to know how quotes are marked.

use std::collections::BTreeSet;

use crate::mail::charset;
use crate::mail::newtext::lines::{Lines, bare, folded};
use crate::mail::newtext::{Rule, SentText};

/// Shortest piece, in bytes, that is taken as ours without being a whole line of ours: a command that a letter mentions
/// inside a line is shorter.
const PIECE_MIN: usize = 40;
/// Most text of letters that is compared, in bytes.
const SENT_MAX: usize = 256 * 1024;
/// Most long lines that are sought inside our letters; nobody types more, and what is not looked at is not new.
const SOUGHT_MAX: usize = 2000;

/// Lines of ours without any quote mark that show that our letter is quoted so.
const LETTER_STANDS: usize = 3;

/// What we sent.
pub(super) struct Known {
    lines: BTreeSet<String>,
    /// Lines of ours that pass on what others said, each behind a bar.
    barred: BTreeSet<String>,
    streams: Vec<String>,
    sought: usize,
}

impl Known {
    pub(super) fn new(sent: &[SentText]) -> Known {
        let (mut lines, mut streams, mut size) = (BTreeSet::new(), Vec::new(), 0);
        let mut barred = BTreeSet::new();
        for letter in sent {
            size += letter.text.len();
            if size > SENT_MAX {
                break;
            }
            let text = charset::clean(&letter.text);
            barred.extend(
                text.split('\n')
                    .filter(|l| l.trim_start().starts_with('|'))
                    .map(comparable)
                    .filter(|l| !l.is_empty()),
            );
            lines.extend(
                text.split('\n')
                    .map(|l| folded(bare(l)))
                    .filter(|l| !l.is_empty()),
            );
            streams.push(folded(&text));
        }
        Known {
            lines,
            barred,
            streams,
            sought: 0,
        }
    }

    /// Nothing is known.
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Whether a line of a mail stands in a letter of ours.
    pub(super) fn has_line(&mut self, line: &str) -> bool {
        self.has(&comparable(line))
    }

    /// A whole line of ours, or a long piece of our text: a line that was broken elsewhere, or several joined.
    fn has(&mut self, line: &str) -> bool {
        self.lines.contains(line) || (line.len() >= PIECE_MIN && self.flows(line))
    }

    fn flows(&mut self, piece: &str) -> bool {
        self.sought += 1;
        self.sought > SOUGHT_MAX || self.streams.iter().any(|s| s.contains(piece))
    }
}

/// A line without quote marks, emphasis and odd blanks.
fn comparable(line: &str) -> String {
    folded(bare(line.trim_start_matches(['>', '|', ' '])))
}

/// Cuts the lines that stand in a letter of ours.
pub(super) fn cut(lines: &mut Lines, known: &mut Known) {
    if known.is_empty() {
        return;
    }
    // The known line before, to find the short rest of a line that a program has broken: `…, for example:` ends one
    // line and our example stands alone on the next.
    let mut before: Option<String> = None;
    let mut found = 0;
    for at in 0..lines.len() {
        let Some(line) = lines.get(at) else { continue };
        let text = comparable(&line.text);
        if text.is_empty() {
            before = None;
            continue;
        }
        let goes_on = |known: &mut Known| {
            before
                .as_ref()
                .is_some_and(|b| known.flows(&format!("{b} {text}")))
        };
        if known.has(&text) || goes_on(known) {
            lines.cut(at..at + 1, Rule::KnownText);
            before = Some(text);
            found += 1;
        } else {
            before = None;
        }
    }
    // A program that quotes our letter without any mark may lose the bars too. What others said is no reason to doubt a
    // line that the writer typed himself, so it counts only where our letter stands around it.
    if found >= LETTER_STANDS {
        for at in 0..lines.len() {
            if lines
                .get(at)
                .is_some_and(|line| known.barred.contains(&comparable(&line.text)))
            {
                lines.cut(at..at + 1, Rule::KnownText);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTER: &str = "Ben played d2-f2. It is your move, Anna (white).\n\n    5  w2  W3  .   .\n\n\
        Answer with your move, for example:  e1-e3\nOr write: moves, resign, help.\n--\nPrague DVONN Club";

    fn left(text: &str) -> String {
        let mut lines = Lines::new(text);
        let mut known = Known::new(&[SentText {
            text: LETTER.to_owned(),
        }]);
        cut(&mut lines, &mut known);
        lines.finish().0
    }

    #[test]
    fn every_line_of_ours_goes_whatever_its_blanks() {
        assert_eq!(
            left(
                "b3-c3\n5 w2\u{20}\u{20}W3 . .\nOr write: moves,  resign, help.\nPrague DVONN Club"
            ),
            "b3-c3"
        );
    }

    #[test]
    fn what_the_opponent_said_is_no_command_where_the_letter_is_quoted_without_marks_and_bars() {
        let said = format!("{LETTER}\nBen writes:\n  | resign");
        let left = |text: &str| {
            let mut lines = Lines::new(text);
            let sent = SentText { text: said.clone() };
            cut(&mut lines, &mut Known::new(&[sent]));
            lines.finish().0
        };
        assert_eq!(
            left(&format!("Thanks\n\n{LETTER}\nBen writes:\n  resign")),
            "Thanks"
        );
        assert_eq!(left("resign"), "resign");
    }

    #[test]
    fn a_move_that_a_letter_mentions_inside_a_line_stays() {
        assert_eq!(left("e1-e3"), "e1-e3");
        assert_eq!(left("resign"), "resign");
    }

    #[test]
    fn lines_that_a_program_has_joined_or_broken_are_still_ours() {
        assert_eq!(
            left(
                "Ben played d2-f2. It is your move, Anna (white). 5 w2 W3 . . Answer with your move,"
            ),
            ""
        );
        assert_eq!(
            left("b3-c3\n5 w2 W3 . . Answer with your move, for example:\ne1-e3"),
            "b3-c3"
        );
        assert_eq!(
            left("> 5 w2 W3 . . Answer with your move, for example:\ne1-e3\n> Or"),
            ""
        );
    }
}
