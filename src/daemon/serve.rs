//! The daemon at work: intake, sender, pipe and warden side by side, until it is told to stop.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::clock::Outside;
use super::instance::Instance;
use super::intake::{Intake, Trouble};
use super::lease::Lease;
use super::loops::{sending, taking, ticking};
use super::sender::Sender;
use super::settings::{Club, Settings};
use super::signs::Signs;
use super::taking::take_waiting;
use super::time;
use super::watch::Watch;
use super::{disk, trouble};
use crate::mail::token::Secret;
use crate::store::{Loop, Store};
use crate::wire::{Postman, WayIn, WayOut};

/// How long the loops may take to end once they are told to.
const LAST_WORDS: Duration = Duration::from_secs(8);

/// The database, shared by the loops. A transaction takes a millisecond, so they wait for each other in place.
#[derive(Clone, Debug)]
pub struct Shared {
    store: Arc<Mutex<Store>>,
    /// Whether the mailbox is known to be ours alone: before that, and never after it was lost, a letter is sent.
    ours: Arc<AtomicBool>,
}

impl Shared {
    fn new(store: Store) -> Shared {
        Shared {
            store: Arc::new(Mutex::new(store)),
            ours: Arc::new(AtomicBool::new(false)),
        }
    }

    /// The store, once nobody else uses it.
    pub fn lock(&self) -> MutexGuard<'_, Store> {
        // A panic inside a transaction rolled it back; the store itself is well.
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether letters may be sent.
    #[must_use]
    pub fn may_send(&self) -> bool {
        self.ours.load(Ordering::SeqCst)
    }

    /// Lets letters be sent, or no more.
    pub(super) fn let_send(&self, may: bool) {
        self.ours.store(may, Ordering::SeqCst);
    }
}

/// A club that is ready to work.
#[derive(Debug)]
pub struct Daemon {
    store: Shared,
    club: Arc<Club>,
    lease: Lease,
    me: Instance,
    intake: Intake,
    sender: Sender,
}

impl Daemon {
    /// Opens the club: takes the lease, opens the database, makes the secret at the first start.
    ///
    /// # Errors
    /// Another daemon has the lease ([`super::Taken`]), or the database cannot be used.
    pub fn open(
        settings: Settings,
        outside: Outside,
        path: &Path,
        way_in: WayIn,
        way_out: &WayOut,
    ) -> Result<Daemon> {
        let mut lease = Lease::take(path)?;
        if lease.unclean {
            Store::check(path)
                .with_context(|| format!("The database {} cannot be served", path.display()))?;
        }
        let me = Instance::new(path, &outside)?;
        let mut store = Store::open(path)?;
        let outside = outside.steadied(store.read(|tx| tx.last_moment())?);
        let before = store.write(|tx| lease.claim(tx, &me, outside.now()))?;
        if lease.unclean {
            store.write(|tx| tx.release_claims(outside.now()))?;
        }
        let club = Arc::new(open_club(&mut store, settings, outside)?);
        let mut intake = Intake::new(way_in, lease.unclean);
        intake.guard(Watch::new(&me, before.as_ref()));
        let sender = Sender::new(Postman::new(way_out));
        Ok(Daemon {
            store: Shared::new(store),
            club,
            lease,
            me,
            intake,
            sender,
        })
    }

    /// Takes in all that waits, acts, sends what is due, and ends. Says whether all of it went well.
    ///
    /// # Errors
    /// The database.
    pub async fn once(mut self) -> Result<bool> {
        let outcome = self.round().await;
        if let Err(fault) = &outcome {
            trouble::database(&self.club, fault, self.club.outside.now());
        }
        self.club.outside.alarm().finish();
        let well = outcome?;
        self.store
            .lock()
            .write(|tx| tx.beat(Loop::Once, self.club.outside.now()))?;
        // The mark stays: between two rounds by cron the mailbox is ours no less.
        self.intake.close().await;
        self.sender.postman().close().await;
        give_back(self.lease, &self.store, &self.me)?;
        Ok(well)
    }

    /// Takes in all that waits, acts, and sends what is due. Says whether all of it went well.
    ///
    /// # Errors
    /// The database; another daemon reads the mailbox ([`super::Rival`]).
    pub async fn round(&mut self) -> Result<bool> {
        let mut well = match self.intake.round(&self.store, &self.club).await {
            Ok(_) => true,
            Err(Trouble::Rival(rival)) => return Err(rival.into()),
            Err(trouble) => {
                trouble::mailbox(&mut self.store.lock(), &self.club, &trouble)?;
                tracing::warn!("{trouble}");
                false
            }
        };
        if disk::gate(&self.store.lock(), &self.club).is_none() {
            take_waiting(&mut self.store.lock(), &self.club, false)?;
            take_waiting(&mut self.store.lock(), &self.club, true)?;
        }
        time::watch_clock(&self.store, &self.club, true)?;
        time::passes(&mut self.store.lock(), &self.club)?;
        self.sender.round(&self.store, &self.club, &|| {}).await?;
        let (waiting, _, _) = self.store.lock().read(|tx| tx.queue())?;
        well &= waiting == 0;
        Ok(well)
    }

    /// Runs the loops until `stop`; `ready` is called once, when mailbox and way out have both answered.
    ///
    /// # Errors
    /// Another daemon serves this club or reads its mailbox ([`super::Taken`], [`super::Rival`]); or a loop ended by a
    /// fault of ours that cannot be waited out.
    pub async fn run(
        self,
        stop: impl Future<Output = ()>,
        ready: impl Fn() + Send + 'static,
    ) -> Result<()> {
        let (ends, ended) = watch::channel(false);
        let signs = Arc::new(Signs::default());
        let wake = Arc::new(Notify::new());
        let way_out = sending(
            self.sender,
            self.store.clone(),
            self.club.clone(),
            wake.clone(),
            signs.clone(),
            ended.clone(),
        );
        let way_in = taking(
            self.intake,
            self.store.clone(),
            self.club.clone(),
            wake.clone(),
            signs.clone(),
            ended.clone(),
        );
        let others = ticking(
            self.store.clone(),
            self.club,
            self.me.clone(),
            wake,
            signs.clone(),
            ready,
            ended,
        );
        // A set ends what is in it when it is dropped: no loop goes on without the lease.
        let mut loops = JoinSet::new();
        loops.spawn(async move { tokio::join!(way_out, way_in, others) });
        let lost = tokio::select! {
            biased;
            () = stop => None,
            why = signs.lost() => Some(why),
            ended = loops.join_next() => {
                ended.transpose()?;
                anyhow::bail!("The loops ended without being told to");
            }
        };
        tracing::info!("Stopping");
        ends.send_replace(true);
        // A claimed letter is tried again at the next start, an uncommitted mail is read again.
        let _ = timeout(LAST_WORDS, loops.join_next()).await;
        loops.shutdown().await;
        give_back(self.lease, &self.store, &self.me)?;
        lost.map_or(Ok(()), Err)
    }
}

/// Ends the ownership after a clean stop. Where the disk does not keep that, the next start is a careful one, and no more:
/// it is no reason to end badly.
fn give_back(lease: Lease, store: &Shared, me: &Instance) -> Result<()> {
    if let Err(fault) = store.lock().write(|tx| tx.owner_ends(&me.run)) {
        tracing::warn!("The end of this run cannot be noted: {fault:#}");
    }
    lease.give_back()
}

/// The club's row of the database; it is made at the first start.
///
/// # Errors
/// The database.
pub fn open_club(store: &mut Store, settings: Settings, outside: Outside) -> Result<Club> {
    let (now, new_secret) = (outside.now(), outside.chance()?);
    let (secret, created) = store.write(|tx| tx.club(now, &new_secret))?;
    Ok(Club {
        settings,
        secret: Secret::new(&secret),
        created,
        outside,
    })
}
