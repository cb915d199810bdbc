//! `dvonn-post explain`: mails as they arrive, and what is read in them, from outside.
//!
//! How new text is found is tested beside the code; here it counts what the program is told, and what it prints.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

const SENT: &str = "From: Prague DVONN Club <dvonn@club.example>\n\
To: anna@example.org\n\
Subject: [dvonn #12] Anna - Ben\n\
Message-ID: <12.57.w.aaaaaaaaaaaaaaaa.L1@club.example>\n\
Date: Mon, 30 Nov 2026 10:00:00 +0000\n\
\n\
Ben played d2-f2. It is your move, Anna (white).\n\
\n\
Answer with your move, for example:  e1-e3\n\
Or write: moves, resign, help.\n\
\n\
--\n\
Prague DVONN Club. Game 12, move 57. ref:12.57.w.aaaaaaaaaaaaaaaa\n";

const REPLY: &str = "Authentication-Results: mx.club.example; dmarc=pass header.from=example.org\n\
Received: from mail.example.org (mail.example.org [192.0.2.25]) by mx.club.example with ESMTPS; Mon, 30 Nov 2026 12:00:00 +0000\n\
From: Anna <Anna@example.org>\n\
To: dvonn@club.example\n\
Subject: Re: [dvonn #12] Anna - Ben\n\
Message-ID: <1@example.org>\n\
In-Reply-To: <12.57.w.aaaaaaaaaaaaaaaa.L1@club.example>\n\
References: <12.57.w.aaaaaaaaaaaaaaaa.L1@club.example>\n\
Date: Mon, 30 Nov 2026 12:00:00 +0000\n\
\n\
B3 -> c3\n\
Good move, that one.\n\
\n\
On Mon, 30 Nov 2026 at 11:00, Prague DVONN Club <dvonn@club.example> wrote:\n\
> Ben played d2-f2. It is your move, Anna (white).\n\
>\n\
> Answer with your move, for example:  e1-e3\n\
> Or write: moves, resign, help.\n";

const FRESH: &str = "From: Carol <carol@example.org>\n\
To: dvonn@club.example\n\
Subject: open black setup random\n\
Message-ID: <2@example.org>\n\
Date: Mon, 30 Nov 2026 12:00:00 +0000\n\
\n\
Hello from Brno.\n";

/// Explains a mail, with the letter that it answers beside it: exit code and standard output.
fn explain(mail: impl AsRef<[u8]>, options: &[&str]) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mail.eml"), mail).unwrap();
    fs::write(folder.path().join("sent.eml"), SENT).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_dvonn-post"))
        .args(["explain", "mail.eml"])
        .args(options)
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
    )
}

fn explain_json(mail: impl AsRef<[u8]>, options: &[&str]) -> (i32, Value) {
    let (code, out) = explain(mail, &[options, &["--json"]].concat());
    (code, serde_json::from_str(&out).unwrap())
}

#[test]
fn a_reply_is_read_with_nothing_but_the_mail_itself() {
    let (code, told) = explain_json(REPLY, &[]);
    assert_eq!(code, 0);
    assert_eq!(
        told,
        json!({
            "from": "Anna@example.org",
            "proof": "none",
            "token": "12.57.w.aaaaaaaaaaaaaaaa",
            "automatic": null,
            "game": 12,
            "new_text": "B3 -> c3\nGood move, that one.",
            "commands": ["b3-c3"],
            "chat": "Good move, that one.",
            "problems": [],
        })
    );
}

#[test]
fn the_fields_keep_their_order() {
    let (_, out) = explain(REPLY, &["--json"]);
    let mut rest = out.as_str();
    for key in [
        "from",
        "proof",
        "token",
        "automatic",
        "game",
        "new_text",
        "commands",
        "chat",
        "problems",
    ] {
        let found = rest.split_once(&format!("\"{key}\":"));
        assert!(found.is_some(), "{key} does not follow in {out}");
        rest = found.unwrap().1;
    }
    assert_eq!(out.lines().count(), 1);
}

#[test]
fn a_trusted_server_proves_the_author() {
    let (_, told) = explain_json(REPLY, &["--trusted-authserv", "mx.club.example"]);
    assert_eq!(told["proof"], "pass");
    let (_, told) = explain_json(REPLY, &["--trusted-authserv", "*.club.example"]);
    assert_eq!(told["proof"], "pass");
    let (_, told) = explain_json(REPLY, &["--trusted-authserv", "mx.other.example"]);
    assert_eq!(told["proof"], "none");
}

#[test]
fn the_answered_mail_takes_its_own_lines_out() {
    // A program that quotes without any mark: only the letter itself tells what is old.
    let bare: String = REPLY
        .lines()
        .filter(|line| !line.ends_with("wrote:"))
        .map(|line| {
            format!(
                "{}\n",
                line.trim_start_matches("> ").trim_start_matches('>')
            )
        })
        .collect();
    let (_, told) = explain_json(bare, &["--answering", "sent.eml"]);
    assert_eq!(told["new_text"], "B3 -> c3\nGood move, that one.");
    assert_eq!(told["commands"], json!(["b3-c3"]));
}

#[test]
fn the_answered_mail_tells_the_club_from_its_players() {
    let own = FRESH.replace("Carol <carol@example.org>", "dvonn@club.example");
    let (_, told) = explain_json(&own, &[]);
    assert_eq!(told["automatic"], Value::Null);
    let (_, told) = explain_json(&own, &["--answering", "sent.eml"]);
    assert_eq!(told["automatic"], "own");
    assert_eq!(told["commands"], json!([]));
}

#[test]
fn the_subject_of_a_fresh_mail_is_read_when_its_text_holds_no_command() {
    let (_, told) = explain_json(FRESH, &[]);
    assert_eq!(told["commands"], json!(["open black setup random"]));
    assert_eq!(told["new_text"], "Hello from Brno.");
    assert_eq!(told["chat"], "Hello from Brno.");
    let (_, told) = explain_json(FRESH.replace("Hello from Brno.", "list"), &[]);
    assert_eq!(told["commands"], json!(["list"]));
}

#[test]
fn an_automatic_mail_has_no_commands() {
    let vacation = REPLY.replace("From:", "Auto-Submitted: auto-replied\nFrom:");
    let (code, told) = explain_json(vacation, &[]);
    assert_eq!(code, 0);
    assert_eq!(told["automatic"], "auto-reply");
    assert_eq!(told["commands"], json!([]));
}

#[test]
fn what_is_not_understood_is_a_problem() {
    let (_, told) = explain_json(REPLY.replace("B3 -> c3", "I feared b3-c3"), &[]);
    assert_eq!(told["commands"], json!([]));
    let problems = told["problems"].to_string();
    assert!(problems.contains("no line is a command"), "{problems}");
    assert!(problems.contains("I feared b3-c3"), "{problems}");
    let (_, told) = explain_json(REPLY.replace("B3 -> c3", "b3-z9"), &[]);
    assert!(told["problems"].to_string().contains("b3-z9"), "{told}");
}

#[test]
fn bytes_that_are_no_mail_are_told_with_code_1() {
    let noise: Vec<u8> = (0..4096_u32)
        .map(|number| (number * number % 251) as u8)
        .collect();
    let (code, told) = explain_json(noise, &[]);
    assert_eq!(code, 1);
    assert_eq!(told["from"], Value::Null);
    assert_eq!(told["commands"], json!([]));
    assert!(!told["problems"].as_array().unwrap().is_empty());
}

/// The samples of `tests/data/replies`, with the letter of their language beside them, as a club would read them.
#[test]
fn every_sample_of_a_reply_gives_its_move_its_game_and_its_proof() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/replies");
    let expected = fs::read_to_string(folder.join("expected.jsonl")).unwrap();
    for line in expected.lines() {
        let expected: Value = serde_json::from_str(line).unwrap();
        let mail = fs::read(folder.join(expected["file"].as_str().unwrap())).unwrap();
        let language = expected["lang"].as_str().unwrap();
        let answered = folder.join(format!("answered-{language}.eml"));
        let options = [
            "--trusted-authserv",
            "mx.club.example",
            "--answering",
            answered.to_str().unwrap(),
        ];
        let (code, told) = explain_json(mail, &options);
        assert_eq!(code, 0, "{told}");
        assert_eq!(told["commands"], expected["moves"], "{told}");
        assert_eq!(told["game"], 12, "{told}");
        assert_eq!(told["proof"], "pass", "{told}");
        assert_eq!(told["automatic"], Value::Null, "{told}");
    }
    assert!(expected.lines().count() >= 20);
}

#[test]
fn people_see_every_step_and_no_terminal_is_steered() {
    let (code, out) = explain(REPLY.replace("Good move", "\u{1b}[2JGood move"), &[]);
    assert_eq!(code, 0);
    for line in [
        "From:      Anna@example.org",
        "Game:      12",
        "Automatic: no",
        "Read:      the plain text",
        "Cut (quote mark):",
        "Commands:",
        "  | b3-c3",
        "Problems: none",
    ] {
        assert!(
            out.lines().any(|shown| shown == line),
            "{line} is not in\n{out}"
        );
    }
    assert!(!out.contains('\u{1b}'), "{out}");
}
