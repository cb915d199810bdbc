//! The lines of a mail while its new text is sought: what each one says, and by which rule it was cut. It knows quote
//! marks and blanks; it refuses to know the other rules.

use crate::mail::newtext::{Cut, Rule};

/// One line.
#[derive(Debug)]
pub(super) struct Line {
    /// As it stood, without blanks at its end.
    pub(super) text: String,
    /// The rule that cut it.
    pub(super) cut: Option<Rule>,
    /// It has a quote mark.
    pub(super) marked: bool,
}

/// All lines of a mail.
#[derive(Debug)]
pub(super) struct Lines(Vec<Line>);

impl Lines {
    /// Splits a cleaned text; lines with a quote mark are cut at once (MAIL-01).
    pub(super) fn new(text: &str) -> Lines {
        let line = |text: &str| {
            let marked = marked(text);
            Line {
                text: text.trim_end().to_owned(),
                cut: marked.then_some(Rule::QuoteMark),
                marked,
            }
        };
        Lines(text.split('\n').map(line).collect())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The line, if there is one.
    pub(super) fn get(&self, at: usize) -> Option<&Line> {
        self.0.get(at)
    }

    /// The text of an unmarked line that is not blank.
    pub(super) fn plain(&self, at: usize) -> Option<&str> {
        let line = self.0.get(at)?;
        (!line.marked && !line.text.trim().is_empty()).then_some(line.text.as_str())
    }

    /// The next line from here on that is not blank.
    pub(super) fn next_full(&self, from: usize) -> Option<usize> {
        (from..self.0.len()).find(|&at| self.0.get(at).is_some_and(|l| !l.text.trim().is_empty()))
    }

    /// Cuts a range by a rule; what another rule has cut stays so.
    pub(super) fn cut(&mut self, range: std::ops::Range<usize>, rule: Rule) {
        for line in self.0.iter_mut().take(range.end).skip(range.start) {
            line.cut.get_or_insert(rule);
        }
    }

    /// Rewrites a line.
    pub(super) fn replace(&mut self, at: usize, text: String) {
        if let Some(line) = self.0.get_mut(at) {
            line.text = text;
        }
    }

    /// What is left, and what was cut.
    pub(super) fn finish(self) -> (String, Vec<Cut>) {
        let mut text = String::new();
        let mut cuts: Vec<(usize, Cut)> = Vec::new();
        let mut blanks = 0;
        for (at, line) in self.0.into_iter().enumerate() {
            let blank = line.text.trim().is_empty();
            match line.cut {
                Some(rule) => match cuts.last_mut() {
                    Some((next, cut)) if cut.rule == rule && *next == at => {
                        *next += 1;
                        cut.lines.push(line.text);
                    }
                    _ => cuts.push((
                        at + 1,
                        Cut {
                            rule,
                            lines: vec![line.text],
                        },
                    )),
                },
                None if blank => blanks += 1,
                None => {
                    if !text.is_empty() {
                        text.push_str(if blanks > 0 { "\n\n" } else { "\n" });
                    }
                    blanks = 0;
                    text.push_str(&line.text);
                }
            }
        }
        (text, cuts.into_iter().map(|(_, cut)| cut).collect())
    }
}

/// Whether the line has a quote mark: `>` or `|`, after blanks, or after the letters of a name as in `AM> ` (MAIL-01,
/// situations a8 and a21).
fn marked(text: &str) -> bool {
    let text = text.trim_start();
    if text.starts_with(['>', '|', '›', '»', '＞']) || text.starts_with("&gt;") {
        return true;
    }
    let initials = text
        .chars()
        .take(4)
        .take_while(|c| c.is_alphabetic())
        .count();
    (1..=3).contains(&initials) && text.chars().nth(initials) == Some('>')
}

/// The line with runs of blanks made one blank, to be compared (MAIL-02).
pub(super) fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The line without the marks of emphasis around it, `*From:*`.
pub(super) fn bare(text: &str) -> &str {
    text.trim().trim_matches(['*', '_']).trim()
}
