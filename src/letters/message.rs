//! Words of the opponent. Each line is indented, so that none of them can pass for a line of the club.

use super::section::{Section, templates};
use super::voice::Voice;
use super::{ComposeError, clean, markup};

/// A message.
struct Sheet {
    intro: String,
    lines: Vec<String>,
    cut: Option<String>,
    answer: Option<String>,
}
templates!(Sheet, "message/text.txt", "message/page.html");

/// A message. `alone`: no board in the letter says how to answer.
pub(super) fn section(
    voice: &Voice<'_>,
    from: &str,
    text: &str,
    alone: bool,
) -> Result<Section, ComposeError> {
    let from = clean::line(from);
    let (lines, cut) = clean::lines(text);
    Sheet {
        intro: voice.say("message-from", &[("name", from.as_str().into())]),
        lines,
        cut: cut.then(|| voice.word("message-cut")),
        answer: alone.then(|| voice.say("answer-say", &[("name", from.into())])),
    }
    .section()
}

/// What the reader said, as it went to the opponent.
pub(super) fn passed_on(voice: &Voice<'_>, to: &str, text: &str) -> Result<Section, ComposeError> {
    let (lines, cut) = clean::lines(text);
    let intro = voice.say("message-passed-on", &[("name", clean::line(to).into())]);
    Sheet {
        intro,
        lines,
        cut: cut.then(|| voice.word("message-cut")),
        answer: None,
    }
    .section()
}
