//! What holds at the end of a world, two days after the last fault.
//!
//! Knows I1, I10, I11, I13 and I14; see `invariants` for what holds all the time.

use std::collections::{BTreeMap, BTreeSet};

use dvonn_post::mail::Digest;

use super::boxes::{Boxes, INBOX, JUNK};
use super::invariants::game_of;
use super::servers::{Mood, PASSWORD};
use super::world::World;

type Held = Result<(), String>;

impl World {
    /// What holds at the end.
    pub fn check_at_the_end(&mut self) -> Held {
        self.check_the_database()?;
        self.every_mail_has_a_state()?;
        self.queues_are_empty()?;
        self.games_went_on()?;
        self.log_keeps_secrets()?;
        self.admin_knows()
    }

    /// I1.
    fn every_mail_has_a_state(&self) -> Held {
        let states: BTreeMap<Vec<u8>, String> = self
            .book
            .mails()
            .into_iter()
            .map(|mail| (mail.digest, mail.state))
            .collect();
        let outer = self.net.lock();
        let lies: Vec<(&str, Digest)> = outer
            .servers
            .boxes
            .all()
            // Where the server cannot expunge, what is done is marked.
            .filter(|(_, mail)| !mail.deleted)
            .map(|(name, mail)| (name, Digest::of(&mail.raw)))
            .collect();
        for (mail, raw, arrived) in &self.delivered {
            let digest = Digest::of(raw);
            let places: Vec<&str> = lies
                .iter()
                .filter(|(_, d)| *d == digest)
                .map(|(name, _)| *name)
                .collect();
            let is_old = *arrived < self.clock.now() - chrono::TimeDelta::days(35);
            match states.get(digest.as_bytes().as_slice()).map(String::as_str) {
                Some("done" | "ignored" | "shunted") => {
                    if places.contains(&INBOX) {
                        return Err(format!(
                            "I1: mail {mail} is judged and not put away: {places:?}"
                        ));
                    }
                }
                Some("left") => {}
                None if is_old || places.contains(&"Elsewhere") => {}
                other => {
                    return Err(format!(
                        "I1: mail {mail} is {other:?}, and lies in {places:?}"
                    ));
                }
            }
            if places.is_empty() {
                return Err(format!("I1: mail {mail} lies nowhere any more"));
            }
        }
        Ok(())
    }

    /// I10.
    fn queues_are_empty(&self) -> Held {
        for (what, sql) in [
            (
                "letters wait",
                "SELECT count(*) FROM outbox WHERE state = 'waiting' AND held = 0",
            ),
            (
                "mails wait",
                "SELECT count(*) FROM inbox WHERE state = 'waiting'",
            ),
            (
                "mails are not put away",
                "SELECT count(*) FROM entries WHERE file = 1",
            ),
        ] {
            let count = self.book.count(sql);
            if count > 0 {
                return Err(format!("I10: {count} {what} two days after the last fault"));
            }
        }
        Ok(())
    }

    /// I10.
    fn games_went_on(&self) -> Held {
        let games = self.book.games();
        for (number, serial) in self.seen.at_calm.iter().flatten() {
            let game = game_of(&games, *number)?;
            if game.turn.is_some() && game.serial <= *serial && self.plan.faults > 0 {
                return Err(format!("I10: game {number} does not go on after {serial}"));
            }
        }
        Ok(())
    }

    /// I11.
    fn log_keeps_secrets(&self) -> Held {
        let log = self.log.text();
        let secret = self.book.secret();
        let hex = data_encoding::HEXLOWER.encode(&secret);
        if log.contains(PASSWORD) || log.to_lowercase().contains(&hex) {
            return Err("I11: the log shows a secret".to_owned());
        }
        for id in self.book.letters().iter().map(|letter| &letter.message_id) {
            let token = id.split_once(".L").map_or(id.as_str(), |(token, _)| token);
            if log.contains(token) {
                return Err(format!("I11: the log shows the token {token}"));
            }
        }
        Ok(())
    }

    /// I14.
    fn admin_knows(&self) -> Held {
        let needs = self.book.count(
            "SELECT (SELECT count(*) FROM inbox WHERE state = 'shunted')
                  + (SELECT count(*) FROM outbox WHERE state = 'failed' AND recipient <> 'admin@club.example')",
        );
        let told = self
            .book
            .count("SELECT count(*) FROM outbox WHERE recipient = 'admin@club.example'");
        if needs > 0 && told == 0 {
            return Err(format!(
                "I14: {needs} things need a person, and the admin was told nothing"
            ));
        }
        Ok(())
    }

    /// I13: a backup of some day that reads all the mail again has the same games.
    pub async fn a_backup_catches_up(&mut self) -> Held {
        let backup = self.machine.backup();
        if !backup.exists() {
            return Ok(());
        }
        self.machine
            .stop()
            .await
            .map_err(|why| format!("the daemon does not stop well: {why:#}"))?;
        self.note("a backup of the club reads the same mailbox");
        {
            let servers = &mut self.net.lock().servers;
            servers.mood = Mood::default();
            servers.boxes = Boxes::new(77);
            // What a second reader took away before it was read, nobody can read again.
            let known: BTreeSet<Vec<u8>> = self
                .book
                .mails()
                .into_iter()
                .map(|mail| mail.digest)
                .collect();
            for (_, raw, arrived) in &self.delivered {
                if known.contains(Digest::of(raw).as_bytes().as_slice()) {
                    servers.boxes.put(INBOX, raw.clone(), *arrived);
                }
            }
            debug_assert!(servers.boxes.get(JUNK).is_some());
        }
        let restored = self
            .machine
            .open(&backup)
            .map_err(|why| format!("I13: the backup does not open: {why:#}"))?;
        restored
            .once()
            .await
            .map_err(|why| format!("I13: the backup does not work: {why:#}"))?;
        let theirs = super::book::Book::open(&backup).events();
        let ours = self.book.events();
        let plain = |events: &super::book::Events| -> BTreeMap<(u32, u32), (String, String)> {
            events
                .iter()
                .map(|(key, (_, kind, what))| (*key, (kind.clone(), what.clone())))
                .collect()
        };
        if plain(&ours) == plain(&theirs) {
            Ok(())
        } else {
            Err(format!(
                "I13: the backup came to other games:\n{ours:?}\n{theirs:?}"
            ))
        }
    }
}
