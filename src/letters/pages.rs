//! Pages that are the same for everybody: help, the rules, a newcomer's welcome.

use super::section::{Section, templates};
use super::voice::Voice;
use super::{ComposeError, layout, markup, report};
use crate::command::Verb;
use crate::dvonn::{Board, diagram};

/// Help on a command, or the overview.
struct HelpSheet {
    page: String,
}
templates!(HelpSheet, "help/text.txt", "help/page.html");

/// The rules of DVONN, around an empty board.
struct RulesSheet {
    before: String,
    diagram: String,
    after: String,
}
templates!(RulesSheet, "rules/text.txt", "rules/page.html");

/// A newcomer's first letter.
struct WelcomeSheet {
    greeting: Vec<String>,
    page: String,
}
templates!(WelcomeSheet, "welcome/text.txt", "welcome/page.html");

/// Help on a command, or the overview.
pub(super) fn help(voice: &Voice<'_>, verb: Option<Verb>) -> Result<Section, ComposeError> {
    HelpSheet {
        page: voice.word(verb.map_or("help-overview", help_key)),
    }
    .section()
}

/// The rules of DVONN.
pub(super) fn rules(voice: &Voice<'_>) -> Result<Section, ComposeError> {
    RulesSheet {
        before: voice.word("rules-before-board"),
        diagram: diagram::draw(&Board::EMPTY, &diagram::Marks::default()),
        after: voice.word("rules-after-board"),
    }
    .section()
}

/// A newcomer's first letter.
pub(super) fn welcome(
    voice: &Voice<'_>,
    name: &str,
    taken: Option<&str>,
) -> Result<Section, ComposeError> {
    WelcomeSheet {
        greeting: report::named(voice, "welcome-greeting", name, taken),
        page: voice.word("welcome-page"),
    }
    .section()
}

fn help_key(verb: Verb) -> &'static str {
    match verb {
        Verb::Place => "help-place",
        Verb::Move => "help-move",
        Verb::Resign => "help-resign",
        Verb::Challenge => "help-challenge",
        Verb::Open => "help-open",
        Verb::Accept => "help-accept",
        Verb::Decline => "help-decline",
        Verb::Withdraw => "help-withdraw",
        Verb::List => "help-list",
        Verb::Show => "help-show",
        Verb::Moves => "help-moves",
        Verb::History => "help-history",
        Verb::Say => "help-say",
        Verb::Name => "help-name",
        Verb::Players => "help-players",
        Verb::Help => "help-help",
        Verb::Rules => "help-rules",
        Verb::Game => "help-game",
        Verb::Join => "help-join",
        Verb::Yes => "help-yes",
        Verb::No => "help-no",
        Verb::Stop => "help-stop",
    }
}
