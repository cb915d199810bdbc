//! One daemon a mailbox: a mark that lies in it, renewed as long as its writer lives (G-07, B18).
//!
//! The lease keeps two daemons from one database. This keeps two databases, or a database and its copy, from one mailbox,
//! where each mail would be answered twice. It knows what a mark says; how it lies in the mailbox is for the floor below.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use tokio::time::Instant;

use super::Shared;
use super::instance::Instance;
use super::intake::Trouble;
use super::settings::Club;
use crate::store::Owner;
use crate::wire::{MARK, Mailbox, Mark, WireError};

/// How often the mailbox is looked at for marks, and ours renewed.
pub(super) const RENEWAL: Duration = Duration::from_secs(10 * 60);

/// A mark of ours that is younger needs no renewal yet.
const FRESH: TimeDelta = TimeDelta::minutes(9);

/// A mark that is older was left by a daemon that is gone.
const STALE: TimeDelta = TimeDelta::minutes(30);

/// A mark from further in the future was dated by a clock that nobody goes by any more.
const AHEAD: TimeDelta = TimeDelta::hours(25);

/// Another daemon reads the same mailbox, with another database or a copy of this one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "another dvonn-post (process {process} on {host}, club {club:?}) reads this mailbox already; stop it, or wait 30 minutes if it is gone"
)]
pub struct Rival {
    /// Its machine.
    pub host: String,
    /// Its process there.
    pub process: String,
    /// The name of its club.
    pub club: String,
}

/// What a mark says.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Inscription {
    run: String,
    host: String,
    process: String,
    home: String,
    club: String,
}

/// Looks for marks of others, and renews ours.
#[derive(Debug)]
pub(super) struct Watch {
    me: Instance,
    /// Runs of this database whose marks may lie in the mailbox still.
    before: Vec<String>,
    at_home: bool,
    looked: Option<(Instant, DateTime<Utc>)>,
    /// The mailbox does not take marks, and that was said.
    warned: bool,
}

impl Watch {
    /// A watch for a run; `before` is the run that owned the database until now.
    pub(super) fn new(me: &Instance, before: Option<&Owner>) -> Watch {
        let here = before.filter(|owner| owner.host == me.host && owner.home == me.home);
        Watch {
            me: me.clone(),
            before: here
                .map(|owner| vec![owner.marked.clone(), owner.marked_before.clone()])
                .unwrap_or_default(),
            at_home: here.is_some(),
            looked: None,
            warned: false,
        }
    }

    /// Whether the last run had the same database at the same place: then it was no other daemon's, whatever the mailbox
    /// says when it can be looked at.
    pub(super) fn is_at_home(&self) -> bool {
        self.at_home
    }

    /// Looks whether another daemon reads the mailbox, and renews the mark, as often as that is due.
    ///
    /// # Errors
    /// Another daemon's mark; anything that ends a connection; the database.
    pub(super) async fn look(
        &mut self,
        mailbox: &mut Mailbox,
        store: &Shared,
        club: &Club,
    ) -> Result<(), Trouble> {
        let now = club.outside.now();
        // The machine may have slept, which one of the two clocks does not count.
        let is_due = self.looked.is_none_or(|(at, then)| {
            at.elapsed() >= RENEWAL || (now - then).abs().to_std().unwrap_or(RENEWAL) >= RENEWAL
        });
        if !is_due {
            return Ok(());
        }
        let found = mailbox.marks().await?;
        self.refuse_rivals(&found, now)?;
        let (ours, _) = self.sort(&found);
        let is_fresh = |mark: &&Mark| now - stamp(mark, now) < FRESH;
        if !ours.iter().any(is_fresh) {
            let replaced = ours.last().and_then(|mark| Inscription::read(&mark.text));
            let replaced = replaced.map_or_else(String::new, |mark| mark.run);
            // First here, so that a crash leaves no mark in the mailbox that this database does not know.
            store
                .lock()
                .write(|tx| tx.note_mark(&self.me.run, &replaced))?;
            match mailbox.mark(&self.note(club, now)).await? {
                Some(why) => self.warn(&why),
                None => {
                    if self.looked.is_none() {
                        self.yield_to_the_first(mailbox, now).await?;
                    }
                    mailbox.unmark(&ours).await?;
                }
            }
        }
        self.looked = Some((Instant::now(), now));
        Ok(())
    }

    /// Of two daemons that start at once each may have looked before the other's mark was there: who came second goes.
    async fn yield_to_the_first(
        &self,
        mailbox: &mut Mailbox,
        now: DateTime<Utc>,
    ) -> Result<(), Trouble> {
        let found = mailbox.marks().await?;
        let first = found
            .iter()
            .take_while(|mark| !self.is_by_me(mark))
            .cloned()
            .collect::<Vec<Mark>>();
        let refused = self.refuse_rivals(&first, now);
        if refused.is_err() {
            let (ours, _) = self.sort(&found);
            mailbox.unmark(&ours).await?;
        }
        refused
    }

    /// Takes our marks away. Where that fails they grow old by themselves.
    ///
    /// # Errors
    /// Anything that ends a connection.
    pub(super) async fn withdraw(&self, mailbox: &mut Mailbox) -> Result<(), WireError> {
        let found = mailbox.marks().await?;
        let (ours, _) = self.sort(&found);
        mailbox.unmark(&ours).await
    }

    fn refuse_rivals(&self, found: &[Mark], now: DateTime<Utc>) -> Result<(), Trouble> {
        let (_, others) = self.sort(found);
        for (mark, text) in others {
            let age = now - stamp(mark, now);
            if age < STALE && age > -AHEAD {
                return Err(Trouble::Rival(Rival {
                    host: text.host,
                    process: text.process,
                    club: text.club,
                }));
            }
            if self.looked.is_none() {
                tracing::warn!(
                    "The mailbox was read by process {} on {} (club {:?}) until {} minutes ago; it is taken over",
                    text.process,
                    text.host,
                    text.club,
                    age.num_minutes()
                );
            }
        }
        Ok(())
    }

    /// Our marks, and those of others.
    fn sort<'a>(&self, found: &'a [Mark]) -> (Vec<&'a Mark>, Vec<(&'a Mark, Inscription)>) {
        let (mut ours, mut others) = (Vec::new(), Vec::new());
        for mark in found {
            // What cannot be read was written by nobody who could be refused.
            let Some(text) = Inscription::read(&mark.text) else {
                continue;
            };
            let is_here = text.host == self.me.host && text.home == self.me.home;
            if text.run == self.me.run || (is_here && self.before.contains(&text.run)) {
                ours.push(mark);
            } else {
                others.push((mark, text));
            }
        }
        (ours, others)
    }

    fn is_by_me(&self, mark: &Mark) -> bool {
        Inscription::read(&mark.text).is_some_and(|text| text.run == self.me.run)
    }

    fn warn(&mut self, why: &str) {
        if !self.warned {
            tracing::warn!(
                "The mailbox takes no mark, so a second daemon would not notice this one: {why}"
            );
        }
        self.warned = true;
    }

    /// The mark as a mail: whoever finds it in a mail program learns what it is.
    fn note(&self, club: &Club, now: DateTime<Utc>) -> String {
        let settings = &club.settings;
        let text = Inscription {
            run: self.me.run.clone(),
            host: self.me.host.clone(),
            process: self.me.process.to_string(),
            home: self.me.home.clone(),
            club: settings.name.chars().take(60).collect(),
        };
        let (address, host) = (&settings.address, &self.me.host);
        [
            format!("From: <{address}>"),
            format!("To: <{address}>"),
            "Subject: dvonn-post reads this mailbox".to_owned(),
            format!("Date: {}", now.to_rfc2822()),
            format!(
                "Message-ID: <{}.{}.owner@{}>",
                self.me.run,
                now.timestamp(),
                address.domain()
            ),
            "Auto-Submitted: auto-generated".to_owned(),
            format!("{MARK}: {}", text.write()),
            "MIME-Version: 1.0".to_owned(),
            "Content-Type: text/plain; charset=us-ascii".to_owned(),
            String::new(),
            "This note belongs to the program dvonn-post, which reads this mailbox".to_owned(),
            format!("for a club that plays DVONN by mail. It runs on {host}."),
            String::new(),
            "The note keeps a second dvonn-post from answering every mail twice. It".to_owned(),
            "is renewed every ten minutes and may be left alone.".to_owned(),
        ]
        .join("\r\n")
    }
}

/// When a mark was put there, by the clock of whoever keeps the mailbox, which two daemons share.
fn stamp(mark: &Mark, now: DateTime<Utc>) -> DateTime<Utc> {
    mark.arrived.unwrap_or(now)
}

impl Inscription {
    fn read(text: &str) -> Option<Inscription> {
        let mut words = text.split_ascii_whitespace().map(decoded);
        let (run, host) = (words.next()?, words.next()?);
        let mut next = || words.next().unwrap_or_default();
        Some(Inscription {
            run,
            host,
            process: next(),
            home: next(),
            club: next(),
        })
    }

    fn write(&self) -> String {
        [&self.run, &self.host, &self.process, &self.home, &self.club]
            .map(|word| encoded(word))
            .join(" ")
    }
}

/// A word of a header: what is not plain becomes `%` and hex.
fn encoded(text: &str) -> String {
    let mut word = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) {
            word.push(char::from(byte));
        } else {
            word.push_str(&format!("%{byte:02X}"));
        }
    }
    word
}

fn decoded(word: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = word.as_bytes();
    while let [first, after @ ..] = rest {
        let hex = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let code = hex.and_then(|two| u8::from_str_radix(two, 16).ok());
        match (first, code) {
            (b'%', Some(code)) => {
                bytes.push(code);
                rest = after.get(2..).unwrap_or_default();
            }
            (other, _) => {
                bytes.push(*other);
                rest = after;
            }
        }
    }
    // A log and an error sentence show it.
    String::from_utf8_lossy(&bytes)
        .chars()
        .filter(|c| !c.is_control())
        .take(100)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_survives_the_mailbox_whatever_the_club_is_called() {
        let text = Inscription {
            run: "0123456789abcdef".to_owned(),
            host: "alpha".to_owned(),
            process: "12".to_owned(),
            home: "fedcba".to_owned(),
            club: "Šachy & \"DVONN\" 100 %".to_owned(),
        };
        assert!(text.write().is_ascii());
        assert_eq!(Inscription::read(&text.write()), Some(text));
        assert_eq!(Inscription::read("one"), None);
        let odd = Inscription::read("%zz %4 %1B[2J");
        assert_eq!(
            odd.map(|mark| (mark.run, mark.host, mark.process)),
            Some(("%zz".to_owned(), "%4".to_owned(), "[2J".to_owned()))
        );
    }
}
