//! What becomes of letters: by the answers of servers, the limits of the club, and the clock. No player is needed.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used
)]

#[path = "common/peer.rs"]
#[allow(dead_code, unreachable_pub)]
mod peer;

#[path = "sending/answers.rs"]
mod answers;
#[path = "sending/limits.rs"]
mod limits;
#[path = "sending/rest.rs"]
mod rest;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use dvonn_post::club::desk::Customs;
use dvonn_post::daemon::{Club, Daemon, Limits, Outside, Settings, open_club};
use dvonn_post::dvonn::Setup;
use dvonn_post::mail::address::Address;
use dvonn_post::store::{Letter, Nature, OutboxRow, Store};
use dvonn_post::wire::{WayIn, WayOut};
use tempfile::TempDir;

/// A club whose clock is the test's.
struct World {
    folder: TempDir,
    now: Arc<Mutex<DateTime<Utc>>>,
    limits: Limits,
}

impl World {
    fn new() -> World {
        World {
            folder: tempfile::tempdir().unwrap(),
            now: Arc::new(Mutex::new("2026-12-02T09:00:00Z".parse().unwrap())),
            limits: Limits {
                mail_size: 5 << 20,
                answers_per_hour: 30,
                strangers_per_day: 100,
                mails_per_hour: None,
                mails_per_day: None,
            },
        }
    }

    fn now(&self) -> DateTime<Utc> {
        *self.now.lock().unwrap()
    }

    /// The wall clock is set.
    fn step(&self, by: TimeDelta) {
        *self.now.lock().unwrap() += by;
    }

    /// Time passes, on every clock.
    async fn pass(&self, by: TimeDelta) {
        tokio::time::pause();
        tokio::time::advance(by.to_std().unwrap()).await;
        tokio::time::resume();
        self.step(by);
    }

    /// No chance at all: every wait is what it is called.
    fn outside(&self) -> Outside {
        let now = self.now.clone();
        Outside::new(move || *now.lock().unwrap(), || Ok([128; 32]))
    }

    fn settings(&self) -> Settings {
        let address = Address::parse("dvonn@club.example").unwrap();
        Settings {
            name: "Test Club".to_owned(),
            admin: Address::parse("admin@club.example").unwrap(),
            language: "en".to_owned(),
            timezone: "UTC".to_owned(),
            plus_addressing: false,
            trusted_authserv: Vec::new(),
            customs: Customs {
                setup: Setup::Place,
                games_per_player: 0,
                own_addresses: vec![address.key()],
            },
            limits: self.limits.clone(),
            poll: Duration::from_secs(60),
            address,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn store(&self) -> Store {
        Store::open(&self.path("club.sqlite")).unwrap()
    }

    fn club(&self) -> Club {
        open_club(&mut self.store(), self.settings(), self.outside()).unwrap()
    }

    /// A daemon that sends that way.
    fn daemon(&self, way_out: &WayOut) -> Daemon {
        let way_in = WayIn::Maildir(self.path("in"));
        for part in ["tmp", "new", "cur"] {
            std::fs::create_dir_all(self.path("in").join(part)).unwrap();
        }
        let path: &Path = &self.path("club.sqlite");
        Daemon::open(self.settings(), self.outside(), path, way_in, way_out).unwrap()
    }

    /// Puts a letter into the outbox.
    fn post(&self, recipient: &str, game: Option<u32>, unproven: bool) -> i64 {
        let now = self.now();
        self.store()
            .write(|tx| {
                let number = tx.next_letter()?;
                tx.post(
                    &Letter {
                        message_id: format!("letter.L{number}@club.example"),
                        sender: None,
                        recipient: recipient.to_owned(),
                        game,
                        answers: None,
                        unproven,
                        nature: Nature::Plain,
                        text: String::new(),
                        bytes: b"Subject: x\r\n\r\nbody\r\n".to_vec(),
                    },
                    now,
                )
            })
            .unwrap()
    }

    fn row(&self, letter: i64) -> OutboxRow {
        let rows = self.store().read(|tx| tx.outbox()).unwrap();
        rows.into_iter().find(|row| row.id == letter).unwrap()
    }

    /// Recipients of letters in that state, in the order the letters were made.
    fn recipients(&self, state: &str) -> Vec<String> {
        let rows = self.store().read(|tx| tx.outbox()).unwrap();
        rows.into_iter()
            .filter(|row| row.word() == state)
            .map(|row| row.recipient)
            .collect()
    }
}
