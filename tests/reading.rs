//! Reads every fixture in `data/replies` and `data/mail`: what is new in it, with LF and with CRLF, and cut short anywhere.
//! The folders' INDEX.md tells where each trouble was seen. It knows the mail floor only.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::string_slice
)]

use std::fs;
use std::path::PathBuf;

use dvonn_post::mail::{
    Address, Automatic, Digest, Incoming, NewText, Proof, Rule, Sealed, SentText, Unreadable,
    automatic, new_text, proof, thread,
};
use proptest::prelude::*;
use serde_json::Value;

const CLUB: &str = "dvonn@club.example";

/// Lines that quote our letter and are never new, whatever the mail.
const NEVER: &[&str] = &[
    "e2-e3",
    "g4 f4",
    "h3-h4",
    "Other commands: board, resign, help.",
];

fn data(folder: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(folder)
}

fn raw(folder: &str, file: &str) -> Vec<u8> {
    fs::read(data(folder).join(file)).expect(file)
}

fn expected(folder: &str) -> Vec<Value> {
    let text = fs::read_to_string(data(folder).join("expected.jsonl")).unwrap();
    text.lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect()
}

fn crlf(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for &b in raw {
        if b == b'\n' && out.last() != Some(&b'\r') {
            out.push(b'\r');
        }
        out.push(b);
    }
    out
}

/// Our letters, as the store keeps them: the text part.
fn sent() -> Vec<SentText> {
    ["cs", "de", "en", "uk"]
        .map(|lang| {
            let mail = Incoming::read(&raw("replies", &format!("answered-{lang}.eml"))).unwrap();
            SentText {
                text: mail.body.text,
            }
        })
        .to_vec()
}

/// As INDEX.md compares: no emphasis, blank lines do not count.
fn comparable(text: &str) -> Vec<String> {
    let lines = text.lines().map(|l| {
        l.replace(['*', '\u{a0}'], " ")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    });
    lines.filter(|l| !l.is_empty()).collect()
}

fn check(folder: &str, file: &str, case: &Value) {
    let want = case["new_text"].as_str();
    let moves: Vec<&str> = case["moves"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    for (ends, bytes) in [
        ("LF", raw(folder, file)),
        ("CRLF", crlf(&raw(folder, file))),
    ] {
        for (layers, sent) in [
            ("both layers", sent()),
            ("quote detection alone", Vec::new()),
        ] {
            let mail = Incoming::read(&bytes).expect(file);
            let new = new_text(&mail, &sent);
            let context = format!("{folder}/{file}, {ends}, {layers}, cuts {:#?}", new.cuts);
            if let Some(want) = want {
                assert_eq!(comparable(&new.text), comparable(want), "{context}");
            }
            for line in comparable(&new.text) {
                let own = moves.contains(&line.as_str());
                assert!(
                    own || !NEVER.contains(&line.as_str()),
                    "{line} leaks: {context}"
                );
            }
        }
    }
}

#[test]
fn replies_of_every_client_give_their_new_text_by_each_layer() {
    let cases = expected("replies");
    assert!(cases.len() >= 20);
    for case in cases {
        check("replies", case["file"].as_str().unwrap(), &case);
    }
}

#[test]
fn reported_troubles_give_their_new_text() {
    let mut run = 0;
    for case in expected("mail") {
        for file in case["files"].as_array().unwrap() {
            let file = file.as_str().unwrap();
            // Read by tests of their own below.
            if !file.starts_with("40-")
                && !file.starts_with("42-")
                && !file.starts_with("56-poison-mail-first-a")
            {
                check("mail", file, &case);
                run += 1;
            }
        }
    }
    assert!(run >= 25);
}

/// Known text alone, as if no quote could be recognised: the body without any mark or header.
#[test]
fn our_letter_without_any_mark_around_it_leaves_only_the_reply() {
    for lang in ["cs", "de", "en", "uk"] {
        let letter = Incoming::read(&raw("replies", &format!("answered-{lang}.eml")))
            .unwrap()
            .body
            .text;
        for body in [
            format!("b3-c3\n\n{letter}"),
            format!("{letter}\n"),
            format!("b3-c3\n\n{}", letter.replace("\n\n", "\n")),
        ] {
            let mail = Incoming::read(format!("From: a@example.org\n\n{body}").as_bytes());
            let new = new_text(&mail.unwrap_or_else(|_| panic!("{lang}")), &sent());
            assert!(
                comparable(&new.text).iter().all(|l| l == "b3-c3"),
                "{lang}: {}",
                new.text
            );
        }
    }
}

/// A player deletes our letter, leaves the header above it, and writes below (zapier/email-reply-parser#64).
#[test]
fn a_reply_below_a_header_whose_quote_was_deleted_is_read() {
    let block = "**Gesendet:** Montag, 30. November 2026 um 09:14\n**Von:** \"DVONN-Club\" <dvonn@club.example>\n\
                 **An:** \"Uwe\" <uwe.kessler@example.org>\n**Betreff:** [dvonn #12] Du bist am Zug\n";
    let line = "Am 30.11.2026 um 09:14 schrieb DVONN-Club <dvonn@club.example>:\n";
    let own = block
        .replace("DVONN-Club", "Uwe")
        .replace("dvonn@club.example", "uwe.kessler@example.org");
    let letter = &sent()[1].text;
    let left = |body: &str, sent: &[SentText]| {
        let head = "From: uwe.kessler@example.org\nTo: DVONN-Club <dvonn@club.example>\nCc: uwe.kessler@example.org\nContent-Type: text/plain; charset=utf-8\n\n";
        new_text(
            &Incoming::read(format!("{head}{body}").as_bytes()).unwrap(),
            sent,
        )
        .text
    };
    for header in [block, line] {
        assert_eq!(
            left(&format!("{header}\nd4-d5\n\nGruß\n-- \nUwe"), &sent()),
            "d4-d5\n\nGruß"
        );
        assert_eq!(
            left(&format!("{header}\nd4-d5\n"), &[]),
            "",
            "no letter is known"
        );
        assert_eq!(
            left(
                &format!("{header}\nWeitere Befehle: brett, aufgeben, hilfe.\nd4-d5\n"),
                &sent()
            ),
            ""
        );
        assert_eq!(left(&format!("{header}\n{letter}\nd4-d5\n"), &sent()), "");
        assert_eq!(
            left(&format!("c3-d3\n\n{header}\nd4-d5\n"), &sent()),
            "c3-d3"
        );
    }
    assert_eq!(
        left(&format!("{own}\nd4-d5\n"), &sent()),
        "",
        "the player's own older mail"
    );
}

/// The HTML of a reply, as if it had come without a text part.
#[test]
fn the_html_of_a_reply_alone_gives_the_same_new_text() {
    let mut run = 0;
    for case in expected("replies") {
        let file = case["file"].as_str().unwrap();
        let text = String::from_utf8_lossy(&raw("replies", file)).into_owned();
        if !text.contains("Content-Type: text/html") {
            continue;
        }
        let html_only = text.replace(
            "Content-Type: text/plain",
            "Content-Type: application/x-nothing",
        );
        for sent in [sent(), Vec::new()] {
            let mail = Incoming::read(html_only.as_bytes()).unwrap();
            let new = new_text(&mail, &sent);
            let want = case["new_text"].as_str().unwrap();
            assert_eq!(
                comparable(&new.text),
                comparable(want),
                "{file}: {:#?}",
                new.cuts
            );
            run += 1;
        }
    }
    assert!(run >= 10);
}

#[test]
fn no_mail_cut_short_anywhere_panics() {
    let mut run = 0;
    for folder in ["replies", "mail"] {
        for entry in fs::read_dir(data(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|e| e != "eml") {
                continue;
            }
            let whole = fs::read(&path).unwrap();
            for end in (0..whole.len()).step_by(97) {
                if let Ok(mail) = Incoming::read(&whole[..end]) {
                    let new = new_text(&mail, &sent());
                    let leaks = comparable(&new.text)
                        .iter()
                        .any(|l| l == "e2-e3" || l == "g4 f4");
                    assert!(!leaks, "{path:?} cut at {end}: {}", new.text);
                    automatic(&mail, &[CLUB.into()]);
                    proof::judge(&mail, &["mx.club.example".into()]);
                }
                Digest::of(&whole[..end]);
                run += 1;
            }
        }
    }
    assert!(run > 500);
}

fn read(file: &str) -> Incoming {
    Incoming::read(&raw("mail", file)).expect(file)
}

#[test]
fn a_bomb_of_120_levels_is_unreadable_and_promptly_so() {
    assert_eq!(
        Incoming::read(&raw("mail", "40-mime-bomb-deep.eml")).unwrap_err(),
        Unreadable::Depth
    );
}

#[test]
fn an_opaque_signature_is_named_as_the_reason() {
    let NewText { text, sealed, .. } = new_text(&read("42-smime-opaque-signed.eml"), &[]);
    assert_eq!((text.as_str(), sealed), ("", Some(Sealed::OpaqueSigned)));
}

#[test]
fn a_reply_typed_into_the_quote_is_empty_and_says_which_rule_took_it() {
    let new = new_text(&read("10-typed-inside-quote.eml"), &sent());
    assert_eq!(new.text, "");
    assert!(
        new.cuts
            .iter()
            .any(|c| c.rule == Rule::QuoteMark && c.lines.iter().any(|l| l.contains("d4-d5")))
    );
}

#[test]
fn automatic_mail_is_named_and_a_players_mail_is_none() {
    for (file, name) in [
        ("24-bounce-loop.eml", Some("bounce")),
        ("26-no-reply-sender.eml", Some("no-reply")),
        ("28-vacation-notice-old-headers.eml", Some("auto-reply")),
        ("50-read-receipt.eml", Some("read-receipt")),
        ("06-row-of-dashes.eml", None),
        ("60-our-plus-address-lost.eml", None),
    ] {
        let found = automatic(&read(file), &[CLUB.into()]);
        assert_eq!(found.as_ref().map(Automatic::name), name, "{file}");
        if let Some(Automatic::Bounce(bounce)) = found {
            assert_eq!(
                bounce.recipient.unwrap().to_string(),
                "alice.moor@example.org"
            );
            assert_eq!(
                bounce.message_id.as_deref(),
                Some("g12.m31.9f3kq2x7@club.example")
            );
            assert!(bounce.failed);
        }
    }
}

#[test]
fn only_the_block_on_top_of_the_mail_proves_its_author() {
    let trusted = vec!["mx.club.example".to_owned()];
    for case in expected("replies") {
        let mail = Incoming::read(&raw("replies", case["file"].as_str().unwrap())).unwrap();
        assert_eq!(
            proof::judge(&mail, &trusted),
            Proof::Pass,
            "{}",
            case["file"]
        );
        assert_eq!(proof::judge(&mail, &[]), Proof::None);
    }
    assert_eq!(
        proof::judge(&read("32-forged-authentication-results.eml"), &trusted),
        Proof::Fail
    );
    assert_eq!(
        proof::judge(&read("34-injected-comment-in-results.eml"), &trusted),
        Proof::Fail
    );
}

#[test]
fn two_mails_without_a_message_id_are_two_mails() {
    let [a, b] = ["a", "b"].map(|x| {
        Digest::of(&raw(
            "mail",
            &format!("30-two-mails-without-message-id-{x}.eml"),
        ))
    });
    assert_ne!(a, b);
}

/// Everything that reads, at once.
fn read_all(raw: &[u8]) {
    Digest::of(raw);
    if let Ok(mail) = Incoming::read(raw) {
        let new = new_text(&mail, &sent());
        automatic(&mail, &[CLUB.into()]);
        proof::judge(&mail, &["mx.club.example".into()]);
        thread::clues(&mail, &Address::parse(CLUB).unwrap());
        thread::scrub(&new.text);
    }
}

/// The names of all mails in the fixtures.
fn fixtures() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for folder in ["replies", "mail"] {
        for case in expected(folder) {
            let files = case["files"]
                .as_array()
                .cloned()
                .unwrap_or_else(|| vec![case["file"].clone()]);
            all.extend(files.iter().map(|f| raw(folder, f.as_str().unwrap())));
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_panic(head in "((From|To|Subject|Content-Type|Content-Transfer-Encoding|References|Authentication-Results): \\PC{0,60}\n){0,6}", body in any::<Vec<u8>>()) {
        let mut raw = head.into_bytes();
        raw.push(b'\n');
        raw.extend(body.iter());
        read_all(&raw);
        read_all(&body);
    }

    #[test]
    fn no_charset_or_encoding_panics(
        charset in "(utf-7|utf-16|utf-8|koi8-u|iso-2022-jp|gb18030|big5|windows-1258|x)",
        encoding in "(base64|quoted-printable|8bit)",
        kind in "(plain|html|plain; format=flowed; delsp=yes)",
        body in any::<Vec<u8>>(),
    ) {
        let head = format!("From: a@b.example\nContent-Type: text/{kind}; charset={charset}\nContent-Transfer-Encoding: {encoding}\n\n");
        let mut raw = head.into_bytes();
        raw.extend(body);
        read_all(&raw);
    }

    #[test]
    fn no_change_of_a_real_mail_panics(which in any::<prop::sample::Index>(), changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20)) {
        let all = fixtures();
        let mut raw = which.get(&all).clone();
        for (at, byte) in changes {
            let at = at.index(raw.len());
            raw[at] = byte;
        }
        read_all(&raw);
    }
}
