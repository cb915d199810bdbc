//! Bytes of a text part turned into characters: the declared charset, then UTF-8 if the bytes are valid, then a single-
//! byte charset. Never an error (MAIL-15). Also what every text is freed of before it is looked at: invisible
//! characters, controls, odd blanks and line ends (MAIL-09).

use mail_parser::decoders::charsets::map::charset_decoder;

/// Decodes with a charset label as it stands in a Content-Type.
pub(crate) fn decode(bytes: &[u8], label: Option<&str>) -> String {
    let label = label
        .unwrap_or("")
        .trim()
        .trim_matches(['"', '\''])
        .to_ascii_lowercase();
    let plain = matches!(
        label.as_str(),
        "" | "utf-8" | "utf8" | "us-ascii" | "ascii" | "ansi_x3.4-1968"
    );
    match charset_decoder(label.as_bytes()) {
        Some(decoder) if !plain => decoder(bytes),
        // No label, an unknown one, or a claim of UTF-8 or ASCII that may be a lie: windows-1252 is the one single-byte
        // charset that gives every byte a character and keeps ASCII, where the moves are.
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            // A long text was cut inside a character: that is no sign of another charset.
            Err(error) if error.error_len().is_none() => {
                String::from_utf8_lossy(bytes.get(..error.valid_up_to()).unwrap_or_default())
                    .into_owned()
            }
            Err(_) => match charset_decoder(b"windows-1252") {
                Some(decoder) => decoder(bytes),
                None => String::from_utf8_lossy(bytes).into_owned(),
            },
        },
    }
}

/// Frees a text of what nobody sees and brings its line ends to LF and its blanks to the one blank.
pub(crate) fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' => {
                chars.next_if_eq(&'\n');
                out.push('\n');
            }
            '\n' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push('\n'),
            c if c.is_whitespace() => out.push(' '),
            // Joiners hold an emoji together, and mean nothing beside ASCII.
            '\u{200c}' | '\u{200d}' if out.chars().next_back().is_some_and(|b| !b.is_ascii()) => {
                out.push(c)
            }
            c if invisible(c) || c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

/// Whether a reader sees nothing where the character stands.
pub(crate) fn invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fe00}'..='\u{fe0e}')
}

/// Whether anything can be seen in the text (MAIL-12).
pub(crate) fn visible(text: &str) -> bool {
    text.chars()
        .any(|c| !c.is_whitespace() && !c.is_control() && !invisible(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declared_charset_is_used() {
        assert_eq!(decode(b"P\xed\x9au", Some("windows-1250")), "Píšu");
        assert_eq!(
            decode(b"\xf7\xa6\xd4\xc1\xa4\xcd\xcf", Some("koi8-u")),
            "Вітаємо"
        );
        assert_eq!(decode(b"\xd5\xb3\xe4", Some("windows-1251")), "Хід");
        assert_eq!(
            decode(b"\xfe\xff\0b\x003", Some("utf-16")).trim_start_matches('\u{feff}'),
            "b3"
        );
    }

    #[test]
    fn an_unknown_or_lying_label_is_utf_8_when_valid_and_else_a_single_byte_charset() {
        for label in [
            None,
            Some("x-unknown-1258"),
            Some("utf-8"),
            Some("us-ascii"),
        ] {
            assert_eq!(decode("Táhnu h2-i2".as_bytes(), label), "Táhnu h2-i2");
            assert_eq!(decode(b"T\xe1hnu h2-i2", label), "Táhnu h2-i2");
        }
    }

    #[test]
    fn invisible_characters_go_and_odd_blanks_and_line_ends_become_plain() {
        assert_eq!(
            clean("\u{feff}H2\u{a0}–\u{202f}h3\r\n\u{200b}b\u{ad}3\0\rx\u{2028}y\u{200d}"),
            "H2 – h3\nb3\nx\ny"
        );
        assert!(visible("a") && !visible(" \u{feff}\u{a0}\r\n\u{200b}"));
    }
}
