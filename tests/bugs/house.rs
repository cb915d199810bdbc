//! A club at the provider of the test: the whole daemon, on a clock that is wound on whenever all wait.
//!
//! Knows how to start, watch and stop it; refuses to know what is tested.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use dvonn_post::club::desk::Customs;
use dvonn_post::club::player::{Player, PlayerId};
use dvonn_post::daemon::{Daemon, Limits, Outside, Settings};
use dvonn_post::dvonn::Setup;
use dvonn_post::mail::address::Address;
use dvonn_post::store::Store;
use dvonn_post::wire::{
    ImapSettings, Login, Network, Password, Security, Server, SmtpSettings, WayIn, WayOut,
};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::office::{IMAP, Office};

/// How long a server may take for an answer, as by default.
pub const LIMIT: Duration = Duration::from_secs(60);

/// How often the mailbox is looked at, as by default.
pub const POLL: Duration = Duration::from_secs(60);

/// What is not back to work after this hangs.
pub const PROMPT: Duration = Duration::from_secs(90);

/// The moment on the clock of the test, which stands while anybody works.
pub fn now() -> DateTime<Utc> {
    thread_local! {
        // Every test has a runtime, and so a clock, of its own.
        static START: OnceLock<Instant> = const { OnceLock::new() };
    }
    let start = START.with(|start| *start.get_or_init(Instant::now));
    let passed = TimeDelta::from_std(start.elapsed()).unwrap();
    "2026-12-01T08:00:00Z".parse::<DateTime<Utc>>().unwrap() + passed
}

/// A club that is served.
pub struct House {
    folder: TempDir,
    ready: Arc<AtomicBool>,
    stop: oneshot::Sender<()>,
    daemon: JoinHandle<anyhow::Result<()>>,
}

/// A provider with an empty mailbox.
pub fn office() -> Office {
    Office::open(now)
}

/// A mail to the club.
pub fn mail(from: &str, text: &str) -> Vec<u8> {
    format!(
        "From: {from}\r\nTo: club@club.example\r\nMessage-ID: <1.{from}>\r\nSubject: hello\r\n\r\n{text}\r\n"
    )
    .into_bytes()
}

/// The settings of the club.
pub fn settings() -> Settings {
    let address = Address::parse("club@club.example").unwrap();
    Settings {
        name: "Test Club".to_owned(),
        admin: Address::parse("admin@club.example").unwrap(),
        language: "en".to_owned(),
        timezone: "UTC".to_owned(),
        plus_addressing: false,
        trusted_authserv: vec!["mx.club.example".to_owned()],
        customs: Customs {
            setup: Setup::Place,
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
        poll: POLL,
        address,
    }
}

impl House {
    /// Opens the club, with these members, and waits until it is ready.
    pub async fn with(office: &Office, members: &[&str]) -> House {
        let house = House::begin(office, members);
        house
            .until(PROMPT, "the daemon is ready", || {
                house.ready.load(Ordering::SeqCst)
            })
            .await;
        house
    }

    /// Opens the club without members, and waits until it is ready.
    pub async fn open(office: &Office) -> House {
        House::with(office, &[]).await
    }

    /// Opens the club.
    pub fn begin(office: &Office, members: &[&str]) -> House {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("club.sqlite");
        let outside = Outside::new(now, || Ok([7; 32]));
        for name in members {
            let player = Player {
                id: PlayerId(0),
                name: (*name).to_owned(),
                address: format!("{}@pbem.test", name.to_lowercase()),
                language: "en".to_owned(),
                timezone: "UTC".to_owned(),
                joined: now(),
                stopped: false,
            };
            let mut store = Store::open(&path).unwrap();
            store.write(|tx| tx.add_player(player)).unwrap();
        }
        let server = |port| Server {
            host: "provider.example".to_owned(),
            port,
            security: Security::None,
            ca_file: None,
            network: Network::Other(Arc::new(office.clone())),
        };
        let login = || Login {
            user: "club".to_owned(),
            password: Password("secret".to_owned()),
        };
        let way_in = WayIn::Imap(ImapSettings {
            server: server(IMAP),
            login: login(),
            mailbox: "INBOX".to_owned(),
            junk_mailbox: None,
            done_mailbox: "Done".to_owned(),
            idle: true,
            timeout: LIMIT,
        });
        let way_out = WayOut::Smtp(SmtpSettings {
            server: server(587),
            login: Some(login()),
            timeout: LIMIT,
            after_dot: LIMIT * 10,
            connections: 4,
        });
        let daemon = Daemon::open(settings(), outside, &path, way_in, &way_out).unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let ready = Arc::new(AtomicBool::new(false));
        let told = ready.clone();
        let stopped = async {
            // Dropping the house stops it as well.
            let _ = stopped.await;
        };
        let daemon = tokio::spawn(daemon.run(stopped, move || told.store(true, Ordering::SeqCst)));
        House {
            folder,
            ready,
            stop,
            daemon,
        }
    }

    /// Lets time pass until something is so. Gives the time that it took.
    pub async fn until(&self, limit: Duration, what: &str, is: impl Fn() -> bool) -> Duration {
        let start = Instant::now();
        while !is() {
            assert!(start.elapsed() < limit, "not within {limit:?}: {what}");
            assert!(!self.daemon.is_finished(), "the daemon has ended");
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        start.elapsed()
    }

    /// The club's database.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("club.sqlite")
    }

    /// How the mails that were taken in stand.
    pub fn states(&self) -> Vec<String> {
        let database = rusqlite::Connection::open(self.path()).unwrap();
        let mut rows = database
            .prepare("SELECT state FROM inbox ORDER BY id")
            .unwrap();
        rows.query_map([], |row| row.get(0))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap()
    }

    /// Stops the daemon, which must end well and soon.
    pub async fn close(self) {
        self.stop.send(()).unwrap();
        tokio::time::timeout(Duration::from_secs(10), self.daemon)
            .await
            .expect("the daemon does not end")
            .unwrap()
            .unwrap();
    }
}
