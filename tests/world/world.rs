//! The world outside the daemon: a calendar of what happens, one event after the other, on tokio's paused clock.
//!
//! Knows mails, letters and the machine; refuses to judge: that is `invariants`. Between events the clock jumps, as it
//! does for a machine that was suspended; around them it runs second by second.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use dvonn_post::mail::Digest;
use tokio::time::{Instant, advance, sleep_until};

use super::book::Book;
use super::boxes::{INBOX, JUNK};
use super::chance::Chance;
use super::clock::Clock;
use super::disk;
use super::faults::Fault;
use super::invariants::Seen;
use super::letters::{Letter, Person};
use super::log::Log;
use super::machine::Machine;
use super::net::Net;
use super::plan::Plan;
use super::ports;
use super::servers::Mood;

/// Something that happens.
#[derive(Clone, Debug)]
pub enum Event {
    /// A mail is put into a folder of the club's.
    Arrives {
        mail: usize,
        raw: Arc<[u8]>,
        place: Where,
    },
    /// Somebody reads a letter.
    Reads(usize),
    /// Somebody looks whether a game hangs.
    Looks(usize),
    Fault(Fault),
    /// The daemon is started.
    Starts,
    /// The servers are well again.
    Cheers,
    /// The disk takes everything again.
    Heals,
    /// Nothing goes wrong any more.
    Calms,
    Ends,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    Inbox,
    Junk,
}

/// A mail to the club.
#[derive(Clone, Debug)]
pub struct Mail {
    pub from: String,
    /// As it left its writer.
    pub text: String,
    /// Game and serial of the letter that it answers.
    pub state: Option<(u32, u32)>,
    /// The moves that it asks for.
    pub moves: Vec<String>,
    pub resigns: bool,
    /// No person wrote it, and nobody may be answered.
    pub robot: bool,
}

/// The world.
pub struct World {
    pub plan: Plan,
    pub clock: Clock,
    pub net: Net,
    pub machine: Machine,
    pub book: Book,
    pub log: Log,
    pub seen: Seen,
    pub people: Vec<Person>,
    pub letters: Vec<Letter>,
    pub mails: Vec<Mail>,
    /// What lay in the club's folders at any time, with its INTERNALDATE.
    pub delivered: Vec<(usize, Arc<[u8]>, DateTime<Utc>)>,
    /// States that somebody answered.
    pub answered: BTreeSet<(u32, u32, usize)>,
    pub chance: Chance,
    pub troubles: Chance,
    pub is_calm: bool,
    pub disk_is_full: bool,
    /// Something that cannot be, found while people act.
    pub broken: Option<String>,
    pub calendar: BTreeMap<(u64, u64), Event>,
    pub entries: u64,
    pub posted: usize,
    pub over: bool,
}

impl World {
    pub fn note(&self, line: impl std::fmt::Display) {
        self.net.lock().servers.note(line);
    }

    /// Puts an event into the calendar.
    pub fn later(&mut self, wait: Duration, event: Event) {
        let at = u64::try_from((self.clock.age() + wait).as_millis()).unwrap();
        self.entries += 1;
        self.calendar.insert((at, self.entries), event);
    }

    /// Lives through the whole calendar; an error is a broken invariant.
    pub async fn live(&mut self) -> Result<(), String> {
        while !self.over {
            let left = self.until_next();
            if left.is_zero() {
                let Some((_, event)) = self.calendar.pop_first() else {
                    return Err("the calendar is empty before the end".to_owned());
                };
                self.happens(event).await?;
            } else {
                // What comes of the time that passes may be due before what was due next.
                self.pass(left).await?;
            }
            self.check()?;
        }
        self.check_at_the_end()
    }

    /// Lets time pass, at most that long: a little of it second by second, the rest in jumps.
    async fn pass(&mut self, most: Duration) -> Result<(), String> {
        const JUMP: Duration = Duration::from_secs(6 * 3600);
        let closely = Duration::from_secs(match self.troubles.below(200) {
            0 => 900,
            1..12 => 80,
            _ => 2,
        });
        self.watch(closely.min(most)).await?;
        let rest = self.until_next().min(JUMP);
        if most > closely && !rest.is_zero() {
            advance(rest).await;
            self.watch(Duration::ZERO).await?;
        }
        Ok(())
    }

    /// How long it is until the next event.
    fn until_next(&self) -> Duration {
        let next = self.calendar.first_key_value();
        let at = next.map_or(0, |((at, _), _)| *at);
        Duration::from_millis(at).saturating_sub(self.clock.age())
    }

    /// Lets the daemon live second by second.
    async fn watch(&mut self, span: Duration) -> Result<(), String> {
        let until = Instant::now() + span;
        let killed = ports::killed();
        loop {
            tokio::select! {
                biased;
                () = killed.notified() => {
                    if ports::is_dead() {
                        self.dies().await;
                    }
                }
                () = sleep_until(until) => break,
            }
        }
        for _ in 0..8 {
            tokio::task::yield_now().await;
        }
        if ports::is_dead() && self.machine.runs() {
            self.dies().await;
        }
        if let Some(said) = self.machine.ended().await {
            self.note(format_args!("the daemon ended by itself: {said}"));
            self.later(Duration::from_secs(60), Event::Starts);
            if self.disk_is_full {
                return Ok(());
            }
            return Err(format!("the daemon ended by itself: {said}"));
        }
        self.collect();
        Ok(())
    }

    async fn dies(&mut self) {
        self.note(format_args!(
            "the daemon dies at port call {}",
            ports::count()
        ));
        self.machine.bury().await;
        if self.plan.power || self.plan.faults > 0 && self.troubles.happens(400) {
            self.book.close();
            let changed = disk::power_cut(self.troubles.next());
            self.note(format_args!(
                "the power was cut: {changed} files are not as they were"
            ));
            self.book = Book::open(&self.machine.database());
        }
        let down = match self.troubles.below(10) {
            0 => self.troubles.within(3600, 5 * 24 * 3600),
            1 | 2 => self.troubles.within(60, 7200),
            _ => 5,
        };
        let down = if self.plan.faults == 0 { 5 } else { down };
        self.later(Duration::from_secs(down), Event::Starts);
    }

    /// Letters that the outgoing server took over since.
    fn collect(&mut self) {
        let new: Vec<_> = self.net.lock().servers.posted[self.posted..].to_vec();
        for posted in new {
            self.posted += 1;
            self.seen
                .copies
                .push((posted.to.clone(), posted.raw.clone()));
            let letter = Letter::read(&posted.to, posted.raw);
            let again = self.letters.iter().any(|known| known.id == letter.id);
            self.letters.push(letter);
            if !again {
                self.carries(self.letters.len() - 1);
            }
        }
    }

    async fn happens(&mut self, event: Event) -> Result<(), String> {
        match event {
            Event::Arrives { mail, raw, place } => self.arrives(mail, raw, place),
            Event::Reads(letter) => self.reads(letter),
            Event::Looks(who) => self.looks(who),
            Event::Fault(fault) => self.strikes(fault).await?,
            Event::Starts => {
                if !self.machine.runs() {
                    self.starts().await?;
                }
            }
            Event::Cheers => self.net.lock().servers.mood = Mood::default(),
            Event::Heals => self.heals(),
            Event::Calms => self.calms().await?,
            Event::Ends => self.over = true,
        }
        Ok(())
    }

    pub fn arrives(&mut self, mail: usize, raw: Arc<[u8]>, place: Where) {
        let now = self.clock.now();
        self.puts(mail, raw, place, now);
    }

    /// Puts a mail into a folder with that INTERNALDATE.
    pub fn puts(&mut self, mail: usize, raw: Arc<[u8]>, place: Where, arrived: DateTime<Utc>) {
        self.note(format_args!("mail {mail} arrives ({place:?})"));
        let folder = match place {
            Where::Inbox => INBOX,
            Where::Junk => JUNK,
        };
        if self.mails[mail].robot {
            self.seen
                .robots
                .insert(Digest::of(&raw).as_bytes().to_vec());
        }
        self.delivered.push((mail, raw.clone(), arrived));
        self.net.lock().servers.boxes.put(folder, raw, arrived);
        self.net.announce();
    }

    async fn starts(&mut self) -> Result<(), String> {
        self.note("the daemon starts");
        if let Err(error) = self.machine.start().await {
            self.note(format_args!("the daemon does not start: {error:#}"));
            self.later(Duration::from_secs(60), Event::Starts);
            if !self.may_fail_to_start(&error) {
                return Err(format!("the daemon does not start: {error:#}"));
            }
        }
        Ok(())
    }

    fn heals(&mut self) {
        self.disk_is_full = false;
        disk::heal();
    }

    async fn calms(&mut self) -> Result<(), String> {
        self.note("nothing goes wrong any more");
        if self.plan.faults > 0 && !ports::is_dead() {
            ports::well();
        }
        self.disk_is_full = false;
        self.is_calm = true;
        self.clock.set_wrong(0);
        self.net.lock().servers.mood = Mood::default();
        self.net.soothe();
        self.seen.at_calm = Some(
            self.book
                .games()
                .iter()
                .map(|g| (g.number, g.serial))
                .collect(),
        );
        if !self.machine.runs() {
            self.starts().await?;
        }
        for who in 0..2 {
            self.later(Duration::from_secs(600), Event::Looks(who));
        }
        Ok(())
    }
}
