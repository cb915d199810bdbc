//! Pages that are the same for everybody: help, the rules, a newcomer's welcome.

use super::section::{Section, templates};
use super::voice::Voice;
use super::{ComposeError, clean, layout, markup, report};
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
    /// What to do first, for somebody whose game has not begun yet.
    begin: Option<String>,
    address: String,
}
templates!(WelcomeSheet, "welcome/text.txt", "welcome/page.html");

/// Help on a command, or the overview.
pub(super) fn help(voice: &Voice<'_>, verb: Option<Verb>) -> Result<Section, ComposeError> {
    HelpSheet {
        page: voice.page(verb.map_or("help-overview", help_key)),
    }
    .section()
}

/// The rules of DVONN.
pub(super) fn rules(voice: &Voice<'_>) -> Result<Section, ComposeError> {
    RulesSheet {
        before: voice.page("rules-before-board"),
        diagram: diagram::draw(&Board::EMPTY, &diagram::Marks::default()),
        after: voice.page("rules-after-board"),
    }
    .section()
}

/// A newcomer's first letter.
pub(super) fn welcome(
    voice: &Voice<'_>,
    name: &str,
    taken: Option<&str>,
    plays: bool,
) -> Result<Section, ComposeError> {
    WelcomeSheet {
        greeting: report::named(voice, "welcome-greeting", name, taken),
        page: voice.page("welcome-page"),
        begin: (!plays).then(|| voice.word("welcome-begin")),
        address: voice.say(
            "welcome-address",
            &[("address", clean::line(&voice.club.address).into())],
        ),
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
