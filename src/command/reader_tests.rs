//! Whole texts by situation: what is read, what is left, and in what time.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::string_slice
)]

use std::time::{Duration, Instant};

use crate::command::testing::{check, check_chat};
use crate::command::{Heard, LONGEST_LINE, MOST_MENTIONS, MOST_READINGS, read};

#[test]
fn text_around_a_move_is_chat() {
    let heard = read("Ahoj,\n\nh2-h4\n\nPřeji pěkný večer.");
    assert_eq!(heard.readings[0].line, "h2-h4");
    assert_eq!(heard.chat, "Ahoj,\n\nPřeji pěkný večer.");
}

#[test]
fn the_span_is_the_line_in_the_text_without_blanks() {
    let text = "Hi\r\n \u{a0}B3–c3. \r\nbye";
    let heard = read(text);
    assert_eq!(&text[heard.readings[0].span.clone()], "B3–c3.");
}

#[test]
fn the_same_line_twice_is_two_readings() {
    check("b3-c3\nb3-c3", &["b3-c3", "b3-c3"]);
}

#[test]
fn a_quoted_line_is_neither_a_command_nor_chat() {
    for quoted in [
        "> b3-c3",
        "  >b3-c3",
        ">> yes",
        "| b3-c3",
        "\u{feff}> b3-c3",
    ] {
        assert_eq!(read(quoted), Heard::default(), "{quoted:?}");
    }
}

#[test]
fn the_last_words_of_a_wrapped_paragraph_are_no_command() {
    let broken = "I thought about it the whole evening, and most of all I was afraid of\nb3-c3";
    check(broken, &[]);
    assert_eq!(
        read(broken).mentions[0].suggestion.as_deref(),
        Some("b3-c3")
    );
    let sentence =
        "I thought about it the whole evening, and most of all I was afraid of it.\nb3-c3";
    check(sentence, &["b3-c3"]);
    let own_line = "Thank you for the nice game so far, it is great\nb3-c3";
    check(own_line, &["b3-c3"]);
    let apart = "I thought about it the whole evening, and most of all I was afraid of\n\nb3-c3";
    check(apart, &["b3-c3"]);
    let below_a_quote =
        "> I thought about it the whole evening, and most of all I was afraid of\nb3-c3";
    check(below_a_quote, &["b3-c3"]);
}

#[test]
fn struck_out_text_was_taken_back() {
    check("~~b3-c3~~\nc3-d3", &["c3-d3"]);
    check_chat("~b3-c3~", Some(Some("b3-c3")));
}

#[test]
fn a_question_orders_nothing_but_something_to_read() {
    check_chat("b3-c3?", Some(Some("b3-c3")));
    check_chat("resign?", Some(Some("resign")));
    check_chat("Yes?!", Some(Some("yes")));
    check("help?\nmoves ?", &["help", "moves"]);
}

#[test]
fn verbs_in_any_case_with_accents_and_marks() {
    check("RESIGN!", &["resign"]);
    check("- résign", &["resign"]);
    check("**Accept**", &["accept"]);
    check("1. yes :-)", &["yes"]);
    check("*list*,", &["list"]);
    check("accept 👍\u{fe0f}", &["accept"]);
    check("Stop.", &["stop"]);
    check("ｈｅｌｐ", &["help"]);
    check("\u{200b}join\u{200b}", &["join"]);
    check("\"no\"", &["no"]);
}

#[test]
fn one_word_of_chat_never_stands_in_the_way_of_a_move() {
    check("Lost\nb3-c3\nThanks\nNice\nresing", &["b3-c3"]);
}

#[test]
fn carets_stand_below_what_is_wrong() {
    let heard = read("12:  b3-z9");
    let error = heard.readings[0].result.clone().unwrap_err();
    assert_eq!(heard.readings[0].line, "12:  b3-z9");
    assert_eq!(error.carets(), "        ^^");
}

#[test]
fn a_pasted_board_is_no_command() {
    let board = "    5  w2  W3  .   .   .   .   w4  .   .\n\
        \n  4  .   .   b3  b3  .   b4  .   b2  R   .\n\
        \n3  .   .   .   .   b   b6  .   w   w   w2  .\n\
        \n  2  .   .   x   _   .  [b3] R   b   b2  b   k\n\
        \n    1  x   x   .   .   w2  .   .   w2  .   j\n\
        \n3  .   .   .   b3  .   b4  .   .   .   .\n\
        \n         a   b   c   d   e   f   g   h   i\n\
        You (white): h3, i3; of 2: e1, h1, j3, c5; of 3: d5 with red\n\
        Red alone:   g2, j4\n\
        Prague DVONN Club. Game 12, move 75. ref:12.75.w.k3x9q2m7ab4t\n";
    check(board, &[]);
}

#[test]
fn a_line_of_more_than_300_characters_is_chat() {
    let line = format!("{}b3-c3", "*".repeat(LONGEST_LINE));
    check(&line, &[]);
    let line = format!("{}b3-c3", "*".repeat(LONGEST_LINE - 5));
    check(&line, &["b3-c3"]);
}

#[test]
fn commands_beyond_the_fiftieth_are_counted_and_not_passed_on() {
    let heard = read(&"b3-c3\n".repeat(53));
    assert_eq!(heard.readings.len(), MOST_READINGS);
    assert_eq!(heard.beyond, 3);
    assert_eq!(heard.chat, "");
    let heard = read(&"I like b3-c3\nyes I do\n".repeat(53));
    assert_eq!(heard.mentions.len(), MOST_MENTIONS);
}

#[test]
fn huge_texts_are_read_in_linear_time() {
    let million = 1 << 20;
    for text in [
        "b3-c3 ".repeat(million / 6),
        "<http://".repeat(million / 8),
        "\"".repeat(million),
        "\n".repeat(million),
        "\u{200b}".repeat(million / 3),
        "a\n".repeat(million / 2),
        "resing\n".repeat(million / 7),
        "\u{fdfa}".repeat(million / 3),
        format!("challenge {}", "x".repeat(million)),
        "challenge ' ' ' ' '\n".repeat(million / 20),
    ] {
        let before = Instant::now();
        read(&text);
        let start: String = text.chars().take(12).collect();
        assert!(before.elapsed() < Duration::from_secs(5), "{start:?}");
    }
}
