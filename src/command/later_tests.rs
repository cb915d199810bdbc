//! Commands that are not known yet, and chat that begins with their words.

use crate::command::testing::trouble;
use crate::command::{Trouble, read};

#[test]
fn commands_of_a_later_day_are_refused_by_name() {
    for (line, word) in [
        ("draw", "draw"),
        ("Undo!", "Undo"),
        ("rematch", "rematch"),
        ("if d4-e4: b3-c3, e4-f4: c3-c4", "if"),
        ("try b3-c3 d4-d5", "try"),
        ("language cs", "language"),
        ("timezone Europe/Prague", "timezone"),
        ("address new@example.org", "address"),
        ("mail digest 07:00", "mail"),
        ("mail turn", "mail"),
        ("auto on", "auto"),
        ("vacation 2026-12-24 2027-01-02", "vacation"),
        ("vacation 24.12. 2.1.", "vacation"),
        ("pause", "pause"),
        ("block ben", "block"),
        ("mute ben@example.org", "mute"),
        ("standings", "standings"),
        ("results", "results"),
        ("enter cup", "enter"),
        ("export", "export"),
        ("forget me", "forget"),
        ("show 12 at 30", "at"),
        ("show at 30", "at"),
        ("help undo", "undo"),
        ("open time 7d", "time"),
        ("challenge ben unrated", "unrated"),
        ("challenge ben@example.org white time 7d", "time"),
    ] {
        let word = word.to_owned();
        assert_eq!(trouble(line), Trouble::NotYet { word }, "{line}");
    }
}

#[test]
fn sentences_that_begin_with_such_a_word_are_chat() {
    for line in [
        "If you like, we can play again",
        "If b3-c3 then I am lost",
        "Try harder next time",
        "Try to",
        "Draws are boring",
        "Mail me",
        "Mail digest of the week",
        "Address unknown",
        "Block that corner now",
        "Pause for a week, please",
        "Forget it",
        "Vacation starts tomorrow",
    ] {
        let heard = read(line);
        assert_eq!(heard.readings, [], "{line}");
        assert_eq!(heard.chat, line);
    }
}
