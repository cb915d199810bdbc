//! Taking one mail in: its transaction, and what happens when that fails through a fault of ours.
//!
//! A fault rolls the mail back; then it is stored and counted, tried again later, and set aside at the third fault, so
//! that it never holds up the mails behind it.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use anyhow::{Context, Result, anyhow};
use chrono::{DateTime, Utc};

use super::post::tell_admin;
use super::process::{Mail, Verdict, process};
use super::settings::Club;
use crate::club::notice::AdminNotice;
use crate::mail::digest::Digest;
use crate::store::{Arrival, Cursor, InboxRow, InboxState, Store, Tx, is_damaged, is_of_the_disk};

/// Faults after which a mail is set aside.
const FAULTS: u32 = 3;

/// Why a mail is set aside whose tries ended the whole program.
const GIVEN_UP: &str = "it failed three times; see the log";

/// The folder of mails that came by `deliver`: they lie nowhere but in the database.
const PIPE: &str = "pipe";

/// A mail as the mailbox gave it.
#[derive(Clone, Debug)]
pub struct Found<'a> {
    /// Its bytes; of a mail that is too large, the header only.
    pub raw: &'a [u8],
    /// When it came to the club's mailbox.
    pub arrived: DateTime<Utc>,
    /// The limit that it exceeds, in bytes.
    pub too_large: Option<u64>,
    /// Whether it lay among suspected junk.
    pub junk: bool,
    /// Where it lies.
    pub place: Place,
}

/// Where a mail lies in the mailbox.
#[derive(Clone, Debug)]
pub struct Place {
    /// Name of the folder in the cursor table.
    pub folder: &'static str,
    /// Its lasting name.
    pub key: String,
    /// How far the folder is read once this mail is taken in.
    pub cursor: Option<Cursor>,
}

impl Place {
    /// Notes that what lies here is taken in as that mail, and how the mail stands. What is judged goes to where done
    /// mails lie; mail of strangers and among junk stays where its owner may look for it.
    fn note(&self, tx: &Tx<'_>, inbox: i64, state: InboxState) -> Result<()> {
        if self.folder == PIPE {
            return Ok(());
        }
        let file = !matches!(state, InboxState::Left | InboxState::Waiting);
        if self.cursor.is_none() || state != InboxState::Left {
            tx.note_entry(self.folder, &self.key, inbox, file)?;
        }
        self.pass(tx)
    }

    /// Notes that nothing needs to be taken in up to here.
    pub(super) fn pass(&self, tx: &Tx<'_>) -> Result<()> {
        match self.cursor {
            Some(cursor) => tx.set_cursor(self.folder, cursor),
            None => Ok(()),
        }
    }
}

/// Takes one mail in at that moment. `careful`: its try is counted before it is looked at, since the last run ended
/// uncleanly.
///
/// # Errors
/// The database keeps nothing: then the mail stays where it is.
pub fn take_in(
    store: &mut Store,
    club: &Club,
    found: &Found<'_>,
    careful: bool,
    now: DateTime<Utc>,
) -> Result<Option<Verdict>> {
    let digest = Digest::of(found.raw);
    let mail = Arrival {
        digest: digest.as_bytes(),
        arrived: found.arrived,
        raw: Some(found.raw),
        junk: found.junk,
        cut: found.too_large.is_some(),
    };
    if careful && !count_first(store, club, &mail, &found.place, now)? {
        return Ok(None);
    }
    let taken = guarded(store, |tx| {
        let id = match tx.take_in(&mail, now)? {
            Some(id) => id,
            None => match tx.mail_of(mail.digest)? {
                Some(row) if is_open(&row, found, careful) => row.id,
                _ => return known(tx, &mail, &found.place).map(|()| None),
            },
        };
        let verdict = judge(tx, club, id, found, *digest.as_bytes(), now)?;
        found.place.note(tx, id, verdict.state)?;
        Ok(Some(verdict))
    });
    let fault = match taken {
        Ok(verdict) => return Ok(verdict),
        Err(fault) => fault,
    };
    if is_of_the_disk(&fault) || is_damaged(&fault) {
        return Err(fault);
    }
    tracing::error!("A mail could not be processed and will be tried again: {fault:#}");
    store.write(|tx| {
        match tx.take_in(&mail, now)? {
            Some(id) => {
                tx.count_attempt(id)?;
                found.place.note(tx, id, InboxState::Waiting)?;
            }
            None => known(tx, &mail, &found.place)?,
        }
        Ok(())
    })?;
    Ok(None)
}

/// Whether a known mail is judged now: its try was counted before, or it was left among junk and lies in the inbox now,
/// where somebody put it.
fn is_open(row: &InboxRow, found: &Found<'_>, careful: bool) -> bool {
    match row.state {
        InboxState::Waiting => careful,
        InboxState::Left => row.junk && !found.junk,
        InboxState::Done | InboxState::Ignored | InboxState::Shunted => false,
    }
}

/// Commits a try before the mail is looked at: an abort of the whole program escapes a counter that is written after it.
/// Says whether there is anything to try.
fn count_first(
    store: &mut Store,
    club: &Club,
    mail: &Arrival<'_>,
    place: &Place,
    now: DateTime<Utc>,
) -> Result<bool> {
    let spent = store.write(|tx| {
        if let Some(id) = tx.take_in(mail, now)? {
            tx.count_attempt(id)?;
            return Ok(None);
        }
        match tx.mail_of(mail.digest)? {
            Some(row) if row.state == InboxState::Waiting && row.attempts < FAULTS => {
                tx.count_attempt(row.id)?;
                Ok(None)
            }
            row => Ok(row),
        }
    })?;
    let Some(row) = spent else { return Ok(true) };
    if row.state == InboxState::Waiting {
        set_aside(store, club, &row, GIVEN_UP, now)?;
    }
    store.write(|tx| known(tx, mail, place))?;
    Ok(false)
}

/// Tries mails that wait: those that `deliver` stored, and those that failed before if `again`.
///
/// # Errors
/// The database keeps nothing.
pub fn take_waiting(store: &mut Store, club: &Club, again: bool) -> Result<u32> {
    let mut taken = 0;
    loop {
        let tried = if again { u32::MAX } else { 0 };
        let waiting = store.read(|tx| tx.waiting_mails(tried, 50))?;
        if waiting.is_empty() {
            return Ok(taken);
        }
        for row in waiting {
            taken += u32::from(try_waiting(store, club, &row)?);
        }
        if again {
            return Ok(taken);
        }
    }
}

/// Tries one mail that waits; says whether it is done with. The try is committed before the mail is looked at.
fn try_waiting(store: &mut Store, club: &Club, row: &InboxRow) -> Result<bool> {
    let now = club.outside.now();
    if row.attempts >= FAULTS {
        set_aside(store, club, row, GIVEN_UP, now)?;
        return Ok(false);
    }
    let attempts = store.write(|tx| tx.count_attempt(row.id))?;
    let (digest, raw) = store.read(|tx| Ok((tx.digest_of(row.id)?, tx.raw_of(row.id)?)))?;
    let limit = club.settings.limits.mail_size;
    let is_too_large = row.cut || u64::try_from(raw.len()).is_ok_and(|size| size > limit);
    let found = Found {
        raw: if is_too_large { header(&raw) } else { &raw },
        arrived: row.arrived,
        too_large: is_too_large.then_some(limit),
        junk: row.junk,
        place: Place {
            folder: PIPE,
            key: String::new(),
            cursor: None,
        },
    };
    let fault = match guarded(store, |tx| judge(tx, club, row.id, &found, digest, now)) {
        Ok(_) => return Ok(true),
        Err(fault) => fault,
    };
    if is_of_the_disk(&fault) || is_damaged(&fault) {
        // Where not even this can be written, the mail has two tries left for a better day.
        let _ = store.write(|tx| tx.uncount_attempt(row.id));
        return Err(fault);
    }
    tracing::error!("Mail {} could not be processed: {fault:#}", row.id);
    if attempts >= FAULTS {
        set_aside(store, club, row, &format!("{fault:#}"), now)?;
    }
    Ok(false)
}

/// Sets a mail aside and tells the admin; where that very letter is the trouble, without it: the queue goes on.
fn set_aside(
    store: &mut Store,
    club: &Club,
    row: &InboxRow,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    let told = guarded(store, |tx| {
        shunt(tx, club, row.id, &row.sender, reason, now)
    });
    let Err(fault) = told else { return Ok(()) };
    tracing::error!(
        "The admin cannot be told that mail {} is set aside: {fault:#}",
        row.id
    );
    store.write(|tx| conclude_shunted(tx, row.id, &row.sender, reason))
}

/// Sets a mail aside that cannot even be had from the mailbox.
pub(super) fn take_unreadable(
    store: &mut Store,
    club: &Club,
    place: &Place,
    reason: &str,
) -> Result<()> {
    let now = club.outside.now();
    let stand_in = format!("unreadable {} {}", place.folder, place.key);
    let digest = Digest::of(stand_in.as_bytes());
    let mail = Arrival {
        digest: digest.as_bytes(),
        arrived: now,
        raw: None,
        junk: false,
        cut: false,
    };
    store.write(|tx| {
        let id = match tx.take_in(&mail, now)? {
            Some(id) => {
                shunt(tx, club, id, "", reason, now)?;
                id
            }
            None => {
                tx.mail_of(mail.digest)?
                    .context("A mail is known and is not")?
                    .id
            }
        };
        // It cannot be moved either.
        place.note(tx, id, InboxState::Left)
    })
}

fn judge(
    tx: &Tx<'_>,
    club: &Club,
    id: i64,
    found: &Found<'_>,
    digest: [u8; 32],
    now: DateTime<Utc>,
) -> Result<Verdict> {
    // Secret, and yet the same when the same mail is read again: a club that was restored draws the same lots (I13).
    let drawn = Cell::new(0);
    let chance = || club.secret.lot(&digest, drawn.replace(drawn.get() + 1));
    let mail = Mail {
        inbox: id,
        raw: found.raw,
        digest,
        arrived: found.arrived.min(now),
        too_large: found.too_large,
        junk: found.junk,
    };
    let verdict = process(tx, club, mail, now, &chance)?;
    // A mail that is left lies in the mailbox still; one from the pipe lies nowhere else.
    let keep = verdict.state != InboxState::Left || found.place.folder == PIPE;
    tx.conclude(id, &verdict.sender, verdict.state, &verdict.reason, keep)?;
    if verdict.state != InboxState::Left {
        tx.file_entries_of(id)?;
    }
    Ok(verdict)
}

/// The header of a mail, which is all that is read of one that is too large.
pub(super) fn header(raw: &[u8]) -> &[u8] {
    let end = raw
        .windows(2)
        .position(|two| two == b"\n\n")
        .map(|at| at + 1);
    let crlf = raw
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .map(|at| at + 2);
    let end = [end, crlf].into_iter().flatten().min().unwrap_or(raw.len());
    raw.get(..end).unwrap_or(raw)
}

/// A mail that was taken in before: it does nothing; only its place may be new.
fn known(tx: &Tx<'_>, mail: &Arrival<'_>, place: &Place) -> Result<()> {
    let before = tx
        .mail_of(mail.digest)?
        .context("A mail is known and is not")?;
    place.note(tx, before.id, before.state)
}

fn shunt(
    tx: &Tx<'_>,
    club: &Club,
    id: i64,
    sender: &str,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    conclude_shunted(tx, id, sender, reason)?;
    tell_admin(
        tx,
        club,
        AdminNotice::Shunted {
            inbox: id,
            reason: reason.to_owned(),
        },
        now,
    )
}

fn conclude_shunted(tx: &Tx<'_>, id: i64, sender: &str, reason: &str) -> Result<()> {
    tx.conclude(id, sender, InboxState::Shunted, reason, true)?;
    tx.file_entries_of(id)
}

/// One transaction that a panic rolls back like an error (IN-05).
fn guarded<T>(store: &mut Store, work: impl FnOnce(&Tx<'_>) -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(|| store.write(work))).unwrap_or_else(|panic| {
        let said = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or(panic.downcast_ref::<&str>().copied());
        Err(anyhow!(
            "the program panicked: {}",
            said.unwrap_or("without a word")
        ))
    })
}
