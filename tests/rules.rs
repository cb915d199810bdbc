//! The rules against recorded games, refusals and perft tables of an independent implementation (tests/data/rules).

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::string_slice
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use dvonn_post::dvonn::{
    Board, Cell, Colour, Move, Outcome, Phase, Ply, Position, Record, Score, perft, replay,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The rows of a file: one comment line, then one JSON object a line.
fn rows<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/rules")
        .join(file);
    let text = fs::read_to_string(path).unwrap();
    let rows: Vec<T> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(!rows.is_empty(), "{file} holds nothing");
    rows
}

fn colour(letter: &str) -> Colour {
    match letter {
        "W" => Colour::White,
        "B" => Colour::Black,
        _ => panic!("no colour: {letter}"),
    }
}

#[derive(Deserialize)]
struct Game {
    seed: u64,
    places: String,
    setup: String,
    moves: String,
    legal: Vec<usize>,
    removed: BTreeMap<usize, Vec<String>>,
    #[serde(rename = "final")]
    last: String,
    score: [u8; 2],
    winner: String,
}

/// Plays a game ply by ply, the placements too, and compares all that the record says.
fn check_game(game: &Game) {
    let seed = game.seed;
    let mut position = Position::new();
    let mut passed = None;
    for name in game.places.as_bytes().chunks(2) {
        let cell: Cell = std::str::from_utf8(name).unwrap().parse().unwrap();
        let played = position.play(Move::Place(cell)).unwrap();
        position = played.position;
        passed = played.passed;
    }
    assert_eq!(position.board().to_string(), game.setup, "game {seed}");
    let plies: Vec<Ply> = game
        .moves
        .split(' ')
        .map(|text| text.parse().unwrap())
        .collect();
    assert_eq!(plies.len(), game.legal.len(), "game {seed}");
    for (index, (ply, legal)) in plies.iter().zip(&game.legal).enumerate() {
        let at = format!("game {seed}, ply {index}");
        let Ply::Move(asked) = *ply else {
            assert!(passed.take().is_some(), "{at}: nobody had to pass");
            assert_eq!(*legal, 0, "{at}");
            continue;
        };
        assert_eq!(passed, None, "{at}: a pass is missing");
        assert_eq!(position.legal_count(), *legal, "{at}");
        let played = position.play(asked).unwrap();
        let removed: Vec<String> = played
            .removed
            .iter()
            .map(|fallen| fallen.cell.to_string())
            .collect();
        assert_eq!(
            removed,
            game.removed.get(&index).cloned().unwrap_or_default(),
            "{at}"
        );
        position = played.position;
        passed = played.passed;
        assert_eq!(played.outcome.is_some(), index + 1 == plies.len(), "{at}");
    }
    assert_eq!(position.phase(), Phase::Over, "game {seed}");
    assert_eq!(position.board().to_string(), game.last, "game {seed}");
    let [white, black] = game.score;
    assert_eq!(position.score(), Score { white, black }, "game {seed}");
    let outcome = match game.winner.as_str() {
        "draw" => Outcome::Draw,
        letter => Outcome::won_by(colour(letter)),
    };
    assert_eq!(position.outcome(), Some(outcome), "game {seed}");

    let start: Board = game.setup.parse().unwrap();
    let replayed = replay(Some(start), &plies).unwrap();
    assert_eq!(replayed.position, position, "game {seed}");
    let legal: Vec<usize> = replayed.plies.iter().map(|ply| ply.legal).collect();
    assert_eq!(legal, game.legal, "game {seed}");

    // The same game as published records write it: from the empty board, without the 49th placement.
    let places: Vec<&str> = (0..48)
        .map(|index| &game.places[2 * index..2 * index + 2])
        .collect();
    let text = format!("setup: place\n\n{}\n{}\n", places.join(" "), game.moves);
    let record: Record = text.parse().unwrap();
    let replayed = record.check().unwrap();
    assert_eq!(replayed.position, position, "game {seed}");
    assert_eq!(replayed.plies.len(), 49 + plies.len(), "game {seed}");
}

#[test]
fn recorded_games_go_ply_by_ply_as_recorded() {
    let games: Vec<Game> = rows("games.jsonl");
    assert_eq!(games.len(), 300);
    games.iter().for_each(check_game);
}

#[test]
fn games_in_which_a_side_holds_the_whole_edge_begin_with_a_pass() {
    let games: Vec<Game> = rows("games_edge.jsonl");
    assert_eq!(games.len(), 10);
    games.iter().for_each(check_game);
    assert!(games.iter().any(|game| game.moves.starts_with("pass")));
}

#[derive(Deserialize)]
struct Illegal {
    pos: String,
    turn: String,
    #[serde(rename = "move")]
    asked: String,
    reasons: BTreeSet<String>,
}

/// Every reason why `side` may not play `text`, whether it cannot be read or breaks rules. Where `side` has no move at all its
/// pass is made already, and the position is the other side's.
fn reasons(position: &Position, side: Colour, text: &str) -> BTreeSet<String> {
    let illegal = match text.parse::<Ply>() {
        Ok(Ply::Move(asked)) => position.refusal(side, asked).unwrap(),
        Ok(Ply::Pass) => position.refuse_pass(),
        Err(unreadable) => {
            let over = (position.phase() == Phase::Over).then_some("game_over");
            return over
                .into_iter()
                .chain([unreadable.name()])
                .map(str::to_owned)
                .collect();
        }
    };
    illegal
        .reasons()
        .map(|reason| reason.name().to_owned())
        .collect()
}

#[test]
fn refused_moves_are_refused_for_all_their_reasons() {
    let cases: Vec<Illegal> = rows("illegal.jsonl");
    assert_eq!(cases.len(), 180);
    for case in cases {
        let board: Board = case.pos.parse().unwrap();
        let side = colour(&case.turn);
        let position = Position::resume(board, side).unwrap().position;
        let found = reasons(&position, side, &case.asked);
        assert_eq!(found, case.reasons, "{} in {}", case.asked, case.pos);
    }
}

#[derive(Deserialize)]
struct Perft {
    id: String,
    pos: String,
    turn: String,
    nodes: Vec<u64>,
    #[serde(default)]
    ended: Vec<u64>,
}

/// Compares the counts of the cases whose id begins with `kind`.
fn check_perft(kind: &str, expected: usize) {
    let cases: Vec<Perft> = rows("perft.jsonl");
    let cases: Vec<Perft> = cases
        .into_iter()
        .filter(|case| case.id.starts_with(kind))
        .collect();
    assert_eq!(cases.len(), expected);
    for case in cases {
        let started = Position::resume(case.pos.parse().unwrap(), colour(&case.turn)).unwrap();
        assert_eq!(started.passed, None, "{}", case.id);
        let nodes: Vec<u64> = (1..)
            .zip(&case.nodes)
            .map(|(depth, _)| perft::sequences(&started.position, depth))
            .collect();
        assert_eq!(nodes, case.nodes, "{}", case.id);
        let ended: Vec<u64> = (1..)
            .zip(&case.ended)
            .map(|(depth, _)| perft::ended(&started.position, depth))
            .collect();
        assert_eq!(ended, case.ended, "{}", case.id);
    }
}

#[test]
fn perft_of_full_boards() {
    check_perft("full-", 12);
}

#[test]
fn perft_of_late_boards_where_sides_pass_and_games_end() {
    check_perft("late-", 12);
}
