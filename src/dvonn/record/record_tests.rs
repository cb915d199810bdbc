//! Records read, written and checked.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use proptest::prelude::*;

use super::*;
use crate::dvonn::games::{Game, games};
use crate::dvonn::piece::Colour;
use crate::dvonn::replay::ReplayError;

fn record_of(game: &Game) -> Record {
    Record::new(game.setup, game.start, game.plies.clone())
}

/// White has no first move: Black and one DVONN piece hold the edge (RULE-09).
const EDGE_LOCK: &str = r#"{"setup":"random",
    "start":"B,B,B,B,B,R,B,B,B/B,W,R,R,W,W,W,W,W,B/B,W,W,W,W,W,W,W,W,W,B/B,W,W,W,W,W,W,W,W,B/B,B,B,B,B,B,B,B,B",
    "moves":[MOVES]}"#;

fn edge_lock(moves: &str) -> Result<Replayed, RecordError> {
    EDGE_LOCK.replace("MOVES", moves).parse::<Record>()?.check()
}

/// 49 placements in canonical order.
fn placements() -> Vec<String> {
    crate::dvonn::Cell::ALL
        .iter()
        .map(ToString::to_string)
        .collect()
}

fn placed(count: usize, more: &[&str]) -> Result<Replayed, RecordError> {
    let mut moves = placements();
    moves.truncate(count);
    moves.extend(more.iter().map(|ply| (*ply).to_owned()));
    let json = serde_json::json!({ "setup": "place", "start": null, "moves": moves });
    json.to_string().parse::<Record>()?.check()
}

#[test]
fn only_setup_start_and_moves_are_needed_and_other_fields_are_let_be() {
    let record: Record = r#"{"setup":"place","moves":["f3","3c"],"event":{"round":2}}"#
        .parse()
        .unwrap();
    let replayed = record.check().unwrap();
    let legal: Vec<usize> = replayed.plies.iter().map(|ply| ply.legal).collect();
    assert_eq!(legal, [49, 48]);
    assert_eq!(replayed.position.turn(), Some(Colour::White));
}

#[test]
fn a_forced_pass_at_the_first_turn_is_a_ply_with_no_legal_move() {
    let replayed = edge_lock(r#""pass","d5c5""#).unwrap();
    let legal: Vec<usize> = replayed.plies.iter().map(|ply| ply.legal).collect();
    assert_eq!(legal, [0, 86]);
}

#[test]
fn a_pass_that_is_missing_or_wrong_is_named_by_its_ply() {
    let missing = edge_lock(r#""d5c5""#).unwrap_err();
    assert_eq!(missing.ply(), Some(1));
    assert_eq!(
        missing.to_string(),
        "ply 1: white has no move and must pass, but the record says d5-c5"
    );
    let wrong = edge_lock(r#""pass","pass""#).unwrap_err();
    assert_eq!(wrong.ply(), Some(2));
    let early = placed(3, &["pass"]).unwrap_err();
    assert_eq!(early.ply(), Some(4));
}

#[test]
fn the_49th_placement_may_be_left_out() {
    let full = placed(49, &["e1-d1", "f1-g1"]).unwrap();
    assert_eq!(full.plies.len(), 51);
    assert_eq!(placed(48, &["e1d1", "f1g1"]), Ok(full));
    assert_eq!(placed(47, &["e1d1"]).unwrap_err().ply(), Some(48));
    assert_eq!(placed(48, &["e1-d1", "e1-g1"]).unwrap_err().ply(), Some(51));
}

#[test]
fn the_first_bad_ply_is_named_also_before_one_that_cannot_be_read() {
    let error = placed(5, &["a1", "rubbish"]).unwrap_err();
    assert_eq!(error.ply(), Some(6));
    assert!(matches!(error, RecordError::Replay(_)), "{error}");
    let error = placed(5, &["rubbish", "a1"]).unwrap_err();
    assert_eq!(error.ply(), Some(6));
    assert!(matches!(error, RecordError::Unreadable { .. }), "{error}");
}

#[test]
fn start_and_setup_must_fit() {
    let start = EDGE_LOCK.replace("MOVES", "").replace("random", "place");
    let error = start.parse::<Record>().unwrap().check();
    assert_eq!(error, Err(RecordError::StartUnexpected));
    let none = Record::new(Setup::Symmetric, None, Vec::new()).check();
    assert_eq!(none, Err(RecordError::StartMissing(Setup::Symmetric)));
    let empty = Record::new(Setup::Random, Some(Board::EMPTY), Vec::new()).check();
    assert!(matches!(
        empty,
        Err(RecordError::Replay(ReplayError::Start(_)))
    ));
}

#[test]
fn what_the_record_says_of_its_end_must_agree_with_its_moves() {
    let going_on = Record::new(Setup::Place, None, vec!["f3".parse().unwrap()]);
    let said = |result, ended_by| {
        Record {
            result,
            ended_by,
            ..going_on.clone()
        }
        .check()
    };
    assert!(said(Some(Outcome::White), Some(EndedBy::Resignation)).is_ok());
    assert!(said(Some(Outcome::White), None).is_err());
    assert!(said(None, Some(EndedBy::Time)).is_err());
    let error = said(Some(Outcome::White), Some(EndedBy::Score)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the record says white wins by score, the moves say not over"
    );
    let score = Some(Score { white: 3, black: 0 });
    let wrong = Record {
        score,
        ..going_on.clone()
    }
    .check();
    assert!(matches!(wrong, Err(RecordError::Score { .. })));
    let position = Some(Board::EMPTY);
    let wrong = Record {
        position,
        ..going_on
    }
    .check();
    assert!(matches!(wrong, Err(RecordError::Position { .. })));
}

#[test]
fn the_text_form_is_what_people_read() {
    let moves = placements()
        .iter()
        .take(8)
        .map(|ply| ply.parse().unwrap())
        .collect();
    let record = Record {
        game: Some(12),
        white: Some(Person {
            name: "Anna".to_owned(),
            address: Some("anna@example.org".to_owned()),
        }),
        black: Some(Person {
            name: "Ben: the\nsecond".to_owned(),
            address: None,
        }),
        result: Some(Outcome::Black),
        ended_by: Some(EndedBy::Resignation),
        score: Some(Score { white: 2, black: 3 }),
        ..Record::new(Setup::Place, None, moves)
    };
    let text = "game: 12
white: Anna <anna@example.org>
black: Ben: the second
setup: place
result: black
ended_by: resignation
score: 2-3

  1. a1       2. b1       3. c1       4. d1       5. e1       6. f1
  7. g1       8. h1
";
    assert_eq!(record.to_string(), text);
    let read: Record = text
        .replace(". ", ".")
        .replace('\n', "\r\n")
        .parse()
        .unwrap();
    assert_eq!(read.black.unwrap().name, "Ben: the second");
    assert_eq!(read.white, record.white);
    assert_eq!(read.moves, record.moves);
}

#[test]
fn what_is_no_record_is_refused_in_a_sentence() {
    for (text, sentence) in [
        ("", "the setup is missing: place, random or symmetric"),
        (
            "{",
            "not a record in JSON: EOF while parsing an object at line 1 column 1",
        ),
        (
            "{\"moves\":[]}",
            "the setup is missing: place, random or symmetric",
        ),
        (
            "setup: chess",
            "setup: a setup is place, random or symmetric",
        ),
        (
            "setup: place\nfoo\n",
            "line 2: a header is written 'key: value', and a blank line ends the headers",
        ),
        (
            "setup: place\n\n1. c3 2. 17",
            "ply 2: \"17\" is not a move such as b3-c3, a placement such as c3, or pass",
        ),
        (
            "setup: place\n\n1. c3 2. j1",
            "ply 2: the board has no space j1",
        ),
        (
            "setup: place\nresult: me",
            "result: a result is white, black or draw",
        ),
        (
            "setup: random\nstart: -,W",
            "start: a position has five rows of 9, 10, 11, 10 and 9 spaces, rows joined by '/', spaces by ','",
        ),
    ] {
        let error = text.parse::<Record>().unwrap_err();
        assert_eq!(error.to_string(), sentence, "{text}");
    }
}

#[test]
fn the_object_has_the_fields_and_the_order_of_the_contract() {
    let record = Record {
        white: Some(Person {
            name: "Anna".to_owned(),
            address: None,
        }),
        ..Record::new(Setup::Place, None, vec!["f3".parse().unwrap()])
    };
    let json = serde_json::to_string(&record.object_with_plies().unwrap()).unwrap();
    let expected = concat!(
        r#"{"game":null,"white":{"name":"Anna","address":null},"black":null,"setup":"place","start":null,"#,
        r#""phase":"placing","turn":"black","ply":1,"moves":["f3"],"#,
        r#""position":"-,-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-,-,-/-,-,-,-,-,R,-,-,-,-,-/-,-,-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-,-","#,
        r#""score":{"white":0,"black":0},"result":null,"ended_by":null,"#,
        r#""plies":[{"move":"f3","legal":49,"removed":[]}]}"#
    );
    assert_eq!(json, expected);
    let plain = serde_json::to_string(&record.object().unwrap()).unwrap();
    assert!(!plain.contains("plies"));
}

proptest! {
    #[test]
    fn records_round_trip_in_both_forms(game in games(), number in any::<Option<u32>>()) {
        let outcome = game.position.outcome();
        let record = Record {
            game: number,
            white: Some(Person { name: "Anna".to_owned(), address: Some("anna@example.org".to_owned()) }),
            black: Some(Person { name: "Ben".to_owned(), address: None }),
            result: outcome,
            ended_by: outcome.map(|_| EndedBy::Score),
            score: Some(game.position.score()),
            ..record_of(&game)
        };
        let text = record.to_string();
        prop_assert!(text.lines().all(|line| line.len() <= 72 || line.starts_with("start: ")));
        prop_assert_eq!(text.parse::<Record>(), Ok(record.clone()));

        let json = serde_json::to_string(&record.object().unwrap()).unwrap();
        let read: Record = json.parse().unwrap();
        prop_assert_eq!(read.position, Some(*game.position.board()));
        prop_assert_eq!(Record { position: None, ..read }, record);
    }

    #[test]
    fn a_replay_ends_where_the_game_did(game in games()) {
        let replayed = record_of(&game).check().unwrap();
        prop_assert_eq!(replayed.position, game.position);
        prop_assert_eq!(replayed.plies.len(), game.plies.len());
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,60}", moves in "([a-k1-5 .\\-]|pass){0,40}") {
        let _ = text.parse::<Record>();
        let _ = format!("setup: place\n\n{moves}").parse::<Record>();
    }
}
