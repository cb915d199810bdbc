//! What the admin should know.

use super::section::{Section, templates};
use super::voice::Voice;
use super::{ComposeError, clean, markup};
use crate::club::notice::{AdminNotice, Ailment, Class};

/// A notice to the admin.
struct Sheet {
    news: String,
    reason: String,
    next: String,
}
templates!(Sheet, "admin/text.txt", "admin/page.html");

/// A notice to the admin.
pub(super) fn section(voice: &Voice<'_>, notice: &AdminNotice) -> Result<Section, ComposeError> {
    let (news, next) = match notice {
        AdminNotice::Shunted { inbox, .. } => (
            voice.say("admin-shunted", &[("number", inbox.to_string().into())]),
            voice.say(
                "admin-shunted-next",
                &[("number", inbox.to_string().into())],
            ),
        ),
        AdminNotice::Undeliverable {
            letter, address, ..
        } => (
            voice.say(
                "admin-undeliverable",
                &[
                    ("number", letter.to_string().into()),
                    ("address", clean::line(address).into()),
                ],
            ),
            voice.say(
                "admin-undeliverable-next",
                &[("number", letter.to_string().into())],
            ),
        ),
        AdminNotice::LoginRefused { what, .. } => (
            voice.word(match what {
                Ailment::Mailbox => "admin-login-mailbox",
                _ => "admin-login-way-out",
            }),
            voice.word("admin-login-next"),
        ),
        AdminNotice::Ails { what, since, .. } => (
            voice.say(ails(*what), &[("since", voice.time(*since).into())]),
            voice.word(match what {
                Ailment::Room => "admin-room-next",
                Ailment::Letters => "admin-letters-next",
                Ailment::Mailbox | Ailment::WayOut => "admin-away-next",
            }),
        ),
        AdminNotice::Well { what, since } => (
            voice.say(
                match what {
                    Ailment::Mailbox => "admin-mailbox-well",
                    Ailment::WayOut => "admin-way-out-well",
                    Ailment::Letters => "admin-letters-well",
                    Ailment::Room => "admin-room-well",
                },
                &[("since", voice.time(*since).into())],
            ),
            voice.word("admin-well-next"),
        ),
        AdminNotice::Unusable { since, until, .. } => match until {
            Some(until) => (
                voice.say(
                    "admin-unusable-over",
                    &[
                        ("since", voice.time(*since).into()),
                        ("until", voice.time(*until).into()),
                    ],
                ),
                voice.word("admin-unusable-over-next"),
            ),
            None => (
                voice.say("admin-unusable", &[("since", voice.time(*since).into())]),
                voice.word("admin-unusable-next"),
            ),
        },
        AdminNotice::More {
            class,
            count,
            since,
            ..
        } => (
            voice.say(
                "admin-more",
                &[
                    ("count", (*count).into()),
                    ("since", voice.time(*since).into()),
                    ("class", class.word().into()),
                ],
            ),
            voice.word(match class {
                Class::Software => "admin-more-shunted",
                Class::Bounce => "admin-more-outbox",
                _ => "admin-more-status",
            }),
        ),
    };
    let reason = clean::line(notice.gist());
    Sheet { news, reason, next }.section()
}

fn ails(what: Ailment) -> &'static str {
    match what {
        Ailment::Mailbox => "admin-mailbox-away",
        Ailment::WayOut => "admin-way-out-away",
        Ailment::Letters => "admin-letters-wait",
        Ailment::Room => "admin-room",
    }
}

/// The subject of a letter about that.
pub(super) fn subject_key(notice: &AdminNotice) -> &'static str {
    match notice {
        AdminNotice::Shunted { .. } => "subject-shunted",
        AdminNotice::Undeliverable { .. } => "subject-undeliverable",
        AdminNotice::LoginRefused { .. } => "subject-login",
        AdminNotice::Ails { what, .. } => match what {
            Ailment::Room => "subject-room",
            Ailment::Mailbox => "subject-mailbox-away",
            Ailment::WayOut | Ailment::Letters => "subject-letters-wait",
        },
        AdminNotice::Well { .. } => "subject-well",
        AdminNotice::Unusable { .. } => "subject-unusable",
        AdminNotice::More { .. } => "subject-more",
    }
}
