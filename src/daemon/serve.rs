//! The daemon at work: intake, sender, pipe and warden side by side, until it is told to stop.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Result;
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep, timeout};

use super::backoff::Backoff;
use super::clock::Outside;
use super::intake::{Intake, Trouble};
use super::lease::Lease;
use super::sender::Sender;
use super::settings::{Club, Settings};
use super::taking::take_waiting;
use super::warden;
use crate::mail::token::Secret;
use crate::store::{Loop, Store};
use crate::wire::{Kind, Postman, WayIn, WayOut};

/// How often the daemon looks for mails that `deliver` stored and letters that others made.
const TICK: Duration = Duration::from_secs(1);

/// How often the warden looks, and mails that failed are tried again.
const WARDEN: Duration = Duration::from_secs(60);

/// How long the loops may take to end once they are told to.
const LAST_WORDS: Duration = Duration::from_secs(8);

/// A loop that gave no sign for longer hangs, and systemd is not told that all is well.
const HANGS: Duration = Duration::from_secs(15 * 60);

/// The database, shared by the loops. A transaction takes a millisecond, so they wait for each other in place.
#[derive(Clone, Debug)]
pub struct Shared(Arc<Mutex<Store>>);

impl Shared {
    /// The store, once nobody else uses it.
    pub fn lock(&self) -> MutexGuard<'_, Store> {
        // A panic inside a transaction rolled it back; the store itself is well.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A club that is ready to work.
#[derive(Debug)]
pub struct Daemon {
    store: Shared,
    club: Arc<Club>,
    lease: Lease,
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
        let lease = Lease::take(path)?;
        let mut store = Store::open(path)?;
        if lease.unclean {
            store.write(|tx| tx.release_claims(outside.now()))?;
        }
        let club = Arc::new(open_club(&mut store, settings, outside)?);
        let intake = Intake::new(way_in, lease.unclean);
        let sender = Sender::new(Postman::new(way_out));
        Ok(Daemon {
            store: Shared(Arc::new(Mutex::new(store))),
            club,
            lease,
            intake,
            sender,
        })
    }

    /// Takes in all that waits, acts, sends what is due, and ends. Says whether all of it went well.
    ///
    /// # Errors
    /// The database.
    pub async fn once(mut self) -> Result<bool> {
        let well = self.round().await?;
        self.store
            .lock()
            .write(|tx| tx.beat(Loop::Once, self.club.outside.now()))?;
        self.intake.close().await;
        self.sender.postman().close().await;
        self.lease.give_back()?;
        Ok(well)
    }

    /// Takes in all that waits, acts, and sends what is due. Says whether all of it went well.
    ///
    /// # Errors
    /// The database.
    pub async fn round(&mut self) -> Result<bool> {
        let mut well = match self.intake.round(&self.store, &self.club).await {
            Ok(_) => true,
            Err(trouble) => {
                note_trouble(&self.store, Loop::Poll, &trouble.to_string())?;
                tracing::warn!("{trouble}");
                false
            }
        };
        take_waiting(&mut self.store.lock(), &self.club, false)?;
        take_waiting(&mut self.store.lock(), &self.club, true)?;
        watch(&mut self.store.lock(), &self.club)?;
        self.sender.round(&self.store, &self.club, &|| {}).await?;
        let (waiting, _, _) = self.store.lock().read(|tx| tx.queue())?;
        well &= waiting == 0;
        Ok(well)
    }

    /// Runs the loops until `stop`; `ready` is called once, when mailbox and way out have both answered.
    ///
    /// # Errors
    /// A loop ended by a fault of ours that cannot be waited out.
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
        let others = ticking(self.store, self.club, wake, signs, ready, ended);
        let mut loops = tokio::spawn(async move { tokio::join!(way_out, way_in, others) });
        tokio::select! {
            biased;
            () = stop => {}
            ended = &mut loops => {
                ended?;
                anyhow::bail!("The loops ended without being told to");
            }
        }
        tracing::info!("Stopping");
        ends.send_replace(true);
        if timeout(LAST_WORDS, &mut loops).await.is_err() {
            // A claimed letter is tried again at the next start, an uncommitted mail is read again.
            loops.abort();
        }
        self.lease.give_back()
    }
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

/// Signs of life of the two loops that speak with servers.
#[derive(Debug, Default)]
struct Signs {
    polled: Mutex<Option<Instant>>,
    sent: Mutex<Option<Instant>>,
    mailbox_answered: std::sync::atomic::AtomicBool,
    server_answered: std::sync::atomic::AtomicBool,
}

impl Signs {
    fn note(which: &Mutex<Option<Instant>>) {
        *which.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    fn are_fresh(&self) -> bool {
        [&self.polled, &self.sent].into_iter().all(|which| {
            which
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .is_none_or(|at| at.elapsed() < HANGS)
        })
    }

    fn are_ready(&self) -> bool {
        use std::sync::atomic::Ordering::Relaxed;
        self.mailbox_answered.load(Relaxed) && self.server_answered.load(Relaxed)
    }
}

async fn taking(
    mut intake: Intake,
    store: Shared,
    club: Arc<Club>,
    wake: Arc<Notify>,
    signs: Arc<Signs>,
    mut ended: watch::Receiver<bool>,
) {
    let mut backoff = Backoff::default();
    while !*ended.borrow() {
        Signs::note(&signs.polled);
        let work = async {
            match intake.round(&store, &club).await {
                Ok(taken) => {
                    signs
                        .mailbox_answered
                        .store(true, std::sync::atomic::Ordering::Relaxed);
                    backoff.reset();
                    if taken > 0 {
                        wake.notify_one();
                    }
                    // A connection that ends while it waits is made anew at once; trouble shows in the next round.
                    if let Err(error) = intake.wait(club.settings.poll).await {
                        tracing::info!("{error}");
                        sleep(TICK).await;
                    }
                }
                Err(trouble) => {
                    wake.notify_one();
                    let refused = matches!(&trouble, Trouble::Wire(error) if error.kind() == Kind::Credentials);
                    let wait = backoff.next(refused, &club.outside);
                    tracing::warn!(
                        "{trouble}; the mailbox is tried again in {} s",
                        wait.as_secs()
                    );
                    if let Err(fault) = note_trouble(&store, Loop::Poll, &trouble.to_string()) {
                        tracing::error!("{fault:#}");
                    }
                    sleep(wait).await;
                }
            }
        };
        tokio::select! {
            biased;
            () = work => {}
            _ = ended.changed() => {}
        }
    }
    let _ = timeout(Duration::from_secs(2), intake.close()).await;
}

async fn sending(
    mut sender: Sender,
    store: Shared,
    club: Arc<Club>,
    wake: Arc<Notify>,
    signs: Arc<Signs>,
    mut ended: watch::Receiver<bool>,
) {
    let mut backoff = Backoff::default();
    while !*ended.borrow()
        && !signs
            .server_answered
            .load(std::sync::atomic::Ordering::Relaxed)
    {
        Signs::note(&signs.sent);
        match sender.postman().check().await {
            Ok(_) => {
                // What was put right since the last run is no trouble any more, before any letter is due.
                if let Err(fault) = note_trouble(&store, Loop::Send, "") {
                    tracing::error!("{fault:#}");
                }
                signs
                    .server_answered
                    .store(true, std::sync::atomic::Ordering::Relaxed);
            }
            Err(error) => {
                let wait = backoff.next(error.kind() == Kind::Credentials, &club.outside);
                tracing::warn!(
                    "{error}; the way out is tried again in {} s",
                    wait.as_secs()
                );
                if let Err(fault) = note_trouble(&store, Loop::Send, &error.to_string()) {
                    tracing::error!("{fault:#}");
                }
                tokio::select! {
                    biased;
                    () = sleep(wait) => {}
                    _ = ended.changed() => {}
                }
            }
        }
    }
    while !*ended.borrow() {
        Signs::note(&signs.sent);
        // Not interrupted: a letter that is on its way gets its answer recorded.
        let wait = match sender
            .round(&store, &club, &|| Signs::note(&signs.sent))
            .await
            .and_then(|_| sender.next_round(&store))
        {
            Ok(Some(due)) => (due - club.outside.now())
                .to_std()
                .unwrap_or(Duration::ZERO)
                .clamp(TICK, WARDEN),
            Ok(None) => WARDEN,
            Err(fault) => {
                tracing::error!("Letters cannot be sent: {fault:#}");
                backoff.next(false, &club.outside)
            }
        };
        tokio::select! {
            biased;
            () = sleep(wait) => {}
            () = wake.notified() => {}
            _ = ended.changed() => {}
        }
    }
    let _ = timeout(Duration::from_secs(2), sender.postman().close()).await;
}

/// The pipe and the warden, and the signs of life for systemd.
async fn ticking(
    store: Shared,
    club: Arc<Club>,
    wake: Arc<Notify>,
    signs: Arc<Signs>,
    ready: impl Fn() + Send,
    mut ended: watch::Receiver<bool>,
) {
    let mut told_ready = false;
    let mut last_warden: Option<Instant> = None;
    while !*ended.borrow() {
        let warden_is_due = last_warden.is_none_or(|at| at.elapsed() >= WARDEN);
        if let Err(fault) = tick(&store, &club, warden_is_due) {
            tracing::error!("{fault:#}");
        }
        if warden_is_due {
            last_warden = Some(Instant::now());
        }
        if store
            .lock()
            .read(|tx| tx.next_due())
            .is_ok_and(|due| due.is_some_and(|due| due <= club.outside.now()))
        {
            wake.notify_one();
        }
        if !told_ready && signs.are_ready() {
            told_ready = true;
            tracing::info!("Ready: mailbox and way out have answered");
            ready();
        }
        if signs.are_fresh() {
            // Outside systemd there is nobody to tell, and no error.
            let _ = sd_notify::notify(&[sd_notify::NotifyState::Watchdog]);
        }
        tokio::select! {
            biased;
            () = sleep(TICK) => {}
            _ = ended.changed() => {}
        }
    }
}

fn tick(store: &Shared, club: &Club, warden_is_due: bool) -> Result<()> {
    take_waiting(&mut store.lock(), club, warden_is_due)?;
    if warden_is_due {
        watch(&mut store.lock(), club)?;
    }
    Ok(())
}

/// Lets time pass as far as the mailbox is read: what arrived in time is never judged late because the club was down.
fn watch(store: &mut Store, club: &Club) -> Result<()> {
    let settled = store.read(|tx| {
        let read = tx.heartbeat(Loop::Poll)?.and_then(|beat| beat.at);
        let waits = !tx.waiting_mails(u32::MAX, 1)?.is_empty();
        Ok(read.filter(|_| !waits))
    })?;
    match settled {
        Some(settled) => warden::round(store, club, settled),
        None => Ok(()),
    }
}

fn note_trouble(store: &Shared, which: Loop, trouble: &str) -> Result<()> {
    store.lock().write(|tx| tx.trouble(which, trouble))
}
