//! Words of the opponent. Every line begins with a bar, also in HTML and also where a long one is broken: so none of them
//! can pass for a line of the club, none is read as a command where a mail program quotes it without any mark (MAIL-01),
//! and none makes the reader's own `b3-c3` look like a line of our letter (MAIL-02).

use super::section::{Section, templates};
use super::voice::Voice;
use super::{ComposeError, clean, layout, markup};

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
        lines: barred(&lines),
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
        lines: barred(&lines),
        cut: cut.then(|| voice.word("message-cut")),
        answer: None,
    }
    .section()
}

/// The lines with their bars, broken so that layout has nothing left to break.
pub(super) fn barred(lines: &[String]) -> Vec<String> {
    lines
        .iter()
        .flat_map(|line| layout::broken(line, layout::WIDTH - 4))
        .map(|line| format!("| {line}").trim_end().to_owned())
        .collect()
}
