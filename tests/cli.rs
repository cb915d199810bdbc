//! The program as it is called: arguments, exit codes, what goes to which stream.
//!
//! Knows the binary from outside alone.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_dvonn-post");

const MAIL: &str = "From: Anna <anna@example.org>\r\nTo: dvonn@club.example\r\nSubject: games\r\n\
    Date: Mon, 30 Nov 2026 12:00:00 +0000\r\nMessage-ID: <1@example.org>\r\n\r\nlist\r\n";

const CONFIG: &str = "[club]\nname = \"Club\"\naddress = \"dvonn@club.example\"\nadmin = \"admin@example.org\"\n\
    [incoming.maildir]\npath = \"in\"\n[outgoing.maildir]\npath = \"out\"\n[store]\npath = \"club.sqlite\"\n";

/// A folder of its own for one test, in which the program runs.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        place.write("mail.eml", MAIL);
        place
    }

    fn write(&self, name: &str, content: &str) -> PathBuf {
        let file = self.0.path().join(name);
        fs::write(&file, content).unwrap();
        file
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        let output = Command::new(PROGRAM)
            .args(arguments)
            .current_dir(self.0.path())
            .output()
            .unwrap();
        Ran::from(output)
    }
}

/// What came of it.
struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

#[test]
fn wrong_usage_is_code_2_and_leaves_standard_output_alone() {
    let place = Place::new();
    for arguments in [
        &[][..],
        &["play"],
        &["game"],
        &["game", "twelve"],
        &["explain"],
        &["explain", "missing.eml"],
        &["explain", "mail.eml", "--answering", "missing.eml"],
        &["replay", "missing.txt"],
        &["games", "--yaml"],
        &["outbox", "retry"],
        &["outbox", "retry", "everything"],
        &["outbox", "show", "twelve"],
        &["shunted", "retry", "--json", "1"],
    ] {
        let ran = place.run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{arguments:?}");
        assert!(!ran.err.is_empty(), "{arguments:?}");
    }
}

#[test]
fn every_command_in_the_help_has_a_help_of_its_own() {
    let place = Place::new();
    let help = place.run(&["--help"]);
    assert_eq!((help.code, help.err.as_str()), (0, ""));
    let (_, commands) = help.out.split_once("Commands:\n").unwrap();
    let commands: Vec<_> = commands
        .lines()
        .map_while(|line| line.split_whitespace().next())
        .collect();
    for expected in [
        "demo", "serve", "deliver", "explain", "games", "game", "players", "outbox", "shunted",
        "status", "record", "replay", "backup", "restore", "verify", "doctor", "systemd",
    ] {
        assert!(
            commands.contains(&expected),
            "{expected} is not in the help"
        );
    }
    for command in commands.into_iter().filter(|command| *command != "help") {
        let ran = place.run(&[command, "--help"]);
        assert_eq!(ran.code, 0, "{command}");
        assert!(
            ran.out.contains(&format!("Usage: dvonn-post {command}")),
            "{}",
            ran.out
        );
        assert!(ran.out.contains("--config <FILE>"), "{}", ran.out);
    }
    let version = place.run(&["--version"]);
    assert_eq!(
        version.out,
        format!("dvonn-post {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn the_configuration_may_be_named_before_and_after_the_command() {
    let place = Place::new();
    place.write("good.toml", CONFIG);
    place.write("bad.toml", &CONFIG.replace("admin", "boss"));
    for (file, code) in [("good.toml", 0), ("bad.toml", 78), ("none.toml", 78)] {
        for arguments in [
            ["--config", file, "explain", "mail.eml"],
            ["explain", "--config", file, "mail.eml"],
            ["explain", "mail.eml", "--config", file],
        ] {
            let ran = place.run(&arguments);
            assert_eq!(ran.code, code, "{arguments:?}: {}", ran.err);
        }
    }
}

#[test]
fn a_wrong_configuration_is_one_sentence_with_file_line_and_remedy() {
    let place = Place::new();
    for (text, sentence) in [
        (
            CONFIG.replace("admin =", "amdin ="),
            "bad.toml:4: club.amdin is not a key of this program; the nearest one is club.admin",
        ),
        (
            CONFIG.replace("\"Club\"", "true"),
            "bad.toml:2: club.name must be a text in double quotes, but it is true or false",
        ),
        (
            CONFIG.replace("name = \"Club\"", "name = \"Club\"\nlanguage = \"xx\""),
            "bad.toml:3: club.language must be one of the languages that have a catalog, en, not \"xx\"",
        ),
        (
            CONFIG.replace("[outgoing.maildir]\npath = \"out\"\n", ""),
            "bad.toml: there is no way out; add a section [outgoing.smtp] or [outgoing.maildir]",
        ),
    ] {
        place.write("bad.toml", &text);
        let ran = place.run(&["--config", "bad.toml", "explain", "mail.eml"]);
        assert_eq!(ran.code, 78);
        assert_eq!(ran.out, "");
        assert_eq!(ran.err, format!("dvonn-post: {sentence}\n"));
    }
    let ran = place.run(&["--config", "none.toml", "explain", "mail.eml"]);
    assert_eq!(
        ran.err,
        "dvonn-post: none.toml: there is no such file; copy config.example.toml to it, or name another with --config FILE\n"
    );
    fs::write(
        place.0.path().join("latin.toml"),
        b"[club]\nname = \"Dvo\xf8\xe1k\"\n",
    )
    .unwrap();
    let ran = place.run(&["--config", "latin.toml", "explain", "mail.eml"]);
    assert_eq!(
        ran.err,
        "dvonn-post: latin.toml: the file is not UTF-8 text; save it as UTF-8\n"
    );
}

/// Runs systemd-analyze on a printed unit; what it says, and whether it was content.
fn analyze(verb: &[&str], unit: &Path) -> (bool, String) {
    let output = Command::new("systemd-analyze")
        .args(verb)
        .arg(unit)
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).unwrap())
}

#[test]
fn the_unit_pleases_systemd_and_exposes_little() {
    let place = Place::new();
    for (arguments, config) in [
        (&["systemd"][..], "/etc/dvonn-post/config.toml".to_owned()),
        (&["systemd", "--config", "my club.toml"], {
            let folder = fs::canonicalize(place.0.path()).unwrap();
            format!("\"{}/my club.toml\"", folder.display())
        }),
    ] {
        let ran = place.run(arguments);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let line = format!("ExecStart={PROGRAM} serve --config {config}\n");
        assert!(ran.out.contains(&line), "{line}\n{}", ran.out);
        let unit = place.write("dvonn-post.service", &ran.out);
        // Unknown keys are told but not counted as failures, so anything said is one.
        assert_eq!(
            analyze(&["verify", "--man=no"], &unit),
            (true, String::new())
        );
        let (is_safe, said) = analyze(&["security", "--offline=true", "--threshold=20"], &unit);
        assert!(is_safe, "{said}");
    }
}
