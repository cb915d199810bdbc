//! What became of the lines of a mail, told to its writer.

use chrono::{DateTime, Utc};

use crate::club::refusal::Refusal;
use crate::command::{Command, CommandError};
use crate::dvonn::Ply;

/// One line of a mail and what was done with it.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportLine {
    /// The line as its writer typed it, cleaned.
    pub line: String,
    /// What came of it.
    pub result: ReportResult,
}

/// What came of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum ReportResult {
    /// It was carried out.
    Done(Done),
    /// It can be read but may not be.
    Refused(Refusal),
    /// It starts like a command but cannot be read.
    Unread(CommandError),
    /// It waits for the writer's `yes`.
    Held,
    /// It and the lines after it were not read: a mail may hold so many commands and no more.
    Beyond {
        /// How many.
        lines: usize,
    },
    /// It was not tried, since a line before it in the same game failed.
    NotTried,
}

/// What was done, told to the writer.
#[derive(Clone, Debug, PartialEq)]
pub enum Done {
    /// A move or placement; the board part tells the rest.
    Played {
        /// The game.
        game: u32,
        /// Opponent's name.
        opponent: String,
        /// What was played.
        ply: Ply,
    },
    /// The writer resigned.
    Resigned {
        /// The game.
        game: u32,
        /// Opponent's name.
        opponent: String,
    },
    /// An invitation is on its way.
    Challenged {
        /// Its number.
        number: u32,
        /// Whom: a name, or an address.
        who: String,
        /// Until when it may be accepted.
        until: DateTime<Utc>,
        /// SHA-256 of the club's secret number, in hexadecimal, where lots are drawn.
        commitment: Option<String>,
    },
    /// An open challenge stands.
    Opened {
        /// Its number.
        number: u32,
        /// Until when it may be accepted.
        until: DateTime<Utc>,
        /// SHA-256 of the club's secret number, in hexadecimal, where lots are drawn.
        commitment: Option<String>,
    },
    /// A game began; its board part follows, or comes by a letter of its own.
    Accepted {
        /// Number of the game, which was the challenge's.
        game: u32,
        /// Opponent's name.
        opponent: String,
    },
    /// An invitation was declined.
    Declined {
        /// Its number.
        number: u32,
        /// The challenger's name.
        from: String,
    },
    /// A challenge of the writer was taken back.
    Withdrawn {
        /// Its number.
        number: u32,
    },
    /// A message goes to the opponent.
    Said {
        /// The game.
        game: u32,
        /// Opponent's name.
        opponent: String,
        /// What goes on, cleaned.
        text: String,
    },
    /// The writer has a new name.
    Named {
        /// The name from now on.
        name: String,
        /// The name that was wished for, where another member has it.
        taken: Option<String>,
    },
    /// The writer is a member already.
    MemberAlready {
        /// The name in the club.
        name: String,
    },
    /// The writer gets no more mail.
    Stopped {
        /// Games that were resigned by it.
        resigned: Vec<u32>,
    },
    /// Held commands were dropped.
    Dropped,
    /// The very same move was played before.
    PlayedAlready {
        /// The game.
        game: u32,
        /// The move.
        ply: Ply,
    },
    /// A page follows: list, board, moves, record, members, help or rules.
    Shown(Command),
    /// An address may write for the member from now on.
    AddressLearned {
        /// The address.
        address: String,
    },
}

/// A mail in which no line was a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotUnderstood {
    /// Lines that mention a command, each with the way to write it, if one can be told.
    pub mentions: Vec<(String, Option<String>)>,
    /// Why no text could be read at all.
    pub reason: Option<Unreadable>,
}

/// Why a mail held no text of its writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// Everything in it was quoted, or it was empty.
    NothingNew,
    /// Its text is signed or encrypted in a way that hides it, or an Outlook container.
    Sealed,
    /// It cannot be taken apart: too many parts, or parts too deep in each other.
    Broken,
    /// It is larger than the club takes.
    TooLarge {
        /// Limit in bytes.
        limit: u64,
    },
}
