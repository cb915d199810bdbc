//! What goes wrong besides the mail itself: the machine, the mailbox, the servers, and other people's programs.
//!
//! Knows what each fault does to the world; refuses to know what the daemon should make of it.

use std::time::Duration;

use chrono::TimeDelta;
use dvonn_post::daemon::Taken;

use super::boxes::{DONE, INBOX, JUNK};
use super::disk;
use super::letters::delivered;
use super::ports;
use super::servers::Mood;
use super::world::{Event, Where, World};

/// A fault.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The daemon dies at one of the next port calls.
    Kill(u64),
    /// It dies at one of the next calls to the disk.
    KillAtDisk(u64),
    /// One of the next calls to the disk fails.
    DiskError(u64),
    /// The disk takes nothing for that many seconds.
    DiskFull(disk::Trouble, u64),
    /// It is stopped, and started again after that many seconds.
    Stop(u64),
    /// The servers are in that mood for that many seconds.
    Moody(Box<Mood>, u64),
    /// The machine's clock is wrong by that many seconds.
    Clock(i64),
    /// Folders get new UIDVALIDITY and numbers.
    Renumber,
    /// Somebody else takes a mail out of the inbox, or puts a done one back.
    SecondReader,
    /// A mail from before the club is put into the inbox.
    OldMail,
    /// A mail arrives whose INTERNALDATE is wrong by that many seconds.
    WrongDate(i64),
    /// Our own letter comes back.
    OwnLetter,
    /// Somebody writes who has nothing to do with the club.
    Stranger,
    /// A bounce about some letter comes late.
    LateBounce,
    /// Somebody starts a second daemon.
    Second,
    /// The database is copied.
    Backup,
}

impl World {
    /// The faults of this world.
    pub fn draw_faults(&mut self) -> Vec<Fault> {
        let mut faults: Vec<Fault> = (0..self.plan.faults).map(|_| self.draw_fault()).collect();
        if self.plan.faults > 0 {
            faults.push(Fault::Backup);
        }
        faults
    }

    fn draw_fault(&mut self) -> Fault {
        let chance = &mut self.troubles;
        let hour = 3600;
        match chance.below(20) {
            0..3 => Fault::Kill(chance.within(1, 250)),
            3 | 16 => Fault::KillAtDisk(chance.within(1, 60)),
            17 | 18 => Fault::DiskError(chance.within(1, 40)),
            19 => {
                let trouble = *chance.pick(&[disk::Trouble::Full, disk::Trouble::ReadOnly]);
                Fault::DiskFull(trouble, chance.within(60, 10 * hour))
            }
            4 => Fault::Stop(chance.within(1, 3 * 24) * hour),
            5..8 => {
                let mood = draw_mood(chance);
                Fault::Moody(Box::new(mood), chance.within(1, 36) * hour)
            }
            8 => Fault::Clock(i64::try_from(chance.within(0, 48 * hour)).unwrap() - 24 * 3600),
            9 => Fault::Renumber,
            10 => Fault::SecondReader,
            11 => Fault::OldMail,
            12 => Fault::WrongDate(i64::try_from(chance.within(0, 60 * hour)).unwrap() - 30 * 3600),
            13 => Fault::OwnLetter,
            14 => match chance.below(3) {
                0 => Fault::Stranger,
                1 => Fault::LateBounce,
                _ => Fault::Second,
            },
            _ => Fault::Stop(chance.within(1, 120)),
        }
    }

    /// A fault strikes.
    pub async fn strikes(&mut self, fault: Fault) -> Result<(), String> {
        if self.is_calm {
            return Ok(());
        }
        self.note(format_args!("FAULT {fault:?}"));
        let now = self.clock.now();
        match fault {
            Fault::Kill(calls) => ports::kill_at(ports::count() + calls),
            Fault::KillAtDisk(at) => disk::plan(disk::Plan::Die { at }),
            Fault::DiskError(at) => disk::plan(disk::Plan::Fail {
                at,
                trouble: disk::Trouble::Io,
                lasting: false,
            }),
            Fault::DiskFull(trouble, span) => {
                self.disk_is_full = true;
                disk::plan(disk::Plan::Fail {
                    at: 1,
                    trouble,
                    lasting: true,
                });
                self.later(Duration::from_secs(span), Event::Heals);
            }
            Fault::Stop(down) => {
                if let Err(error) = self.machine.stop().await {
                    return Err(format!("the daemon does not stop well: {error:#}"));
                }
                self.later(Duration::from_secs(down), Event::Starts);
            }
            Fault::Moody(mood, span) => {
                self.net.lock().servers.mood = *mood;
                self.later(Duration::from_secs(span), Event::Cheers);
            }
            Fault::Clock(wrong) => self.clock.set_wrong(wrong),
            Fault::Renumber => {
                let boxes = &mut self.net.lock().servers.boxes;
                for name in [INBOX, JUNK, DONE] {
                    boxes.renumber(name);
                }
            }
            Fault::SecondReader => self.second_reader(),
            Fault::OldMail => {
                let text = self.people[0].fresh(self.mails.len(), "old", "resign", now);
                let id = self.machine_writes("anna@anna.example", text, "older than the club");
                let raw = delivered(&self.mails[id].text, Some("pass"), 0);
                self.puts(id, raw, Where::Inbox, now - TimeDelta::days(40));
            }
            Fault::WrongDate(wrong) => {
                let who = usize::try_from(self.troubles.below(2)).unwrap();
                let text = self.people[who].fresh(self.mails.len(), "hello", "list", now);
                let from = self.people[who].address.clone();
                let id = self.machine_writes(&from, text, "one with a wrong date");
                let raw = delivered(&self.mails[id].text, Some("pass"), 0);
                self.puts(id, raw, Where::Inbox, now + TimeDelta::seconds(wrong));
            }
            Fault::OwnLetter => {
                if let Some(letter) = self.letters.last() {
                    let text = String::from_utf8(letter.raw.to_vec()).unwrap();
                    let id =
                        self.machine_writes(super::letters::CLUB, text.clone(), "our own letter");
                    self.arrives(id, delivered(&text, None, 7), Where::Inbox);
                }
            }
            Fault::Stranger => {
                let stranger = super::letters::Person::new("Zoe");
                let body = *self.troubles.pick(&["Buy cheap watches.", "join", "b3-c3"]);
                let text = stranger.fresh(self.mails.len(), "hello", body, now);
                let id = self.machine_writes(&stranger.address, text, "a stranger's");
                self.arrives(
                    id,
                    delivered(&self.mails[id].text.clone(), Some("pass"), 0),
                    Where::Inbox,
                );
            }
            Fault::LateBounce => {
                if let Some(letter) = self.letters.first().cloned() {
                    let text = super::letters::bounce(self.mails.len(), &letter, now);
                    let id = self.machine_writes(
                        "mailer-daemon@mx.world.example",
                        text,
                        "a late bounce",
                    );
                    self.arrives(
                        id,
                        delivered(&self.mails[id].text.clone(), None, 0),
                        Where::Inbox,
                    );
                }
            }
            Fault::Second => self.second_daemon()?,
            Fault::Backup => {
                if !ports::is_dead() && !self.machine.backup().exists() {
                    self.book.copy_to(&self.machine.backup());
                }
            }
        }
        Ok(())
    }

    fn second_reader(&mut self) {
        let boxes = &mut self.net.lock().servers.boxes;
        boxes.create("Elsewhere", 1);
        let last = |name: &str, boxes: &super::boxes::Boxes| {
            boxes
                .get(name)
                .and_then(|folder| folder.mails.last().map(|mail| mail.uid))
        };
        if let Some(uid) = last(INBOX, boxes) {
            boxes.copy(INBOX, &[uid], "Elsewhere");
            boxes.expunge(INBOX, |mail| mail.uid == uid);
        } else if let Some(uid) = last(DONE, boxes) {
            boxes.copy(DONE, &[uid], INBOX);
        }
    }

    fn second_daemon(&mut self) -> Result<(), String> {
        if !self.machine.runs() {
            return Ok(());
        }
        match self.machine.open(&self.machine.database()) {
            Err(error) if error.is::<Taken>() => Ok(()),
            Err(error) => Err(format!("a second daemon is refused, but so: {error:#}")),
            Ok(_) => Err("two daemons serve one club".to_owned()),
        }
    }

    /// Whether that is a reason for which a daemon may not start.
    pub fn may_fail_to_start(&self, error: &anyhow::Error) -> bool {
        self.disk_is_full || dvonn_post::store::is_of_the_disk(error)
    }
}

fn draw_mood(chance: &mut super::chance::Chance) -> Mood {
    let mut mood = Mood::default();
    for _ in 0..chance.within(1, 3) {
        match chance.below(13) {
            0 => mood.refused = chance.within(100, 1000),
            1 | 2 => mood.broken = chance.within(100, 900),
            3 => mood.slow = chance.within(100, 1000),
            4 => mood.no = chance.within(20, 400),
            5 => mood.bye = chance.within(10, 200),
            6 => mood.login_refused = true,
            7 => mood.later = chance.within(100, 1000),
            12 => mood.refuses = chance.within(50, 500),
            8 => mood.closing = chance.within(20, 300),
            9 | 10 => mood.lost_250 = chance.within(100, 1000),
            _ if chance.happens(500) => mood.limit = true,
            _ => mood.greylisting = true,
        }
    }
    mood
}
