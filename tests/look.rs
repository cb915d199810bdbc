//! The subcommands that look into a club: what they print for people and for other programs, and how they end.
//!
//! The club is small and known: game 12 goes on, game 14 was given up, game 15 is being placed.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used
)]

mod club;

#[path = "look/hand.rs"]
mod hand;
#[path = "look/status.rs"]
mod status;

use club::{Club, game_where, insert_game};
use dvonn_post::daemon::clock;
use dvonn_post::dvonn::{Colour, Position, Record};
use serde_json::Value;

const ANNA: &str = "anna@example.org";
const BEN: &str = "ben@example.org";

/// The keys of a game in the order of the contract.
const KEYS: [&str; 13] = [
    "game", "white", "black", "setup", "start", "phase", "turn", "ply", "moves", "position",
    "score", "result", "ended_by",
];

fn small_club() -> Club {
    let club = Club::new();
    let anna = club.join("Anna", ANNA);
    let ben = club.join("Ben", BEN);
    let mut store = club.store();
    for number in [12, 14] {
        let game = game_where(&["f3-f4"]);
        insert_game(&mut store, number, (anna, ben), &game, clock::now());
    }
    drop(store);
    for (from, body) in [
        (BEN, "14: resign"),
        (ANNA, "challenge Ben white"),
        (BEN, "accept 15"),
        (ANNA, "15: c3"),
        (BEN, "15: d4"),
    ] {
        club.write(from, body);
        club.once();
    }
    club
}

fn json(club: &Club, arguments: &[&str]) -> Value {
    let ran = club.run(arguments);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{arguments:?}");
    assert_eq!(ran.out.lines().count(), 1, "{}", ran.out);
    serde_json::from_str(&ran.out).unwrap()
}

/// The names that stand before a colon outside of inner objects, in the order they are printed.
fn keys(object: &str) -> Vec<String> {
    let (mut depth, mut found, mut is_text) = (0, Vec::new(), false);
    let (mut word, mut last) = (String::new(), String::new());
    for letter in object.chars() {
        match letter {
            '"' if is_text => {
                is_text = false;
                last = std::mem::take(&mut word);
            }
            '"' => is_text = true,
            _ if is_text => word.push(letter),
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            ':' if depth == 1 => found.push(last.clone()),
            _ => {}
        }
    }
    found
}

#[test]
fn a_game_in_json_has_exactly_the_keys_of_the_contract_in_their_order() {
    let club = small_club();
    for number in ["12", "14", "15"] {
        for command in ["game", "record"] {
            let ran = club.run(&[command, number, "--json"]);
            assert_eq!((ran.code, ran.err.as_str()), (0, ""));
            assert_eq!(keys(&ran.out), KEYS, "{}", ran.out);
            let whose = format!(
                "{{\"game\":{number},\"white\":{{\"name\":\"Anna\",\"address\":\"{ANNA}\"}},\
                 \"black\":{{\"name\":\"Ben\",\"address\":\"{BEN}\"}},\"setup\":\""
            );
            assert!(ran.out.starts_with(&whose), "{}", ran.out);
        }
    }
}

#[test]
fn a_game_that_goes_on_is_told_as_its_record_replays() {
    let club = small_club();
    let (board, plies) = game_where(&["f3-f4"]);
    let position = Position::replay(Some(board), &plies).unwrap();
    let game = json(&club, &["game", "12", "--json"]);
    assert_eq!(game["setup"], "random");
    assert_eq!(game["start"], board.to_string());
    assert_eq!(game["phase"], "stacking");
    assert_eq!(game["turn"], "white");
    assert_eq!(game["ply"], plies.len());
    assert_eq!(game["moves"].as_array().unwrap().len(), plies.len());
    assert_eq!(game["position"], position.board().to_string());
    assert_eq!(game["score"]["white"], position.score().white);
    assert_eq!(game["score"]["black"], position.score().black);
    assert_eq!(
        (&game["result"], &game["ended_by"]),
        (&Value::Null, &Value::Null)
    );
}

#[test]
fn a_game_that_was_given_up_names_winner_and_reason() {
    let club = small_club();
    let game = json(&club, &["game", "14", "--json"]);
    assert_eq!(game["phase"], "over");
    assert_eq!(game["turn"], Value::Null);
    assert_eq!(game["result"], "white");
    assert_eq!(game["ended_by"], "resignation");
    let ran = club.run(&["game", "14"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("White wins by resignation"), "{}", ran.out);
}

#[test]
fn a_game_that_is_being_placed_has_no_start_and_an_almost_empty_board() {
    let club = small_club();
    let ran = club.run(&["game", "15", "--json"]);
    let rest = "\"setup\":\"place\",\"start\":null,\"phase\":\"placing\",\"turn\":\"white\",\"ply\":2,\
                \"moves\":[\"c3\",\"d4\"],\
                \"position\":\"-,-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-,-,-/-,-,R,-,-,-,-,-,-,-,-/-,-,R,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-,-\",\
                \"score\":{\"white\":0,\"black\":0},\"result\":null,\"ended_by\":null}\n";
    assert!(ran.out.ends_with(rest), "{}", ran.out);
    let ran = club.run(&["game", "15"]);
    for part in [
        format!("Game 15: Anna (white, {ANNA}) - Ben (black, {BEN}), setup place"),
        "2 plies. Anna (white) is to move since 20".to_owned(),
        "[R]".to_owned(),
    ] {
        assert!(ran.out.contains(&part), "{part}\n{}", ran.out);
    }
}

#[test]
fn games_are_listed_newest_last_and_one_by_one_the_same() {
    let club = small_club();
    let games = json(&club, &["games", "--json"]);
    let numbers: Vec<&Value> = games
        .as_array()
        .unwrap()
        .iter()
        .map(|game| &game["game"])
        .collect();
    assert_eq!(numbers, [12, 14, 15]);
    for game in games.as_array().unwrap() {
        let number = game["game"].to_string();
        assert_eq!(*game, json(&club, &["game", &number, "--json"]));
    }
    let (_, plies) = game_where(&["f3-f4"]);
    let ran = club.run(&["games"]);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), 3);
    let first = format!(
        "   12  Anna - Ben  {} plies, waits for Anna since 20",
        plies.len()
    );
    assert!(lines[0].starts_with(&first), "{}", ran.out);
    assert!(
        lines[1].contains("over since 20") && lines[1].ends_with("White wins by resignation"),
        "{}",
        ran.out
    );
    assert!(
        lines[2].starts_with("   15  Anna - Ben  2 plies, waits for Anna"),
        "{}",
        ran.out
    );
    assert_eq!(
        json(&Club::new_with_database(), &["games", "--json"]),
        Value::Array(Vec::new())
    );
}

#[test]
fn what_is_not_there_is_answered_with_no() {
    let club = small_club();
    for command in ["game", "record"] {
        let ran = club.run(&[command, "13"]);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""));
        assert_eq!(
            ran.err,
            "dvonn-post: there is no game 13; `dvonn-post games` lists all\n"
        );
    }
    let nothing = Club::new();
    for arguments in [
        &["games"][..],
        &["game", "12"],
        &["players"],
        &["outbox"],
        &["record", "12"],
    ] {
        let ran = nothing.run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{arguments:?}");
        assert!(
            ran.err.starts_with("dvonn-post: There is no database club.sqlite yet; start the club with `dvonn-post serve`"),
            "{}",
            ran.err
        );
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    }
}

#[test]
fn the_record_that_is_printed_replays_to_the_same_end() {
    let club = small_club();
    for number in ["12", "14", "15"] {
        let game = json(&club, &["game", number, "--json"]);
        let text = club.run(&["record", number]);
        let object = club.run(&["record", number, "--json"]);
        let record: Record = text.out.parse().unwrap();
        assert_eq!(
            record.check().unwrap().plies.len(),
            game["moves"].as_array().unwrap().len()
        );
        assert_eq!(text.out.lines().next().unwrap(), format!("game: {number}"));
        std::fs::write(club.path("record"), &text.out).unwrap();
        for ran in [
            club.feed(&["replay", "-", "--json"], text.out.as_bytes()),
            club.feed(&["replay", "-", "--json"], object.out.as_bytes()),
            club.run(&["replay", "record", "--json"]),
        ] {
            assert_eq!((ran.code, ran.err.as_str()), (0, ""));
            let mut replayed: Value = serde_json::from_str(&ran.out).unwrap();
            let plies = replayed.as_object_mut().unwrap().remove("plies").unwrap();
            assert_eq!(
                plies.as_array().unwrap().len(),
                game["moves"].as_array().unwrap().len()
            );
            assert_eq!(replayed, game);
        }
        let ran = club.feed(&["replay", "-"], text.out.as_bytes());
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.out.contains("every one by the rules"), "{}", ran.out);
    }
    let ran = club.feed(&["replay", "-"], b"setup: place\n\n1. z9\n");
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.starts_with("dvonn-post: standard input: "),
        "{}",
        ran.err
    );
}

#[test]
fn players_are_listed_with_every_address_that_writes_for_them() {
    let club = small_club();
    club.database()
        .execute_batch(
            "INSERT INTO addresses VALUES ('anna@work.example', 1, 9999999999);
             UPDATE players SET stopped = 1 WHERE name = 'Ben';",
        )
        .unwrap();
    let ran = club.run(&["players"]);
    assert_eq!(
        ran.out,
        format!("Anna  <{ANNA}>, writes from anna@work.example too\nBen  <{BEN}>, wants no mail\n")
    );
    let players = json(&club, &["players", "--json"]);
    assert_eq!(players[0]["name"], "Anna");
    assert_eq!(
        players[0]["addresses"],
        serde_json::json!([ANNA, "anna@work.example"])
    );
    assert_eq!(
        (&players[0]["stopped"], &players[1]["stopped"]),
        (&false.into(), &true.into())
    );
    assert_eq!(players[1]["address"], BEN);
    assert_eq!(players.as_array().unwrap().len(), 2);
}

#[test]
fn the_outbox_shows_what_waits_what_was_sent_and_what_was_given_up() {
    let club = small_club();
    let sent = json(&club, &["outbox", "--json"]);
    let count = sent.as_array().unwrap().len();
    assert_eq!(count, club.letters(ANNA).len() + club.letters(BEN).len());
    assert!(
        sent.as_array()
            .unwrap()
            .iter()
            .all(|letter| letter["state"] == "sent")
    );
    club.database()
        .execute_batch(
            "UPDATE outbox SET state = 'failed', result = '550 no such user' WHERE id = 1;
             UPDATE outbox SET state = 'waiting', attempts = 2, result = 'busy' WHERE id = 2;",
        )
        .unwrap();
    let letters = json(&club, &["outbox", "--json"]);
    assert_eq!(letters.as_array().unwrap().len(), count);
    assert_eq!(letters[0]["state"], "failed");
    assert_eq!(letters[0]["result"], "550 no such user");
    assert_eq!(letters[0]["game"], 14);
    assert_eq!(letters[0]["next"], Value::Null);
    assert_eq!(letters[1]["state"], "waiting");
    assert_eq!(letters[1]["attempts"], 2);
    assert!(letters[1]["next"].as_str().unwrap().starts_with("20"));
    let ran = club.run(&["outbox"]);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), count);
    assert!(lines[0].starts_with("     1  failed  to "), "{}", ran.out);
    assert!(lines[0].ends_with(": 550 no such user"), "{}", ran.out);
    assert!(lines[1].contains(", tries 2, next try 20"), "{}", ran.out);
}

#[test]
fn whose_turn_it_is_agrees_with_the_board() {
    let club = small_club();
    let game = json(&club, &["game", "12", "--json"]);
    let board = game["position"].as_str().unwrap().parse().unwrap();
    let position = Position::resume(board, Colour::White).unwrap();
    assert!(position.passed.is_none());
    assert_eq!(
        position.position.score().white,
        game["score"]["white"].as_u64().unwrap() as u8
    );
}
