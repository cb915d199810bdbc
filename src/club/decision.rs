//! What a command comes to: changes to save, and who is to be told what. Values only; applying them is for others.

use crate::club::challenge::{Challenge, ChallengeState};
use crate::club::game::Game;
use crate::club::notice::{Done, Part, PlyNews};
use crate::club::player::PlayerId;

/// What carrying out one command comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// What to save, in order; empty for a command that only reads.
    pub changes: Vec<Change>,
    /// What the writer is told was done.
    pub done: Done,
    /// What happened in a game, told to both players with the board.
    pub game: Option<GameNews>,
    /// A game whose board the writer is shown.
    pub show: Option<Show>,
    /// Pages for the writer.
    pub pages: Vec<Part>,
    /// What others are told besides.
    pub told: Vec<Told>,
}

impl Decision {
    /// A decision that only says what was done.
    #[must_use]
    pub fn only(done: Done) -> Self {
        Decision {
            changes: Vec::new(),
            done,
            game: None,
            show: None,
            pages: Vec::new(),
            told: Vec::new(),
        }
    }
}

/// Something to save.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A member has a new name.
    Rename {
        /// Who.
        player: PlayerId,
        /// The name, unique.
        name: String,
    },
    /// A member wants no more mail.
    Stop {
        /// Who.
        player: PlayerId,
    },
    /// A new challenge.
    Challenge(Challenge),
    /// A challenge ends.
    Close {
        /// Its number.
        number: u32,
        /// How.
        state: ChallengeState,
    },
    /// A game begins.
    Begin(Box<Game>),
    /// A game goes on or ends.
    Advance {
        /// The game afterwards.
        game: Box<Game>,
        /// How many of its events are new.
        new: usize,
    },
}

/// What happened in a game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameNews {
    /// The game afterwards.
    pub after: Game,
    /// New plies, oldest first.
    pub plies: Vec<PlyNews>,
    /// Whether it has just begun.
    pub begun: bool,
    /// What the writer says to the opponent.
    pub message: Option<String>,
}

/// A game to show.
#[derive(Clone, Debug, PartialEq)]
pub struct Show {
    /// The game.
    pub game: Game,
    /// Whether all legal moves are listed.
    pub all_moves: bool,
}

/// Something that another person is told.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// Who.
    pub to: Addressee,
    /// What.
    pub part: Part,
    /// The challenge it is about.
    pub challenge: u32,
    /// Name of its challenger.
    pub from: String,
    /// Whether it is told to the one who may accept, and not to the challenger.
    pub invited: bool,
}

/// Who is told: a member, or an address of no member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Addressee {
    /// A member.
    Member(PlayerId),
    /// An address that is new here.
    Address(String),
}
