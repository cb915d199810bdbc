//! Whole correspondences without a socket: every file of `tests/games` whose name ends in `.script` is a situation,
//! named by its trouble. What a script may say stands in `tests/games/script.rs`.
//!
//! `SCRIPT=word cargo test --test games` runs those whose name holds the word.

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::string_slice,
    unreachable_pub,
    missing_docs
)]

use std::fs;
use std::path::{Path, PathBuf};

#[path = "games/letters.rs"]
mod letters;
#[path = "games/matrix.rs"]
mod matrix;
#[path = "games/robots.rs"]
mod robots;
#[path = "games/run.rs"]
mod run;
#[path = "games/script.rs"]
mod script;
#[path = "games/world.rs"]
mod world;

#[test]
fn every_script_comes_out_as_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/games");
    let wanted = std::env::var("SCRIPT").unwrap_or_default();
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "script"))
        .filter(|path| path.to_string_lossy().contains(&wanted))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no script was found");
    let mut failures = Vec::new();
    for file in &files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        if let Err(why) = run::run(&name, &fs::read_to_string(file).unwrap()) {
            failures.push(format!("tests/games/{name}.script:{why}"));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} scripts failed:\n{}",
        failures.len(),
        files.len(),
        failures.join("\n\n")
    );
}
