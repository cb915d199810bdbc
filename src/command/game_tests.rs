//! Numbers of games and offers, and lines that name a game.

use crate::command::testing::check;

#[test]
fn a_game_is_named_before_a_command() {
    check("12: b3-c3", &["12: b3-c3"]);
    check("game 12: b3-c3", &["12: b3-c3"]);
    check("Game #12, resign.", &["12: resign"]);
    check("#12 b3-c3", &["12: b3-c3"]);
    check("game 12 show", &["12: show"]);
    check("[dvonn #12] b3-c3", &["12: b3-c3"]);
    check("12:\u{a0}\"b3–c3\"", &["12: b3-c3"]);
    check("12:b3-z9", &["12: 6..8 NotASpace { word: \"z9\" }"]);
    check("resign 12", &["12: resign"]);
}

#[test]
fn a_game_is_named_for_the_lines_below() {
    check(
        "game 12\nb3-c3\n13: c3-d3\nresign",
        &["12: b3-c3", "13: c3-d3", "12: resign"],
    );
    check(
        "game 12\nb3-c3\ngame 13\nc3-d3",
        &["12: b3-c3", "13: c3-d3"],
    );
}

#[test]
fn a_game_that_no_command_follows_is_shown() {
    check("Game 12.\nthank you", &["show 12"]);
    check("[dvonn #12]", &["show 12"]);
    check("game 12\n13: b3-c3", &["show 12", "13: b3-c3"]);
    check("game 12\n12: b3-c3", &["12: b3-c3"]);
}

#[test]
fn numbers_that_name_no_game() {
    check("12:30", &[]);
    check("12. b3-c3\n3) c3-d3", &["b3-c3", "c3-d3"]);
    check("12:30 works for me", &[]);
    check("game over", &[]);
    check("game 12 was great", &[]);
    check("12 b3-c3", &[]);
    check("game 99999999999: b3-c3", &[]);
    check("Re: [dvonn #12] Anna - Ben", &[]);
    check("[dvonn #12] Anna - Ben", &[]);
}

#[test]
fn numbers_of_offers_and_games() {
    check(
        "accept 12\ndecline #12\nwithdraw challenge 12",
        &["accept 12", "decline 12", "withdraw 12"],
    );
    check("show 12\nhistory", &["show 12", "history"]);
    check("accept abc", &["7..10 NotANumber { word: \"abc\" }"]);
    check("accept 12 13", &["10..12 NotANumber { word: \"13\" }"]);
    check(
        "accept 99999999999",
        &["7..18 NotANumber { word: \"99999999999\" }"],
    );
    check("help challenge", &["help challenge"]);
}
