//! The digest by which a mail is known again: the same mail, redelivered with other trace headers or other line ends,
//! has the same digest; two mails that merely lack a Message-ID have different ones (IN-03, MAIL-32). It knows
//! nothing of what was done with a mail.

use std::fmt;

use ring::digest::{Context, SHA256};

use crate::mail::fields::Fields;

/// SHA-256 over what makes a mail itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of a raw mail. Never fails: bytes that are no mail have a digest too.
    pub fn of(raw: &[u8]) -> Digest {
        let (fields, body) = Fields::split(raw);
        let mut sha = Context::new(&SHA256);
        let ids: Vec<&str> = fields.all("message-id").collect();
        match ids.as_slice() {
            // IN-03: without a (single, non-empty) Message-ID the whole mail is its own key.
            [id] if !id.trim().is_empty() => {
                sha.update(b"id\0");
                // The fields beside the body that can hold a command or name its author. Trace headers stay out.
                for name in ["message-id", "from", "subject", "in-reply-to"] {
                    for value in fields.all(name) {
                        sha.update(name.as_bytes());
                        sha.update(b"\0");
                        for word in value.split_ascii_whitespace() {
                            sha.update(word.as_bytes());
                            sha.update(b" ");
                        }
                        sha.update(b"\0");
                    }
                }
                lines(&mut sha, body);
            }
            _ => {
                sha.update(b"whole\0");
                lines(&mut sha, raw);
            }
        }
        let mut bytes = [0; 32];
        for (to, from) in bytes.iter_mut().zip(sha.finish().as_ref()) {
            *to = *from;
        }
        Digest(bytes)
    }

    /// Its 32 bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// A Maildir keeps LF where IMAP sends CRLF, and some servers add a last line end: none of that makes another mail.
fn lines(sha: &mut Context, text: &[u8]) {
    let end = text
        .iter()
        .rposition(|b| !matches!(b, b'\r' | b'\n'))
        .map_or(0, |at| at + 1);
    for line in text.get(..end).unwrap_or(text).split(|&b| b == b'\n') {
        sha.update(line.strip_suffix(b"\r").unwrap_or(line));
        sha.update(b"\n");
    }
}

impl From<[u8; 32]> for Digest {
    fn from(bytes: [u8; 32]) -> Digest {
        Digest(bytes)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&data_encoding::HEXLOWER.encode(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIL: &str = "Message-ID: <a@b>\nFrom: anna@example.org\nSubject: x\n\nb3-c3\n";

    #[test]
    fn a_redelivery_with_other_trace_headers_and_line_ends_is_the_same_mail() {
        let again = format!("Received: from x by y\nDelivered-To: me@club.example\n{MAIL}\n")
            .replace('\n', "\r\n");
        assert_eq!(Digest::of(MAIL.as_bytes()), Digest::of(again.as_bytes()));
    }

    #[test]
    fn another_body_or_subject_under_one_message_id_is_another_mail() {
        for other in [
            MAIL.replace("b3-c3", "b3-c4"),
            MAIL.replace("Subject: x", "Subject: y"),
        ] {
            assert_ne!(Digest::of(MAIL.as_bytes()), Digest::of(other.as_bytes()));
        }
    }

    #[test]
    fn mails_without_a_message_id_are_never_merged() {
        let bare = MAIL.replace("Message-ID: <a@b>\n", "");
        let trace = format!("Received: from x by y; 10:30\n{bare}");
        assert_ne!(Digest::of(bare.as_bytes()), Digest::of(trace.as_bytes()));
        assert_eq!(
            Digest::of(bare.as_bytes()),
            Digest::of(bare.replace('\n', "\r\n").as_bytes())
        );
        Digest::of(b"");
    }
}
