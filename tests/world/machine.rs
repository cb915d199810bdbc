//! The daemon's machine: it starts the real daemon on the world's network and clock, stops it, kills it, buries it.
//!
//! Knows one database file and one daemon at a time; refuses to know why it is stopped.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Result;
use dvonn_post::club::desk::Customs;
use dvonn_post::daemon::{Daemon, Limits, Outside, Settings};
use dvonn_post::dvonn::Setup;
use dvonn_post::mail::Address;
use dvonn_post::wire::{
    ImapSettings, Login, Network, Password, Security, Server, SmtpSettings, WayIn, WayOut,
};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::boxes::{DONE, INBOX, JUNK};
use super::chance::Chance;
use super::clock::Clock;
use super::letters::{ADMIN, CLUB};
use super::net::{IMAP, Net, SMTP};
use super::plan::Plan;
use super::ports;
use super::servers::{PASSWORD, USER};

/// The machine.
pub struct Machine {
    folder: tempfile::TempDir,
    clock: Clock,
    chance: Arc<Mutex<Chance>>,
    net: Net,
    poll: u64,
    idle: bool,
    running: Option<Running>,
}

struct Running {
    daemon: JoinHandle<Result<()>>,
    stop: oneshot::Sender<()>,
}

impl Machine {
    pub fn new(plan: &Plan, clock: Clock, net: Net) -> Machine {
        // Memory where there is some to be had as a disk.
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() {
            tempfile::tempdir_in(memory)
        } else {
            tempfile::tempdir()
        };
        Machine {
            folder: folder.unwrap(),
            clock,
            chance: Arc::new(Mutex::new(Chance::new(plan.seed, "daemon"))),
            net,
            poll: plan.poll,
            idle: plan.idle,
            running: None,
        }
    }

    pub fn database(&self) -> PathBuf {
        self.folder.path().join("club.sqlite")
    }

    pub fn backup(&self) -> PathBuf {
        self.folder.path().join("backup.sqlite")
    }

    pub fn runs(&self) -> bool {
        self.running.is_some()
    }

    pub fn outside(&self) -> Outside {
        let (clock, chance) = (self.clock.clone(), self.chance.clone());
        Outside::new(
            move || clock.shown(),
            move || Ok(chance.lock().unwrap().bytes()),
        )
        // However full the disk of this machine is.
        .with_room(|_| None)
    }

    /// Opens a daemon on a database of this machine.
    pub fn open(&self, path: &Path) -> Result<Daemon> {
        Daemon::open(
            settings(self.poll),
            self.outside(),
            path,
            self.way_in(),
            &self.way_out(),
        )
    }

    /// Starts the daemon.
    pub async fn start(&mut self) -> Result<()> {
        ports::revive();
        let daemon = self.open(&self.database())?;
        let (stop, stopped) = oneshot::channel();
        let stopped = async {
            // Whoever drops the sender has dropped the daemon too.
            let _ = stopped.await;
        };
        self.running = Some(Running {
            daemon: tokio::spawn(daemon.run(stopped, || {})),
            stop,
        });
        Ok(())
    }

    /// Stops it as systemd does; an error is one of its own.
    pub async fn stop(&mut self) -> Result<()> {
        let Some(Running { daemon, stop }) = self.running.take() else {
            return Ok(());
        };
        let _ = stop.send(());
        daemon.await?
    }

    /// What a daemon says that ended by itself.
    pub async fn ended(&mut self) -> Option<String> {
        let is_over = |running: &mut Running| running.daemon.is_finished();
        let Running { daemon, .. } = self.running.take_if(is_over)?;
        Some(match daemon.await {
            Ok(Ok(())) => "nothing".to_owned(),
            Ok(Err(error)) => format!("{error:#}"),
            Err(panic) => panic.to_string(),
        })
    }

    /// Ends what is left of a daemon that was killed.
    pub async fn bury(&mut self) {
        ports::kill();
        if let Some(Running { daemon, .. }) = self.running.take() {
            daemon.abort();
            let _ = daemon.await;
            // Its loops are tasks of their own, and end when they are next looked at.
            for _ in 0..20 {
                tokio::task::yield_now().await;
            }
        }
    }

    fn way_in(&self) -> WayIn {
        WayIn::Imap(ImapSettings {
            server: self.server(IMAP),
            login: login(),
            mailbox: INBOX.to_owned(),
            junk_mailbox: Some(JUNK.to_owned()),
            done_mailbox: DONE.to_owned(),
            idle: self.idle,
            timeout: Duration::from_secs(60),
        })
    }

    fn way_out(&self) -> WayOut {
        WayOut::Smtp(SmtpSettings {
            server: self.server(SMTP),
            login: Some(login()),
            timeout: Duration::from_secs(60),
            after_dot: Duration::from_secs(600),
            connections: 4,
        })
    }

    fn server(&self, host: &str) -> Server {
        Server {
            host: host.to_owned(),
            port: 1,
            security: Security::None,
            ca_file: None,
            network: Network::Other(Arc::new(self.net.clone())),
        }
    }
}

fn login() -> Login {
    Login {
        user: USER.to_owned(),
        password: Password(PASSWORD.to_owned()),
    }
}

fn settings(poll: u64) -> Settings {
    let address = Address::parse(CLUB).unwrap();
    Settings {
        name: "World Club".to_owned(),
        admin: Address::parse(ADMIN).unwrap(),
        language: "en".to_owned(),
        timezone: "UTC".to_owned(),
        plus_addressing: false,
        trusted_authserv: vec!["mx.club.example".to_owned()],
        customs: Customs {
            setup: Setup::Random,
            games_per_player: 0,
            own_addresses: vec![address.key()],
        },
        limits: Limits {
            mail_size: 5 << 20,
            answers_per_hour: 30,
            strangers_per_day: 100,
            mails_per_hour: None,
            mails_per_day: None,
        },
        poll: Duration::from_secs(poll),
        address,
    }
}
