//! What a line can ask for: [`Command`], and its canonical spelling.
//!
//! Knows the shape of every command of the language. Refuses to know whether it can be carried out:
//! which games exist, who writes, whose turn it is. For every command that [`super::read`] can give,
//! reading its `Display` gives the same command again.

use std::fmt::{self, Display, Formatter};

use crate::dvonn::{Colour, Move, Setup};

use super::Verb;
use super::name;

/// One thing that a player asks the club to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Place a piece (`c3`) or move a stack (`b3-c3`).
    Play(Move),
    /// Give the game up.
    Resign,
    /// Invite somebody.
    Challenge {
        /// Whom.
        who: Who,
        /// What is to be played.
        terms: Terms,
    },
    /// Make a challenge that anyone may take.
    Open(Terms),
    /// Accept an offer: the one with this number, or the one in the letter that is answered.
    Accept(Option<u32>),
    /// Decline an offer.
    Decline(Option<u32>),
    /// Take an own offer back.
    Withdraw(Option<u32>),
    /// The writer's games.
    List,
    /// The board of a game.
    Show(Option<u32>),
    /// The writer's legal moves.
    Moves,
    /// The record of a game.
    History(Option<u32>),
    /// A message to the opponent: one line, never empty.
    Say(String),
    /// Be called this from now on. Only its shape is known: whether the club allows it is not.
    Name(String),
    /// Who plays in the club.
    Players,
    /// The page of commands, or of one command.
    Help(Option<Verb>),
    /// The rules of DVONN.
    Rules,
    /// Become a member.
    Join,
    /// The answer yes to a question of the club.
    Yes,
    /// The answer no to a question of the club.
    No,
    /// No more mail from here.
    Stop,
}

/// Whom a challenge names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Who {
    /// A member's name, as written; blanks folded, no quotation marks in it.
    Name(String),
    /// A mail address, as written; of the form `local@domain`, nothing more is known of it.
    Address(String),
}

/// What is to be played, as far as the challenger said it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Terms {
    /// The challenger's colour; none: drawn by lot.
    pub colour: Option<Colour>,
    /// How the board is filled; none: as is usual in the club.
    pub setup: Option<Setup>,
}

impl Command {
    /// The word that this command is known by.
    pub fn verb(&self) -> Verb {
        match self {
            Command::Play(Move::Place(_)) => Verb::Place,
            Command::Play(Move::Jump { .. }) => Verb::Move,
            Command::Resign => Verb::Resign,
            Command::Challenge { .. } => Verb::Challenge,
            Command::Open(_) => Verb::Open,
            Command::Accept(_) => Verb::Accept,
            Command::Decline(_) => Verb::Decline,
            Command::Withdraw(_) => Verb::Withdraw,
            Command::List => Verb::List,
            Command::Show(_) => Verb::Show,
            Command::Moves => Verb::Moves,
            Command::History(_) => Verb::History,
            Command::Say(_) => Verb::Say,
            Command::Name(_) => Verb::Name,
            Command::Players => Verb::Players,
            Command::Help(_) => Verb::Help,
            Command::Rules => Verb::Rules,
            Command::Join => Verb::Join,
            Command::Yes => Verb::Yes,
            Command::No => Verb::No,
            Command::Stop => Verb::Stop,
        }
    }

    /// Whether the command only asks for something to read and changes nothing.
    pub fn only_reads(&self) -> bool {
        self.verb().only_reads()
    }
}

impl Display for Command {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let verb = self.verb();
        match self {
            Command::Play(ply) => write!(f, "{ply}"),
            Command::Challenge { who, terms } => write!(f, "{verb} {who}{terms}"),
            Command::Open(terms) => write!(f, "{verb}{terms}"),
            Command::Accept(Some(number))
            | Command::Decline(Some(number))
            | Command::Withdraw(Some(number))
            | Command::Show(Some(number))
            | Command::History(Some(number)) => write!(f, "{verb} {number}"),
            Command::Say(text) => write!(f, "{verb} {text}"),
            Command::Name(new) => write!(f, "{verb} {}", name::quoted(new)),
            Command::Help(Some(topic)) => write!(f, "{verb} {topic}"),
            Command::Resign
            | Command::Accept(None)
            | Command::Decline(None)
            | Command::Withdraw(None)
            | Command::List
            | Command::Show(None)
            | Command::Moves
            | Command::History(None)
            | Command::Players
            | Command::Help(None)
            | Command::Rules
            | Command::Join
            | Command::Yes
            | Command::No
            | Command::Stop => write!(f, "{verb}"),
        }
    }
}

impl Display for Who {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Who::Name(name) => f.write_str(&name::quoted(name)),
            Who::Address(address) => f.write_str(address),
        }
    }
}

impl Display for Terms {
    /// The options that were given, each with a blank before it.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.colour {
            Some(Colour::White) => f.write_str(" white")?,
            Some(Colour::Black) => f.write_str(" black")?,
            None => {}
        }
        match self.setup {
            Some(setup) => write!(f, " setup {setup}"),
            None => Ok(()),
        }
    }
}
