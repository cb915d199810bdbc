//! `verify` names every column that does not say what the record says.

use crate::players::{begin, play, two_members};

#[test]
fn each_column_that_was_tampered_with_is_named_with_its_game() {
    let club = two_members();
    begin(&club, "white setup random");
    begin(&club, "black");
    play(&club, 1, 4);
    play(&club, 2, 3);
    let ran = club.run(&["verify"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.starts_with("2 games with "), "{}", ran.out);
    assert!(ran.out.ends_with(" letters: all is well\n"), "{}", ran.out);
    assert_eq!(ran.out.lines().count(), 1);
    for (sql, back, line) in [
        (
            "turn = 'black'",
            "turn = 'white'",
            "game 1: turn is black, but the record says white",
        ),
        (
            "turn_since = 7 + turn_since",
            "turn_since = turn_since - 7",
            "game 1: turn_since is ",
        ),
        (
            "serial = serial + 1",
            "serial = serial - 1",
            "game 1: serial is ",
        ),
        (
            "result = 'draw'",
            "result = NULL",
            "game 1: result is draw, but the record says empty",
        ),
        (
            "ended_by = 'score'",
            "ended_by = NULL",
            "game 1: ended_by is score, but",
        ),
        (
            "ended_at = 12",
            "ended_at = NULL",
            "game 1: ended_at is 12, but",
        ),
        (
            "score_white = score_white + 1",
            "score_white = score_white - 1",
            "game 1: score_white is ",
        ),
        (
            "score_black = score_black + 1",
            "score_black = score_black - 1",
            "game 1: score_black is ",
        ),
        (
            "draw_seed = 'x' || draw_seed",
            "draw_seed = substr(draw_seed, 2)",
            "game 1: draw_seed is x",
        ),
        (
            "setup = 'symmetric'",
            "setup = 'random'",
            "game 1: setup is symmetric, but",
        ),
    ] {
        let set = |what: &str| {
            club.database()
                .execute(&format!("UPDATE games SET {what} WHERE number = 1"), [])
                .unwrap();
        };
        set(sql);
        let ran = club.run(&["verify"]);
        set(back);
        assert_eq!(ran.code, 1, "{sql}: {}", ran.out);
        assert!(
            ran.out.lines().next().unwrap().starts_with(line),
            "{sql}: {}",
            ran.out
        );
        assert!(ran.out.ends_with(": 1 trouble\n"), "{sql}: {}", ran.out);
    }
    assert_eq!(club.run(&["verify"]).code, 0);
}

#[test]
fn events_that_are_missing_or_break_the_rules_and_tables_that_disagree_are_named() {
    let club = two_members();
    begin(&club, "white");
    play(&club, 1, 4);
    for (sql, line) in [
        (
            "UPDATE events SET what = 'a1-b1' WHERE serial = 2",
            "game 1: events do not replay: ",
        ),
        (
            "UPDATE events SET what = 'z9' WHERE serial = 2",
            "game 1: its events cannot be read: ",
        ),
        (
            "UPDATE events SET serial = 9 WHERE serial = 2",
            "game 1: event 2 is missing",
        ),
        (
            "UPDATE challenges SET state = 'declined'",
            "game 1: its challenge is not accepted",
        ),
        (
            "PRAGMA foreign_keys = OFF; DELETE FROM events; DELETE FROM games",
            "challenge 1: is accepted, but",
        ),
        (
            "PRAGMA foreign_keys = OFF; DELETE FROM players WHERE name = 'Ben'",
            "addresses: refers to a row of players",
        ),
        ("DELETE FROM addresses", "player 1: "),
        (
            "UPDATE inbox SET state = 'waiting', raw = NULL WHERE id = 1",
            "mail 1: waits",
        ),
        (
            "UPDATE outbox SET state = 'waiting', bytes = NULL WHERE id = 1",
            "letter 1: waits",
        ),
        ("DELETE FROM club", "club: "),
    ] {
        let copy = club.path("copy.sqlite");
        let _ = std::fs::remove_file(&copy);
        club.database()
            .execute("VACUUM INTO ?1", [copy.to_str().unwrap()])
            .unwrap();
        rusqlite::Connection::open(&copy)
            .unwrap()
            .execute_batch(sql)
            .unwrap();
        let ran = club.run(&["verify", "copy.sqlite"]);
        assert_eq!(ran.code, 1, "{sql}: {}{}", ran.out, ran.err);
        assert!(
            ran.out.lines().any(|found| found.starts_with(line)) || ran.err.contains(line),
            "{sql}: {}{}",
            ran.out,
            ran.err
        );
    }
}
