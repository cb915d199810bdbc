//! Quote headers and blocks of many mail programs in four languages, put over a quote with and without marks: only the
//! reply is left. Here no letter of ours is known, so that the recognition of quotes stands alone (MAIL-03, MAIL-05).
#![allow(clippy::unwrap_used)]

use dvonn_post::mail::{Incoming, new_text};

/// Lines over a quote, by program; `|` stands for a line end.
const HEADERS: &[&str] = &[
    // Gmail
    "On Mon, Nov 30, 2026 at 9:14 AM DVONN club <dvonn@club.example> wrote:",
    "po 30. 11. 2026 v 9:14 odesílatel DVONN klub <dvonn@club.example> napsal:",
    "пн, 30 лист. 2026 р. о 09:14 DVONN клуб <dvonn@club.example> пише:",
    "Am Mo., 30. Nov. 2026 um 09:14 Uhr schrieb DVONN-Club <dvonn@club.example>:",
    "Am Mo., 30. Nov. 2026 um 09:14 Uhr schrieb DVONN-Club Korrespondenzspiel <|dvonn@club.example>:",
    "On Mon, Nov 30, 2026 at 9:14 AM The DVONN Club of Prague and Surroundings|<dvonn@club.example>|wrote:",
    "On Mon, 30 Nov 2026, 09:14 DVONN club, <dvonn@club.example> wrote:",
    "пн, 30 лист. 2026 р., 09:14 користувач DVONN клуб <dvonn@club.example> пише:",
    "DVONN-Club <dvonn@club.example> schrieb am Mo., 30. Nov. 2026, 09:14:",
    "2026-11-30 9:14 GMT+01:00 DVONN club <dvonn@club.example>:",
    "2026-11-30 9:14 GMT+01:00 DVONN club <|dvonn@club.example>:",
    // Apple
    "On 30 Nov 2026, at 09:14, DVONN club <dvonn@club.example> wrote:",
    "30. 11. 2026 v 9:14, DVONN klub <dvonn@club.example>:",
    "30 лист. 2026 р. о 09:14 DVONN клуб <dvonn@club.example> пише:",
    "Am 30.11.2026 um 09:14 schrieb DVONN-Club <dvonn@club.example>:",
    // Thunderbird
    "On 11/30/26 9:14 AM, DVONN club wrote:",
    "Dne 30. 11. 26 v 9:14 DVONN klub napsal(a):",
    "30.11.26 09:14, DVONN клуб пише:",
    "Am 30.11.26 um 09:14 schrieb DVONN-Club:",
    "On 30/11/2026 09:14, DVONN club via Robot wrote:",
    // Yahoo, Proton, K-9, FairEmail
    "On Monday, November 30, 2026 at 09:14:05 AM GMT+1, DVONN club <dvonn@club.example> wrote:",
    "On Monday, November 30th, 2026 at 9:14 AM, DVONN club <dvonn@club.example> wrote:",
    "On 30 November 2026 09:14:05 CET, DVONN club <dvonn@club.example> wrote:",
    "Am 30. November 2026 09:14:05 MEZ schrieb DVONN-Club <dvonn@club.example>:",
    "Dne 30. listopadu 2026 9:14:05 SEČ, DVONN klub <dvonn@club.example> napsal:",
    "Nov 30, 2026 09:14:05 DVONN club <dvonn@club.example>:",
    // Evolution, Roundcube, mutt, and languages that nobody listed
    "On Mon, 2026-11-30 at 09:14 +0100, DVONN club wrote:",
    "On 2026-11-30 09:14, DVONN club wrote:",
    "DVONN klub píše v Po 30. 11. 2026 v 09:14 +0100:",
    "Dne 2026-11-30 09:14, DVONN klub napsal:",
    "Am 2026-11-30 09:14, schrieb DVONN-Club:",
    "On Mon, Nov 30, 2026 at 09:14:05AM +0100, DVONN club wrote:",
    "Le lun. 30 nov. 2026 à 09:14, DVONN club <dvonn@club.example> a écrit :",
    "El lun, 30 nov 2026 a las 9:14, DVONN club (<dvonn@club.example>) escribió:",
    "Il giorno lun 30 nov 2026 alle ore 09:14 DVONN club <dvonn@club.example> ha scritto:",
    "pon., 30 lis 2026 o 09:14 DVONN club <dvonn@club.example> napisał(a):",
    "2026年11月30日(月) 9:14 DVONN club <dvonn@club.example>:",
    "30.11.2026 09:14, DVONN club пишет:",
    "*On Monday, 30 November 2026 at 9:14, DVONN club <dvonn@club.example> wrote:*",
];

/// Blocks over a quote.
const BLOCKS: &[&str] = &[
    "From: DVONN club <dvonn@club.example>|Sent: Monday, November 30, 2026 9:14 AM|To: Alice Moor|Subject: [dvonn #12] Your move",
    "*From:* DVONN club <dvonn@club.example>|*Sent:* Monday, November 30, 2026 9:14 AM|*To:* Alice Moor|*Subject:* [dvonn #12] Your move",
    "**From:** DVONN club|**Date:** Monday|**To:** Alice Moor",
    "Od: DVONN klub <dvonn@club.example>|Odesláno: pondělí 30. listopadu 2026 9:14|Komu: Petr Novotný|Předmět: [dvonn #12] Jste na tahu",
    "Від: DVONN клуб <dvonn@club.example>|Надіслано: понеділок, 30 листопада 2026 р. 9:14|Кому: Оксана|Тема: [dvonn #12] Ваш хід",
    "Von: DVONN-Club [mailto:dvonn@club.example]|Gesendet: Montag, 30. November 2026 09:14|An: Keßler, Uwe|Betreff: AW: [dvonn #12] Du bist am Zug",
    "Gesendet: Montag, 30. November 2026 um 09:14 Uhr|Von: \"DVONN-Club\" <dvonn@club.example>|An: uwe.kessler@example.org|Betreff: [dvonn #12] Du bist am Zug",
    "Fra: DVONN club <dvonn@club.example>|Dato: mandag den 30. november 2026 kl. 09.14|Til: Mette Lund|Emne: [dvonn #12] Your move",
    "Lähettäjä: DVONN club <dvonn@club.example>|Lähetetty: maanantai 30. marraskuuta 2026 9.14|Vastaanottaja: Alice|Aihe: [dvonn #12] Your move",
    "________________________________|From: DVONN club <dvonn@club.example>|Sent: Monday, November 30, 2026 9:14:05 AM|To: Alice Moor <alice.moor@example.org>|Subject: [dvonn #12] Your move",
    "-----Original Message-----|From: DVONN club <dvonn@club.example>|Sent: Monday|To: Alice Moor|Subject: x",
    "-----Původní zpráva-----|Od: DVONN klub|Odesláno: pondělí|Komu: Petr|Předmět: x",
    "-------- Původní zpráva --------|Od: DVONN klub <dvonn@club.example>|Datum: 30.11.26 9:14 (GMT+01:00)|Komu: petr.novotny@example.org|Předmět: x",
    "---------- Původní e-mail ----------|Od: DVONN klub <dvonn@club.example>|Komu: Petr|Datum: 30. 11. 2026 9:14:05|Předmět: x",
    "-------- Оригінальне повідомлення --------|Від: DVONN клуб|Дата: 30.11.26 09:14",
    "--- Оригінальне повідомлення ---|Від кого: \"DVONN клуб\" <dvonn@club.example>|Дата: 30 листопада 2026, 09:14:05",
    "-------- Ursprüngliche Nachricht --------|Von: DVONN-Club|Datum: 30.11.26 09:14|An: uwe|Betreff: x",
    "-----Ursprüngliche Nachricht-----|Von: DVONN-Club <dvonn@club.example>",
    "-------- Original Message --------|On Monday, 11/30/26 at 09:14 DVONN club <dvonn@club.example> wrote:",
    "----- Mensaje original -----|De: DVONN club|Enviado: lunes|Para: Alice|Asunto: x",
    "--- eredeti üzenet ---|Feladó: DVONN club <dvonn@club.example>|Dátum: 2026-11-30",
    "From: DVONN club <dvonn@club.example>||Sent: Monday, November 30, 2026 9:14 AM||To: Alice Moor||Subject: [dvonn #12] Your move",
    "From: DVONN club <dvonn@club.example> Sent: Monday, November 30, 2026 9:14 AM To: Alice Moor Subject: [dvonn #12]",
];

/// Marks of a forwarded mail; below them nothing is new, with marks or without.
const FORWARDS: &[&str] = &[
    "---------- Forwarded message ---------|From: DVONN club <dvonn@club.example>|Date: Mon, Nov 30, 2026",
    "Begin forwarded message:",
    "-------- Weitergeleitete Nachricht --------|Betreff: x|Von: DVONN-Club",
    "Anfang der weitergeleiteten Nachricht:",
    "---------- Přeposlaná zpráva ---------|Od: DVONN klub",
    "---------- Переслане повідомлення ---------|Від: DVONN клуб",
];

fn left(body: &str) -> String {
    let head = "From: Alice Moor <alice.moor@example.org>\nTo: DVONN club <dvonn@club.example>\n\
                Content-Type: text/plain; charset=utf-8\n\n";
    new_text(
        &Incoming::read(format!("{head}{body}").as_bytes()).unwrap(),
        &[],
    )
    .text
}

const QUOTED: &str = "Hello Alice,\n\nAnswer with one line, for example\n\n    e2-e3\n    resign\n\n--\nDVONN by mail\n";

fn marked(text: &str) -> String {
    text.lines().map(|l| format!("> {l}\n")).collect()
}

#[test]
fn a_reply_above_a_quote_without_marks_is_all_that_is_left() {
    for header in HEADERS.iter().chain(BLOCKS).chain(FORWARDS) {
        let header = header.replace('|', "\n");
        for gap in ["\n", "\n\n", "\n\n\n"] {
            for below in ["\n", "\n\n"] {
                let body = format!("Thanks:\nb3-c3{gap}{header}{below}{QUOTED}");
                assert_eq!(left(&body), "Thanks:\nb3-c3", "{body}");
            }
        }
    }
}

#[test]
fn replies_above_between_and_below_marked_quotes_are_left() {
    for header in HEADERS.iter().chain(BLOCKS) {
        let header = header.replace('|', "\n");
        let quote = marked(QUOTED);
        assert_eq!(
            left(&format!("b3-c3\n\n{header}\n{quote}")),
            "b3-c3",
            "{header}"
        );
        assert_eq!(
            left(&format!("{header}\n\n{quote}\nb3-c3\n")),
            "b3-c3",
            "{header}"
        );
        assert_eq!(
            left(&format!("{header}\n{quote}\nI see.\n{quote}\nb3-c3\n")),
            "I see.\n\nb3-c3",
            "{header}"
        );
    }
}

#[test]
fn a_header_inside_the_quote_marks_needs_no_recognition() {
    for header in HEADERS.iter().chain(BLOCKS).chain(FORWARDS) {
        let quote = marked(&format!("{}\n\n{QUOTED}", header.replace('|', "\n")));
        assert_eq!(left(&format!("b3-c3\n\n{quote}")), "b3-c3");
    }
}

#[test]
fn a_header_without_a_reply_leaves_nothing() {
    for header in HEADERS.iter().chain(BLOCKS).chain(FORWARDS) {
        let header = header.replace('|', "\n");
        assert_eq!(left(&format!("{header}\n\n{QUOTED}")), "");
        assert_eq!(left(&format!("\n\n{header}\n{}", marked(QUOTED))), "");
    }
}

#[test]
fn below_a_forwarded_mail_nothing_is_new() {
    for forward in FORWARDS {
        let forward = forward.replace('|', "\n");
        assert_eq!(
            left(&format!(
                "Look:\n\n{forward}\n\n{}\nb3-c3\n",
                marked(QUOTED)
            )),
            "Look:",
            "{forward}"
        );
    }
}

#[test]
fn what_a_player_types_is_not_taken_for_a_quote_header() {
    for text in [
        "My analysis:\n\n--------\nred on d5 is isolated\n--------\n\nb3-c3",
        "--- my idea ---\n\nb3-c3",
        "12: b3-c3",
        "game 12:\nb3-c3",
        "I played on Monday, sorry.\n\nb3-c3",
        "I will be away from 24.12. to 2.1.2027.\n\nb3-c3",
        "You wrote at 9:14 that I was late.\n\nb3-c3",
        "On the left I am lost:\nb3-c3\n\nOn the right too.",
        "place c4\nsay: well done\nname Anna",
        "e1: two white\ne2: three black\nf3: red\n\nb3-c3",
        "=====\nb3-c3\n=====",
        "b3>c3",
        "b3-c3\n\nBest\nAlice",
        "challenge ben@example.org white setup random",
        "challenge \"DVONN club\" black\nb3-c3",
    ] {
        assert_eq!(left(text), text);
    }
}

#[test]
fn signatures_and_lines_of_phones_go_and_rows_of_dashes_stay() {
    for sig in ["-- ", "--", "--  ", "*-- *", "_--_", " -- "] {
        assert_eq!(
            left(&format!("b3-c3\n\n{sig}\nAlice\nc3-d3")),
            "b3-c3",
            "{sig:?}"
        );
    }
    for line in [
        "Sent from my iPhone",
        "Sent from Outlook for Android",
        "Get Outlook for iOS<https://aka.ms/o0ukef>",
        "Von meinem iPhone gesendet",
        "Gesendet von Mail für Windows",
        "Odesláno z iPhonu",
        "Odesláno z aplikace Seznam Email",
        "Надіслано з iPhone",
        "Sent with Proton Mail secure email.",
    ] {
        assert_eq!(left(&format!("{line}\n\nb3-c3")), "b3-c3", "{line}");
        assert_eq!(left(&format!("b3-c3\n\n{line}")), "b3-c3", "{line}");
    }
}

#[test]
fn inline_openpgp_is_taken_off_and_an_encrypted_one_is_sealed() {
    let signed = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nb3-c3\n\n- -- \nAlice\n-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\n";
    assert_eq!(left(signed), "b3-c3");
    let sealed =
        "From: a@example.org\n\n-----BEGIN PGP MESSAGE-----\n\nhQEM\n-----END PGP MESSAGE-----\n";
    let new = new_text(&Incoming::read(sealed.as_bytes()).unwrap(), &[]);
    assert_eq!(
        (new.text.as_str(), new.sealed.map(|s| s.name())),
        ("", Some("encrypted"))
    );
}

/// Bottom posting in HTML alone: the header stands outside the quote, the reply below it.
#[test]
fn a_reply_below_a_quote_of_html_is_left() {
    for (header, quote) in [
        (
            "<div>On 30 Nov 2026, at 09:14, DVONN club &lt;dvonn@club.example&gt; wrote:</div>",
            "<blockquote type=cite>Hello<div>resign</div></blockquote>",
        ),
        (
            "<div class=moz-cite-prefix>Am 30.11.26 um 09:14 schrieb DVONN-Club:</div>",
            "<blockquote type=\"cite\"><pre>resign</pre></blockquote>",
        ),
        (
            "",
            "<div class=\"gmail_quote\"><div class=gmail_attr>On Mon, x wrote:</div><blockquote class=gmail_quote>resign</blockquote></div>",
        ),
    ] {
        for (above, below, want) in [
            ("", "<p>b3-c3</p>", "b3-c3"),
            ("b3-c3", "", "b3-c3"),
            ("Hi", "<p>b3-c3</p>", "Hi\n\nb3-c3"),
        ] {
            let raw = format!(
                "To: DVONN club <dvonn@club.example>\nContent-Type: text/html\n\n{above}<br>{header}{quote}{below}"
            );
            let new = new_text(&Incoming::read(raw.as_bytes()).unwrap(), &[]);
            assert_eq!(
                new.text.replace("\n\n", "\n"),
                want.replace("\n\n", "\n"),
                "{raw}"
            );
        }
    }
}

/// Long lines, many lines and many near misses cost no more than they are long (requirement b19).
#[test]
fn a_megabyte_of_anything_is_read_promptly() {
    let start = std::time::Instant::now();
    for unit in [
        "a: b\n",
        "From: x\n",
        "2026-11-30 9:14\n",
        "\n",
        "> \n",
        "x@y.z <\n",
        "On 30 Nov 2026 9:14 a <b@c.d>\n",
        "-----x-----\n",
        "a ",
        ">",
    ] {
        left(&unit.repeat(1_000_000 / unit.len()));
    }
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}
