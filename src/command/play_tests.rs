//! Placements and moves, by the way they are written.

use crate::command::{CommandError, Part, Trouble, read};

#[track_caller]
fn check(line: &str, right: &str) {
    let heard = read(line);
    let told: Vec<_> = heard
        .readings
        .iter()
        .map(|reading| match &reading.result {
            Ok(command) => command.to_string(),
            Err(error) => format!("{:?}", error.trouble),
        })
        .collect();
    assert_eq!(told, [right], "{line:?}");
}

#[track_caller]
fn check_error(line: &str, at: std::ops::Range<usize>, trouble: Trouble) {
    let heard = read(line);
    let results: Vec<_> = heard.readings.iter().map(|r| r.result.clone()).collect();
    assert_eq!(results, [Err(CommandError { at, trouble })], "{line:?}");
}

#[test]
fn friendly_spellings_of_a_move() {
    for line in [
        "b3-c3",
        "B3-C3",
        "B3–C3.",
        "b3 c3",
        "b3c3",
        "b3 -> c3",
        "b3 --> c3",
        "move b3 to c3",
        "Move: b3-c3",
        "move from b3 to c3",
        "b3 to c3!",
        "b3xc3",
        "b3 x c3",
        "b3:c3",
        "b3 : c3",
        "b3>c3",
        "b3.c3",
        "**b3-c3**",
        "*b3-c3*",
        "_b3-c3_",
        "`b3-c3`",
        "- b3-c3",
        "* b3-c3",
        "• b3-c3",
        "1. b3-c3",
        "12) b3-c3",
        "1.b3-c3",
        "a) b3-c3",
        "\"b3-c3\"",
        "„b3-c3“",
        "«b3-c3»",
        "(b3-c3)",
        "[b3-c3]",
        "<b3-c3>",
        "b3-c3,",
        "b3-c3;",
        "b3-c3...",
        "b3-c3…",
        "b3-c3 !!",
        "b3-c3 :-)",
        "b3-c3 ;)",
        "b3-c3 🙂",
        "3b-3c",
        "3b c3",
        "B3 – c3",
        "b3\u{a0}–\u{a0}c3",
        "b3\u{202f}\u{2212}\u{202f}c3",
        "b3\u{2011}c3",
        "b3—c3",
        "b3→c3",
        "b3 ⇒ c3",
        "b3=>c3",
        "b3 à c3",
        "b3 \u{f0e0} c3",
        "b3\u{ad}c3",
        "b3\u{200b}-\u{200b}c3",
        "\u{feff}b3-c3\u{feff}",
        "b3-c3 <http://b3-c3>",
        "b3.c3 <http://b3.c3/>",
        "b3.c3<http://b3.c3>",
        "[b3.c3](http://b3.c3)",
        "ｂ３－ｃ３",
        "b3-с3",
        "В3-с3",
        "b³-c³",
        "b3 -\tc3",
    ] {
        check(line, "b3-c3");
    }
}

#[test]
fn friendly_spellings_of_a_placement() {
    for line in [
        "c3",
        "C3.",
        "3c",
        "place c3",
        "Place: c3",
        "place on c3",
        "place at c3!",
        "- c3",
        "1. c3",
        "*c3*",
        "[c3]",
        "с3",
        "С3",
        "c3 :)",
    ] {
        check(line, "c3");
    }
}

#[test]
fn two_spaces_are_always_a_move() {
    check("c3 d4", "c3-d4");
    check("c3d4", "c3-d4");
    check("b3-b3", "b3-b3");
}

#[test]
fn what_only_looks_like_a_move_is_not_read() {
    for line in [
        "I feared b3-c3",
        "b3-c3 good luck",
        "b3-c3 or d3",
        "b3-c3?",
        "c3?!",
        "r2d2",
        "b3-c3:",
        "b3 and c3",
        "b3 <- c3",
        "b3 ← c3",
        "в3-c3",
        "b3 . c3",
        "b3 . . c3",
        ". b3 . c3",
        "mp3-b3x",
        "4  .  b3  .  c3",
        "z9",
        "b3/c3 are both lost",
        "~~b3-c3~~",
        "A> b3-c3",
        "cc3",
        "b3 c",
    ] {
        assert_eq!(read(line).readings, [], "{line:?}");
    }
}

#[test]
fn a_space_beside_the_board_is_pointed_at() {
    let not = |word: &str| Trouble::NotASpace {
        word: word.to_owned(),
    };
    check_error("b3-z9", 3..5, not("z9"));
    check_error("b3-l4", 3..5, not("l4"));
    check_error("- B3 – c10.", 7..10, not("c10"));
    check_error("a5", 0..2, not("a5"));
    check_error("b3 k1", 3..5, not("k1"));
    check_error("place z9", 6..8, not("z9"));
    check_error("b3l4", 0..4, not("b3l4"));
}

#[test]
fn an_unfinished_move_is_no_placement() {
    let target = || Trouble::Missing(Part::Target);
    check_error("b3-", 3..4, target());
    check_error("b3 ->", 5..6, target());
    check_error("move b3", 7..8, target());
    check_error("b3 to", 5..6, target());
}

#[test]
fn lists_of_spaces_are_not_guessed_at() {
    check_error("place c3 d4 e5", 9..14, Trouble::SeveralSpaces);
    check_error("c3 d4 e5", 3..8, Trouble::SeveralSpaces);
    check_error("c3, d4", 4..6, Trouble::SeveralSpaces);
    check_error("b3-c3 d4-e4", 3..11, Trouble::SeveralSpaces);
    check_error("b3-c3-d4", 3..8, Trouble::SeveralSpaces);
}

#[test]
fn nobody_passes_by_choice() {
    check_error("Pass.", 0..4, Trouble::NoPass);
}
