//! The loops: the intake reads, the sender sends, the pipe and the warden tick, until they are told to end.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep, timeout};

use super::backoff::Backoff;
use super::instance::Instance;
use super::intake::{Intake, Trouble};
use super::lease::Taken;
use super::sender::Sender;
use super::settings::Club;
use super::signs::Signs;
use super::taking::take_waiting;
use super::trouble::Said;
use super::watch::RENEWAL;
use super::{Shared, disk, time, trouble};
use crate::wire::Kind;

/// How often the daemon looks for mails that `deliver` stored and letters that others made.
const TICK: Duration = Duration::from_secs(1);

/// How often the warden looks, and mails that failed are tried again.
const WARDEN: Duration = Duration::from_secs(60);

/// How long the mailbox may take to let a daemon go that ends.
const GOOD_BYE: Duration = Duration::from_secs(4);

/// Looks at the mailbox, and waits until something may have come.
pub(super) async fn taking(
    mut intake: Intake,
    store: Shared,
    club: Arc<Club>,
    wake: Arc<Notify>,
    signs: Arc<Signs>,
    mut ended: watch::Receiver<bool>,
) {
    let mut backoff = Backoff::default();
    let (mut said, mut said_of_notes) = (Said::default(), Said::default());
    while !*ended.borrow() {
        signs.polls();
        let work = async {
            match intake.round(&store, &club).await {
                Ok(taken) => {
                    let is_first = signs.mailbox_answers();
                    if said.is_over() {
                        tracing::info!("The mailbox is read again");
                    }
                    if taken > 0 || is_first {
                        wake.notify_one();
                    }
                    let limit = club.settings.poll.min(RENEWAL);
                    match intake.wait(limit).await {
                        Ok(()) => backoff.reset(),
                        // Trouble shows in the next round. A server that ends every wait is still looked at as often as
                        // one without IDLE, and no more often (IN-09).
                        Err(error) => {
                            tracing::info!("{error}");
                            sleep(backoff.next(false, &club.outside).min(limit)).await;
                        }
                    }
                }
                Err(Trouble::Rival(rival)) => {
                    signs.loses(rival.into());
                    std::future::pending::<()>().await;
                }
                Err(trouble) => {
                    wake.notify_one();
                    let refused = matches!(&trouble, Trouble::Wire(error) if error.kind() == Kind::Credentials);
                    let mut wait = backoff.next(refused, &club.outside);
                    if !matches!(trouble, Trouble::Wire(_)) {
                        // A look at our own disk annoys nobody.
                        wait = wait.min(WARDEN);
                    }
                    if said.is_news(&trouble.to_string()) {
                        tracing::warn!(
                            "{trouble}; the mailbox is tried again in {} s",
                            wait.as_secs()
                        );
                    }
                    match trouble::mailbox(&mut store.lock(), &club, &trouble) {
                        Ok(()) => drop(said_of_notes.is_over()),
                        Err(fault) if said_of_notes.is_news(&format!("{fault:#}")) => {
                            tracing::error!("{fault:#}");
                        }
                        Err(_) => {}
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
    let _ = timeout(GOOD_BYE, intake.withdraw()).await;
}

/// Hands letters over, and waits until one is due.
pub(super) async fn sending(
    mut sender: Sender,
    store: Shared,
    club: Arc<Club>,
    wake: Arc<Notify>,
    signs: Arc<Signs>,
    mut ended: watch::Receiver<bool>,
) {
    let mut backoff = Backoff::default();
    let mut said = Said::default();
    while !*ended.borrow() && !signs.has_server_answered() {
        signs.sends();
        match sender.postman().check().await {
            Ok(_) => {
                // What was put right since the last run is no trouble any more, before any letter is due.
                if let Err(fault) = trouble::way_out(&mut store.lock(), &club, None) {
                    tracing::error!("{fault:#}");
                }
                signs.server_answers();
            }
            Err(error) => {
                let wait = backoff.next(error.kind() == Kind::Credentials, &club.outside);
                if said.is_news(&error.to_string()) {
                    tracing::warn!(
                        "{error}; the way out is tried again in {} s",
                        wait.as_secs()
                    );
                }
                if let Err(fault) = trouble::way_out(&mut store.lock(), &club, Some(&error)) {
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
    if signs.has_server_answered() && said.is_over() {
        tracing::info!("The way out answers again");
    }
    while !*ended.borrow() {
        signs.sends();
        let mut is_broken = false;
        // Not interrupted: a letter that is on its way gets its answer recorded.
        let wait = match sender
            .round(&store, &club, &|| signs.sends())
            .await
            .and_then(|_| sender.next_round(&store, &club))
        {
            Ok(Some(due)) => (due - club.outside.now())
                .to_std()
                .unwrap_or(Duration::ZERO)
                .clamp(TICK, WARDEN),
            Ok(None) => WARDEN,
            Err(fault) => {
                if said.is_news(&format!("{fault:#}")) {
                    tracing::error!("Letters cannot be sent: {fault:#}");
                }
                trouble::database(&club, &fault, club.outside.now());
                is_broken = true;
                backoff.next(false, &club.outside).min(WARDEN)
            }
        };
        if !is_broken {
            backoff.reset();
            if said.is_over() {
                tracing::info!("Letters are sent again");
            }
        }
        tokio::select! {
            biased;
            () = sleep(wait) => {}
            // A broken database is not asked every second for letters that are due.
            () = wake.notified(), if !is_broken => {}
            _ = ended.changed() => {}
        }
    }
    let _ = timeout(Duration::from_secs(2), sender.postman().close()).await;
}

/// The pipe and the warden, and the signs of life for systemd.
pub(super) async fn ticking(
    store: Shared,
    club: Arc<Club>,
    me: Instance,
    wake: Arc<Notify>,
    signs: Arc<Signs>,
    ready: impl Fn() + Send,
    mut ended: watch::Receiver<bool>,
) {
    let mut told_ready = false;
    // Until the next look of the warden: what fails every second is not tried every second.
    let mut is_broken = false;
    let mut said = Said::default();
    let mut last_warden: Option<Instant> = None;
    while !*ended.borrow() {
        let warden_is_due = last_warden.is_none_or(|at| at.elapsed() >= WARDEN);
        if warden_is_due || !is_broken {
            let done = tick(&store, &club, warden_is_due);
            is_broken = done.is_err();
            match done {
                Ok(()) => drop(said.is_over()),
                Err(fault) => {
                    if said.is_news(&format!("{fault:#}")) {
                        tracing::error!("{fault:#}");
                    }
                    trouble::database(&club, &fault, club.outside.now());
                }
            }
        }
        if warden_is_due {
            last_warden = Some(Instant::now());
            match lives(&store, &club, &me) {
                Ok(None) => {}
                Ok(Some(taken)) => signs.loses(taken.into()),
                Err(fault) => tracing::error!("{fault:#}"),
            }
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
    if disk::gate(&store.lock(), club).is_none() {
        take_waiting(&mut store.lock(), club, warden_is_due)?;
    }
    time::watch_clock(store, club, warden_is_due)?;
    if warden_is_due {
        time::passes(&mut store.lock(), club)?;
    }
    Ok(())
}

/// Gives a sign of life; says who else has made the club theirs, if anybody has.
fn lives(store: &Shared, club: &Club, me: &Instance) -> Result<Option<Taken>> {
    let now = club.outside.now();
    let taken = store.lock().write(|tx| {
        if tx.owner_lives(&me.run, now)? {
            return Ok(None);
        }
        Ok(tx.owner()?.map(|owner| Taken {
            owner: format!("{} on {}", owner.process, owner.host),
        }))
    })?;
    if taken.is_some() {
        store.let_send(false);
    }
    Ok(taken)
}
