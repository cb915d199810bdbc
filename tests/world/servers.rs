//! What both mail servers share: the mailbox, the letters that were handed over, and the mood that the servers are in.
//!
//! Knows which faults are possible just now; refuses to speak either protocol.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::boxes::Boxes;
use super::chance::Chance;
use super::clock::Clock;

pub const USER: &str = "dvonn@club.example";
/// No log may ever show it (I11).
pub const PASSWORD: &str = "rosa-elephant-77";

/// A letter that the outgoing server has taken over.
#[derive(Clone, Debug)]
pub struct Posted {
    pub to: String,
    pub raw: Arc<[u8]>,
}

/// How often what goes wrong, in a thousand; all zero is a world without faults.
#[derive(Clone, Debug, Default)]
pub struct Mood {
    /// Connections that are refused.
    pub refused: u64,
    /// Connections that are cut or fall silent somewhere.
    pub broken: u64,
    /// Connections that are slow.
    pub slow: u64,
    /// IMAP commands that are answered NO, and those that are answered BYE.
    pub no: u64,
    pub bye: u64,
    /// Nobody can log in.
    pub login_refused: bool,
    /// The outgoing server's answers to a recipient: 450, 421, 550.
    pub later: u64,
    pub closing: u64,
    pub refuses: u64,
    /// Mails that are taken over without an answer.
    pub lost_250: u64,
    /// No more mail for today.
    pub limit: bool,
    /// First tries are turned away.
    pub greylisting: bool,
}

/// What the servers' sessions work on.
#[derive(Debug)]
pub struct Servers {
    pub clock: Clock,
    pub chance: Chance,
    pub boxes: Boxes,
    pub posted: Vec<Posted>,
    pub mood: Mood,
    /// What the IMAP server offers.
    pub offers: &'static str,
    pub greylisted: BTreeSet<String>,
    /// What happened, a line each.
    pub trace: Vec<String>,
    pub logins: u64,
}

impl Servers {
    pub fn new(clock: Clock, seed: u64, offers: &'static str) -> Servers {
        Servers {
            clock,
            chance: Chance::new(seed, "servers"),
            boxes: Boxes::new(1000),
            posted: Vec::new(),
            mood: Mood::default(),
            offers,
            greylisted: BTreeSet::new(),
            trace: Vec::new(),
            logins: 0,
        }
    }

    pub fn note(&mut self, line: impl std::fmt::Display) {
        let at = self.clock.now().format("%m-%d %H:%M:%S");
        self.trace.push(format!("{at} {line}"));
    }
}
