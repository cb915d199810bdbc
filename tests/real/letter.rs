//! A letter of the club as it lies in a player's mailbox.
//!
//! Knows its headers, parts and board; refuses to know what should stand in it.

use dvonn_post::dvonn::{Diagram, diagram};
use mail_parser::{HeaderValue, Message, MessageParser, MimeHeaders};

/// A letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    pub id: String,
    pub in_reply_to: Vec<String>,
    pub references: Vec<String>,
    pub subject: String,
    pub from: String,
    pub to: String,
    /// Auto-Submitted.
    pub submitted: String,
    pub text: String,
    pub html: String,
    /// What the club wrote, without the lines that mail servers put on top.
    pub bytes: String,
}

impl Letter {
    pub fn read(raw: &[u8]) -> Letter {
        let raw = String::from_utf8(raw.to_vec()).unwrap();
        let start = if raw.starts_with("From: ") {
            0
        } else {
            raw.find("\nFrom: ").expect("a letter has From") + 1
        };
        let bytes = raw[start..].replace("\r\n", "\n");
        let mail = MessageParser::default().parse(&bytes).unwrap();
        let kinds: Vec<String> = mail
            .parts
            .iter()
            .filter_map(|part| part.content_type())
            .map(|kind| {
                format!(
                    "{}/{}",
                    kind.c_type,
                    kind.c_subtype.as_deref().unwrap_or("")
                )
            })
            .collect();
        assert_eq!(
            kinds,
            ["multipart/alternative", "text/plain", "text/html"],
            "{bytes}"
        );
        Letter {
            id: mail.message_id().unwrap().to_owned(),
            in_reply_to: ids(mail.in_reply_to()),
            references: ids(mail.references()),
            subject: mail.subject().unwrap().to_owned(),
            from: address(&mail, "From"),
            to: address(&mail, "To"),
            submitted: header(&mail, "Auto-Submitted"),
            text: mail.body_text(0).unwrap().into_owned(),
            html: mail.body_html(0).unwrap().into_owned(),
            bytes,
        }
    }

    /// Its number in the club, from its Message-ID.
    pub fn number(&self) -> u32 {
        let (local, _) = self.id.split_once('@').unwrap();
        let (_, number) = local.rsplit_once(".L").unwrap();
        number.parse().unwrap()
    }

    /// The one board of the letter.
    pub fn board(&self) -> Diagram {
        let lines: Vec<&str> = self.text.lines().collect();
        let tops: Vec<usize> = (0..lines.len().saturating_sub(9))
            .filter(|&at| {
                (0..5).all(|row| {
                    lines[at + 2 * row]
                        .trim_start()
                        .starts_with(&format!("{}  ", 5 - row)[..2])
                })
            })
            .collect();
        assert_eq!(tops.len(), 1, "one board: {}", self.text);
        let drawing = &lines[tops[0]..=tops[0] + 9];
        assert!(drawing.iter().all(|line| line.len() <= 52), "{}", self.text);
        assert!(drawing.iter().all(|line| line.is_ascii()), "{}", self.text);
        let pre = self
            .html
            .split("<pre")
            .skip(1)
            .filter(|pre| pre.contains("\n"));
        let shown = pre
            .filter_map(|pre| pre.split("</pre>").next())
            .filter(|pre| drawing.iter().all(|line| pre.contains(line.trim_end())))
            .count();
        assert_eq!(shown, 1, "the board in monospace: {}", self.html);
        diagram::read(&drawing.join("\n")).unwrap_or_else(|why| panic!("{why}: {}", self.text))
    }

    /// What its parts look like on the wire: no line of the body is longer than 76, none of the head than 78, but for
    /// an id that cannot be broken (RFC 5322 2.1.1).
    pub fn assert_well_formed(&self) {
        let (head, body) = self.bytes.split_once("\n\n").unwrap();
        assert!(self.bytes.is_ascii(), "{}", self.bytes);
        for line in body.lines() {
            assert!(line.len() <= 76, "{line:?}");
            assert_eq!(line.trim_end(), line, "blanks at the end: {line:?}");
        }
        for line in head.lines() {
            assert!(line.len() <= 78 || line.contains('<'), "{line:?}");
        }
        let count = |name: &str| {
            head.lines()
                .filter(|line| line.to_ascii_lowercase().starts_with(name))
                .count()
        };
        for name in [
            "message-id:",
            "from:",
            "to:",
            "subject:",
            "date:",
            "auto-submitted:",
        ] {
            assert_eq!(count(name), 1, "{name} {head}");
        }
        for name in ["in-reply-to:", "references:", "reply-to:"] {
            assert!(count(name) <= 1, "{name} {head}");
        }
        assert!(
            self.html.contains("<pre") || !self.text.contains("\n1  "),
            "{}",
            self.html
        );
    }
}

fn ids(value: &HeaderValue<'_>) -> Vec<String> {
    match value {
        HeaderValue::Text(id) => vec![id.to_string()],
        HeaderValue::TextList(ids) => ids.iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    }
}

fn address(mail: &Message<'_>, name: &str) -> String {
    let list = mail.header(name).and_then(HeaderValue::as_address).unwrap();
    assert_eq!(list.clone().into_list().len(), 1);
    list.first().unwrap().address().unwrap().to_owned()
}

fn header(mail: &Message<'_>, name: &str) -> String {
    mail.header_raw(name).unwrap_or_default().trim().to_owned()
}
