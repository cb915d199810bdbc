//! Letters built, and read again by this floor and by mail-parser: exactly our headers, exactly our text, whatever a
//! name or a subject tries.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use super::*;
use crate::mail::fields::Fields;
use crate::mail::incoming::Incoming;
use mail_parser::MessageParser;
use proptest::prelude::*;

fn letter() -> Outgoing {
    Outgoing {
        club: Address::parse("dvonn@club.example").unwrap(),
        club_name: "Prague DVONN Club".into(),
        to: Address::parse("anna@example.org").unwrap(),
        to_name: Some("Anna".into()),
        reply_to: Some(Address::parse("dvonn+12.57.w.aaaaaaaaaaaaaaaa@club.example").unwrap()),
        subject: "[dvonn #12] Anna - Ben".into(),
        text: "Ben played d2-f2.\n\n    5  w2  W3  .\n.\nČeština.\n--\nClub".into(),
        html: "<p>Ben played d2-f2.</p>".into(),
        kind: Kind::Notice,
        message_id: "12.57.w.aaaaaaaaaaaaaaaa.L7@club.example".into(),
        in_reply_to: Some("x@example.org".into()),
        references: vec!["root@club.example".into(), "x@example.org".into()],
        date: DateTime::from_timestamp(1_796_030_045, 0).unwrap(),
        unsubscribe: Some("mailto:dvonn@club.example?subject=stop".into()),
        envelope_from: None,
    }
}

const OURS: &[&str] = &[
    "from",
    "to",
    "reply-to",
    "subject",
    "date",
    "message-id",
    "in-reply-to",
    "references",
    "auto-submitted",
    "x-auto-response-suppress",
    "x-loop",
    "list-unsubscribe",
    "mime-version",
    "content-type",
];

fn check(letter: &Outgoing) -> String {
    let bytes = letter.bytes().unwrap();
    assert_eq!(bytes, letter.bytes().unwrap(), "the same letter twice");
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert!(text.is_ascii());
    assert!(
        !text.replace("\r\n", "").contains(['\r', '\n']),
        "a lone line end"
    );
    for line in text.split("\r\n") {
        assert!(line.len() <= 998, "{line}");
    }
    let (fields, body) = Fields::split(&bytes);
    let mut names: Vec<&str> = fields.iter().map(|(n, _)| n).collect();
    let mut ours = OURS.to_vec();
    names.sort_unstable();
    ours.sort_unstable();
    assert_eq!(names, ours);
    for line in String::from_utf8_lossy(body).split("\r\n") {
        assert!(line.len() <= 76, "{line}");
        assert!(!line.ends_with(' '), "{line:?}");
    }
    text
}

#[test]
fn a_letter_has_our_headers_and_two_parts_with_the_plain_one_first() {
    let text = check(&letter());
    for line in [
        "From: \"Prague DVONN Club\" <dvonn@club.example>",
        "Date: Mon, 30 Nov 2026 09:14:05 +0000",
        "Message-ID: <12.57.w.aaaaaaaaaaaaaaaa.L7@club.example>",
        "In-Reply-To: <x@example.org>",
        "References: <root@club.example>\r\n <x@example.org>",
        "Auto-Submitted: auto-generated",
        "X-Auto-Response-Suppress: All",
        "X-Loop: dvonn@club.example",
        "List-Unsubscribe: <mailto:dvonn@club.example?subject=stop>",
        "Subject: [dvonn #12] Anna - Ben",
        "Content-Transfer-Encoding: quoted-printable",
    ] {
        assert!(text.contains(&format!("{line}\r\n")), "{line}\n{text}");
    }
    assert!(!text.to_lowercase().contains("flowed"));
    let read = MessageParser::default().parse(text.as_bytes()).unwrap();
    assert_eq!(
        read.body_text(0).unwrap().replace("\r\n", "\n"),
        format!("{}\n", letter().text)
    );
    assert_eq!(read.body_html(0).unwrap().trim_end(), letter().html);
    let answer = Outgoing {
        kind: Kind::Answer,
        ..letter()
    };
    assert!(check(&answer).contains("Auto-Submitted: auto-replied\r\n"));
}

#[test]
fn what_is_not_given_is_not_written() {
    let bare = Outgoing {
        reply_to: None,
        in_reply_to: None,
        references: vec![],
        unsubscribe: None,
        to_name: None,
        ..letter()
    };
    let text = String::from_utf8(bare.bytes().unwrap()).unwrap();
    for name in [
        "Reply-To:",
        "In-Reply-To:",
        "References:",
        "List-Unsubscribe:",
    ] {
        assert!(!text.contains(name), "{name}");
    }
}

#[test]
fn dots_lone_line_ends_and_controls_cannot_end_or_split_the_mail() {
    let odd = Outgoing {
        text: "a\n.\nMAIL FROM:<x>\r.\rb\0\u{1b}[2J\u{85}c \t\r\n\n\n".into(),
        ..letter()
    };
    let text = check(&odd);
    let read = MessageParser::default().parse(text.as_bytes()).unwrap();
    assert_eq!(
        read.body_text(0).unwrap(),
        "a\r\n.\r\nMAIL FROM:<x>\r\n.\r\nb[2J\r\nc\r\n"
    );
    check(&Outgoing {
        text: "x".repeat(1_000_000),
        html: String::new(),
        ..letter()
    });
}

#[test]
fn a_hostile_name_or_id_adds_no_header() {
    let odd = Outgoing {
        club_name: "Club\r\nBcc: evil@example.org".into(),
        to_name: Some("\0\r\n\"<evil@example.org>\\".into()),
        subject: "x\r\n\r\nbody".into(),
        references: vec!["a@b>\r\nBcc: x".into(), "good@x".into(), "ě@x".into()],
        ..letter()
    };
    let text = check(&odd);
    assert!(text.contains("References: <good@x>\r\n") && !text.contains("\r\nBcc"));
    for id in ["", "no at", "a@b\r\nX: y", "a@b>"] {
        assert_eq!(
            Outgoing {
                message_id: id.into(),
                ..letter()
            }
            .bytes(),
            Err(OutgoingError::Header(id.into()))
        );
    }
    let unsubscribe = Some("mailto:x>\r\nBcc: y".into());
    assert!(
        Outgoing {
            unsubscribe,
            ..letter()
        }
        .bytes()
        .is_err()
    );
}

#[test]
fn our_own_letter_come_back_is_recognised() {
    let mail = Incoming::read(&letter().bytes().unwrap()).unwrap();
    let found = crate::mail::automatic(&mail, &["dvonn@club.example".into()]);
    assert_eq!(found.map(|a| a.name()), Some("own"));
}

#[test]
fn dates_beyond_what_a_header_can_say_do_not_panic() {
    for date in [DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC] {
        check(&Outgoing { date, ..letter() });
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_names_and_subjects_give_exactly_our_headers(name in any::<String>(), to in any::<String>(), subject in any::<String>()) {
        let odd = Outgoing { club_name: name, to_name: Some(to.clone()), subject: subject.clone(), ..letter() };
        let text = check(&odd);
        let mail = Incoming::read(text.as_bytes()).unwrap();
        prop_assert_eq!(mail.from, Ok(odd.club.clone()));
        prop_assert_eq!(mail.recipients, vec![odd.to.to_string()]);
        let squeeze = |t: &str| t.split_whitespace().collect::<String>();
        prop_assert_eq!(squeeze(&mail.subject), squeeze(SafeHeader::new(&subject).as_str()));
    }

    #[test]
    fn any_text_comes_out_as_it_went_in_but_for_controls(text in "[ -~\\n\\r\\tá-žа-я]{0,300}") {
        let odd = Outgoing { text: text.clone(), ..letter() };
        let read = check(&odd);
        let mail = MessageParser::default().parse(read.as_bytes()).unwrap();
        let body = mail.body_text(0).unwrap().into_owned();
        prop_assert_eq!(body, canonical(&text));
    }
}
