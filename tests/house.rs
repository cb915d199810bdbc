//! The law of the house, read off its source: which floor may use which, who reads the clock, who speaks SQL, how a
//! file begins and how long it grows.
//!
//! Knows the names of floors and of what belongs to each. Refuses to judge anything but form.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use source::{Source, names_from_root};

#[path = "house/source.rs"]
mod source;

/// The floors from the ground up; those of one line must not use each other.
const FLOORS: [&[&str]; 6] = [
    &["dvonn"],
    &["command", "mail"],
    &["club"],
    &["letters", "store", "wire"],
    &["daemon"],
    &["config", "cli"],
];

/// Lower floors that a floor must not know all the same.
const FORBIDDEN: [(&str, &str); 4] = [
    ("mail", "dvonn"),
    ("club", "mail"),
    ("wire", "dvonn"),
    ("wire", "club"),
];

/// The one neighbour that may be used: a subcommand reads its configuration.
const ALLOWED: (&str, &str) = ("cli", "config");

const LONGEST_FILE: usize = 400;

/// Names that only one floor may say, and what they stand for.
const RESERVED: [(&str, &str, &[&str]); 5] = [
    (
        "the clock",
        "daemon",
        &["SystemTime::now", "Instant::now", "Utc::now", "Local::now"],
    ),
    (
        "randomness",
        "daemon",
        &[
            "SystemRandom",
            "getrandom",
            "thread_rng",
            "RandomState",
            "fastrand",
        ],
    ),
    ("the database", "store", &["rusqlite"]),
    (
        "the network",
        "wire",
        &[
            "TcpStream",
            "TcpListener",
            "UdpSocket",
            "UnixStream",
            "tokio::net",
        ],
    ),
    ("unfinished work", "nobody", &["todo!", "unimplemented!"]),
];

/// Phrases of SQL; all parts of a phrase stand in one line of a text.
const SQL: [&[&str]; 8] = [
    &["SELECT ", " FROM "],
    &["INSERT ", "INTO "],
    &["UPDATE ", " SET "],
    &["DELETE FROM "],
    &["CREATE TABLE "],
    &["CREATE INDEX "],
    &["PRAGMA "],
    &["BEGIN IMMEDIATE"],
];

/// Ways in which SQL itself would read the clock or roll dice.
const SQL_CLOCK: [&str; 6] = [
    "'NOW'",
    "CURRENT_TIME",
    "CURRENT_DATE",
    "UNIXEPOCH()",
    "RANDOM()",
    "RANDOMBLOB(",
];

/// One breach: its line, counted from 1, and what is wrong.
type Breach = (usize, String);

fn height(floor: &str) -> Option<usize> {
    FLOORS.iter().position(|floors| floors.contains(&floor))
}

/// The floor that a file of `src` stands on; `lib.rs` and `main.rs` stand above all.
fn floor_of(path: &Path) -> &str {
    path.iter()
        .nth(1)
        .and_then(|name| name.to_str())
        .filter(|name| height(name).is_some())
        .unwrap_or("main")
}

fn may_use(user: &str, used: &str) -> bool {
    user == used
        || (user, used) == ALLOWED
        || (height(used) < height(user) && !FORBIDDEN.contains(&(user, used)))
}

fn line_at(text: &str, byte: usize) -> usize {
    1 + text[..byte].matches('\n').count()
}

/// Judges one Rust file of `src` or `tests`.
fn judge(path: &Path, content: &str) -> Vec<Breach> {
    let mut breaches = Vec::new();
    if !content.starts_with("//!") {
        breaches.push((1, "begins without a //! head".to_owned()));
    }
    if !path.starts_with("src") {
        return breaches;
    }
    let lines = content.lines().count();
    let is_test = path.to_string_lossy().ends_with("_tests.rs");
    if lines > LONGEST_FILE && !is_test {
        breaches.push((lines, format!("has more than {LONGEST_FILE} lines")));
    }
    let source = Source::read(content);
    let floor = floor_of(path);
    if floor != "main" {
        let names_itself = !path.ends_with("mod.rs");
        let climb = "super::".repeat(path.iter().count() - 2 + usize::from(names_itself));
        for (at, used) in names_from_root(&source.code, &climb) {
            if height(&used).is_some() && !may_use(floor, &used) {
                breaches.push((
                    line_at(&source.code, at),
                    format!("{floor} must not use {used}"),
                ));
            }
        }
    }
    for (what, owner, names) in RESERVED.iter().filter(|(_, owner, _)| *owner != floor) {
        for name in *names {
            // Time limits on the clock of the runtime, and tests that measure, tell nobody the time.
            let may_measure =
                is_test || (floor == "wire" && source.code.contains("use tokio::time"));
            if *name == "Instant::now" && may_measure {
                continue;
            }
            for (at, _) in source.code.match_indices(name) {
                breaches.push((
                    line_at(&source.code, at),
                    format!("{name}: {what} belongs to {owner}"),
                ));
            }
        }
    }
    for (line, text) in source.texts.lines().enumerate() {
        if floor == "store" {
            breaches.extend(sql_clock(text).map(|what| (line + 1, what)));
        } else if SQL
            .iter()
            .any(|phrase| phrase.iter().all(|part| text.contains(part)))
        {
            breaches.push((line + 1, "SQL belongs to store".to_owned()));
        }
    }
    breaches
}

fn sql_clock(line: &str) -> Option<String> {
    let line = line.to_uppercase();
    let name = SQL_CLOCK.iter().find(|name| line.contains(*name))?;
    Some(format!("{name}: SQL must not read the clock or roll dice"))
}

fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_below(&path, extension));
        } else if path.extension().is_some_and(|ending| ending == extension) {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn the_house_keeps_its_law() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut told = String::new();
    let mut judged = 0;
    for file in ["src", "tests"]
        .iter()
        .flat_map(|folder| files_below(&root.join(folder), "rs"))
    {
        let path = file.strip_prefix(root).unwrap();
        judged += 1;
        for (line, what) in judge(path, &fs::read_to_string(&file).unwrap()) {
            told += &format!("{}:{line}: {what}\n", path.display());
        }
    }
    for file in files_below(&root.join("migrations"), "sql") {
        for (line, text) in fs::read_to_string(&file).unwrap().lines().enumerate() {
            let statement = text.split("--").next().unwrap();
            if let Some(what) = sql_clock(statement) {
                told += &format!("{}:{}: {what}\n", file.display(), line + 1);
            }
        }
    }
    assert!(judged > 20, "only {judged} files were found");
    assert!(told.is_empty(), "\n{told}");
}

/// Troubles that others have reported of mail programs, numbered from 1.
const TROUBLES: u32 = 20;

/// The numbers in a comment such as `/// B4, B5: …`.
fn troubles(comment: &str) -> Vec<u32> {
    let line = comment.trim_start();
    let Some(text) = ["/// ", "# "]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))
    else {
        return Vec::new();
    };
    let text = text.split([':', '.']).next().unwrap();
    let numbers = text
        .split(", ")
        .map(|name| name.strip_prefix('B')?.parse().ok());
    numbers.collect::<Option<_>>().unwrap_or_default()
}

/// The troubles named right above the tests of a file.
fn tested(content: &str) -> BTreeSet<u32> {
    let (mut found, mut above, mut is_test) = (BTreeSet::new(), Vec::new(), false);
    for line in content.lines().map(str::trim_start) {
        if line.starts_with("///") {
            above.extend(troubles(line));
        } else if line.starts_with("#[") {
            is_test |= line.starts_with("#[test") || line.starts_with("#[tokio::test");
        } else {
            if is_test && (line.starts_with("fn ") || line.starts_with("async fn ")) {
                found.extend(above.iter());
            }
            (above, is_test) = (Vec::new(), false);
        }
    }
    found
}

#[test]
fn every_trouble_that_others_had_has_a_test_of_its_own() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tested: BTreeSet<u32> = ["src", "tests"]
        .iter()
        .flat_map(|folder| files_below(&root.join(folder), "rs"))
        .flat_map(|file| tested(&fs::read_to_string(&file).unwrap()))
        // A script of mails is a test, and says so in its first line.
        .chain(
            files_below(&root.join("tests/games"), "script")
                .iter()
                .flat_map(|file| {
                    let script = fs::read_to_string(file).unwrap();
                    script
                        .lines()
                        .take(1)
                        .flat_map(troubles)
                        .collect::<Vec<u32>>()
                }),
        )
        .collect();
    let missing: Vec<u32> = (1..=TROUBLES)
        .filter(|number| !tested.contains(number))
        .collect();
    assert!(
        missing.is_empty(),
        "no test names the troubles B{missing:?}"
    );
}

#[test]
fn a_trouble_is_named_right_above_a_test_and_nowhere_else() {
    let test = "/// B4, B5: words.\n#[tokio::test]\nasync fn f() {}";
    assert_eq!(tested(test), BTreeSet::from([4, 5]));
    for code in [
        "/// B4.\nfn f() {}",
        "/// B4.\n\n#[test]\nfn f() {}",
        "/// From b3 to B4.\n#[test]\nfn f() {}",
        "//! B4.\n#[test]\nfn f() {}",
    ] {
        assert_eq!(tested(code), BTreeSet::new(), "{code}");
    }
}

#[track_caller]
fn check(path: &str, code: &str, expected: &[&str]) {
    let breaches = judge(Path::new(path), &format!("//! Head.\n{code}"));
    let told: Vec<_> = breaches
        .iter()
        .map(|(line, what)| format!("{line}: {what}"))
        .collect();
    assert_eq!(told, expected, "{code}");
}

#[test]
fn an_upward_arrow_is_caught_however_it_is_written() {
    for code in [
        "use crate::club::Desk;",
        "use crate::{mail::token, club::{Desk, store}};",
        "fn f() { crate::club::f() }",
        "use super::super::club;",
    ] {
        check("src/mail/token.rs", code, &["2: mail must not use club"]);
    }
    check(
        "src/mail/mod.rs",
        "use super::store::Store;",
        &["2: mail must not use store"],
    );
}

#[test]
fn neighbours_and_strangers_are_caught_too() {
    check(
        "src/mail/a.rs",
        "use crate::command::Verb;",
        &["2: mail must not use command"],
    );
    check(
        "src/mail/a.rs",
        "use crate::dvonn::Cell;",
        &["2: mail must not use dvonn"],
    );
    check(
        "src/store/a.rs",
        "use crate::letters;",
        &["2: store must not use letters"],
    );
    check(
        "src/config/a.rs",
        "use crate::cli;",
        &["2: config must not use cli"],
    );
    check("src/cli/a.rs", "use crate::config::Config;", &[]);
    check(
        "src/daemon/a.rs",
        "use crate::{club, letters, mail, store, wire};",
        &[],
    );
    check(
        "src/letters/a.rs",
        "use crate::letters::x; use super::club;",
        &[],
    );
}

#[test]
fn clock_dice_network_and_sql_stay_where_they_belong() {
    check(
        "src/club/a.rs",
        "Utc::now()",
        &["2: Utc::now: the clock belongs to daemon"],
    );
    check("src/daemon/a.rs", "Utc::now()", &[]);
    check(
        "src/cli/a.rs",
        "\nSystemRandom",
        &["3: SystemRandom: randomness belongs to daemon"],
    );
    check(
        "src/daemon/a.rs",
        "use rusqlite::X;",
        &["2: rusqlite: the database belongs to store"],
    );
    check(
        "src/mail/a.rs",
        "TcpStream",
        &["2: TcpStream: the network belongs to wire"],
    );
    check(
        "src/daemon/a.rs",
        "q(\"SELECT a FROM b\")",
        &["2: SQL belongs to store"],
    );
    check("src/store/a.rs", "q(\"SELECT a FROM b\")", &[]);
    check("src/wire/a.rs", "s(\"SELECT INBOX\")", &[]);
    let dice = ["2: 'NOW': SQL must not read the clock or roll dice"];
    check("src/store/a.rs", "q(r#\"x('now')\"#)", &dice);
    check(
        "src/wire/a.rs",
        "use tokio::time::Instant; Instant::now()",
        &[],
    );
    let clock = ["2: Instant::now: the clock belongs to daemon"];
    check("src/wire/a.rs", "std::time::Instant::now()", &clock);
    check("src/wire/a_tests.rs", "std::time::Instant::now()", &[]);
}

#[test]
fn comments_and_texts_are_no_code() {
    check(
        "src/mail/a.rs",
        "// crate::club\n/* /* crate::store */ todo!() */ let a = '\"';",
        &[],
    );
    check(
        "src/mail/a.rs",
        "(\"\\\"crate::club\", r#\"\"crate::club\"#, r#type)",
        &[],
    );
    let unfinished = ["2: todo!: unfinished work belongs to nobody"];
    check(
        "src/mail/a.rs",
        "let a = '\\''; let b = \"x\"; todo!()",
        &unfinished,
    );
}

#[test]
fn heads_and_long_files_are_seen() {
    let told = judge(Path::new("tests/a.rs"), "fn f() {}");
    assert_eq!(told, [(1, "begins without a //! head".to_owned())]);
    let long = format!("//! Head.\n{}", "\n".repeat(LONGEST_FILE));
    assert_eq!(judge(Path::new("src/mail/a.rs"), &long).len(), 1);
    assert_eq!(judge(Path::new("src/mail/a_tests.rs"), &long).len(), 0);
}
