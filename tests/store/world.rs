//! A club without a program around it: mails go straight into the daemon's one transaction, at times that the test says
//! and with numbers that only look like chance, so that a run can be repeated to the last byte.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::{DateTime, Utc};
use dvonn_post::club::desk::Customs;
use dvonn_post::club::player::PlayerId;
use dvonn_post::daemon::{Club, Limits, Mail, Outside, Settings, Verdict, open_club, process};
use dvonn_post::dvonn::Setup;
use dvonn_post::mail::{Address, Digest};
use dvonn_post::store::{Arrival, Store};
use rusqlite::Connection;

use crate::club::{ADDRESS, ADMIN, add_member};

pub(crate) struct World {
    folder: tempfile::TempDir,
    pub(crate) store: Store,
    pub(crate) club: Club,
    drawn: Cell<u8>,
}

impl World {
    /// A club that began at that time.
    pub(crate) fn new(began: DateTime<Utc>) -> World {
        // Memory where there is some to be had as a disk: thousands of commits need not wait for a real one.
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() {
            tempfile::tempdir_in(memory).unwrap()
        } else {
            tempfile::tempdir().unwrap()
        };
        let mut store = Store::open(&folder.path().join("club.sqlite")).unwrap();
        store.write(|tx| tx.club(began, &[7; 32])).unwrap();
        let club = open_club(&mut store, settings(), Outside::system()).unwrap();
        World {
            folder,
            store,
            club,
            drawn: Cell::new(0),
        }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("club.sqlite")
    }

    pub(crate) fn database(&self) -> Connection {
        Connection::open(self.path()).unwrap()
    }

    pub(crate) fn join(&mut self, name: &str, address: &str) -> PlayerId {
        add_member(&mut self.store, name, address)
    }

    /// Takes a mail in; nothing if it is known.
    pub(crate) fn receive(&mut self, raw: &[u8], at: DateTime<Utc>) -> Option<Verdict> {
        let (club, drawn) = (&self.club, &self.drawn);
        let digest = Digest::of(raw);
        let arrival = Arrival {
            digest: digest.as_bytes(),
            arrived: at,
            raw: Some(raw),
            junk: false,
            cut: false,
        };
        self.store
            .write(|tx| {
                let Some(inbox) = tx.take_in(&arrival, at)? else {
                    return Ok(None);
                };
                let mail = Mail {
                    inbox,
                    raw,
                    digest: *digest.as_bytes(),
                    arrived: at,
                    too_large: None,
                    junk: false,
                };
                let chance = || {
                    drawn.set(drawn.get().wrapping_add(1));
                    [drawn.get(); 32]
                };
                let verdict = process(tx, club, mail, at, &chance)?;
                tx.conclude(inbox, &verdict.sender, verdict.state, &verdict.reason, true)?;
                Ok(Some(verdict))
            })
            .unwrap()
    }
}

pub(crate) fn settings() -> Settings {
    let address = Address::parse(ADDRESS).unwrap();
    Settings {
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
        address,
        limits: Limits {
            mail_size: 5 << 20,
            answers_per_hour: 30,
            strangers_per_day: 100,
            mails_per_hour: None,
            mails_per_day: None,
        },
        poll: Duration::from_secs(60),
    }
}
