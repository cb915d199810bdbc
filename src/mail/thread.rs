//! Threads: which letter of ours a mail answers, and the ids and subjects by which mail programs keep a game together
//! (MAIL-18, MAIL-40). It reads and writes tokens but proves none.

use crate::mail::address::Address;
use crate::mail::incoming::Incoming;
use crate::mail::safe::SafeHeader;
use crate::mail::token::{self, Token};

/// Most ids in References (mail.md section 2).
const REFERENCES_MAX: usize = 10;
/// Most tokens of one mail that are handed on to be verified.
const TOKENS_MAX: usize = 20;

/// Where a token stood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Found {
    /// In the plus address that the mail was sent to. Without [`Clues::is_reply`] only an old hint: address books
    /// complete such addresses years later.
    Address,
    /// In In-Reply-To or References.
    ReplyHeader,
    /// In a `ref:` of the text, quoted or not.
    RefLine,
}

/// What a mail says about the letter it answers. Nothing of it is proved.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Clues {
    /// The tokens, most telling first (MAIL-18), each once, where it was found first.
    pub tokens: Vec<(Token, Found)>,
    /// Whether In-Reply-To or References is there at all.
    pub is_reply: bool,
    /// The number of the `[dvonn #12]` tag in the subject.
    pub tag: Option<u32>,
}

/// Collects the clues. `club` is our address, without a tag.
pub fn clues(mail: &Incoming, club: &Address) -> Clues {
    let mut tokens: Vec<(Token, Found)> = Vec::new();
    let mut add = |token: Token, found: Found| {
        if tokens.len() < TOKENS_MAX && !tokens.iter().any(|(t, _)| *t == token) {
            tokens.push((token, found));
        }
    };
    for recipient in &mail.recipients {
        let address = Address::parse(recipient).ok();
        if let Some(token) = address
            .as_ref()
            .and_then(|a| club.tag_of(a))
            .and_then(|tag| tag.parse().ok())
        {
            add(token, Found::Address);
        }
    }
    // The last reference is the nearest.
    for id in mail.in_reply_to.iter().chain(mail.references.iter().rev()) {
        if let Some((token, _)) = read_message_id(id) {
            add(token, Found::ReplyHeader);
        }
    }
    let quoted = mail
        .body
        .cuts
        .iter()
        .flat_map(|c| &c.lines)
        .map(String::as_str);
    for line in mail.body.text.lines().chain(quoted) {
        for token in ref_tokens(line) {
            add(token, Found::RefLine);
        }
    }
    Clues {
        tokens,
        is_reply: mail.is_reply(),
        tag: tag(&mail.subject),
    }
}

/// The tokens behind `ref:` in a line.
fn ref_tokens(line: &str) -> impl Iterator<Item = Token> {
    let lower = line.to_ascii_lowercase();
    let starts: Vec<usize> = lower
        .match_indices("ref:")
        .map(|(at, _)| at + 4)
        .take(TOKENS_MAX)
        .collect();
    starts.into_iter().filter_map(move |at| {
        let rest = lower.get(at..)?.trim_start();
        let end = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '.')
            .unwrap_or(rest.len());
        // A full stop behind it belongs to the sentence.
        rest.get(..end)?.trim_end_matches('.').parse().ok()
    })
}

/// The tokens in a mail of ours that came back with a report, wherever they stand, as far as they are needed.
pub(crate) fn tokens_in(text: &str) -> Vec<Token> {
    text.lines()
        .flat_map(|line| {
            let word = |c: char| !c.is_ascii_alphanumeric() && c != '.';
            line.split(word)
                .filter(|word| token::looks_like(word))
                .flat_map(|word| {
                    let fields: Vec<&str> = word.split('.').collect();
                    let first = fields.get(..4).map(|fields| fields.join("."));
                    first.and_then(|token| token.parse().ok())
                })
        })
        .take(TOKENS_MAX)
        .collect()
}

/// The number in the first `[dvonn #12]` of a subject, wherever it stands (situation c1).
pub fn tag(subject: &str) -> Option<u32> {
    let lower = subject.to_ascii_lowercase();
    let mut tags = lower.match_indices("[dvonn").filter_map(|(at, found)| {
        let rest = lower
            .get(at + found.len()..)?
            .trim_start()
            .strip_prefix('#')?
            .trim_start();
        let (number, _) = rest.split_once(']')?;
        let number = number.trim_end();
        number
            .bytes()
            .all(|b| b.is_ascii_digit())
            .then(|| number.parse().ok())?
    });
    tags.next()
}

/// The one subject of a game's thread, `[dvonn #12] Anna - Ben`: it never changes, since some programs keep threads
/// together by it (MAIL-40).
pub fn subject(number: u32, white: &str, black: &str) -> String {
    let (white, black) = (SafeHeader::new(white), SafeHeader::new(black));
    format!("[dvonn #{number}] {white} - {black}")
}

/// The Message-ID of a letter, without angle brackets: `12.57.w.MAC.L7@domain`. `letter` tells letters about one state
/// apart.
pub fn message_id(token: &Token, letter: u32, domain: &str) -> String {
    format!("{token}.L{letter}@{domain}")
}

/// The token and letter number in a Message-ID of ours, with or without angle brackets. The domain is not looked at:
/// the token proves more.
pub fn read_message_id(id: &str) -> Option<(Token, u32)> {
    let id = id.trim().trim_start_matches('<').trim_end_matches('>');
    let (local, _) = id.split_once('@')?;
    let (token, letter) = local.rsplit_once('.')?;
    let digits = letter.strip_prefix(['L', 'l'])?;
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some((token.parse().ok()?, digits.parse().ok()?))
}

/// References of a letter: the root of the thread first, then the latest ids, ours and the player's in their order, at
/// most ten. Our own ids belong in, because some relays replace the Message-ID and leave these (situation c3).
pub fn references(root: &str, ids: &[String]) -> Vec<String> {
    let mut latest: Vec<String> = Vec::new();
    for id in ids.iter().rev() {
        if latest.len() + 1 < REFERENCES_MAX && id != root && !latest.contains(id) {
            latest.push(id.clone());
        }
    }
    latest.push(root.to_owned());
    latest.reverse();
    latest
}

/// Cuts out of a text whatever could prove something of its writer's: tokens, alone, behind `ref:`, and in plus
/// addresses and Message-IDs. For text that is passed on to others.
pub fn scrub(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Where the last word that was kept ends, and whether its line does: looking back through blanks again and again
    // would take a hostile text's length squared.
    let (mut end, mut line_ended) = (0, false);
    for piece in text.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end_matches(char::is_whitespace);
        let blank = piece.get(word.len()..).unwrap_or("");
        if token::looks_like(word) {
            // `ref: 12.57.w.…`, with a blank: the word before goes too.
            let kept = out.get(..end).unwrap_or("");
            let says_ref = kept
                .get(kept.len().saturating_sub(4)..)
                .is_some_and(|last| last.eq_ignore_ascii_case("ref:"));
            if says_ref && !line_ended {
                end -= 4;
                out.truncate(end);
            }
        } else if !word.is_empty() {
            out.push_str(word);
            (end, line_ended) = (out.len(), false);
        }
        out.push_str(blank);
        line_ended |= blank.contains('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::mail::token::{Secret, TokenKind};

    fn token(serial: u32) -> Token {
        Secret::new(&[7; 32]).token(12, serial, TokenKind::White)
    }

    fn clues_of(raw: &str) -> Clues {
        clues(
            &Incoming::read(raw.as_bytes()).unwrap(),
            &Address::parse("dvonn@club.example").unwrap(),
        )
    }

    #[test]
    fn tokens_come_in_the_order_of_what_they_tell() {
        let [a, b, c, d] = [1, 2, 3, 4].map(token);
        let raw = format!(
            "To: Club <DVONN+{}@Club.Example>\nIn-Reply-To: <{b}.L7@club.example>\nReferences: <{c}.L1@club.example>\n <{b}.L7@club.example>\n\
             Subject: [EXT] Aw: [Dvonn # 12 ] x\n\nb3-c3\n> Club. Game 12, move 75. ref:{d}.\n",
            a.to_string().to_uppercase()
        );
        let clues = clues_of(&raw);
        let expected = [
            (a, Found::Address),
            (b, Found::ReplyHeader),
            (c, Found::ReplyHeader),
            (d, Found::RefLine),
        ];
        assert_eq!(
            (clues.tokens.as_slice(), clues.is_reply, clues.tag),
            (&expected[..], true, Some(12))
        );
    }

    #[test]
    fn a_token_in_the_address_without_reply_headers_is_told_apart() {
        let clues = clues_of(&format!(
            "Delivered-To: dvonn+{}@club.example\n\nx\n",
            token(1)
        ));
        assert_eq!(
            (clues.tokens.len(), clues.is_reply, clues.tag),
            (1, false, None)
        );
        assert!(
            clues_of(&format!("To: other+{}@club.example\n\nx\n", token(1)))
                .tokens
                .is_empty()
        );
    }

    #[test]
    fn a_token_inside_a_quote_of_html_is_found() {
        let raw = format!(
            "Content-Type: text/html\n\n<p>b3-c3</p><div class=gmail_quote>ref:{}</div>",
            token(1)
        );
        assert_eq!(clues_of(&raw).tokens, [(token(1), Found::RefLine)]);
    }

    #[test]
    fn the_tag_is_found_wherever_it_stands_and_nowhere_else() {
        for (subject, number) in [
            ("[dvonn #12] Anna - Ben", Some(12)),
            ("Re: AW:[EXTERNAL] [DVONN#7]x", Some(7)),
            ("[dvonn #] [dvonn #3]", Some(3)),
            ("[dvonn 12]", None),
            ("dvonn #12", None),
            ("[dvonn #99999999999]", None),
            ("[dvonn #-1]", None),
        ] {
            assert_eq!(tag(subject), number, "{subject}");
        }
        assert_eq!(tag(&subject(12, "Anna\r\nBcc: x", "Ben")), Some(12));
    }

    #[test]
    fn message_ids_read_back_and_foreign_ones_are_none() {
        let id = message_id(&token(57), 7, "club.example");
        assert_eq!(read_message_id(&format!("<{id}>")), Some((token(57), 7)));
        for id in ["g12.m31.9f3kq2x7@club.example", "12.57.w.abc.L7@x", "x", ""] {
            assert_eq!(read_message_id(id), None);
        }
    }

    #[test]
    fn references_keep_the_root_and_the_latest() {
        let ids: Vec<String> = (0..30).map(|n| format!("{n}@x")).collect();
        let refs = references("0@x", &ids);
        assert_eq!(
            (
                refs.len(),
                refs.first().map(String::as_str),
                refs.last().map(String::as_str)
            ),
            (10, Some("0@x"), Some("29@x"))
        );
        assert_eq!(
            references("r", &["r".into(), "a".into(), "a".into()]),
            ["r", "a"]
        );
        assert_eq!(references("r", &[]), ["r"]);
    }

    #[test]
    fn nothing_that_proves_anything_is_passed_on() {
        let t = token(1);
        let text = format!(
            "Hi Ben,\nsee REF: {t} and <dvonn+{t}@club.example>,\n(<{t}.L7@club.example>) ref:{t}\n1.2.3 b3-c3"
        );
        assert_eq!(scrub(&text), "Hi Ben,\nsee  and \n \n1.2.3 b3-c3");
        assert!(!token::looks_like(&scrub(&text)));
        let glued = format!("<mailto:club%2B{t}%40club.example> abc{t}");
        assert!(!token::looks_like(&scrub(&glued)));
    }

    #[test]
    fn a_text_of_nothing_but_tokens_takes_no_longer_than_its_length() {
        let text = "1.2.w.aaaaaaaaaaaaaaaa ".repeat(40_000);
        assert_eq!(scrub(&text).trim(), "");
    }
}
