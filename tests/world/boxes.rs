//! The club's mailbox as its server keeps it: folders with UIDs, UIDVALIDITY and INTERNALDATE.
//!
//! Knows IMAP's numbering; refuses to speak the protocol.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};

pub const INBOX: &str = "INBOX";
pub const JUNK: &str = "Junk";
pub const DONE: &str = "Done";

/// A mail in a folder.
#[derive(Clone, Debug)]
pub struct Stored {
    pub uid: u32,
    pub raw: Arc<[u8]>,
    /// INTERNALDATE.
    pub arrived: DateTime<Utc>,
    pub deleted: bool,
}

/// A folder.
#[derive(Clone, Debug)]
pub struct Folder {
    pub validity: u32,
    pub next: u32,
    pub mails: Vec<Stored>,
}

/// The folders by name.
#[derive(Clone, Debug)]
pub struct Boxes(BTreeMap<String, Folder>);

impl Boxes {
    pub fn new(validity: u32) -> Boxes {
        let mut boxes = Boxes(BTreeMap::new());
        boxes.create(INBOX, validity);
        boxes.create(JUNK, validity);
        boxes
    }

    pub fn create(&mut self, name: &str, validity: u32) -> bool {
        let new = !self.0.contains_key(name);
        self.0.entry(name.to_owned()).or_insert(Folder {
            validity,
            next: 1,
            mails: Vec::new(),
        });
        new
    }

    pub fn get(&self, name: &str) -> Option<&Folder> {
        self.0.get(name)
    }

    pub fn get_mut(&mut self, name: &str) -> Option<&mut Folder> {
        self.0.get_mut(name)
    }

    /// Puts a mail into a folder that exists.
    pub fn put(&mut self, name: &str, raw: Arc<[u8]>, arrived: DateTime<Utc>) {
        let folder = self.0.get_mut(name).unwrap();
        folder.mails.push(Stored {
            uid: folder.next,
            raw,
            arrived,
            deleted: false,
        });
        folder.next += 1;
    }

    /// The folder gets a new UIDVALIDITY and all its mails new numbers.
    pub fn renumber(&mut self, name: &str) {
        let Some(folder) = self.0.get_mut(name) else {
            return;
        };
        folder.validity += 1;
        folder.next = 1;
        for mail in &mut folder.mails {
            mail.uid = folder.next;
            folder.next += 1;
        }
    }

    /// Copies mails of a folder to another; false where that is missing.
    pub fn copy(&mut self, from: &str, uids: &[u32], to: &str) -> bool {
        if !self.0.contains_key(to) {
            return false;
        }
        let mails: Vec<Stored> = self.0.get(from).map_or_else(Vec::new, |folder| {
            let is_wanted = |mail: &&Stored| uids.contains(&mail.uid);
            folder.mails.iter().filter(is_wanted).cloned().collect()
        });
        for mail in mails {
            self.put(to, mail.raw, mail.arrived);
        }
        true
    }

    /// Takes mails out of a folder; gives their sequence numbers as EXPUNGE tells them.
    pub fn expunge(&mut self, name: &str, is_gone: impl Fn(&Stored) -> bool) -> Vec<usize> {
        let Some(folder) = self.0.get_mut(name) else {
            return Vec::new();
        };
        let mut told = Vec::new();
        let mut at = 0;
        folder.mails.retain(|mail| {
            let gone = is_gone(mail);
            if gone {
                told.push(at + 1);
            } else {
                at += 1;
            }
            !gone
        });
        told
    }

    /// Everything that lies anywhere.
    pub fn all(&self) -> impl Iterator<Item = (&str, &Stored)> {
        self.0
            .iter()
            .flat_map(|(name, folder)| folder.mails.iter().map(move |mail| (name.as_str(), mail)))
    }
}
