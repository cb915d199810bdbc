//! Why a command that can be read may not be: facts for the answer, no prose.

use crate::command::Verb;
use crate::dvonn::{IllegalMove, Phase, Ply};

/// A command that was understood and not carried out.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// The rules forbid the move.
    Illegal {
        /// The game.
        game: u32,
        /// The facts.
        why: IllegalMove,
    },
    /// A space alone while stacks are moved, or a move while pieces are placed.
    WrongPhase {
        /// The game.
        game: u32,
        /// Its phase.
        phase: Phase,
    },
    /// The other side is to move.
    NotYourTurn {
        /// The game.
        game: u32,
        /// Whose turn it is.
        waits_for: String,
    },
    /// The game is over.
    GameOver {
        /// The game.
        game: u32,
    },
    /// The letter that was answered shows an older board.
    OldBoard {
        /// The game.
        game: u32,
        /// What was played since, oldest first.
        since: Vec<Ply>,
    },
    /// Two different moves for one turn.
    TwoMoves {
        /// The game.
        game: u32,
    },
    /// The mail does not say which game.
    WhichGame {
        /// Those it may be, with the opponents' names.
        candidates: Vec<(u32, String)>,
        /// What was asked.
        verb: Verb,
    },
    /// No running game of the writer.
    NoGame {
        /// What was asked.
        verb: Verb,
    },
    /// No game or challenge of that number, or not the writer's.
    NotYours {
        /// The number.
        number: u32,
    },
    /// Which challenge? The mail does not say.
    WhichChallenge {
        /// Those it may be, with the other sides.
        candidates: Vec<(u32, String)>,
        /// What was asked.
        verb: Verb,
    },
    /// No challenge waits for this.
    NoChallenge {
        /// What was asked.
        verb: Verb,
    },
    /// The challenge was answered, taken back, or its time is over.
    ChallengeGone {
        /// The number.
        number: u32,
    },
    /// One's own challenge cannot be accepted or declined, only withdrawn.
    OwnChallenge {
        /// The number.
        number: u32,
    },
    /// Nobody plays themselves.
    Yourself,
    /// No member of that name.
    NobodyCalled {
        /// The name as written.
        name: String,
        /// The nearest name, if one is near.
        nearest: Option<String>,
    },
    /// A name that fits more than one member.
    SeveralCalled {
        /// Their names.
        names: Vec<String>,
    },
    /// The address cannot be written to: it asked for no more mail.
    NoMailThere {
        /// The address or name.
        who: String,
    },
    /// The address was invited within the last 30 days.
    InvitedLately {
        /// The address.
        address: String,
    },
    /// A challenge of the writer to that member waits already.
    InvitedAlready {
        /// The member's name.
        name: String,
        /// The challenge that waits.
        number: u32,
    },
    /// The club's own address, or one that no person reads.
    NoPersonThere {
        /// The address.
        address: String,
    },
    /// The writer has sent as many invitations to strangers today as the club allows.
    TooManyInvitations {
        /// The limit a day.
        limit: u32,
    },
    /// One of the two plays as many games as the club allows at a time.
    TooManyGames {
        /// Whose games.
        name: String,
        /// The limit.
        limit: u32,
    },
    /// The name cannot be used.
    BadName {
        /// The name as written, cleaned.
        name: String,
        /// Why.
        why: BadName,
    },
    /// `yes` or `no` without a question that waits.
    NothingAsked,
    /// `say` without text that can be passed on.
    NothingSaid,
    /// Text around commands in several games: it is not said for whom it is.
    WhoseMessage,
}

/// Why a name cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadName {
    /// Nothing but blanks or signs.
    Empty,
    /// More than 32 characters.
    TooLong,
    /// It looks like an address.
    Address,
    /// It would be taken for the club.
    Reserved,
}

impl Refusal {
    /// The game whose board helps to understand it.
    #[must_use]
    pub fn game(&self) -> Option<u32> {
        match self {
            Refusal::Illegal { game, .. }
            | Refusal::WrongPhase { game, .. }
            | Refusal::NotYourTurn { game, .. }
            | Refusal::GameOver { game }
            | Refusal::OldBoard { game, .. }
            | Refusal::TwoMoves { game } => Some(*game),
            _ => None,
        }
    }
}
