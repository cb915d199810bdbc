//! The intake: looks at the mailbox, takes in what is new, puts away what is done, and waits.
//!
//! Polling is the truth; IDLE only shortens the wait (IN-08). After any error the connection is dropped and made anew.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use chrono::{DateTime, TimeDelta, Utc};

use super::Shared;
use super::clock;
use super::settings::Club;
use super::taking::{Found, Place, take_in, take_unreadable};
use crate::store::{Cursor, Loop, Store};
use crate::wire::{
    self, BATCH_BYTES, Batch, Folder, Id, Kind, Listed, Mailbox, Part, WayIn, WireError, batches,
};

/// The mailbox and the connection to it.
#[derive(Debug)]
pub struct Intake {
    way: WayIn,
    mailbox: Option<Mailbox>,
    /// The last run ended uncleanly: tries are counted before mails are looked at, until one round went well.
    careful: bool,
    /// Mails that were asked for when the server answered with nonsense, and how often: one of them may be to blame.
    suspects: BTreeMap<Id, u32>,
}

/// Nonsense in answer to one mail alone, after which it is set aside (IN-06).
const NONSENSE: u32 = 3;

/// Why a round ended early.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// The mailbox.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// Ours: the database, most likely.
    #[error("{0:#}")]
    Fault(#[from] anyhow::Error),
}

impl Intake {
    /// An intake that has not connected yet.
    #[must_use]
    pub fn new(way: WayIn, careful: bool) -> Self {
        Intake {
            way,
            mailbox: None,
            careful,
            suspects: BTreeMap::new(),
        }
    }

    /// Takes in all that is new, and puts away what is done. Gives the number of mails taken in.
    ///
    /// # Errors
    /// The mailbox or the database; what was committed before stays.
    pub async fn round(&mut self, store: &Shared, club: &Club) -> Result<u32, Trouble> {
        let outcome = self.try_round(store, club).await;
        match &outcome {
            Ok(_) => {
                self.careful = false;
                self.suspects.clear();
            }
            Err(_) => self.mailbox = None,
        }
        outcome
    }

    async fn try_round(&mut self, store: &Shared, club: &Club) -> Result<u32, Trouble> {
        if self.mailbox.is_none() {
            self.mailbox = Some(Mailbox::connect(&self.way).await?);
        }
        let Some(mailbox) = &mut self.mailbox else {
            return Ok(0);
        };
        let mut taken = 0;
        for folder in mailbox.folders() {
            let mut reader = Reader {
                mailbox,
                store,
                club,
                folder: *folder,
                careful: self.careful,
                suspects: &mut self.suspects,
            };
            taken += reader.read().await?;
            put_away(mailbox, *folder, store).await?;
        }
        store.lock().write(|tx| tx.beat(Loop::Poll, clock::now()))?;
        Ok(taken)
    }

    /// Waits until something may have arrived.
    ///
    /// # Errors
    /// The connection ended.
    pub async fn wait(&mut self, limit: std::time::Duration) -> Result<(), WireError> {
        let Some(mailbox) = &mut self.mailbox else {
            return Ok(());
        };
        let outcome = mailbox.wait(limit).await;
        if outcome.is_err() {
            self.mailbox = None;
        }
        outcome
    }

    /// Says good-bye.
    pub async fn close(self) {
        if let Some(mailbox) = self.mailbox {
            mailbox.close().await;
        }
    }
}

/// One folder being read.
struct Reader<'a> {
    mailbox: &'a mut Mailbox,
    store: &'a Shared,
    club: &'a Club,
    folder: Folder,
    careful: bool,
    suspects: &'a mut BTreeMap<Id, u32>,
}

impl Reader<'_> {
    async fn read(&mut self) -> Result<u32, Trouble> {
        let name = folder_name(self.folder);
        let known = self.store.lock().read(|tx| tx.cursor(name))?;
        let cursor = known.map(|cursor| wire::Cursor {
            validity: cursor.uidvalidity,
            uid: cursor.uid,
        });
        let listing = self.mailbox.list(self.folder, cursor).await?;
        let (new, old): (Vec<Listed>, Vec<Listed>) =
            unknown(&mut self.store.lock(), name, listing.mails)?
                .into_iter()
                .partition(|mail| !is_older_than(mail, self.club));
        self.pass_over(&old, new.is_empty())?;
        let mut taken = 0;
        let limit = self.club.settings.limits.mail_size;
        for run in new.chunk_by(|a, b| (a.size > limit) == (b.size > limit)) {
            let too_large = run
                .first()
                .is_some_and(|mail| mail.size > limit)
                .then_some(limit);
            for batch in batches(run, BATCH_BYTES) {
                let singly = batch
                    .iter()
                    .any(|mail| self.suspects.contains_key(&mail.id));
                for piece in batch.chunks(if singly { 1 } else { batch.len() }) {
                    let fetched = self.fetch(piece, too_large).await?;
                    taken += take_batch(
                        &mut self.store.lock(),
                        self.club,
                        self.folder,
                        fetched,
                        too_large,
                        self.careful,
                    )?;
                }
            }
        }
        Ok(taken)
    }

    /// Mail that lay here before the club is not even downloaded.
    fn pass_over(&self, old: &[Listed], nothing_new: bool) -> Result<()> {
        let name = folder_name(self.folder);
        let files = old.iter().filter(|mail| matches!(mail.id, Id::File(_)));
        let last = old
            .last()
            .filter(|mail| nothing_new && matches!(mail.id, Id::Uid { .. }));
        self.store.lock().write(|tx| {
            files
                .chain(last)
                .try_for_each(|mail| place(name, &mail.id).note(tx, false))
        })
    }

    async fn fetch(&mut self, mails: &[Listed], too_large: Option<u64>) -> Result<Batch, Trouble> {
        let part = if too_large.is_some() {
            Part::Header
        } else {
            Part::Whole
        };
        let error = match self.mailbox.fetch(mails, part).await {
            Ok(batch) => return Ok(batch),
            Err(error) => error,
        };
        if error.kind() == Kind::Protocol {
            for mail in mails {
                *self.suspects.entry(mail.id.clone()).or_default() += 1;
            }
            if let [mail] = mails
                && self
                    .suspects
                    .get(&mail.id)
                    .is_some_and(|times| *times > NONSENSE)
            {
                let place = place(folder_name(self.folder), &mail.id);
                take_unreadable(
                    &mut self.store.lock(),
                    self.club,
                    &place,
                    &error.to_string(),
                )?;
            }
        }
        Err(error.into())
    }
}

/// Mails of a listing that are not taken in yet. A Maildir has no cursor: what stays in it is known by its name.
fn unknown(store: &mut Store, folder: &str, mails: Vec<Listed>) -> Result<Vec<Listed>> {
    store.read(|tx| {
        let mut unknown = Vec::new();
        for mail in mails {
            let known =
                matches!(mail.id, Id::File(_)) && tx.knows_entry(folder, &mail.id.to_string())?;
            if !known {
                unknown.push(mail);
            }
        }
        Ok(unknown)
    })
}

fn take_batch(
    store: &mut Store,
    club: &Club,
    folder: Folder,
    batch: Batch,
    too_large: Option<u64>,
    careful: bool,
) -> Result<u32> {
    let name = folder_name(folder);
    for (id, reason) in &batch.unreadable {
        tracing::warn!("The mail {id} cannot be had from the mailbox: {reason}");
        take_unreadable(store, club, &place(name, id), reason)?;
    }
    let mut taken = 0;
    for mail in &batch.mails {
        let found = Found {
            raw: &mail.raw,
            arrived: mail.arrived.unwrap_or_else(clock::now),
            too_large,
            junk: folder == Folder::Junk,
            place: place(name, &mail.id),
        };
        if let Some(verdict) = take_in(store, club, &found, careful, clock::now())? {
            tracing::info!(
                "Mail {} is {}{}",
                mail.id,
                verdict.state.word(),
                why(&verdict.reason)
            );
            taken += 1;
        }
    }
    Ok(taken)
}

/// Moves mails that are taken in to where done mails lie; it is repeated after a crash.
async fn put_away(mailbox: &mut Mailbox, folder: Folder, store: &Shared) -> Result<(), Trouble> {
    let name = folder_name(folder);
    loop {
        let keys = store.lock().read(|tx| tx.entries_to_file(name))?;
        if keys.is_empty() {
            return Ok(());
        }
        let ids: Vec<Id> = keys.iter().filter_map(|key| key.parse().ok()).collect();
        mailbox.done(&ids).await?;
        store
            .lock()
            .write(|tx| tx.forget_entries(name, &keys))
            .context("Mails that are put away are not forgotten")?;
    }
}

fn is_older_than(mail: &Listed, club: &Club) -> bool {
    mail.arrived
        .is_some_and(|arrived: DateTime<Utc>| arrived + TimeDelta::days(1) < club.created)
}

fn place(folder: &'static str, id: &Id) -> Place {
    let cursor = match id {
        Id::Uid { validity, uid, .. } => Some(Cursor {
            uidvalidity: *validity,
            uid: *uid,
        }),
        Id::File(_) => None,
    };
    Place {
        folder,
        key: id.to_string(),
        cursor,
    }
}

fn folder_name(folder: Folder) -> &'static str {
    match folder {
        Folder::Inbox => "inbox",
        Folder::Junk => "junk",
    }
}

fn why(reason: &str) -> String {
    if reason.is_empty() {
        String::new()
    } else {
        format!(" ({reason})")
    }
}
