//! What the admin should know.

use super::section::{Section, templates};
use super::voice::Voice;
use super::{ComposeError, clean, markup};
use crate::club::notice::AdminNotice;

/// A notice to the admin.
struct Sheet {
    news: String,
    reason: String,
    next: String,
}
templates!(Sheet, "admin/text.txt", "admin/page.html");

/// A notice to the admin.
pub(super) fn section(voice: &Voice<'_>, notice: &AdminNotice) -> Result<Section, ComposeError> {
    match notice {
        AdminNotice::Shunted { inbox, reason } => Sheet {
            news: voice.say("admin-shunted", &[("number", inbox.to_string().into())]),
            reason: clean::line(reason),
            next: voice.word("admin-shunted-next"),
        },
        AdminNotice::Undeliverable {
            letter,
            address,
            reason,
        } => Sheet {
            news: voice.say(
                "admin-undeliverable",
                &[
                    ("number", letter.to_string().into()),
                    ("address", clean::line(address).into()),
                ],
            ),
            reason: clean::line(reason),
            next: voice.say(
                "admin-undeliverable-next",
                &[("number", letter.to_string().into())],
            ),
        },
        AdminNotice::MayHaveArrived {
            letter,
            address,
            reason,
        } => Sheet {
            news: voice.say(
                "admin-may-have-arrived",
                &[
                    ("number", letter.to_string().into()),
                    ("address", clean::line(address).into()),
                ],
            ),
            reason: clean::line(reason),
            next: voice.say(
                "admin-undeliverable-next",
                &[("number", letter.to_string().into())],
            ),
        },
        AdminNotice::Unreachable {
            name,
            address,
            games,
            reason,
        } => Sheet {
            news: voice.say(
                "admin-unreachable",
                &[
                    ("name", clean::line(name).into()),
                    ("address", clean::line(address).into()),
                    ("count", games.len().into()),
                    ("games", voice.list(games.iter()).into()),
                ],
            ),
            reason: clean::line(reason),
            next: voice.say(
                "admin-unreachable-next",
                &[("name", clean::line(name).into())],
            ),
        },
    }
    .section()
}
