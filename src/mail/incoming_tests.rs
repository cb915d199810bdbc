//! Mails in small, one trouble each: which part is read, what is sealed, who wrote, for whom, and where the limits are.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::mail::{Part, Sealed, new_text};

fn read(raw: &str) -> Incoming {
    Incoming::read(raw.as_bytes()).unwrap()
}

fn multipart(kind: &str, parts: &[&str]) -> String {
    let mut raw = format!("From: a@example.org\nContent-Type: multipart/{kind}; boundary=b\n\n");
    for part in parts {
        raw += &format!("--b\n{part}\n");
    }
    raw + "--b--\n"
}

const BLANK: &str = "Content-Type: text/plain\n\n \u{feff}\u{a0}\n";
const HTML: &str = "Content-Type: text/html\n\n<p>c3-d3</p>";
const ATTACHED: &str =
    "Content-Type: text/plain\nContent-Disposition: attachment; filename=x.txt\n\nresign";
const NAMED: &str = "Content-Type: text/plain; name=\"x.txt\"\n\nresign";
const FORWARDED: &str = "Content-Type: message/rfc822\n\nFrom: x@y.z\n\nresign";
const TEXT: &str = "Content-Type: TEXT/Plain\n\nb3-c3";

#[test]
fn the_first_text_with_anything_to_see_is_read_and_never_an_attachment() {
    for (parts, text, part) in [
        (vec![TEXT, HTML], "b3-c3", Part::Plain),
        (vec![BLANK, HTML], "c3-d3", Part::Html),
        (vec![ATTACHED, NAMED, FORWARDED, TEXT], "b3-c3", Part::Plain),
        (vec![ATTACHED, FORWARDED, HTML], "c3-d3", Part::Html),
        (vec![ATTACHED, NAMED, FORWARDED], "", Part::Nothing),
        (vec!["\nb3-c3", TEXT], "b3-c3", Part::Plain),
    ] {
        let mail = read(&multipart("mixed", &parts));
        assert_eq!(
            (mail.body.text.trim(), mail.body.part),
            (text, part),
            "{parts:?}"
        );
    }
    let named_alone = read(&format!("From: a@example.org\n{NAMED}"));
    assert_eq!(named_alone.body.text, "resign");
    let digest = read(&multipart("digest", &["\nFrom: x@y.z\n\nresign"]));
    assert_eq!(digest.body.text, "");
}

#[test]
fn charsets_and_encodings_of_real_clients_are_read() {
    let mut koi8 = b"Content-Type: text/plain; charset=koi8-u\n\n".to_vec();
    koi8.extend(b"\xf7\xa6\xd4\xc1\xa4\xcd\xcf\nb3-c3");
    assert_eq!(Incoming::read(&koi8).unwrap().body.text, "Вітаємо\nb3-c3");
    let utf16 = "Content-Type: text/plain; charset=\"utf-16\"\nContent-Transfer-Encoding: base64\n\n//5iADMALQBjADMA\n";
    assert_eq!(read(utf16).body.text, "b3-c3");
    let odd = "Content-Type: text/plain; charset*=utf-8''utf-8\nContent-Transfer-Encoding: quoted-printable\n\nb3=E2=80=93=\nc3=";
    assert_eq!(read(odd).body.text.trim(), "b3–c3");
}

#[test]
fn what_cannot_be_looked_into_is_named_unless_there_is_text_too() {
    let tnef = "Content-Type: application/ms-tnef; name=winmail.dat\n\nx";
    let sealed = [
        (
            multipart(
                "encrypted; protocol=\"application/pgp-encrypted\"",
                &["Content-Type: application/pgp-encrypted\n\nVersion: 1"],
            ),
            Sealed::Encrypted,
        ),
        (
            "Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nx".to_owned(),
            Sealed::Encrypted,
        ),
        (
            "Content-Type: application/x-pkcs7-mime; smime-type=signed-data\n\nx".to_owned(),
            Sealed::OpaqueSigned,
        ),
        (multipart("mixed", &[BLANK, tnef]), Sealed::Winmail),
        (
            "Content-Type: application/octet-stream; name=\"WINMAIL.DAT\"\n\nx".to_owned(),
            Sealed::Winmail,
        ),
    ];
    for (raw, why) in sealed {
        let new = new_text(&read(&raw), &[]);
        assert_eq!((new.text.as_str(), new.sealed), ("", Some(why)), "{raw}");
    }
    assert_eq!(
        new_text(&read(&multipart("mixed", &[TEXT, tnef])), &[]).sealed,
        None
    );
}

#[test]
fn ids_subject_and_recipients_are_read_from_odd_headers() {
    let mail = read(
        "Delivered-To: <dvonn@club.example>\nX-Original-To: DVONN@club.example\nTo: \"hidden (x)\":;\nTo: =?utf-8?q?Klub_=C4=8D?= <k@club.example>, x@y.z\n\
         Message-ID:\n <a.1@b>\nIn-Reply-To: Your mail of Monday <c@d> (x)\nReferences: <r@s>\n <c@\n d> junk\nSubject: =?utf-8?b?SG8=?=\n =?utf-8?b?xI0=?= [dvonn\n #12]\n\nx",
    );
    assert_eq!(mail.message_id.as_deref(), Some("a.1@b"));
    assert_eq!(
        (mail.in_reply_to, mail.references),
        (
            vec!["c@d".to_owned()],
            vec!["r@s".to_owned(), "c@d".to_owned()]
        )
    );
    assert_eq!(mail.subject, "Hoč [dvonn #12]");
    assert_eq!(
        mail.recipients,
        [
            "dvonn@club.example",
            "DVONN@club.example",
            "k@club.example",
            "x@y.z"
        ]
    );
    assert_eq!(mail.recipient_names, ["Klub č"]);
    assert_eq!(
        read("Message-ID: <a@b>\nMessage-ID: <c@d>\n\nx").message_id,
        None
    );
    assert_eq!(
        read("From: =?utf-8?q?Petr_=C4=8C?= <p@q.example>\n\nx")
            .from_name
            .as_deref(),
        Some("Petr Č")
    );
}

#[test]
fn what_is_no_mail_or_beyond_the_limits_is_refused() {
    let error = |raw: &[u8]| Incoming::read(raw).unwrap_err();
    assert_eq!(error(b""), Unreadable::NoHeader);
    assert_eq!(error(b"\n\nb3-c3"), Unreadable::NoHeader);
    assert_eq!(error("\u{0}\u{1}\u{2}".as_bytes()), Unreadable::NoHeader);
    assert_eq!(error("X: y\n".repeat(201).as_bytes()), Unreadable::Header);
    assert_eq!(
        error(format!("X: {}\n\nb", "y".repeat(70_000)).as_bytes()),
        Unreadable::Header
    );
    assert_eq!(
        error(multipart("mixed", &["\nx"; 60]).as_bytes()),
        Unreadable::Parts
    );
}

#[test]
fn a_huge_text_is_read_as_far_as_the_limit() {
    let raw = format!("From: a@example.org\n\nb3-c3\n{}", "x".repeat(30_000_000));
    let mail = read(&raw);
    assert!(mail.body.text.starts_with("b3-c3\n") && mail.body.text.len() <= 1024 * 1024);
}
