//! The intake: looks at the mailbox, takes in what is new, puts away what is done, and waits.
//!
//! Polling is the truth; IDLE only shortens the wait (IN-08). After any error the connection is dropped and made anew.

use std::collections::BTreeMap;

use super::arrival::{self, Order};
use super::filing::put_away;
use super::places::{folder_name, unknown};
use super::quota::Quota;
use super::settings::Club;
use super::taking::{Found, Place, take_in, take_unreadable};
use super::watch::{Rival, Watch};
use super::{Shared, disk, trouble};
use crate::club::notice::Ailment;
use crate::store::Loop;
use crate::wire::{
    self, BATCH_BYTES, Batch, Fetched, Folder, Id, Kind, Listed, Mailbox, Part, WayIn, WireError,
    batches,
};
use anyhow::Result;

/// The mailbox and the connection to it.
#[derive(Debug)]
pub struct Intake {
    way: WayIn,
    mailbox: Option<Mailbox>,
    /// The last run ended uncleanly: tries are counted before mails are looked at, until one round went well.
    careful: bool,
    /// Mails that were asked for when the server answered with nonsense, and how often: one of them may be to blame.
    suspects: BTreeMap<Id, u32>,
    /// Sees to it that no other daemon reads the same mailbox.
    watch: Option<Watch>,
    quota: Quota,
}

/// Nonsense in answer to one mail alone, after which it is set aside (IN-06).
const NONSENSE: u32 = 3;

/// Why a round ended early.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// The mailbox.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// The disk is nearly full: nothing is taken in.
    #[error("{0}")]
    NoRoom(String),
    /// Ours: the database, most likely.
    #[error("{0:#}")]
    Fault(#[from] anyhow::Error),
    /// Another daemon reads the mailbox.
    #[error(transparent)]
    Rival(Rival),
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
            watch: None,
            quota: Quota::default(),
        }
    }

    /// Lets the mailbox be watched for other daemons; until it is found to be ours, no letter is sent.
    pub(super) fn guard(&mut self, watch: Watch) {
        self.watch = Some(watch);
    }

    /// Takes in all that is new, and puts away what is done. Gives the number of mails taken in.
    ///
    /// # Errors
    /// The mailbox or the database; what was committed before stays.
    pub async fn round(&mut self, store: &Shared, club: &Club) -> Result<u32, Trouble> {
        let outcome = self.try_round(store, club).await;
        match &outcome {
            Ok(_) => self.careful = false,
            Err(Trouble::Rival(_)) => store.let_send(false),
            Err(_) => {
                self.mailbox = None;
                if self.watch.as_ref().is_some_and(Watch::is_at_home) {
                    store.let_send(true);
                }
            }
        }
        outcome
    }

    async fn try_round(&mut self, store: &Shared, club: &Club) -> Result<u32, Trouble> {
        if let Some(shortage) = disk::gate(&store.lock(), club) {
            return Err(Trouble::NoRoom(shortage));
        }
        if self.mailbox.is_none() {
            self.mailbox = Some(Mailbox::connect(&self.way).await?);
        }
        let Some(mailbox) = &mut self.mailbox else {
            return Ok(0);
        };
        if let Some(watch) = &mut self.watch {
            watch.look(mailbox, store, club).await?;
        }
        store.let_send(true);
        // What arrived before this moment is read once the round is over.
        let started = club.outside.now();
        self.quota.look(mailbox, store, club).await?;
        let mut taken = 0;
        let mut is_behind = false;
        let mut latest = Vec::new();
        let folders = mailbox.folders();
        let mut reader = Reader {
            mailbox,
            store,
            club,
            careful: self.careful,
            suspects: &mut self.suspects,
            behind: false,
            order: Order::default(),
        };
        if store.lock().read(|tx| tx.must_reread())? {
            taken += reader.reread().await?;
            is_behind |= reader.behind;
        }
        for folder in folders {
            reader.behind = false;
            taken += reader.read(*folder).await?;
            is_behind |= reader.behind;
            latest.extend(reader.order.news().map(|at| (folder_name(*folder), at)));
            match put_away(reader.mailbox, *folder, store).await {
                // What cannot be put away for want of room stays where it lies; the mail goes on.
                Err(Trouble::Wire(error)) if error.kind() == Kind::Full => {
                    self.quota.is_full(&error, store, club)?;
                }
                outcome => outcome?,
            }
        }
        if !is_behind {
            self.suspects.clear();
        }
        store.lock().write(|tx| {
            for (folder, at) in &latest {
                tx.set_latest_arrival(folder, *at)?;
            }
            tx.beat(Loop::Poll, started)?;
            trouble::well(tx, club, Ailment::Room, started)?;
            trouble::well(tx, club, Ailment::Mailbox, started)
        })?;
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

    /// Takes the mark out of the mailbox, so that another daemon need not wait for it to grow old.
    pub(super) async fn withdraw(self) {
        let Some(watch) = &self.watch else {
            return self.close().await;
        };
        if let Some(mut mailbox) = self.mailbox
            && watch.withdraw(&mut mailbox).await.is_ok()
        {
            return mailbox.close().await;
        }
        // Whatever the connection was doing was cut off: a new one is in a known state.
        if let Ok(mut mailbox) = Mailbox::connect(&self.way).await {
            let _ = watch.withdraw(&mut mailbox).await;
            mailbox.close().await;
        }
    }

    /// Says good-bye.
    pub async fn close(self) {
        if let Some(mailbox) = self.mailbox {
            mailbox.close().await;
        }
    }
}

/// The folders being read.
pub(super) struct Reader<'a> {
    pub mailbox: &'a mut Mailbox,
    pub store: &'a Shared,
    pub club: &'a Club,
    careful: bool,
    suspects: &'a mut BTreeMap<Id, u32>,
    /// A mail could not be had in this round: what comes after it is noted by name, and the cursor stays.
    pub behind: bool,
    /// What is known of arrivals in this folder.
    pub order: Order,
}

impl Reader<'_> {
    async fn read(&mut self, folder: Folder) -> Result<u32, Trouble> {
        let name = folder_name(folder);
        let known = self.store.lock().read(|tx| tx.cursor(name))?;
        let cursor = known.map(|cursor| wire::Cursor {
            validity: cursor.uidvalidity,
            uid: cursor.uid,
        });
        let listing = self.mailbox.list(folder, cursor).await?;
        self.order = Order::after(
            self.store
                .lock()
                .read(|tx| tx.latest_arrival(name, listing.validity))?,
        );
        let (new, old): (Vec<Listed>, Vec<Listed>) =
            unknown(&mut self.store.lock(), listing.mails)?
                .into_iter()
                .partition(|mail| !self.is_before_the_club(mail));
        self.pass_over(&old, new.is_empty())?;
        self.take_all(&new, Place::of).await
    }

    /// Whether a mail lay here before the club.
    pub(super) fn is_before_the_club(&self, mail: &Listed) -> bool {
        mail.arrived
            .is_some_and(|arrived| self.club.is_younger_than(arrived))
    }

    /// Fetches and takes in mails, in that order.
    pub(super) async fn take_all(
        &mut self,
        new: &[Listed],
        place: fn(&Id) -> Place,
    ) -> Result<u32, Trouble> {
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
                    let fetched = self.fetch(piece, too_large, place).await?;
                    taken += self.take_batch(piece, fetched, too_large, place)?;
                }
            }
        }
        Ok(taken)
    }

    /// Mail that lay here before the club is not even downloaded.
    fn pass_over(&self, old: &[Listed], nothing_new: bool) -> Result<()> {
        match old.last() {
            Some(last) if nothing_new => {
                let place = Place::of(&last.id);
                self.store.lock().write(|tx| place.pass(tx))
            }
            _ => Ok(()),
        }
    }

    /// Takes in what a fetch brought, in the order of the listing. A mail that cannot be had is tried in later rounds
    /// before it is set aside; meanwhile the cursor stays in front of it (IN-06).
    fn take_batch(
        &mut self,
        asked: &[Listed],
        batch: Batch,
        too_large: Option<u64>,
        place: fn(&Id) -> Place,
    ) -> Result<u32> {
        let mut mails: BTreeMap<Id, std::result::Result<Fetched, String>> = batch
            .unreadable
            .into_iter()
            .map(|(id, reason)| (id, Err(reason)))
            .collect();
        mails.extend(
            batch
                .mails
                .into_iter()
                .map(|mail| (mail.id.clone(), Ok(mail))),
        );
        let mut taken = 0;
        for id in asked.iter().map(|mail| &mail.id) {
            // Somebody else may have taken it away.
            let Some(mail) = mails.remove(id) else {
                continue;
            };
            let mut place = place(id);
            place.cursor = place.cursor.filter(|_| !self.behind);
            match mail {
                Ok(mail) => taken += self.take_one(&mail, place, too_large)?,
                Err(reason) if self.is_beyond_hope(id) => {
                    tracing::warn!("The mail {id} cannot be had from the mailbox: {reason}");
                    take_unreadable(&mut self.store.lock(), self.club, &place, &reason)?;
                }
                Err(reason) => {
                    tracing::warn!("The mail {id} cannot be had just now: {reason}");
                    self.behind = true;
                }
            }
        }
        Ok(taken)
    }

    fn take_one(&mut self, mail: &Fetched, place: Place, too_large: Option<u64>) -> Result<u32> {
        let now = self.club.outside.now();
        let (arrived, doubt) = self.order.judge(&mail.id, mail.arrived, now);
        let found = Found {
            raw: &mail.raw,
            arrived,
            too_large,
            junk: mail.id.folder() == Folder::Junk,
            place,
        };
        let verdict = take_in(&mut self.store.lock(), self.club, &found, self.careful, now)?;
        if let Some(doubt) = &doubt {
            arrival::note(
                &mut self.store.lock(),
                &mail.raw,
                &mail.id.to_string(),
                doubt,
            )?;
        }
        if let Some(verdict) = &verdict {
            let why = if verdict.reason.is_empty() {
                String::new()
            } else {
                format!(" ({})", verdict.reason)
            };
            tracing::info!("Mail {} is {}{why}", mail.id, verdict.state.word());
        }
        Ok(u32::from(verdict.is_some()))
    }

    /// Counts a failure to get that mail; says whether there were enough of them.
    fn is_beyond_hope(&mut self, id: &Id) -> bool {
        let times = self.suspects.entry(id.clone()).or_default();
        *times += 1;
        *times > NONSENSE
    }

    async fn fetch(
        &mut self,
        mails: &[Listed],
        too_large: Option<u64>,
        place: fn(&Id) -> Place,
    ) -> Result<Batch, Trouble> {
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
            let hopeless: Vec<bool> = mails
                .iter()
                .map(|mail| self.is_beyond_hope(&mail.id))
                .collect();
            if let ([mail], [true]) = (mails, hopeless.as_slice()) {
                let place = place(&mail.id);
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
