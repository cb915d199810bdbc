//! What the passing of time does: the warden's rounds, held up while the clock cannot be relied upon (T-09).

use anyhow::Result;
use chrono::TimeDelta;

use super::Shared;
use super::post::tell_admin;
use super::settings::Club;
use super::{trouble, warden};
use crate::club::notice::AdminNotice;
use crate::store::{Loop, Store};

/// Lets time pass as far as the mailbox is read: what arrived in time is never judged late because the club was down, nor
/// because the clock ran ahead.
pub(super) fn passes(store: &mut Store, club: &Club) -> Result<()> {
    let now = club.outside.now();
    trouble::recovered(store, club, now)?;
    trouble::letters(store, club, now)?;
    warden::digests(store, club, now)?;
    if !club.outside.is_steady() {
        return Ok(());
    }
    let letters = store.write(|tx| tx.mend_future(now))?;
    if letters > 0 {
        tracing::warn!(
            "{letters} letters were to wait for long, by a clock that ran ahead; they are due now"
        );
    }
    let settled = store.read(|tx| {
        let read = tx.heartbeat(Loop::Poll)?.and_then(|beat| beat.at);
        let waits = !tx.waiting_mails(u32::MAX, 1)?.is_empty();
        Ok(read.filter(|_| !waits))
    })?;
    match settled {
        Some(settled) => warden::round(store, club, settled.min(now)),
        None => Ok(()),
    }
}

/// Tells of a jump of the clock, and with `look` notes whether it is steady again.
pub(super) fn watch_clock(store: &Shared, club: &Club, look: bool) -> Result<()> {
    if let Some(jump) = club.outside.take_jump() {
        let said = said(jump);
        tracing::warn!("{said}; nothing expires until it was steady for 10 minutes");
        let now = club.outside.now();
        return store.lock().write(|tx| {
            tx.trouble(Loop::Clock, &said)?;
            tell_admin(tx, club, AdminNotice::ClockJumped { reason: said }, now)
        });
    }
    if !look || !club.outside.is_steady() {
        return Ok(());
    }
    let mut store = store.lock();
    let noted = store.read(|tx| tx.heartbeat(Loop::Clock))?;
    if noted.is_some_and(|beat| !beat.trouble.is_empty()) {
        tracing::info!("The clock is steady again");
        store.write(|tx| tx.trouble(Loop::Clock, ""))?;
    }
    Ok(())
}

fn said(jump: TimeDelta) -> String {
    let (minutes, way) = (
        jump.num_minutes().abs(),
        if jump > TimeDelta::zero() {
            "ahead"
        } else {
            "back"
        },
    );
    format!(
        "the clock jumped {way} by {} d {} h {} min",
        minutes / 1440,
        minutes / 60 % 24,
        minutes % 60
    )
}
