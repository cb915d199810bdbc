//! The room that is left in the mailbox (IN-15): the admin is told before mail is turned away.

use std::time::Duration;

use anyhow::Result;
use tokio::time::Instant;

use super::Shared;
use super::intake::Trouble;
use super::post::tell_admin;
use super::settings::Club;
use crate::club::notice::AdminNotice;
use crate::store::Loop;
use crate::wire::{Kind, Mailbox, WireError};

/// How often the server is asked.
const OFTEN: Duration = Duration::from_secs(3600);

/// From here on the admin should act, in per cent.
const NEARLY: u8 = 90;

/// Asks for the room in the mailbox now and then.
#[derive(Debug, Default)]
pub(super) struct Quota {
    asked: Option<Instant>,
    /// The server's answer made no sense once: it is not asked again.
    odd: bool,
}

impl Quota {
    /// Asks, if it is time to.
    ///
    /// # Errors
    /// Anything that ends a connection; the database.
    pub(super) async fn look(
        &mut self,
        mailbox: &mut Mailbox,
        store: &Shared,
        club: &Club,
    ) -> Result<(), Trouble> {
        if self.odd || self.asked.is_some_and(|at| at.elapsed() < OFTEN) {
            return Ok(());
        }
        self.asked = Some(Instant::now());
        match mailbox.fullness().await {
            Ok(Some(percent)) => Ok(note(store, club, percent)?),
            Ok(None) => Ok(()),
            Err(error) => {
                self.odd = error.kind() == Kind::Protocol;
                Err(error.into())
            }
        }
    }

    /// The server takes no more, whatever it said of its room.
    pub(super) fn is_full(&self, said: &WireError, store: &Shared, club: &Club) -> Result<()> {
        tracing::warn!("{said}");
        note(store, club, 100)
    }
}

/// Tells the admin when it begins, and `status` as long as it lasts.
fn note(store: &Shared, club: &Club, percent: u8) -> Result<()> {
    let now = club.outside.now();
    store.lock().write(|tx| {
        let before = tx.heartbeat(Loop::Quota)?;
        let was_full = before.is_some_and(|beat| !beat.trouble.is_empty());
        if percent < NEARLY {
            return if was_full {
                tx.trouble(Loop::Quota, "")
            } else {
                Ok(())
            };
        }
        let trouble = format!("the mailbox is {percent} % full; delete old mails in it");
        tx.trouble(Loop::Quota, &trouble)?;
        if was_full {
            return Ok(());
        }
        tracing::warn!("{trouble}");
        tell_admin(tx, club, AdminNotice::MailboxFull { reason: trouble }, now)
    })
}
