//! The HTML part: sentences escaped, what a reader may type set apart. Inline styles only, nothing from elsewhere.

use super::layout::{Paragraph, paragraphs};

/// Style of everything that must keep its columns: the board above all.
const FIXED: &str = "font-family:Consolas,Menlo,'DejaVu Sans Mono','Courier New',monospace;font-size:12px;line-height:1.4;margin:1em 0";

/// One sentence. In the catalogs two blanks stand around what a reader may type; here that is bold.
pub(super) fn line(text: &str) -> String {
    let mut html = String::new();
    for (place, piece) in text.trim().split("  ").enumerate() {
        if place % 2 == 0 {
            html.push_str(&escape(piece));
        } else {
            // The full stop behind it is not to be typed.
            let typed = piece.trim().trim_end_matches(['.', ',', ':']);
            let rest = piece.trim().strip_prefix(typed).unwrap_or_default();
            html.push_str(&format!(" <b>{}</b>{} ", escape(typed), escape(rest)));
        }
    }
    html.trim_end().to_owned()
}

/// Several sentences, each on a line of its own.
pub(super) fn lines<S: AsRef<str>>(texts: &[S]) -> String {
    texts
        .iter()
        .map(|text| line(text.as_ref()))
        .collect::<Vec<_>>()
        .join("<br>\n")
}

/// Text that must keep its columns.
pub(super) fn fixed(text: &str) -> String {
    format!("<pre style=\"{FIXED}\">{}</pre>", escape(text.trim_end()))
}

/// Paragraphs of a catalog.
pub(super) fn prose(text: &str) -> String {
    let paragraph = |paragraph| match paragraph {
        Paragraph::Flowing(text) => format!("<p>{}</p>\n", line(&text)),
        Paragraph::Fixed(text) => fixed(&text) + "\n",
    };
    paragraphs(text).map(paragraph).collect()
}

/// Escapes everything that HTML could take for its own.
pub(super) fn escape(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            c => html.push(c),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_typed_is_bold_and_its_full_stop_is_not() {
        assert_eq!(
            line("Answer with  accept  to begin, or with  decline."),
            "Answer with <b>accept</b> to begin, or with <b>decline</b>."
        );
    }

    #[test]
    fn nothing_of_a_name_is_markup() {
        assert_eq!(
            line("<a href='x'>\"&"),
            "&lt;a href=&#39;x&#39;&gt;&quot;&amp;"
        );
    }
}
