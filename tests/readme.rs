//! The README: its sample letter is one that the program writes, and its commands work as written.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use chrono::{DateTime, TimeDelta, Utc};
use dvonn_post::club::challenge::{Challenge, ChallengeState, Invitee};
use dvonn_post::club::decision::Change;
use dvonn_post::club::game::{Game, Seat};
use dvonn_post::club::player::{Player, PlayerId};
use dvonn_post::dvonn::Setup;
use dvonn_post::store::Store;

const README: &str = include_str!("../README.md");
const PROGRAM: &str = env!("CARGO_BIN_EXE_dvonn-post");

/// Lines of the README that are for other programs, or that another test runs.
const OF_OTHERS: [&str; 5] = [
    "tests/run",
    "cargo build",
    "install ",
    "systemctl ",
    "cargo bench",
];

#[test]
fn the_sample_letter_is_one_that_the_demo_shows() {
    let sample = block("```text").next().expect("a sample letter");
    let demo = demo("--auto");
    let shown = String::from_utf8(demo.stdout).unwrap();
    assert!(demo.status.success());
    assert!(
        masked(&shown).contains(&masked(sample)),
        "the demo shows no such letter:\n{sample}"
    );
}

#[test]
fn the_first_screen_shows_a_letter_and_two_commands() {
    let first: Vec<&str> = README.lines().take(45).collect();
    let first = first.join("\n");
    for needed in ["ref:", "cargo run --release -- demo", "tests/run"] {
        assert!(first.contains(needed), "the first screen lacks {needed}");
    }
}

#[test]
fn the_commands_of_the_readme_work_as_written() {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let mut ran = 0;
    for line in block("```sh").flat_map(str::lines) {
        let line = line.split(" # ").next().unwrap_or_default().trim();
        if line.is_empty() || OF_OTHERS.iter().any(|other| line.starts_with(other)) {
            continue;
        }
        let output = if line == "cargo run --release -- demo" {
            demo("")
        } else {
            run(line, folder.path())
        };
        let code = output.status.code();
        // Nothing serves the club of this test: `status` says so, by its exit code.
        let expected = if line == "dvonn-post status" { 2 } else { 0 };
        assert_eq!(
            code,
            Some(expected),
            "{line}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        ran += 1;
    }
    assert!(ran >= 10, "only {ran} commands were found in the README");
}

#[test]
fn the_help_of_every_subcommand_is_there() {
    let help =
        String::from_utf8(Command::new(PROGRAM).arg("--help").output().unwrap().stdout).unwrap();
    let commands = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty());
    let mut ran = 0;
    for line in commands {
        let name = line.split_whitespace().next().expect("a name");
        if name == "help" {
            continue;
        }
        let output = Command::new(PROGRAM)
            .args([name, "--help"])
            .output()
            .unwrap();
        assert!(output.status.success(), "{name} --help");
        assert!(!output.stdout.is_empty(), "{name} --help says nothing");
        ran += 1;
    }
    assert!(ran > 12, "only {ran} subcommands");
}

/// Blocks of the README that begin with that fence, without it.
fn block(fence: &'static str) -> impl Iterator<Item = &'static str> {
    README.split(fence).skip(1).map(|rest| {
        rest.split("```")
            .next()
            .unwrap_or_default()
            .trim_matches('\n')
    })
}

/// A text without the proof in its `ref:`.
fn masked(text: &str) -> String {
    let unproven = |word: &str| match word
        .strip_prefix("ref:")
        .and_then(|token| token.rsplit_once('.'))
    {
        Some((state, _)) => format!("ref:{state}"),
        None => word.to_owned(),
    };
    let lines = text.lines().map(|line| {
        line.split(' ')
            .map(unproven)
            .collect::<Vec<_>>()
            .join(" ")
            .trim()
            .to_owned()
    });
    lines
        .filter(|line| !line.starts_with("From:"))
        .collect::<Vec<_>>()
        .join("\n")
}

fn demo(option: &str) -> Output {
    let mut demo = Command::new(PROGRAM);
    demo.arg("demo")
        .args(Some(option).filter(|option| !option.is_empty()))
        .stdin(Stdio::null());
    demo.output().unwrap()
}

fn run(line: &str, folder: &Path) -> Output {
    let line = line
        .replace("/etc/systemd/system/", "")
        .replace("/var/backups/", "");
    let path = Path::new(PROGRAM).parent().unwrap().display().to_string();
    let path = format!("{path}:{}", std::env::var("PATH").unwrap_or_default());
    Command::new("sh")
        .args(["-c", &line])
        .current_dir(folder)
        .env("PATH", path)
        .output()
        .unwrap()
}

/// A club with two members and a game of the number that the README shows.
fn prepare(folder: &Path) {
    for name in ["in/new", "in/cur", "in/tmp", "out"] {
        fs::create_dir_all(folder.join(name)).unwrap();
    }
    fs::write(
        folder.join("config.toml"),
        "[club]\nname = \"Test Club\"\naddress = \"club@example.org\"\nadmin = \"admin@example.org\"\n\
         [incoming.maildir]\npath = \"in\"\n[outgoing.maildir]\npath = \"out\"\n[store]\npath = \"club.sqlite\"\n",
    )
    .unwrap();
    fs::write(
        folder.join("mail.eml"),
        "From: a@example.org\nTo: club@example.org\nSubject: hello\n\njoin\n",
    )
    .unwrap();
    let now: DateTime<Utc> = "2026-11-30T12:00:00Z".parse().unwrap();
    let mut store = Store::open(&folder.join("club.sqlite")).unwrap();
    store
        .write(|tx| {
            tx.club(now, &[7; 32])?;
            let anna = tx.add_player(player("Anna", now))?;
            let ben = tx.add_player(player("Ben", now))?;
            for number in 1..=12 {
                tx.apply(&[Change::Challenge(challenge(number, &anna, &ben, now))])?;
            }
            let (white, black) = (seat(&anna), seat(&ben));
            let game = Game::begin(12, (white, black), Setup::Place, None, None, now);
            tx.apply(&[
                Change::Close {
                    number: 12,
                    state: ChallengeState::Accepted,
                },
                Change::Begin(Box::new(game)),
            ])
        })
        .unwrap();
}

fn player(name: &str, joined: DateTime<Utc>) -> Player {
    Player {
        id: PlayerId(0),
        name: name.to_owned(),
        address: format!("{}@example.org", name.to_lowercase()),
        language: "en".to_owned(),
        timezone: "UTC".to_owned(),
        joined,
        stopped: false,
    }
}

fn seat(player: &Player) -> Seat {
    Seat {
        player: player.id,
        name: player.name.clone(),
    }
}

fn challenge(number: u32, from: &Player, to: &Player, now: DateTime<Utc>) -> Challenge {
    Challenge {
        number,
        from: from.id,
        from_name: from.name.clone(),
        to: Invitee::Member {
            id: to.id,
            name: to.name.clone(),
        },
        colour: None,
        setup: Setup::Place,
        made: now,
        until: now + TimeDelta::days(14),
        nonce: [7; 32],
        state: ChallengeState::Waiting,
    }
}
