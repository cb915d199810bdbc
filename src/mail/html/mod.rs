//! HTML turned into the text that its reader sees, without the quotes that mail programs mark as such (MAIL-13). One
//! pass over the tags, no tree, no recursion: deep nesting costs nothing. It knows which elements break lines; what
//! marks a quote stands in `quotes`.

mod quotes;
mod tags;

use crate::mail::newtext::{Cut, Rule};
use quotes::{Mark, mark};
use tags::{Piece, pieces};

/// Deepest nesting that is followed; below it nothing is read, since it would be unknown where a quote ends.
const OPEN_MAX: usize = 512;

/// What stands in the text where a quote was cut.
pub(crate) const EMPTY_QUOTE: &str = ">";

/// Elements that begin and end on a line of their own.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "center",
    "dd",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "html",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "ul",
];

/// Elements without an end tag.
const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// An open element.
struct Open {
    name: String,
    /// What is inside is not read, because of this rule or because it is not shown; this element's doing or that of one
    /// around it.
    hidden: Hidden,
    /// Line ends count.
    pre: bool,
}

/// Not hidden, hidden from the reader too, or cut by a rule.
type Hidden = Option<Option<Rule>>;

/// The text of an HTML part, and what was cut from it.
pub(crate) fn to_text(html: &str) -> (String, Vec<Cut>) {
    let mut page = Page::default();
    let mut open: Vec<Open> = Vec::new();
    // The mark that hides all that follows.
    let mut rest: Option<Rule> = None;
    for piece in pieces(html) {
        let (hidden, pre) = open.last().map_or((None, false), |o| (o.hidden, o.pre));
        let hidden = hidden.or(rest.map(Some));
        match piece {
            Piece::Text(text) => page.text(&text, pre, hidden),
            Piece::End(name) => {
                close(&mut open, &name);
                if BLOCKS.contains(&name.as_str()) {
                    page.line_end(hidden);
                }
                if name == "p" {
                    page.blank_line(hidden);
                }
            }
            Piece::Start(tag) => {
                let name = tag.name.as_str();
                if name == "br" {
                    page.hard_end(hidden);
                } else if BLOCKS.contains(&name) {
                    page.line_end(hidden);
                }
                let mut inside = hidden;
                if hidden.is_none() {
                    match mark(&tag) {
                        Some(Mark::Container(rule)) => {
                            inside = Some(Some(rule));
                            if rule == Rule::HtmlQuote {
                                page.quote_was_here();
                            }
                        }
                        Some(Mark::Hidden) => inside = Some(None),
                        Some(Mark::Rest) => rest = Some(Rule::HtmlQuote),
                        None => {}
                    }
                }
                if open.len() >= OPEN_MAX {
                    rest = rest.or(Some(Rule::HtmlQuote));
                } else if !VOID.contains(&name) && !tag.closed {
                    let pre = pre
                        || matches!(name, "pre" | "textarea" | "listing")
                        || tag.style().is_some_and(|s| s.contains("white-space:pre"));
                    open.push(Open {
                        name: name.to_owned(),
                        hidden: inside,
                        pre,
                    });
                }
            }
        }
    }
    page.finish()
}

/// Closes the element and all that is still open inside it. As in browsers an end tag does not reach out of a table
/// cell, so that a stray `</div>` inside a quoted table cannot end the quote.
fn close(open: &mut Vec<Open>, name: &str) {
    let cell = |n: &str| matches!(n, "td" | "th" | "table" | "caption");
    let barrier = !matches!(
        name,
        "td" | "th" | "tr" | "tbody" | "thead" | "tfoot" | "table" | "caption" | "body" | "html"
    );
    for at in (0..open.len()).rev() {
        let Some(element) = open.get(at) else { return };
        if element.name == name {
            open.truncate(at);
            return;
        }
        if barrier && cell(&element.name) {
            return;
        }
    }
}

/// The lines, shown and hidden, as they grow.
#[derive(Default)]
struct Page {
    shown: String,
    cuts: Vec<Cut>,
    line: String,
    blank_pending: bool,
}

impl Page {
    fn text(&mut self, text: &str, pre: bool, hidden: Hidden) {
        match hidden {
            None => {}
            Some(None) => return,
            Some(Some(rule)) => return self.cut(text, rule),
        }
        if pre {
            for (at, line) in text.split('\n').enumerate() {
                if at > 0 {
                    self.hard_end(None);
                }
                self.line.push_str(line.strip_suffix('\r').unwrap_or(line));
            }
            return;
        }
        for c in text.chars() {
            match c {
                ' ' | '\t' | '\n' | '\r' | '\u{c}' => self.blank_pending = true,
                c => {
                    if std::mem::take(&mut self.blank_pending) && !self.line.is_empty() {
                        self.line.push(' ');
                    }
                    self.line.push(c);
                }
            }
        }
    }

    fn cut(&mut self, text: &str, rule: Rule) {
        let lines = text
            .lines()
            .map(str::trim)
            .filter(|l| !l.is_empty())
            .map(str::to_owned);
        match self.cuts.last_mut() {
            Some(cut) if cut.rule == rule => cut.lines.extend(lines),
            _ => {
                let lines: Vec<String> = lines.collect();
                if !lines.is_empty() {
                    self.cuts.push(Cut { rule, lines });
                }
            }
        }
    }

    /// Leaves an empty quoted line where a quote was, so that a header above it is seen to have its quote, and text
    /// below it is not taken for the quote.
    fn quote_was_here(&mut self) {
        self.line_end(None);
        self.shown.push_str(EMPTY_QUOTE);
        self.shown.push('\n');
    }

    /// Ends the line if there is anything on it.
    fn line_end(&mut self, hidden: Hidden) {
        if hidden.is_none() && !self.line.is_empty() {
            self.hard_end(None);
        }
        self.blank_pending = false;
    }

    /// Ends the line.
    fn hard_end(&mut self, hidden: Hidden) {
        if hidden.is_none() {
            self.shown.push_str(&self.line);
            self.shown.push('\n');
            self.line.clear();
            self.blank_pending = false;
        }
    }

    fn blank_line(&mut self, hidden: Hidden) {
        if hidden.is_none() && !self.shown.is_empty() && !self.shown.ends_with("\n\n") {
            self.shown.push('\n');
        }
    }

    fn finish(mut self) -> (String, Vec<Cut>) {
        self.shown.push_str(&self.line);
        (self.shown, self.cuts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(html: &str) -> String {
        to_text(html)
            .0
            .split('\n')
            .map(str::trim_end)
            .filter(|l| !l.is_empty() && *l != EMPTY_QUOTE)
            .collect::<Vec<_>>()
            .join("|")
    }

    #[test]
    fn elements_break_lines_as_the_reader_sees_them() {
        assert_eq!(
            text(
                "<div>b3-c3<br>c3 <b>d</b>4</div>x<ul><li>y\n z</ul><table><tr><td>1<td>2</table>"
            ),
            "b3-c3|c3 d4|x|y z|1|2"
        );
        assert_eq!(text("<p>one\ntwo</p><pre>a  b\nc</pre>"), "one two|a  b|c");
    }

    #[test]
    fn what_is_not_shown_is_not_read() {
        for html in [
            "<head><title>t</title><style>p{}</style></head>b3-c3",
            "<script>if (a<b) x</script>b3-c3<!-- c3-d3 -->",
            "<div style=\"Display : none\">c3-d3</div>b3-c3",
            "<!DOCTYPE html><?xml a?><![if x]>b3-c3<![endif]><span hidden>x</span>",
            "b3-c3<!-- open",
        ] {
            assert_eq!(text(html), "b3-c3", "{html}");
        }
    }

    #[test]
    fn quotes_of_mail_programs_are_cut_and_text_below_them_stays() {
        for quote in [
            "<div class=\"gmail_quote\">Q<blockquote>Q</blockquote>Q</div>",
            "<div class=\"x_gmail_quote x_gmail_quote_container\">Q</div>",
            "<div class=moz-cite-prefix>Q</div><blockquote type=\"cite\" cite=\"mid:x\">Q<div>Q</blockquote>",
            "<div class='protonmail_quote'>Q</div>",
            "<div name='quote'>Q<div>Q</div></div>",
            "<div data-marker=\"__QUOTED_TEXT__\">Q</div>",
            "<div id=\"yahoo_quoted_1\" class=\"yahoo_quoted\">Q</div>",
            "<div fairemail=\"quote\">Q</div>",
            "<table class=gmail_quote><tr><td>Q</div></blockquote>Q</td></tr></table>",
        ] {
            assert_eq!(
                text(&format!("<div>b3-c3</div>{quote}<div>c3</div>")),
                "b3-c3|c3",
                "{quote}"
            );
        }
    }

    #[test]
    fn below_the_header_of_outlook_and_its_family_nothing_is_new() {
        for mark in [
            "<hr><div id=divRplyFwdMsg>Q</div>",
            "<div id=\"x_x_divRplyFwdMsg\">Q</div>",
            "<div id=\"appendonsend\"></div>",
            "<hr id=\"zwchr\" data-marker=\"__DIVIDER__\">",
            "<div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in'>Q</div>",
            "<span id=\"OLK_SRC_BODY_SECTION\">Q</span>",
        ] {
            assert_eq!(
                text(&format!("<p>b3-c3</p>{mark}<pre>Q</pre>")),
                "b3-c3",
                "{mark}"
            );
        }
    }

    #[test]
    fn a_bare_blockquote_is_no_quote() {
        assert_eq!(text("<blockquote>b3-c3</blockquote>"), "b3-c3");
    }

    #[test]
    fn a_hundred_thousand_open_elements_are_survived_and_hide_what_is_in_them() {
        assert_eq!(text(&format!("b3-c3{}Q", "<div>".repeat(100_000))), "b3-c3");
        assert_eq!(text(&format!("b3-c3{}", "</div>".repeat(100_000))), "b3-c3");
        assert_eq!(text(&"<".repeat(100_000)).len(), 100_000);
    }
}
