//! Invitations, and challenges that end without a game.

use super::section::{Section, templates};
use super::voice::Voice;
use super::{ComposeError, clean, markup};
use crate::club::notice::{ChallengeClosed, InvitationView};

/// Somebody would like to play.
struct Sheet {
    intro: String,
    /// What DVONN and the club are; for somebody who is new.
    about: Option<String>,
    terms: Vec<String>,
    commitment: Option<(String, String)>,
    answer: Vec<String>,
}
templates!(Sheet, "invitation/text.txt", "invitation/page.html");

/// A challenge that ended without a game.
struct ClosedSheet {
    news: String,
    next: Option<String>,
}
templates!(ClosedSheet, "closed/text.txt", "closed/page.html");

/// An invitation. A stranger is told what this is, and how never to hear of it again.
pub(super) fn section(voice: &Voice<'_>, view: &InvitationView) -> Result<Section, ComposeError> {
    let from = clean::line(&view.from);
    let stranger = voice.reader.name.is_none();
    let intro = match &view.address {
        Some(address) => {
            let facts = [
                ("name", from.as_str().into()),
                ("address", clean::line(address).into()),
                ("club", voice.club_name().into()),
            ];
            voice.say("invitation-from-stranger", &facts)
        }
        None => voice.say("invitation-from-member", &[("name", from.as_str().into())]),
    };
    let colour = view.colour.map_or_else(
        || voice.word("invitation-colour-by-lot"),
        |colour| {
            voice.say(
                "invitation-colour",
                &[("colour", voice.colour(colour).into())],
            )
        },
    );
    let setup = voice.say(
        "invitation-setup",
        &[("setup", view.setup.to_string().into())],
    );
    let until = [
        ("time", voice.time(view.until).into()),
        ("number", view.number.into()),
    ];
    let mut answer = vec![voice.say("invitation-answer", &until)];
    if stranger {
        answer.push(voice.word("invitation-silence"));
        answer.push(voice.word("invitation-stop"));
    }
    Sheet {
        intro,
        about: stranger.then(|| voice.word("invitation-about")),
        terms: vec![colour, setup],
        commitment: view
            .commitment
            .clone()
            .map(|number| (voice.word("invitation-commitment"), number)),
        answer,
    }
    .section()
}

/// A challenge that ended without a game.
pub(super) fn closed(
    voice: &Voice<'_>,
    number: u32,
    with: &str,
    why: ChallengeClosed,
) -> Result<Section, ComposeError> {
    let key = match why {
        ChallengeClosed::Declined => "closed-declined",
        ChallengeClosed::Withdrawn => "closed-withdrawn",
        ChallengeClosed::Expired => "closed-expired",
    };
    let news = voice.say(
        key,
        &[
            ("number", number.into()),
            ("name", clean::line(with).into()),
        ],
    );
    ClosedSheet {
        news,
        next: voice.is_member().then(|| voice.word("closed-next")),
    }
    .section()
}
