//! A club on a paused clock: its sky, its mailbox in memory, its letters in Maildirs, and the daemon between them.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Result;
use chrono::{DateTime, TimeDelta, Utc};
use dvonn_post::club::desk::Customs;
use dvonn_post::daemon::{Daemon, Limits, Outside, Settings};
use dvonn_post::dvonn::Setup;
use dvonn_post::mail::address::Address;
use dvonn_post::wire::{ImapSettings, Login, Network, Password, Security, WayIn, WayOut};
use rusqlite::types::FromSql;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::club::{ADDRESS, ADMIN, add_member, mail};
use crate::server::Server;

pub const ANNA: &str = "anna@example.org";
pub const EVA: &str = "eva@example.net";
pub const DAY: i64 = 24 * 3600;

/// The right time, and a wall clock beside it.
#[derive(Clone)]
pub struct Sky {
    off: Arc<AtomicI64>,
    start: Instant,
}

impl Sky {
    pub fn new() -> Sky {
        Sky {
            off: Arc::default(),
            start: Instant::now(),
        }
    }

    pub fn right(&self) -> DateTime<Utc> {
        let start: DateTime<Utc> = "2026-12-01T08:00:00Z".parse().unwrap();
        start + TimeDelta::from_std(self.start.elapsed()).unwrap()
    }

    /// Sets the wall clock so many seconds beside the right time.
    pub fn set(&self, off: i64) {
        self.off.store(off, Ordering::SeqCst);
    }

    fn wall(&self) -> DateTime<Utc> {
        self.right() + TimeDelta::seconds(self.off.load(Ordering::SeqCst))
    }
}

pub struct Stage {
    pub folder: tempfile::TempDir,
    pub sky: Sky,
    pub server: Server,
    mails: AtomicU64,
    chance: Arc<AtomicU64>,
}

/// A daemon at work.
pub struct Running {
    stop: oneshot::Sender<()>,
    pub task: JoinHandle<Result<()>>,
}

impl Running {
    /// Stops it well.
    pub async fn stop(self) {
        self.stop.send(()).unwrap();
        self.task.await.unwrap().unwrap();
    }

    /// Kills it.
    pub async fn kill(self) {
        self.task.abort();
        let _ = self.task.await;
        // Its loops are a task of their own, which goes with it.
        settle().await;
    }
}

/// Lets all that can happen without time happen.
async fn settle() {
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
}

pub async fn minutes(minutes: u64) {
    tokio::time::sleep(Duration::from_secs(60 * minutes)).await;
}

impl Stage {
    /// A club with Anna as its member.
    pub fn new() -> Stage {
        let sky = Sky::new();
        let stage = Stage {
            folder: tempfile::tempdir().unwrap(),
            server: Server::new(&sky),
            sky,
            mails: AtomicU64::new(0),
            chance: Arc::default(),
        };
        let mut store = dvonn_post::store::Store::open(&stage.database_file()).unwrap();
        add_member(&mut store, "Anna", ANNA);
        stage
    }

    pub fn database_file(&self) -> PathBuf {
        self.folder.path().join("club.sqlite")
    }

    pub fn daemon(&self) -> Result<Daemon> {
        self.daemon_of(&self.database_file())
    }

    /// A daemon with another database at the same mailbox.
    pub fn daemon_of(&self, database: &std::path::Path) -> Result<Daemon> {
        let address = Address::parse(ADDRESS).unwrap();
        let settings = Settings {
            name: "Test Club".to_owned(),
            admin: Address::parse(ADMIN).unwrap(),
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
            poll: Duration::from_secs(60),
            address,
        };
        let (sky, chance) = (self.sky.clone(), self.chance.clone());
        let outside = Outside::new(
            move || sky.wall(),
            move || {
                let mut bytes = [7; 32];
                let number = chance.fetch_add(1, Ordering::SeqCst);
                bytes[..8].copy_from_slice(&number.to_be_bytes());
                Ok(bytes)
            },
        );
        let way_in = WayIn::Imap(ImapSettings {
            server: dvonn_post::wire::Server {
                host: "imap.example".to_owned(),
                port: 143,
                security: Security::None,
                ca_file: None,
                network: Network::Other(Arc::new(self.server.clone())),
            },
            login: Login {
                user: "club".to_owned(),
                password: Password("secret".to_owned()),
            },
            mailbox: "INBOX".to_owned(),
            junk_mailbox: None,
            done_mailbox: "Done".to_owned(),
            idle: true,
            timeout: Duration::from_secs(60),
        });
        let way_out = WayOut::Maildir(self.folder.path().join("out"));
        Daemon::open(settings, outside, database, way_in, &way_out)
    }

    pub fn run(&self) -> Running {
        self.run_of(self.daemon().unwrap())
    }

    pub fn run_of(&self, daemon: Daemon) -> Running {
        let (stop, stopped) = oneshot::channel();
        let stopped = async {
            let _ = stopped.await;
        };
        let task = tokio::spawn(async move { daemon.run(stopped, || {}).await });
        Running { stop, task }
    }

    /// A mail of somebody, proven where the address is at example.org.
    pub fn mail(&self, from: &str, body: &str) -> String {
        let number = self.mails.fetch_add(1, Ordering::SeqCst);
        mail(from, &format!("m{number}@example.org"), body)
    }

    pub fn writes(&self, from: &str, body: &str) -> u32 {
        self.server.deliver(&self.mail(from, body))
    }

    /// How many letters somebody got.
    pub fn letters(&self, to: &str) -> usize {
        let folder = self.folder.path().join("out").join(to).join("new");
        std::fs::read_dir(folder).map_or(0, Iterator::count)
    }

    /// Waits for so many letters, by the paused clock.
    pub async fn letters_come(&self, to: &str, count: usize) {
        let start = Instant::now();
        while self.letters(to) < count {
            assert!(
                start.elapsed() < Duration::from_secs(600),
                "{to} has {} letters",
                self.letters(to)
            );
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        assert_eq!(self.letters(to), count, "{to}");
    }

    pub fn database(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.database_file()).unwrap()
    }

    pub fn value<T: FromSql>(&self, sql: &str) -> T {
        self.database()
            .query_row(sql, [], |row| row.get(0))
            .unwrap()
    }

    /// A letter to Ben that waits; due so many seconds from the right now.
    pub fn letter_waits(&self, due: i64) {
        let now = self.sky.right().timestamp();
        self.database()
            .execute(
                "INSERT INTO outbox (message_id, sender, recipient, text, bytes, made_at, next_at, state)
                 VALUES ('w@club.example', 'dvonn@club.example', 'ben@example.org', '', x'41', ?1, ?2, 'waiting')",
                [now, now + due],
            )
            .unwrap();
    }
}
