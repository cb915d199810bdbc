//! A player with nothing but a mail account: writes by SMTP, reads the letters that arrive.
//!
//! Knows how a mail program replies; refuses to know the game.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use lettre::address::Envelope;
use lettre::{SmtpTransport, Transport};

use crate::common::{DOMAIN, MailStack, within};
use crate::letter::Letter;

/// How long a letter may take: a letter whose handing over was cut short is tried again after a minute.
pub const PATIENCE: Duration = Duration::from_secs(90);

/// One player.
pub struct Player<'a> {
    stack: &'a MailStack,
    pub user: &'static str,
    /// Each letter once, in the order in which they were written.
    pub letters: Vec<Letter>,
    /// How often each came.
    pub copies: BTreeMap<String, u32>,
    seen: BTreeSet<String>,
    written: u32,
    server: SmtpTransport,
}

impl<'a> Player<'a> {
    pub fn new(stack: &'a MailStack, user: &'static str) -> Player<'a> {
        Player {
            stack,
            user,
            letters: Vec::new(),
            copies: BTreeMap::new(),
            seen: BTreeSet::new(),
            written: 0,
            server: SmtpTransport::builder_dangerous("127.0.0.1")
                .port(stack.smtp)
                .build(),
        }
    }

    pub fn address(&self) -> String {
        MailStack::address(self.user)
    }

    /// Writes a mail that answers nothing. Gives its Message-ID.
    pub fn write(&mut self, subject: &str, text: &str) -> String {
        self.send(&format!("Subject: {subject}\r\n"), text)
    }

    /// Replies to the newest letter as mail programs do, with all of it quoted below.
    pub fn reply(&mut self, text: &str) -> String {
        let letter = self.letters.last().expect("there is no letter").clone();
        self.reply_to(&letter, text)
    }

    /// Replies to the newest letter with the board after so many plies of the game.
    pub fn reply_to_ply(&mut self, ply: usize, text: &str) -> String {
        let letter = self.of_ply(ply).expect("there is no such letter").clone();
        self.reply_to(&letter, text)
    }

    fn reply_to(&mut self, letter: &Letter, text: &str) -> String {
        let references: String = letter
            .references
            .iter()
            .chain([&letter.id])
            .map(|id| format!("\r\n <{id}>"))
            .collect();
        let head = format!(
            "Subject: Re: {}\r\nIn-Reply-To: <{}>\r\nReferences:{references}\r\n",
            letter.subject, letter.id
        );
        let quoted: String = letter
            .text
            .lines()
            .map(|line| format!("> {line}\r\n"))
            .collect();
        let text = format!(
            "{text}\r\n\r\nOn Mon, Nov 30, 2026 at 6:30 PM Test Club <club@{DOMAIN}> wrote:\r\n\r\n{quoted}"
        );
        self.send(&head, &text)
    }

    fn send(&mut self, head: &str, text: &str) -> String {
        self.written += 1;
        let address = self.address();
        let (id, name) = (format!("{}.{address}", self.written), self.name());
        let mail = format!(
            "From: {name} <{address}>\r\nTo: Test Club <club@{DOMAIN}>\r\n{head}Message-ID: <{id}>\r\n\
             Date: Mon, 30 Nov 2026 18:30:00 +0000\r\nMIME-Version: 1.0\r\n\
             Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n"
        );
        let to = format!("club@{DOMAIN}").parse().unwrap();
        let envelope = Envelope::new(Some(address.parse().unwrap()), vec![to]).unwrap();
        self.server.send_raw(&envelope, mail.as_bytes()).unwrap();
        id
    }

    /// The name by which the club knows the player.
    pub fn name(&self) -> String {
        format!("{}{}", self.user[..1].to_uppercase(), &self.user[1..])
    }

    /// Waits for one more letter, which must be newer than all others.
    pub fn next(&mut self) -> &Letter {
        let known = self.letters.last().map(|letter| letter.id.clone());
        let count = self.letters.len() + 1;
        self.wait_for(count);
        assert_eq!(self.letters.len(), count, "to {}", self.user);
        let before = count.checked_sub(2).map(|at| self.letters[at].id.clone());
        assert_eq!(before, known, "a letter came late");
        self.letters.last().unwrap()
    }

    /// Waits until so many letters have come.
    pub fn wait_for(&mut self, count: usize) {
        within(
            PATIENCE,
            &format!("letter {count} to {}", self.user),
            || {
                self.look();
                (self.letters.len() >= count).then_some(())
            },
        );
    }

    /// Waits for the letter with the board after so many plies of the game, whatever other ones are missing.
    pub fn wait_for_ply(&mut self, ply: usize) {
        within(PATIENCE, &format!("ply {ply} to {}", self.user), || {
            self.look();
            self.of_ply(ply).map(|_| ())
        });
    }

    /// The newest letter with the board after so many plies of the game.
    pub fn of_ply(&self, ply: usize) -> Option<&Letter> {
        let footer = format!("Game 1, move {ply}. ");
        let about = |letter: &&Letter| letter.text.contains(&footer);
        self.letters.iter().rev().find(about)
    }

    /// Takes what lies in the mailbox into account. The same letter again must be the same to the byte.
    pub fn look(&mut self) {
        for (file, raw) in self.stack.mails_but(self.user, "INBOX", &self.seen) {
            self.seen.insert(file);
            let letter = Letter::read(&raw);
            *self.copies.entry(letter.id.clone()).or_default() += 1;
            match self.letters.iter().find(|known| known.id == letter.id) {
                Some(known) => assert_eq!(*known, letter, "a letter came twice and differs"),
                None => {
                    let newer = |other: &Letter| other.number() > letter.number();
                    let at = self.letters.iter().position(newer);
                    self.letters
                        .insert(at.unwrap_or(self.letters.len()), letter);
                }
            }
        }
    }

    /// Looks once more and asserts that every letter came just once.
    pub fn assert_no_letter_twice(&mut self) {
        self.look();
        assert!(
            self.copies.values().all(|times| *times == 1),
            "{:?}",
            self.copies
        );
    }
}
