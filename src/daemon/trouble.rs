//! What needs a person though it is no mail's fault (I14): a refused login at once, an end of the mail that could not be
//! used for two hours, a disk without room, a database that cannot be used.
//!
//! Each is told once, and that it is well again only where it was told. Where mail itself is broken the alarm rings.

use anyhow::Result;
use chrono::{DateTime, TimeDelta, Utc};

use super::clock::Outside;
use super::intake::Trouble;
use super::notices::{tell, tell_admin, tell_well};
use super::settings::{Club, Settings};
use crate::club::notice::{AdminNotice, Ailment, Class};
use crate::store::{Loop, Store, Tx, is_unusable};
use crate::wire::{Kind, WireError};

/// How long mail may be stuck before somebody is told.
const PATIENCE: TimeDelta = TimeDelta::hours(2);

/// Notes that something ails, and tells the admin once it is time.
pub(super) fn note(
    tx: &Tx<'_>,
    club: &Club,
    what: Ailment,
    refused: bool,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    let ill = tx.ails(what, reason, now)?;
    let notice = if refused {
        AdminNotice::LoginRefused {
            what,
            reason: reason.to_owned(),
        }
    } else {
        AdminNotice::Ails {
            what,
            since: ill.since,
            reason: reason.to_owned(),
        }
    };
    let class = notice.class();
    let is_time = class != Class::Delay || now - ill.since >= PATIENCE;
    // A refused login is news after a delay, and a delay none after a refused login.
    let is_news = match ill.class {
        None => true,
        Some(before) => before != class && class == Class::Credentials,
    };
    if !is_time || !is_news {
        return Ok(());
    }
    let told = tell(tx, club, notice.clone(), now)?;
    tx.set_given(what, class, told)?;
    if class == Class::Credentials || what == Ailment::WayOut {
        club.outside
            .alarm()
            .ring(Some(tx), &club.settings, notice, now)?;
    }
    Ok(())
}

/// Notes that nothing ails there any more.
pub(super) fn well(tx: &Tx<'_>, club: &Club, what: Ailment, now: DateTime<Utc>) -> Result<()> {
    let Some(ill) = tx.ailing(what)? else {
        return Ok(());
    };
    tx.mended(what)?;
    if ill.told {
        let since = ill.since;
        tell_well(tx, club, AdminNotice::Well { what, since }, now)?;
    }
    Ok(())
}

/// Notes why the mailbox was not read, for `status` and for the admin.
pub(super) fn mailbox(store: &mut Store, club: &Club, trouble: &Trouble) -> Result<()> {
    let now = club.outside.now();
    let said = trouble.to_string();
    if let Trouble::Fault(fault) = trouble {
        database(club, fault, now);
    }
    store.write(|tx| {
        tx.trouble(Loop::Poll, &said)?;
        match trouble {
            Trouble::Wire(error) => note(
                tx,
                club,
                Ailment::Mailbox,
                error.kind() == Kind::Credentials,
                &said,
                now,
            ),
            Trouble::NoRoom(_) => note(tx, club, Ailment::Room, false, &said, now),
            Trouble::Fault(_) | Trouble::Rival(_) => Ok(()),
        }
    })
}

/// Notes whether the way out answers, for `status` and for the admin.
pub(super) fn way_out(store: &mut Store, club: &Club, error: Option<&WireError>) -> Result<()> {
    let now = club.outside.now();
    store.write(|tx| match error {
        Some(error) => {
            let said = error.to_string();
            tx.trouble(Loop::Send, &said)?;
            let refused = error.kind() == Kind::Credentials;
            note(tx, club, Ailment::WayOut, refused, &said, now)
        }
        None => {
            tx.trouble(Loop::Send, "")?;
            well(tx, club, Ailment::WayOut, now)
        }
    })
}

/// Looks whether letters are tried and none gets through, though the server answers.
pub(super) fn letters(store: &mut Store, club: &Club, now: DateTime<Utc>) -> Result<()> {
    let stuck = |tx: &Tx<'_>| -> Result<Option<String>> {
        let Some((made, said)) = tx.oldest_tried()? else {
            return Ok(None);
        };
        let is_stuck = tx.ailing(Ailment::WayOut)?.is_none() && tx.sent_since(made)? == 0;
        Ok(is_stuck.then_some(said))
    };
    let (found, known) = store.read(|tx| Ok((stuck(tx)?, tx.ailing(Ailment::Letters)?)))?;
    match (found, known) {
        (None, None) => Ok(()),
        (Some(said), _) => store.write(|tx| note(tx, club, Ailment::Letters, false, &said, now)),
        (None, Some(_)) => store.write(|tx| well(tx, club, Ailment::Letters, now)),
    }
}

/// Takes note of a fault of the database: nothing can be written there, so the alarm rings at once.
pub(super) fn database(club: &Club, fault: &anyhow::Error, now: DateTime<Utc>) {
    if is_unusable(fault) {
        let since = club.outside.alarm().unusable(&format!("{fault:#}"), now);
        ring(&club.settings, &club.outside, fault, since, now);
    }
}

/// The same of a database that cannot even be opened. Gives back when the alarm has been heard.
pub fn unopened(settings: &Settings, outside: &Outside, fault: &anyhow::Error) {
    if is_unusable(fault) {
        let now = outside.now();
        ring(settings, outside, fault, now, now);
        outside.alarm().finish();
    }
}

fn ring(
    settings: &Settings,
    outside: &Outside,
    fault: &anyhow::Error,
    since: DateTime<Utc>,
    now: DateTime<Utc>,
) {
    let what = AdminNotice::Unusable {
        since,
        until: None,
        reason: format!("{fault:#}"),
    };
    if let Err(fault) = outside.alarm().ring(None, settings, what, now) {
        tracing::error!("The alarm cannot be rung: {fault:#}");
    }
}

/// Tells the admin that the database works again, if it did not.
pub(super) fn recovered(store: &mut Store, club: &Club, now: DateTime<Utc>) -> Result<()> {
    let Some((since, reason)) = club.outside.alarm().was_unusable() else {
        return Ok(());
    };
    let what = AdminNotice::Unusable {
        since,
        until: Some(now),
        reason,
    };
    store.write(|tx| tell_admin(tx, club, what, now))?;
    club.outside.alarm().usable();
    tracing::info!("The database works again");
    Ok(())
}

/// The log of something that is tried again and again: it is said when it begins, when it changes and when it ends
/// (OPS-10).
#[derive(Debug, Default)]
pub(super) struct Said(Option<String>);

impl Said {
    /// Whether that was not said just before. Numbers in it, such as a connection's, make no news.
    pub(super) fn is_news(&mut self, text: &str) -> bool {
        let gist: Vec<&str> = text
            .split_whitespace()
            .filter(|word| !word.contains(|letter: char| letter.is_ascii_digit()))
            .collect();
        let gist = gist.join(" ");
        let is_news = self.0.as_ref() != Some(&gist);
        self.0 = Some(gist);
        is_news
    }

    /// Whether something was said that is over now.
    pub(super) fn is_over(&mut self) -> bool {
        self.0.take().is_some()
    }
}
