//! Letters as facts: who is told what, before any word is chosen.
//!
//! A [`Notice`] becomes one mail. It holds numbers, names and positions, and never a sentence: wording is the floor
//! above. It knows nothing of addresses' proof, tokens or threads.

mod admin;
mod ask;
mod board;
mod lists;
mod report;

pub use admin::{AdminNotice, Ailment, Class};
pub use ask::{ChallengeClosed, HeldLine, InvitationView, QuestionView};
pub use board::{Begun, BoardView, Draw, HistoryView, OverView, PlyNews, Waiting};
pub use lists::{ChallengeLine, GameLine, GamesView, OverLine, PlayerLine};
pub use report::{Done, NotUnderstood, ReportLine, ReportResult, Unreadable};

use crate::command::Verb;
use crate::dvonn::Colour;

/// Who reads a letter, in what language and zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reader {
    /// The name in the club; `None` for somebody who is no member.
    pub name: Option<String>,
    /// The mail address that the letter goes to.
    pub address: String,
    /// Code of the catalog, such as `en`.
    pub language: String,
    /// IANA name of the zone that times are shown in, such as `Europe/Prague`.
    pub timezone: String,
}

/// One letter to one person.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// Who gets it.
    pub to: Reader,
    /// What the letter is about: it chooses thread, subject and token.
    pub about: About,
    /// Whether it answers the reader's own mail.
    pub answers: bool,
    /// What it says, in order; never empty.
    pub parts: Vec<Part>,
}

/// What a letter is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// A game, seen from one seat.
    Game {
        /// Number of the game.
        game: u32,
        /// State that the letter shows.
        serial: u32,
        /// The reader's colour.
        seat: Colour,
        /// White's name.
        white: String,
        /// Black's name.
        black: String,
    },
    /// A challenge that the reader may answer.
    Challenge {
        /// Number of the challenge.
        number: u32,
        /// The challenger's name.
        from: String,
        /// Whether the reader is the one who may accept: only that letter carries a token that can.
        invited: bool,
    },
    /// A question of the club that waits for `yes` or `no`.
    Question {
        /// Number of the question.
        number: i64,
        /// How many held mails the letter names.
        held: u32,
    },
    /// Anything else between the club and the reader.
    Club,
}

/// One part of a letter; each has a template folder of its own.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// What became of the lines of the reader's mail.
    Report(Vec<ReportLine>),
    /// Nothing in the mail was a command.
    NotUnderstood(NotUnderstood),
    /// A running game.
    Board(Box<BoardView>),
    /// A game that is over.
    Over(Box<OverView>),
    /// Words of the opponent.
    Message {
        /// Who wrote it.
        from: String,
        /// Clean text, several lines perhaps.
        text: String,
    },
    /// Words of the reader that go on to the opponent: the proof that they do.
    PassedOn {
        /// The opponent's name.
        to: String,
        /// Clean text, several lines perhaps.
        text: String,
    },
    /// The reader's games and invitations.
    Games(GamesView),
    /// All members.
    Players(Vec<PlayerLine>),
    /// A game's record.
    History(HistoryView),
    /// Help on one command, or the overview.
    Help(Option<Verb>),
    /// The rules of DVONN on a page.
    Rules,
    /// A newcomer's first letter.
    Welcome {
        /// The name the club gave, unique.
        name: String,
        /// The name that was wished for, where another member has it.
        taken: Option<String>,
    },
    /// Somebody would like to play.
    Invitation(InvitationView),
    /// A challenge ended without a game, told to a side that did not end it.
    ChallengeClosed {
        /// Number of the challenge.
        number: u32,
        /// The other side: a name, or an address where there is no name.
        with: String,
        /// Why.
        why: ChallengeClosed,
    },
    /// The club asks whether it was the reader who wrote.
    Question(QuestionView),
    /// Something that the admin should know.
    Admin(AdminNotice),
}
