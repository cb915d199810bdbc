//! What the admin is told.

use super::{at, in_club};
use crate::club::notice::{AdminNotice, Ailment, Class, Notice, Part};

pub(super) fn all() -> Vec<(String, Notice)> {
    let since = at("2026-12-01T09:00:00Z");
    let shunted = || AdminNotice::Shunted {
        inbox: 4711,
        reason: "the database: disk I/O error".into(),
    };
    let mut all = vec![
        ("admin_shunted".to_owned(), vec![shunted()]),
        (
            "admin_undeliverable".into(),
            vec![AdminNotice::Undeliverable {
                letter: 815,
                address: "eva@example.net".into(),
                reason: "550 5.1.1 no such user".into(),
            }],
        ),
        (
            "admin_shunted_and_more".into(),
            vec![shunted(), more(Class::Software, 12, "no header")],
        ),
        ("admin_unusable".into(), vec![unusable(None)]),
        (
            "admin_unusable_over".into(),
            vec![unusable(Some("2026-12-01T11:30:00Z"))],
        ),
    ];
    for class in Class::ALL {
        all.push((
            format!("admin_more_{}", class.word()),
            vec![more(class, 1, "550 5.1.1 no such user")],
        ));
    }
    for what in [Ailment::Mailbox, Ailment::WayOut] {
        all.push((
            format!("admin_login_{}", key(what)),
            vec![AdminNotice::LoginRefused {
                what,
                reason: "imap.example.org:993: login as dvonn was refused".into(),
            }],
        ));
    }
    for what in [
        Ailment::Mailbox,
        Ailment::WayOut,
        Ailment::Letters,
        Ailment::Room,
    ] {
        let reason = "example.org: connection refused".into();
        all.push((
            format!("admin_{}_ails", key(what)),
            vec![AdminNotice::Ails {
                what,
                since,
                reason,
            }],
        ));
        all.push((
            format!("admin_{}_well", key(what)),
            vec![AdminNotice::Well { what, since }],
        ));
    }
    all.into_iter()
        .map(|(name, told)| (name, in_club(told.into_iter().map(Part::Admin).collect())))
        .collect()
}

fn more(class: Class, count: u32, latest: &str) -> AdminNotice {
    AdminNotice::More {
        class,
        count,
        since: at("2026-12-01T09:00:00Z"),
        latest: latest.into(),
    }
}

fn unusable(until: Option<&str>) -> AdminNotice {
    AdminNotice::Unusable {
        since: at("2026-12-01T09:00:00Z"),
        until: until.map(at),
        reason: "database or disk is full".into(),
    }
}

fn key(what: Ailment) -> String {
    what.word().replace(' ', "_")
}
