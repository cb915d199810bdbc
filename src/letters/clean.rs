//! Words of others, made safe to print: names, messages and quoted lines that players wrote.
//!
//! What comes out holds no control character, no mark that turns the direction of what follows, and no invisible
//! character; a line is one line. Escaping for HTML is the templates' business.

/// Most characters of one line that is quoted back.
const LONGEST_LINE: usize = 200;
/// Most characters of a message; with it the HTML part stays under 60 KB even if every one must be escaped.
const LONGEST_TEXT: usize = 5000;

/// One clean line: white space folded, cut with `...` when it is very long.
pub(super) fn line(text: &str) -> String {
    let mut line = String::new();
    for word in visible(text).split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    match line.char_indices().nth(LONGEST_LINE) {
        None => line,
        Some((end, _)) => format!("{}...", line.get(..end).unwrap_or_default()),
    }
}

/// Clean lines of a message without blank ones at its ends, and whether it was cut.
pub(super) fn lines(text: &str) -> (Vec<String>, bool) {
    let end = text.char_indices().nth(LONGEST_TEXT).map(|(end, _)| end);
    let kept = end.and_then(|end| text.get(..end)).unwrap_or(text);
    let mut lines: Vec<String> = Vec::new();
    for line in kept.lines() {
        let line = visible(line)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        // A hundred blank lines would push the footer out of sight.
        if !(line.is_empty() && lines.last().is_none_or(String::is_empty)) {
            lines.push(line);
        }
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    (lines, end.is_some())
}

/// The characters that a reader sees; controls and separators become blanks.
fn visible(text: &str) -> String {
    text.chars()
        .filter_map(|c| match c {
            // Marks and overrides of direction, and everything invisible but the joiners that scripts and emoji need.
            '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}' | '\u{200E}' | '\u{200F}' => None,
            '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{FEFF}'
            | '\u{FFF9}'..='\u{FFFB}' => None,
            '\u{E0000}'..='\u{E007F}' => None,
            '\u{2028}' | '\u{2029}' => Some(' '),
            c if c.is_control() => Some(' '),
            c => Some(c),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_line_breaks_and_direction_marks_becomes_one_plain_line() {
        assert_eq!(
            line("Anna\r\n--\u{202E} Club\u{200B}\u{7}  x\u{2028}y"),
            "Anna -- Club x y"
        );
    }

    #[test]
    fn a_very_long_line_is_cut() {
        let cut = line(&"ž".repeat(500));
        assert_eq!(cut.chars().count(), 203);
        assert!(cut.ends_with("ž..."));
    }

    #[test]
    fn a_message_keeps_its_lines_but_not_its_empty_ends() {
        assert_eq!(
            lines("\n \nHello,\u{0}\tBen\n\n\n\nBye\n\n"),
            (
                vec!["Hello, Ben".into(), String::new(), "Bye".into()],
                false
            )
        );
        let (cut, was_cut) = lines(&"word\n".repeat(5000));
        assert!(was_cut);
        assert_eq!(cut.len(), 1000);
    }
}
