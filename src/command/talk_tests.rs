//! Messages and names.
#![allow(clippy::indexing_slicing)]

use crate::command::testing::{check, check_chat, told};

#[test]
fn what_is_said_is_kept_as_it_was_written() {
    check("say Hello, how are you?", &["say Hello, how are you?"]);
    check("12: say hi", &["12: say hi"]);
    check("**say hello**", &["say hello"]);
    check("Say: b3-c3", &["say b3-c3"]);
    check(
        "say 👨\u{200d}👩\u{200d}👧",
        &["say 👨\u{200d}👩\u{200d}👧"],
    );
    check_chat("say", Some(None));
    let long = format!("say {}", "word ".repeat(10_000));
    assert_eq!(told(&long)[0].len(), long.trim().len());
}

#[test]
fn names_are_taken_whole_or_not_at_all() {
    check("name Anna", &["name Anna"]);
    check("name Anna Moor.", &["name \"Anna Moor\""]);
    check("name „anna of prague“", &["name \"anna of prague\""]);
    check("name \"Who?\"", &["name \"Who?\""]);
    check("name white", &["name \"white\""]);
    check_chat("name it, and I will do it", None);
    check_chat("name", Some(None));
    check_chat(
        "name ben@example.org",
        Some(Some("name \"ben@example.org\"")),
    );
}
