//! Characters as phones, word processors and webmail send them.
//!
//! Knows which characters cannot be seen, which are blanks, dashes and arrows, and how letters are
//! folded (MAIL-09). Refuses to know words.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Whether a character has no ink and no width: it is dropped before anything is read. These come
/// from byte order marks inside quotes (iOS), soft hyphens, bidirectional marks, emoji selectors and
/// stray control characters.
pub(super) fn invisible(c: char) -> bool {
    matches!(c,
        '\0'..='\u{8}' | '\u{e}'..='\u{1b}' | '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}'
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffc}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a character is a blank: any white space, and the two letters that only look like it.
pub(super) fn blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{2800}' | '\u{3164}')
}

/// Whether a character ends a line.
pub(super) fn ends_line(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// Whether a character is a dash of any width, or the minus sign.
pub(super) fn dash(c: char) -> bool {
    matches!(
        c,
        '-' | '\u{2d7}' | '\u{2010}'
            ..='\u{2015}'
                | '\u{2043}'
                | '\u{2212}'
                | '\u{2500}'
                | '\u{2501}'
                | '\u{2796}'
                | '\u{2e3a}'
                | '\u{2e3b}'
                | '\u{fe58}'
                | '\u{fe63}'
                | '\u{ff0d}'
    )
}

/// Whether a character is an arrow to the right. An arrow to the left would turn the move round, so
/// it is none. U+F0E0 is what Outlook makes of `-->` (Wingdings).
pub(super) fn arrow(c: char) -> bool {
    matches!(c,
        '>' | '=' | '→' | '⇒' | '⇢' | '⇨' | '⇾' | '↦' | '⟶' | '⟹' | '⟼' | '\u{2794}'
        | '\u{2798}'..='\u{27af}' | '\u{27b1}'..='\u{27be}' | '▶' | '►' | '▸' | '▹' | '▷' | '‣' | '⏵'
        | '⭢' | '🡒' | '\u{ff1e}' | '\u{f0e0}')
}

/// Whether a character opens or closes a quotation, or is an apostrophe.
pub(super) fn quotation(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '“'
            | '”'
            | '„'
            | '‟'
            | '‘'
            | '’'
            | '‚'
            | '‹'
            | '›'
            | '«'
            | '»'
            | '＂'
    )
}

/// Whether a character belongs to a word.
pub(super) fn of_word(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c)
}

/// A word in lower case, without accents, with the plain form of wide, raised and stylised letters.
pub(super) fn fold(word: &str) -> String {
    word.nfkd()
        .filter(|c| !is_combining_mark(*c))
        .flat_map(char::to_lowercase)
        .collect()
}

/// The Latin letter or digit that a Cyrillic character is drawn like, in either case; for others the
/// character itself. Of use only where the whole word then is a space of the board (MAIL-09).
pub(super) fn drawn_like(c: char) -> char {
    match c {
        'а' | 'А' => 'a',
        'В' => 'b',
        'с' | 'С' => 'c',
        'ԁ' | 'Ԁ' => 'd',
        'е' | 'Е' => 'e',
        'һ' | 'Н' => 'h',
        'і' | 'І' => 'i',
        'ј' | 'Ј' => 'j',
        'к' | 'К' => 'k',
        'З' | 'з' => '3',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_case_and_width_do_not_matter() {
        assert_eq!(fold("Résign"), "resign");
        assert_eq!(fold("ＨＥＬＰ"), "help");
        assert_eq!(fold("B³"), "b3");
    }

    #[test]
    fn no_character_is_two_things() {
        for c in '\0'..=char::MAX {
            let classes = [
                invisible(c),
                blank(c),
                dash(c),
                arrow(c),
                quotation(c),
                of_word(c) && !blank(c) && !invisible(c),
            ];
            assert!(classes.iter().filter(|class| **class).count() <= 1, "{c:?}");
        }
    }
}
