//! Whole files: the example, and every wrong line with the sentence that it earns.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Config, Incoming, Outgoing, keys};
use crate::wire::{Security, WayIn, WayOut};

const EXAMPLE: &str = include_str!("../../config.example.toml");

const SMALL: &str = r#"
[club]
name = "Club"
address = "club@example.org"
admin = "admin@example.org"
[incoming.maildir]
path = "in"
[outgoing.maildir]
path = "/var/mail/out"
[store]
path = "club.sqlite"
"#;

fn parse(text: &str) -> Result<Config, String> {
    Config::parse(Path::new("club/config.toml"), text).map_err(|error| error.to_string())
}

/// The example with every commented key switched on, but for the second way in and out.
fn everything_on() -> String {
    EXAMPLE
        .lines()
        .map(|line| match line.strip_prefix('#') {
            Some(key) if key.starts_with("ca_file") => format!("#{key}"),
            Some(key) if key.starts_with("path") || key.starts_with('[') => format!("#{key}"),
            Some(key) if key.starts_with(|first: char| first.is_ascii_lowercase()) => {
                key.to_owned()
            }
            _ => line.to_owned(),
        })
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn the_example_loads_and_its_comments_tell_the_true_defaults() {
    let plain = parse(EXAMPLE).unwrap();
    let mut all = parse(&everything_on()).unwrap();
    assert_eq!(
        all.warnings,
        ["time", "grace", "outage", "vacation_days"]
            .map(|key| format!("games.{key} has no effect yet: games are played without a clock"))
    );
    all.warnings.clear();
    // The one key whose comment is not its default, and says so.
    let text = format!("{all:?}").replace("junk_mailbox: Some(\"Junk\")", "junk_mailbox: None");
    // Where a password stands in the file is part of what it says about itself.
    let without_lines = |text: &str| {
        let parts: Vec<_> = text
            .split("line: ")
            .map(|part| part.trim_start_matches(|digit: char| digit.is_ascii_digit()))
            .collect();
        parts.join("")
    };
    assert_eq!(without_lines(&text), without_lines(&format!("{plain:?}")));
}

#[test]
fn the_example_holds_every_key_that_is_known() {
    for section in keys::SECTIONS {
        let head = format!("[{}]", section.name);
        let (_, body) = EXAMPLE.split_once(&head).expect(section.name);
        // The first mention may be in a comment; the section itself begins a line.
        let body = EXAMPLE
            .split_once(&format!("\n{head}\n"))
            .or_else(|| EXAMPLE.split_once(&format!("\n#{head}\n")))
            .map_or(body, |(_, body)| body);
        let body = body.split("\n[").next().unwrap();
        for key in section.keys {
            let stands = body.lines().any(|line| {
                line.strip_prefix('#')
                    .unwrap_or(line)
                    .starts_with(&format!("{key} = "))
            });
            assert!(
                stands,
                "{}.{key} is not in config.example.toml",
                section.name
            );
        }
    }
}

#[test]
fn paths_are_relative_to_the_file() {
    let config = parse(SMALL).unwrap();
    assert_eq!(config.store, PathBuf::from("club/club.sqlite"));
    assert!(matches!(config.incoming, Incoming::Maildir(path) if path == Path::new("club/in")));
    assert!(
        matches!(config.outgoing, Outgoing::Maildir(path) if path == Path::new("/var/mail/out"))
    );
}

#[test]
fn nothing_is_limited_or_trusted_unless_the_file_says_so() {
    let config = parse(SMALL).unwrap();
    assert_eq!(config.limits.mails_per_day, None);
    assert_eq!(config.limits.mail_size, 5 * 1024 * 1024);
    assert_eq!(config.limits.answers_per_hour, 30);
    assert_eq!(config.limits.strangers_per_day, 100);
    assert_eq!(config.games.games_per_player, None);
    assert!(!config.proof.plus_addressing);
    assert!(config.proof.trusted_authserv.is_empty());
    assert!(config.warnings.is_empty());
}

#[test]
fn passwords_are_read_when_used_and_never_shown() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    let text = EXAMPLE.replace("#poll_seconds = 60", "poll_seconds = 5");
    fs::write(&file, text).unwrap();
    let config = Config::load(Some(&file)).unwrap();
    let missing = config.incoming.settings().unwrap_err().to_string();
    assert!(missing.contains("incoming.imap.password_file"), "{missing}");

    for (name, password) in [
        ("imap-password", "s3cret in\n"),
        ("smtp-password", "s3cret out\r\n"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, password).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    }
    assert_eq!(config.incoming.poll(), Duration::from_secs(5));
    let Ok(WayIn::Imap(imap)) = config.incoming.settings() else {
        panic!("no mailbox");
    };
    assert_eq!(
        (imap.server.port, imap.server.security),
        (993, Security::Tls)
    );
    assert_eq!(imap.login.password.0, "s3cret in");
    let Ok(WayOut::Smtp(smtp)) = config.outgoing.settings() else {
        panic!("no server");
    };
    assert_eq!(smtp.server.port, 465);
    assert_eq!(smtp.login.as_ref().unwrap().password.0, "s3cret out");
    let shown = format!("{config:?} {imap:?} {smtp:?}");
    assert!(!shown.contains("s3cret"), "{shown}");
}

#[test]
fn a_password_file_that_is_no_secret_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    fs::write(&file, EXAMPLE).unwrap();
    let password = folder.path().join("imap-password");
    let config = Config::load(Some(&file)).unwrap();
    let line = 1 + EXAMPLE
        .lines()
        .position(|line| line.starts_with("password_file"))
        .unwrap();
    for (content, mode, what) in [
        (
            "pw",
            0o644,
            "is open to other users (mode 0644); run chmod 600 on it",
        ),
        (
            "pw",
            0o660,
            "is open to other users (mode 0660); run chmod 600 on it",
        ),
        (
            "\n",
            0o600,
            "is empty; write the password into it, on one line",
        ),
        (
            "pw\nmore",
            0o600,
            "holds more than one line; leave nothing but the password in it",
        ),
    ] {
        fs::write(&password, content).unwrap();
        fs::set_permissions(&password, fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(
            config.incoming.settings().unwrap_err().to_string(),
            format!(
                "{}:{line}: incoming.imap.password_file: {} {what}",
                file.display(),
                password.display()
            )
        );
    }
}

#[test]
fn an_admin_who_reads_the_club_s_mailbox_is_warned_about() {
    let config = parse(&SMALL.replace("admin@", "Club@")).unwrap();
    assert_eq!(
        config.warnings,
        ["club.admin is the club's own address: mails about trouble will reach nobody"]
    );
}

/// Each wrong line replaces one of the small file, and stands in the line where it is found.
#[test]
fn every_wrong_line_earns_one_sentence_with_its_place_and_remedy() {
    let table: &[(&str, &str, &str)] = &[
        (
            "name = \"Club\"",
            "nmae = \"Club\"",
            "3: club.nmae is not a key of this program; the nearest one is club.name",
        ),
        (
            "name = \"Club\"",
            "user = \"me\"",
            "3: club.user is not a key of this program; the nearest one is incoming.imap.user",
        ),
        (
            "[club]",
            "[clbu]",
            "2: [clbu] is not a section of this program; the nearest one is [club]",
        ),
        (
            "[incoming.maildir]",
            "[incoming.mailbox]",
            "6: [incoming.mailbox] is not a section of this program; the nearest one is [incoming.maildir]",
        ),
        (
            "[club]",
            "club = 3\n[club2]",
            "2: club is a section, not a key; write [club] on a line of its own",
        ),
        (
            "name = \"Club\"",
            "name = Club",
            "3: this is not TOML (string values must be quoted, expected literal string); correct the line",
        ),
        (
            "name = \"Club\"",
            "name = 7",
            "3: club.name must be a text in double quotes, but it is a whole number",
        ),
        (
            "name = \"Club\"",
            "name = \"\"",
            "3: club.name is empty; give it a value or leave the line out",
        ),
        (
            "name = \"Club\"",
            "name = \"a\\nb\"",
            "3: club.name must be one line without control characters",
        ),
        (
            "name = \"Club\"",
            "",
            "2: club.name is missing; add a line such as name = \"Prague DVONN Club\" to [club]",
        ),
        (
            "club@example.org",
            "club",
            "4: club.address \"club\" cannot be used: an address looks like name@example.org; write one such as dvonn@example.org",
        ),
        (
            "[incoming.maildir]",
            "language = \"cs\"\n[incoming.maildir]",
            "6: club.language must be one of the languages that have a catalog, en, not \"cs\"",
        ),
        (
            "[incoming.maildir]",
            "timezone = \"Prague\"\n[incoming.maildir]",
            "6: club.timezone must be a time zone such as Europe/Prague or UTC, not \"Prague\"",
        ),
        (
            "[incoming.maildir]\npath = \"in\"",
            "",
            " there is no way in; add a section [incoming.imap] or [incoming.maildir]",
        ),
        (
            "[incoming.maildir]",
            "[incoming.imap]\nhost = \"h\"\n[incoming.maildir]",
            "8: there are two ways in, [incoming.imap] and [incoming.maildir]; leave one out",
        ),
        (
            "[outgoing.maildir]",
            "[outgoing.smtp]\nhost = \"h\"\n[outgoing.maildir]",
            "10: there are two ways out, [outgoing.smtp] and [outgoing.maildir]; leave one out",
        ),
        (
            "[store]\npath = \"club.sqlite\"",
            "",
            " store.path is missing; add the section [store] with a line such as path = \"club.sqlite\"",
        ),
        (
            "[store]",
            "[games]\nsetup = \"chess\"\n[store]",
            "11: games.setup must be \"place\", \"random\" or \"symmetric\", not \"chess\"",
        ),
        (
            "[store]",
            "[games]\ngames_per_player = -1\n[store]",
            "11: games.games_per_player must be a whole number from 0 to 1000000, without quotes, not -1",
        ),
        (
            "[store]",
            "[games]\ntime = \"soon\"\n[store]",
            "11: games.time must be \"none\", a time for each move such as \"7d\", or a bank with an increment such as \"30d+1d\", not \"soon\"",
        ),
        (
            "[store]",
            "[games]\ngrace = \"1 week\"\n[store]",
            "11: games.grace must be a span of time such as \"24h\" or \"7d\", not \"1 week\"",
        ),
        (
            "[store]",
            "[games]\nvacation_days = \"30\"\n[store]",
            "11: games.vacation_days must be a whole number from 0 to 366, without quotes, but it is a text",
        ),
        (
            "[store]",
            "[limits]\nmail_size = \"5\"\n[store]",
            "11: limits.mail_size must be a size from \"16KiB\" to \"64MiB\", not \"5\"",
        ),
        (
            "[store]",
            "[proof]\nplus_addressing = \"yes\"\n[store]",
            "11: proof.plus_addressing must be true or false, without quotes, but it is a text",
        ),
        (
            "[store]",
            "[proof]\ntrusted_authserv = \"mx\"\n[store]",
            "11: proof.trusted_authserv must be a list of texts such as [\"mx.example.org\"], but it is a text",
        ),
        (
            "[store]",
            "[proof]\ntrusted_authserv = [\n\"mx.example.org\",\n\"a b\"]\n[store]",
            "13: proof.trusted_authserv must list names of servers such as \"mx.example.org\" or \"*.example.org\", not \"a b\"",
        ),
    ];
    for (right, wrong, sentence) in table {
        assert!(SMALL.contains(right), "{right}");
        let error = parse(&SMALL.replacen(right, wrong, 1)).expect_err(wrong);
        assert_eq!(error, format!("club/config.toml:{sentence}"));
    }
}

#[test]
fn a_wrong_server_earns_its_sentence_too() {
    let table: &[(&str, &str)] = &[
        (
            "host = \"h\"\nsecurity = \"none\"",
            "8: outgoing.smtp.security may be \"none\" only for a server on this machine, and h is not; use \"tls\" or \"starttls\"",
        ),
        (
            "host = \"h\"\nsecurity = \"ssl\"",
            "8: outgoing.smtp.security must be \"tls\", \"starttls\" or \"none\", not \"ssl\"",
        ),
        (
            "host = \"h:465\"",
            "7: outgoing.smtp.host must be the name of a server such as mail.example.org, not \"h:465\"; the port has a key of its own",
        ),
        (
            "host = \"h\"\nport = 0",
            "8: outgoing.smtp.port must be a whole number from 1 to 65535, without quotes, not 0",
        ),
        (
            "host = \"h\"\nuser = \"u\"",
            "8: outgoing.smtp.user needs outgoing.smtp.password_file; add it, or leave both out for a server without login",
        ),
        (
            "host = \"h\"\npassword_file = \"p\"",
            "8: outgoing.smtp.password_file needs outgoing.smtp.user; add it, or leave both out for a server without login",
        ),
        (
            "host = \"h\"\nca_file = \"no.pem\"",
            "8: outgoing.smtp.ca_file must name a file of certificates, and club/no.pem is none; leave it out to trust those of the system",
        ),
        (
            "host = \"h\"\ntimeout_seconds = 0",
            "8: outgoing.smtp.timeout_seconds must be a whole number from 1 to 3600, without quotes, not 0",
        ),
        (
            "port = 25",
            "6: outgoing.smtp.host is missing; add a line such as host = \"mail.example.org\" to [outgoing.smtp]",
        ),
    ];
    let start = SMALL.replacen("[incoming.maildir]\npath = \"in\"\n", "", 1);
    let (before, after) = start
        .split_once("[outgoing.maildir]\npath = \"/var/mail/out\"\n")
        .unwrap();
    for (lines, sentence) in table {
        let text =
            format!("{before}[outgoing.smtp]\n{lines}\n[incoming.maildir]\npath = \"in\"\n{after}");
        assert_eq!(
            parse(&text).expect_err(lines),
            format!("club/config.toml:{sentence}")
        );
    }
    for host in ["localhost", "127.0.0.1", "::1"] {
        let text = format!(
            "{before}[outgoing.smtp]\nhost = \"{host}\"\nsecurity = \"none\"\n[incoming.maildir]\npath = \"in\"\n{after}"
        );
        let config = parse(&text).unwrap();
        assert!(
            matches!(config.outgoing.settings(), Ok(WayOut::Smtp(smtp)) if smtp.server.port == 25)
        );
    }
}

#[test]
fn done_mails_cannot_stay_in_the_watched_mailbox() {
    let error = parse(&EXAMPLE.replace("#done_mailbox = \"Done\"", "done_mailbox = \"INBOX\""))
        .unwrap_err();
    assert!(error.ends_with("incoming.imap.done_mailbox must not be the mailbox that is watched, \"INBOX\"; name another one"), "{error}");
}
