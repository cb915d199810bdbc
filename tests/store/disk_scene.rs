//! A few weeks of a club, step by step: mails, letters that go out, restarts; and a daemon that can begin at any step, on
//! the very files that lay there then.
//!
//! Moments and secrets are the scene's, so that the same step always leaves the same database. Knows nothing of trouble.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use anyhow::Result;
use chrono::{DateTime, TimeDelta, Utc};
use dvonn_post::daemon::{Club, Found, Outside, Place, open_club, take_in, take_waiting};
use dvonn_post::mail::Digest;
use dvonn_post::store::{Arrival, Cursor, Outcome, Store};
use rusqlite::Connection;

use crate::club::{Chance, add_member, game_where, insert_game, mail};
use crate::dump::{dump, fingerprint};
use crate::world::settings;

pub(crate) const ANNA: &str = "anna@example.org";
pub(crate) const BEN: &str = "ben@example.org";
const DORA: &str = "dora@example.org";

/// First moment of the scene.
const BEGAN: i64 = 1_796_000_000;

/// Seconds from one step to the next.
const STEP: i64 = 600;

/// What a try after trouble may leave otherwise: the count of tries, and what hangs on it; and the number of a mail, one
/// of which is used up by each copy.
const OF_TRIES: [&str; 11] = [
    "entries.inbox",
    "held.inbox",
    "inbox.attempts",
    "inbox.id",
    "outbox.answers",
    "outbox.attempts",
    "outbox.next_at",
    "outbox.result",
    "outbox.sent_at",
    "outbox.state",
    "outbox.uncertain",
];

/// What the daemon does at one time.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Takes in a mail that it found in the mailbox.
    Mail(String),
    /// Is handed a mail by `deliver`, and takes it in.
    Deliver(String),
    /// Sends what is due.
    Send,
    /// Moves the log into the database.
    Checkpoint,
    /// Ends and begins again.
    Restart,
}

/// A moment between two steps.
pub(crate) struct Moment {
    /// The database and its log.
    files: [Vec<u8>; 2],
    pub(crate) dump: String,
    pub(crate) print: BTreeMap<String, u64>,
    server: Server,
}

/// The scene: `moments[n]` is before `steps[n]`, and the last one is its end.
pub(crate) struct Scene {
    pub(crate) steps: Vec<Step>,
    pub(crate) moments: Vec<Moment>,
}

/// The server that takes the letters, and what it knows of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Server {
    /// How often each letter was handed over, and its bytes.
    pub(crate) seen: BTreeMap<i64, (u32, Vec<u8>)>,
    /// Letters that it took, as the database was told with success.
    pub(crate) noted: Vec<i64>,
}

pub(crate) struct Daemon {
    folder: tempfile::TempDir,
    running: Option<(Store, Club)>,
    clock: Arc<AtomicI64>,
    pub(crate) server: Server,
}

impl Daemon {
    fn new(server: Server) -> Daemon {
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() {
            tempfile::tempdir_in(memory)
        } else {
            tempfile::tempdir()
        };
        Daemon {
            folder: folder.unwrap(),
            running: None,
            clock: Arc::new(AtomicI64::new(BEGAN)),
            server,
        }
    }

    /// A daemon that begins at a moment of the scene.
    pub(crate) fn at(moment: &Moment) -> Daemon {
        let mut daemon = Daemon::new(moment.server.clone());
        fs::write(daemon.path(), &moment.files[0]).unwrap();
        fs::write(daemon.log(), &moment.files[1]).unwrap();
        daemon.begin().unwrap();
        daemon
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("club.sqlite")
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("club.sqlite-wal")
    }

    fn now(&self) -> DateTime<Utc> {
        DateTime::from_timestamp(self.clock.load(Ordering::Relaxed), 0).unwrap()
    }

    /// Opens the database, as the program does at its start.
    pub(crate) fn begin(&mut self) -> Result<()> {
        let mut store = Store::open(&self.path())?;
        let clock = self.clock.clone();
        let outside = Outside::new(
            move || DateTime::from_timestamp(clock.load(Ordering::Relaxed), 0).unwrap(),
            || Ok([7; 32]),
        );
        let club = open_club(&mut store, settings(), outside)?;
        self.running = Some((store, club));
        Ok(())
    }

    /// Ends, in whatever way the disk lets it end.
    pub(crate) fn end(&mut self) {
        self.running = None;
    }

    pub(crate) fn database(&self) -> Connection {
        Connection::open(self.path()).unwrap()
    }

    /// What [`Daemon::dump`] comes to.
    pub(crate) fn print(&self) -> BTreeMap<String, u64> {
        fingerprint(&self.database(), &OF_TRIES)
    }

    pub(crate) fn dump(&self) -> String {
        dump(&self.database(), &OF_TRIES)
    }

    /// Does one step; `again`: it was tried before.
    pub(crate) fn act(&mut self, scene: &[Step], index: usize, again: bool) -> Result<()> {
        let number = i64::try_from(index).unwrap();
        self.clock.store(BEGAN + STEP * number, Ordering::Relaxed);
        if self.running.is_none() {
            self.begin()?;
        }
        match &scene[index] {
            Step::Mail(raw) => self.take_in(raw, u32::try_from(index).unwrap()),
            Step::Deliver(raw) => self.deliver(raw, again),
            Step::Send => {
                // Letters that were claimed in vain are due after a minute.
                let later = if again { STEP / 2 } else { 0 };
                self.clock.fetch_add(later, Ordering::Relaxed);
                self.send()
            }
            Step::Checkpoint => {
                let database = Connection::open(self.path())?;
                Ok(database.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?)
            }
            Step::Restart => {
                self.end();
                self.begin()
            }
        }
    }

    fn take_in(&mut self, raw: &str, uid: u32) -> Result<()> {
        let now = self.now();
        let (store, club) = self.running.as_mut().unwrap();
        let found = Found {
            raw: raw.as_bytes(),
            arrived: now,
            too_large: None,
            junk: false,
            place: Place {
                folder: "inbox",
                key: format!("9:{uid}"),
                cursor: Some(Cursor {
                    uidvalidity: 9,
                    uid,
                }),
            },
        };
        take_in(store, club, &found, false, now).map(|_| ())
    }

    fn deliver(&mut self, raw: &str, again: bool) -> Result<()> {
        let now = self.now();
        let (store, club) = self.running.as_mut().unwrap();
        let digest = Digest::of(raw.as_bytes());
        let arrival = Arrival {
            digest: digest.as_bytes(),
            arrived: now,
            raw: Some(raw.as_bytes()),
            junk: false,
            cut: false,
        };
        store.write(|tx| tx.take_in(&arrival, now))?;
        take_waiting(store, club, again).map(|_| ())
    }

    /// Claims and hands over until nothing is due. Every third letter the server takes only when it sees it again.
    fn send(&mut self) -> Result<()> {
        let now = self.now();
        let (store, _) = self.running.as_mut().unwrap();
        loop {
            let next = |_| now + TimeDelta::minutes(1);
            let claimed = store.write(|tx| tx.claim(now, &[], 4, 16, next))?;
            if claimed.is_empty() {
                return Ok(());
            }
            for letter in claimed {
                let seen = self
                    .server
                    .seen
                    .entry(letter.id)
                    .or_insert((0, letter.bytes.clone()));
                assert_eq!(seen.1, letter.bytes, "letter {} changed", letter.id);
                seen.0 += 1;
                let outcome = if seen.0 == 1 && letter.id % 3 == 0 {
                    Outcome::Again {
                        at: now + TimeDelta::minutes(1),
                        uncertain: false,
                    }
                } else {
                    Outcome::Sent
                };
                store.write(|tx| tx.tried(letter.id, &outcome, "", now))?;
                if outcome == Outcome::Sent {
                    self.server.noted.push(letter.id);
                }
            }
        }
    }

    fn moment(&self) -> Moment {
        let (dump, print) = (self.dump(), self.print());
        let read = |path| fs::read(path).unwrap_or_default();
        Moment {
            files: [read(self.path()), read(self.log())],
            dump,
            print,
            server: self.server.clone(),
        }
    }
}

/// Plays the scene without trouble.
pub(crate) fn scene() -> Scene {
    let mut daemon = Daemon::new(Server::default());
    let mut author = Author(Chance(0xd15c));
    daemon.begin().unwrap();
    {
        let (store, _) = daemon.running.as_mut().unwrap();
        let began = DateTime::from_timestamp(BEGAN, 0).unwrap();
        let anna = add_member(store, "Anna", ANNA);
        let ben = add_member(store, "Ben", BEN);
        for number in [12, 14] {
            let game = game_where(&["a1-b1"]);
            insert_game(store, number, (anna, ben), &game, began);
        }
    }
    let mut scene = Scene {
        steps: Vec::new(),
        moments: vec![daemon.moment()],
    };
    for written in 0..40 {
        let mut next = vec![author.step(&mut daemon, written)];
        next.extend((written % 4 == 3).then_some(Step::Send));
        next.extend((written % 16 == 7).then_some(Step::Checkpoint));
        next.extend((written % 16 == 13).then_some(Step::Restart));
        for step in next {
            scene.steps.push(step);
            daemon
                .act(&scene.steps, scene.steps.len() - 1, false)
                .unwrap();
            scene.moments.push(daemon.moment());
        }
    }
    // What the server put off is sent in a last round.
    scene.steps.push(Step::Send);
    daemon
        .act(&scene.steps, scene.steps.len() - 1, false)
        .unwrap();
    scene.moments.push(daemon.moment());
    scene
}

/// Makes up the mails, fitting what the club has come to.
struct Author(Chance);

impl Author {
    fn step(&mut self, daemon: &mut Daemon, written: usize) -> Step {
        let id = format!("{written}@example.org");
        let fresh = |from: &str, body: &str| Step::Mail(mail(from, &id, body));
        match written {
            2 => fresh(ANNA, "challenge Ben white setup random"),
            4 => fresh(BEN, "accept 15"),
            7 => Step::Deliver(mail(ANNA, &id, "list\nplayers")),
            11 => fresh(DORA, "join"),
            14 => Step::Mail(self.answer(daemon, DORA, &id, "yes")),
            17 => fresh(BEN, "zzz"),
            20 => fresh(
                ANNA,
                "12: say Hello there.\nopen setup symmetric\nname Annabel",
            ),
            23 => fresh(BEN, "challenge nobody@example.org"),
            26 => fresh(DORA, "accept 16"),
            30 => Step::Mail(
                mail(ANNA, &id, "list").replace("Subject", "Auto-Submitted: auto-replied\nSubject"),
            ),
            34 => fresh(BEN, "14: resign"),
            38 => fresh(ANNA, "stop"),
            39 => Step::Mail(self.answer(daemon, ANNA, &id, "yes")),
            _ => self.play(daemon, &id, written),
        }
    }

    /// A legal move of whoever is to move in a game, as a fresh mail or in answer to a letter.
    fn play(&mut self, daemon: &mut Daemon, id: &str, written: usize) -> Step {
        let (store, _) = daemon.running.as_mut().unwrap();
        let games: Vec<_> = [12, 14, 15]
            .into_iter()
            .filter_map(|number| store.read(|tx| tx.game(number)).unwrap())
            .filter(|game| game.turn().is_some())
            .collect();
        let game = &games[self.0.below(games.len())];
        let player = game.seat(game.turn().unwrap()).player;
        let from = store.read(|tx| tx.player(player)).unwrap().address;
        let legal: Vec<_> = game.position.legal_moves().collect();
        let chosen = legal[self.0.below(legal.len())];
        let raw = mail(
            &from,
            id,
            &format!("{}: {chosen}\n\nYour turn.", game.number),
        );
        if written % 9 == 5 {
            Step::Deliver(raw)
        } else {
            Step::Mail(raw)
        }
    }

    /// An answer to the latest letter to somebody.
    fn answer(&self, daemon: &Daemon, from: &str, id: &str, body: &str) -> String {
        let letter: String = daemon
            .database()
            .query_row(
                "SELECT message_id FROM outbox WHERE recipient = ?1 ORDER BY id DESC LIMIT 1",
                [from],
                |row| row.get(0),
            )
            .unwrap();
        mail(from, id, body).replace(
            "Subject: dvonn",
            &format!("Subject: Re: dvonn\nIn-Reply-To: <{letter}>"),
        )
    }
}
