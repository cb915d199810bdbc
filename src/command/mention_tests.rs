//! Chat that is not carried out, and what it is taken to mention.
#![allow(clippy::indexing_slicing)]

use crate::command::read;
use crate::command::testing::{check_chat, told};

#[test]
fn sentences_that_begin_with_a_verb_are_chat() {
    for (line, suggestion) in [
        ("no way", Some(Some("no"))),
        ("No, thanks", Some(Some("no"))),
        ("yes I think so", Some(Some("yes"))),
        ("open your eyes", Some(Some("open"))),
        ("show me how", Some(Some("show"))),
        ("help me please", Some(Some("help"))),
        ("help me", Some(Some("help"))),
        ("accept my apologies", Some(Some("accept"))),
        ("move it", Some(None)),
        ("Name your poison", Some(Some("name \"your poison\""))),
        ("stop worrying about your corner, it is fine", None),
        ("Challenge me whenever you feel like it", None),
        ("Challenge accepted!", Some(Some("accept"))),
        ("Moves:", Some(Some("moves"))),
        ("Name: Anna", Some(Some("name Anna"))),
        ("show must go on", Some(Some("show"))),
    ] {
        check_chat(line, suggestion);
    }
}

#[test]
fn chat_that_holds_no_verb_and_no_move_mentions_nothing() {
    for line in [
        "Lost",
        "Thanks",
        "Nice",
        "Regards,",
        "Good luck!",
        "Sent from my iPhone",
        "Anna",
        "-----",
        "...",
        "12",
        "🙂",
        "If you like, we can play again",
        "Try harder",
        "Mail me",
        "a) b) c)",
    ] {
        let heard = read(line);
        assert_eq!(told(line), Vec::<String>::new(), "{line}");
        assert_eq!(heard.chat, line);
        let only_soft = heard
            .mentions
            .iter()
            .all(|m| m.suggestion.as_deref() == Some("list"));
        assert!(only_soft, "{line}: {:?}", heard.mentions);
    }
}

#[test]
fn a_mistyped_verb_is_answered_with_the_nearest() {
    check_chat("resing", Some(Some("resign")));
    check_chat("hlep!", Some(Some("help")));
    check_chat("acept 12", Some(Some("accept 12")));
    check_chat(
        "chalenge ben@example.org white",
        Some(Some("challenge ben@example.org white")),
    );
}

#[test]
fn a_move_inside_a_sentence_is_asked_about() {
    check_chat("I feared b3-c3", Some(Some("b3-c3")));
    check_chat("b3-c3 good luck", Some(Some("b3-c3")));
    check_chat("I think B3 to c3 is best now", Some(Some("b3-c3")));
    check_chat("a piece on c3 please", Some(Some("c3")));
    check_chat("b3-c3 or c3-d3, hard to say", Some(None));
    check_chat("в3-c3", Some(Some("b3-c3")));
}

#[test]
fn mentions_of_moves_come_before_mentions_of_verbs() {
    let heard = read("yes I do\nI fear b3-c3");
    assert_eq!(heard.mentions[0].suggestion.as_deref(), Some("b3-c3"));
    assert_eq!(heard.mentions[1].suggestion.as_deref(), Some("yes"));
}
