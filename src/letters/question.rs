//! The question whether it was the reader who wrote. It names verbs, and never a word of the mails that wait.

use super::section::{Section, templates};
use super::voice::Voice;
use super::{ComposeError, clean, markup};
use crate::club::notice::{HeldLine, QuestionView};
use crate::command::Verb;

/// The question.
struct Sheet {
    held: Vec<[String; 2]>,
    answer: Vec<String>,
}
templates!(Sheet, "question/text.txt", "question/page.html");

/// The question, with the mails that wait for its answer.
pub(super) fn section(voice: &Voice<'_>, view: &QuestionView) -> Result<Section, ComposeError> {
    let foreign = view.held.iter().any(|held| held.from.is_some());
    let yes = match (view.joins, foreign) {
        (true, _) => "question-yes-joins",
        (false, true) => "question-yes-foreign",
        (false, false) => "question-yes",
    };
    let club = || [("club", voice.club_name().into())];
    Sheet {
        held: view
            .held
            .iter()
            .map(|held| [arrived(voice, held), asks(voice, held)])
            .collect(),
        answer: vec![
            voice.say(yes, &club()),
            voice.word("question-no"),
            voice.say("question-until", &[("time", voice.time(view.until).into())]),
        ],
    }
    .section()
}

fn arrived(voice: &Voice<'_>, held: &HeldLine) -> String {
    let (club, time) = (voice.club_name(), voice.time(held.arrived));
    match &held.from {
        None => voice.say(
            "question-arrived",
            &[("club", club.into()), ("time", time.into())],
        ),
        Some(address) => {
            let facts = [
                ("club", club.into()),
                ("time", time.into()),
                ("address", clean::line(address).into()),
            ];
            voice.say("question-arrived-foreign", &facts)
        }
    }
}

fn asks(voice: &Voice<'_>, held: &HeldLine) -> String {
    let thing = |(verb, number): &(Verb, Option<u32>)| {
        let thing = voice.word(thing(*verb));
        match number {
            None => thing,
            Some(number) => voice.say(
                "thing-numbered",
                &[("thing", thing.into()), ("number", (*number).into())],
            ),
        }
    };
    let things = voice.list(held.verbs.iter().map(thing));
    voice.say(
        "question-asks",
        &[
            ("count", held.verbs.len().into()),
            ("things", things.into()),
        ],
    )
}

/// What a verb asks for, as a noun.
fn thing(verb: Verb) -> &'static str {
    match verb {
        Verb::Place => "thing-place",
        Verb::Move => "thing-move",
        Verb::Resign => "thing-resign",
        Verb::Challenge => "thing-challenge",
        Verb::Open => "thing-open",
        Verb::Accept => "thing-accept",
        Verb::Decline => "thing-decline",
        Verb::Withdraw => "thing-withdraw",
        Verb::List => "thing-list",
        Verb::Show => "thing-show",
        Verb::Moves => "thing-moves",
        Verb::History => "thing-history",
        Verb::Say => "thing-say",
        Verb::Name => "thing-name",
        Verb::Players => "thing-players",
        Verb::Help => "thing-help",
        Verb::Rules => "thing-rules",
        Verb::Game => "thing-game",
        Verb::Join => "thing-join",
        Verb::Yes => "thing-yes",
        Verb::No => "thing-no",
        Verb::Stop => "thing-stop",
    }
}
