//! Letters to the admin: of each class at most one in six hours, and nothing is forgotten (OPS-11, I14).
//!
//! What comes in between is counted, and told together with the next letter of its class, or by one of its own when the
//! six hours are over.

use anyhow::Result;
use chrono::{DateTime, TimeDelta, Utc};

use super::post::post;
use super::settings::{Club, Settings};
use crate::club::notice::{About, AdminNotice, Class, Notice, Part, Reader};
use crate::store::{Store, Told, Tx};

/// How long the admin has peace after a letter, from letters of its class.
pub(super) const PEACE: TimeDelta = TimeDelta::hours(6);

/// Tells the admin, now or with the next letter of that class.
///
/// # Errors
/// The database, or a letter that cannot be built.
pub(super) fn tell_admin(
    tx: &Tx<'_>,
    club: &Club,
    what: AdminNotice,
    now: DateTime<Utc>,
) -> Result<()> {
    tell(tx, club, what, now).map(drop)
}

/// The same; says whether a letter was written now.
pub(super) fn tell(
    tx: &Tx<'_>,
    club: &Club,
    what: AdminNotice,
    now: DateTime<Utc>,
) -> Result<bool> {
    // A letter about letters to the admin that come back would be the next that comes back.
    if what.recipient() == Some(club.settings.admin.key().as_str()) {
        return Ok(false);
    }
    let class = what.class();
    let before = tx.notices(class)?;
    if before.as_ref().is_some_and(|told| is_in_peace(told, now)) {
        tx.hold_notice(class, what.gist(), now)?;
        return Ok(false);
    }
    let mut news = vec![what];
    news.extend(before.and_then(|told| held_back(class, told)));
    write(tx, club, news, now)?;
    tx.told(class, now)?;
    Ok(true)
}

/// Tells the admin that what they know of is over: it belongs to a letter that was sent, and counts for none.
pub(super) fn tell_well(
    tx: &Tx<'_>,
    club: &Club,
    what: AdminNotice,
    now: DateTime<Utc>,
) -> Result<()> {
    write(tx, club, vec![what], now)
}

/// Tells what was held back for long enough.
///
/// # Errors
/// The database.
pub(super) fn tell_held(store: &mut Store, club: &Club, now: DateTime<Utc>) -> Result<()> {
    for class in Class::ALL {
        let due = |tx: &Tx<'_>| -> Result<Option<AdminNotice>> {
            let told = tx.notices(class)?;
            let over = told.filter(|told| !is_in_peace(told, now));
            Ok(over.and_then(|told| held_back(class, told)))
        };
        if store.read(due)?.is_none() {
            continue;
        }
        store.write(|tx| {
            if let Some(more) = due(tx)? {
                write(tx, club, vec![more], now)?;
                tx.told(class, now)?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Whether the last letter is so young that the admin has peace. A clock that was set back ends it, too.
fn is_in_peace(told: &Told, now: DateTime<Utc>) -> bool {
    told.at.is_some_and(|at| (now - at).abs() < PEACE)
}

fn held_back(class: Class, told: Told) -> Option<AdminNotice> {
    (told.held > 0).then_some(AdminNotice::More {
        class,
        count: told.held,
        since: told.since,
        latest: told.latest,
    })
}

fn write(tx: &Tx<'_>, club: &Club, news: Vec<AdminNotice>, now: DateTime<Utc>) -> Result<()> {
    post(tx, club, letter(&club.settings, news), None, now)
}

/// The letter that says so.
pub(super) fn letter(settings: &Settings, news: Vec<AdminNotice>) -> Notice {
    Notice {
        to: Reader::stranger(&settings.admin.to_string()),
        about: About::Club,
        answers: false,
        parts: news.into_iter().map(Part::Admin).collect(),
    }
}
