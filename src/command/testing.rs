//! What the tests of this floor tell of a text, and how they compare it.
#![allow(clippy::expect_used)]

use super::{Trouble, read};

/// Every reading in one word a line: `12: b3-c3`, or the columns and the trouble.
pub(super) fn told(text: &str) -> Vec<String> {
    let heard = read(text);
    let game = |game: Option<u32>| game.map_or(String::new(), |number| format!("{number}: "));
    heard
        .readings
        .iter()
        .map(|reading| match &reading.result {
            Ok(command) => format!("{}{command}", game(reading.game)),
            Err(error) => format!(
                "{}{}..{} {:?}",
                game(reading.game),
                error.at.start,
                error.at.end,
                error.trouble
            ),
        })
        .collect()
}

#[track_caller]
pub(super) fn check(text: &str, right: &[&str]) {
    assert_eq!(told(text), right, "{text:?}");
}

/// The line is chat; what it may have been meant to be is this.
#[track_caller]
pub(super) fn check_chat(text: &str, suggestion: Option<Option<&str>>) {
    let heard = read(text);
    assert_eq!(told(text), Vec::<String>::new(), "{text:?}");
    assert_eq!(heard.chat, text.trim(), "{text:?}");
    let found = heard.mentions.first().map(|m| m.suggestion.as_deref());
    assert_eq!(found, suggestion, "{text:?}");
}

pub(super) fn trouble(text: &str) -> Trouble {
    let heard = read(text);
    let reading = heard.readings.first().expect(text);
    reading.result.clone().expect_err(text).trouble
}
