//! A mail in which no line was a command: what looked like one, and how to write it.

use super::section::{Section, templates};
use super::voice::Voice;
use super::{ComposeError, clean, markup};
use crate::club::notice::{NotUnderstood, Unreadable};

/// What was not understood.
struct Sheet {
    intro: String,
    mentions: Vec<(String, String, Option<String>)>,
    next: String,
}
templates!(Sheet, "not_understood/text.txt", "not_understood/page.html");

/// Says that nothing was done, and why.
pub(super) fn section(voice: &Voice<'_>, view: &NotUnderstood) -> Result<Section, ComposeError> {
    let intro = match view.reason {
        None => voice.word("puzzled-no-command"),
        Some(Unreadable::NothingNew) => voice.word("puzzled-nothing-new"),
        Some(Unreadable::Sealed) => voice.word("puzzled-sealed"),
        Some(Unreadable::Broken) => voice.word("puzzled-broken"),
        Some(Unreadable::TooLarge { limit }) => {
            voice.say("puzzled-too-large", &[("limit", size(voice, limit).into())])
        }
    };
    let mention = |(line, suggestion): &(String, Option<String>)| {
        let suggestion = suggestion.as_deref().map(clean::line);
        let how = suggestion
            .map(|command| voice.say("puzzled-suggestion", &[("command", command.into())]));
        (
            voice.word("puzzled-mention"),
            format!("> {}", clean::line(line)),
            how,
        )
    };
    Sheet {
        intro,
        mentions: view.mentions.iter().map(mention).collect(),
        next: voice.word("puzzled-next"),
    }
    .section()
}

/// A number of bytes as people say it.
fn size(voice: &Voice<'_>, bytes: u64) -> String {
    match bytes >> 20 {
        0 => voice.say("size-kilobytes", &[("size", (bytes >> 10).into())]),
        megabytes => voice.say("size-megabytes", &[("size", megabytes.into())]),
    }
}
