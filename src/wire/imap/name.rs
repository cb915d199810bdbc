//! Mailbox names as IMAP writes them.
//!
//! Knows modified UTF-7 (RFC 3501 5.1.3) and quoting; refuses to know which mailboxes there are.

use data_encoding::{Encoding, Specification};

/// A mailbox name as a quoted string: ASCII as it is, `&` as `&-`, runs of anything else as `&`, base64 of UTF-16
/// with `,` for `/` and without padding, `-`.
pub(super) fn quoted(name: &str) -> String {
    let mut text = String::from("\"");
    let mut foreign = String::new();
    for c in name.chars() {
        if matches!(c, ' '..='~') {
            flush(&mut foreign, &mut text);
            match c {
                '&' => text.push_str("&-"),
                '"' | '\\' => text.extend(['\\', c]),
                _ => text.push(c),
            }
        } else {
            foreign.push(c);
        }
    }
    flush(&mut foreign, &mut text);
    text.push('"');
    text
}

fn flush(foreign: &mut String, text: &mut String) {
    if foreign.is_empty() {
        return;
    }
    let bytes: Vec<u8> = foreign.encode_utf16().flat_map(u16::to_be_bytes).collect();
    foreign.clear();
    text.push('&');
    if let Some(base64) = base64() {
        text.push_str(&base64.encode(&bytes));
    }
    text.push('-');
}

fn base64() -> Option<Encoding> {
    let mut alphabet = Specification::new();
    alphabet
        .symbols
        .push_str("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,");
    // Sixty-four different symbols: the specification is sound.
    alphabet.encoding().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_other_scripts_and_with_special_characters() {
        assert_eq!(quoted("INBOX"), "\"INBOX\"");
        assert_eq!(quoted("R&D \"x\\y\""), "\"R&-D \\\"x\\\\y\\\"\"");
        // The examples of RFC 3501 5.1.3.
        assert_eq!(
            quoted("~peter/mail/台北/日本語"),
            "\"~peter/mail/&U,BTFw-/&ZeVnLIqe-\""
        );
        assert_eq!(
            quoted("Nevyžádaná pošta"),
            "\"Nevy&AX4A4Q-dan&AOE- po&AWE-ta\""
        );
        assert_eq!(quoted("a\r\nb"), "\"a&AA0ACg-b\"");
    }
}
