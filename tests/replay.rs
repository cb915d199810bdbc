//! `dvonn-post replay` on recorded games, and on records that are wrong.
//!
//! Knows the files of `tests/data/rules`, in which moves are written without a dash.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

/// Runs `replay` on a record: exit code, standard output, standard error.
fn replay(record: &str, options: &[&str]) -> (i32, String, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("record"), record).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_dvonn-post"))
        .args(["replay", "record"])
        .args(options)
        .current_dir(folder.path())
        .output()
        .unwrap();
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

fn games(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/rules")
        .join(file);
    fs::read_to_string(path)
        .unwrap()
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn words(text: &Value) -> Vec<String> {
    text.as_str()
        .unwrap()
        .split_whitespace()
        .map(str::to_owned)
        .collect()
}

/// The spaces of the placing phase, in order.
fn places(game: &Value) -> Vec<String> {
    let letters: Vec<char> = game["places"].as_str().unwrap().chars().collect();
    letters
        .chunks(2)
        .map(|space| space.iter().collect())
        .collect()
}

/// Compares what `replay --json` says of a record with the game that it was made of, whose moves begin after `before`
/// placements.
fn check(record: &Value, game: &Value, before: usize) {
    let (code, out, err) = replay(&record.to_string(), &["--json"]);
    assert_eq!((code, err.as_str()), (0, ""), "game {}", game["seed"]);
    let told: Value = serde_json::from_str(&out).unwrap();
    let plies = told["plies"].as_array().unwrap();
    let legal: Vec<_> = plies[before..]
        .iter()
        .map(|ply| ply["legal"].clone())
        .collect();
    assert_eq!(Value::from(legal), game["legal"], "game {}", game["seed"]);
    for (number, ply) in plies[before..].iter().enumerate() {
        let removed = game["removed"].get(number.to_string()).cloned();
        assert_eq!(
            ply["removed"],
            removed.unwrap_or(json!([])),
            "game {}",
            game["seed"]
        );
    }
    for (number, ply) in plies[..before].iter().enumerate() {
        assert_eq!(ply["legal"], 49 - number);
    }
    assert_eq!(told["position"], game["final"]);
    assert_eq!(
        told["score"],
        json!({"white": game["score"][0], "black": game["score"][1]})
    );
    let winner = match game["winner"].as_str().unwrap() {
        "W" => "white",
        "B" => "black",
        other => other,
    };
    assert_eq!(told["result"], winner);
    assert_eq!(told["ended_by"], "score");
    assert_eq!(told["phase"], "over");
    assert_eq!(told["turn"], Value::Null);
    assert_eq!(told["ply"], plies.len());
    assert_eq!(told["moves"].as_array().unwrap().len(), plies.len());
}

#[test]
fn every_recorded_game_comes_out_as_recorded() {
    let mut replayed = 0;
    for game in games("games.jsonl")
        .iter()
        .chain(&games("games_edge.jsonl"))
    {
        let moves = words(&game["moves"]);
        let record = json!({"setup": "random", "start": game["setup"], "moves": moves});
        check(&record, game, 0);
        let placed = [places(game), moves].concat();
        let record =
            json!({"setup": "place", "start": null, "moves": placed, "note": "not looked at"});
        check(&record, game, 49);
        replayed += 1;
    }
    assert!(replayed >= 300, "only {replayed} games were found");
}

/// The first game as the text that `record N` prints.
fn as_text(game: &Value) -> String {
    let mut text = "game: 12\nwhite: Anna\nblack: Ben\nsetup: place\n\n".to_owned();
    for (number, ply) in places(game)
        .into_iter()
        .chain(words(&game["moves"]))
        .enumerate()
    {
        text += &format!("{}. {ply}\n", number + 1);
    }
    text
}

#[test]
fn a_record_in_text_shows_its_last_board_and_result() {
    let game = &games("games.jsonl")[0];
    let (code, out, err) = replay(&as_text(game), &[]);
    assert_eq!((code, err.as_str()), (0, ""));
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines[0], "84 plies, every one by the rules.");
    assert_eq!(*lines.last().unwrap(), "White 11, Black 9. White wins.");
    assert!(lines.iter().all(|line| line.len() <= 52), "{out}");
    assert!(
        lines.iter().any(|line| line.contains(" a   b   c ")),
        "{out}"
    );
}

#[test]
fn the_first_bad_ply_is_named_counted_with_placements_and_passes() {
    let text = as_text(&games("games.jsonl")[0]);
    for (right, wrong, ply) in [
        ("\n3. c5\n", "\n3. f4\n", 3),
        ("\n50. b1b2\n", "\n50. b1b4\n", 50),
        ("\n50. b1b2\n", "\n50. pass\n", 50),
        ("\n83. pass\n", "\n", 83),
        ("\n84. j3i3\n", "\n84. j3z9\n", 84),
    ] {
        assert!(text.contains(right), "{right}");
        for options in [&[][..], &["--json"]] {
            let (code, out, err) = replay(&text.replace(right, wrong), options);
            assert_eq!((code, out.as_str()), (1, ""), "{wrong}");
            assert!(
                err.starts_with(&format!("dvonn-post: record: ply {ply}: ")),
                "{err}"
            );
        }
    }
}

#[test]
fn what_is_no_record_is_told_in_one_sentence() {
    for wrong in [
        "",
        "hello",
        "{",
        "{\"moves\":[]}",
        "setup: chess\n\n1. a1\n",
        "setup: random\n\n1. a1-a2\n",
    ] {
        let (code, out, err) = replay(wrong, &[]);
        assert_eq!((code, out.as_str()), (1, ""), "{wrong}");
        assert!(err.starts_with("dvonn-post: record: "), "{wrong}: {err}");
        assert_eq!(err.lines().count(), 1, "{wrong}: {err}");
    }
}
