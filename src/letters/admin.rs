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
        AdminNotice::ClockJumped { seconds } => {
            let minutes = seconds.unsigned_abs() / 60;
            let facts = [
                ("days", (minutes / 1440).to_string().into()),
                ("hours", (minutes / 60 % 24).to_string().into()),
                ("minutes", (minutes % 60).to_string().into()),
            ];
            let key = if *seconds > 0 {
                "admin-clock-ahead"
            } else {
                "admin-clock-back"
            };
            Sheet {
                news: voice.word("admin-clock"),
                reason: voice.say(key, &facts),
                next: voice.word("admin-clock-next"),
            }
        }
        AdminNotice::MailboxFull { percent } => Sheet {
            news: voice.word("admin-mailbox-full"),
            reason: voice.say(
                "admin-mailbox-full-by",
                &[("percent", percent.to_string().into())],
            ),
            next: voice.word("admin-mailbox-full-next"),
        },
    }
    .section()
}
