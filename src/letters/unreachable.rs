//! Somebody cannot be reached: what that means for whoever waits for them, and what can be done.
//!
//! What a server said is not told here: it may hold an address, and players never see each other's.

use super::section::{Section, templates};
use super::voice::Voice;
use super::{ComposeError, clean, markup};

/// Mail that comes back.
struct Sheet {
    news: String,
    next: String,
}
templates!(Sheet, "unreachable/text.txt", "unreachable/page.html");

/// Mail to an opponent comes back.
pub(super) fn opponent(
    voice: &Voice<'_>,
    who: &str,
    games: &[u32],
) -> Result<Section, ComposeError> {
    let facts = [
        ("name", clean::line(who).into()),
        ("count", games.len().into()),
        ("games", voice.list(games.iter()).into()),
    ];
    Sheet {
        news: voice.say("unreachable-opponent", &facts),
        next: voice.say("unreachable-opponent-next", &facts),
    }
    .section()
}

/// An invitation came back.
pub(super) fn invitation(
    voice: &Voice<'_>,
    number: u32,
    who: &str,
) -> Result<Section, ComposeError> {
    let facts = [("name", clean::line(who).into()), ("number", number.into())];
    Sheet {
        news: voice.say("unreachable-invitation", &facts),
        next: voice.say("unreachable-invitation-next", &facts),
    }
    .section()
}
