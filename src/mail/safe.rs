//! The only way into a header of ours: text without anything that could end the line, start a field, or turn the
//! reading direction (SEC-04). lettre 0.11.23 panics on CR, LF or NUL in a display name (reliability.md finding 3), so
//! nothing reaches it unclean. It knows nothing of which header it is for.

use std::fmt;

use crate::mail::charset::invisible;

/// Longest text in characters (SEC-04).
const MAX: usize = 200;

/// Text that is safe in a header: no C0, C1, line or paragraph separator, no bidirectional control, at most 200
/// characters, one blank between words, none around.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SafeHeader(String);

impl SafeHeader {
    /// Cleans a text: what may not stand in a header becomes a blank, what is too long is cut.
    pub fn new(text: &str) -> SafeHeader {
        let mut clean = String::new();
        let mut length = 0;
        for word in text.split(|c: char| c.is_whitespace() || unsafe_in_header(c)) {
            if word.is_empty() {
                continue;
            }
            if length > 0 && length < MAX {
                clean.push(' ');
                length += 1;
            }
            for c in word.chars() {
                if length == MAX {
                    break;
                }
                clean.push(c);
                length += 1;
            }
        }
        clean.truncate(clean.trim_end().len());
        SafeHeader(clean)
    }

    /// The clean text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether nothing was left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for SafeHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for SafeHeader {
    fn from(text: &str) -> SafeHeader {
        SafeHeader::new(text)
    }
}

/// Controls, invisible characters and those that reorder what is read (UAX #9), which could make a name look like
/// another one's.
fn unsafe_in_header(c: char) -> bool {
    c.is_control()
        || invisible(c)
        || matches!(c, '\u{61c}' | '\u{2028}' | '\u{2029}' | '\u{fff0}'..='\u{fffd}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_controls_and_direction_marks_become_one_blank() {
        assert_eq!(
            SafeHeader::new("Anna\r\nBcc: x@y\0\u{85}\u{202e}nnA ").as_str(),
            "Anna Bcc: x@y nnA"
        );
        assert!(SafeHeader::new("\r\n\u{200f}").is_empty());
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let cut = SafeHeader::new(&"ě".repeat(1000));
        assert_eq!(cut.as_str().chars().count(), MAX);
        let words = SafeHeader::new(&"ab ".repeat(500));
        assert!(words.as_str().chars().count() <= MAX && !words.as_str().ends_with(' '));
    }
}
