//! Letters as facts: who is told what, before any word is chosen.
//!
//! A [`Notice`] becomes one mail. It holds numbers, names and positions, and never a sentence: wording is the floor
//! above. It knows nothing of addresses' proof, tokens or threads.

use chrono::{DateTime, Utc};

use crate::club::game::EndedBy;
use crate::club::refusal::Refusal;
use crate::command::{Command, CommandError, Verb};
use crate::dvonn::{CellSet, Colour, Fallen, Immobile, Outcome, Ply, Position, Setup};

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
    },
    /// An open challenge stands.
    Opened {
        /// Its number.
        number: u32,
        /// Until when it may be accepted.
        until: DateTime<Utc>,
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
    /// It is larger than the club takes.
    TooLarge {
        /// Limit in bytes.
        limit: u64,
    },
}

/// One ply that was made since the reader's last letter.
#[derive(Clone, Debug, PartialEq)]
pub struct PlyNews {
    /// Who made it or had to pass.
    pub by: Colour,
    /// What.
    pub ply: Ply,
    /// What lost contact with a DVONN piece and left.
    pub removed: Vec<Fallen>,
    /// For a pass: why no stack of that side can move.
    pub immobile: Vec<Immobile>,
}

/// A game in progress, for one of its players.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardView {
    /// Number of the game.
    pub game: u32,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The reader's colour.
    pub seat: Colour,
    /// The position as it stands.
    pub position: Position,
    /// Number of plies made so far, placements and passes counted.
    pub ply: u32,
    /// What is new, oldest first; empty when the board is only shown.
    pub news: Vec<PlyNews>,
    /// The last ply that was no pass, for the marks on the board, and all that left since.
    pub last: Option<(Ply, CellSet)>,
    /// A game that has just begun: how it was set up.
    pub begun: Option<Begun>,
    /// The reader asked for all legal moves.
    pub all_moves: bool,
    /// Other games that wait for the reader.
    pub waiting: Option<Waiting>,
}

/// How a game began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begun {
    /// The setup.
    pub setup: Setup,
    /// How the draw can be checked; `None` where nothing was drawn.
    pub draw: Option<Draw>,
}

/// A draw that neither side nor the club could choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    /// The club's secret number, in hexadecimal; its SHA-256 stood in the invitation.
    pub nonce: String,
    /// The digest of the accepting mail, in hexadecimal.
    pub digest: String,
    /// SHA-256 of both, in hexadecimal: the seed of colours and of the board.
    pub seed: String,
}

/// Other games that wait for the reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The one that waits longest.
    pub next: u32,
    /// Its opponent.
    pub opponent: String,
    /// How many in all.
    pub count: u32,
    /// Since when the longest waits.
    pub since: DateTime<Utc>,
}

/// A game that is over.
#[derive(Clone, Debug, PartialEq)]
pub struct OverView {
    /// The last position and what led to it.
    pub board: BoardView,
    /// Who won.
    pub result: Outcome,
    /// How.
    pub by: EndedBy,
    /// Its whole record.
    pub history: HistoryView,
    /// When it began.
    pub started: DateTime<Utc>,
    /// When it ended.
    pub ended: DateTime<Utc>,
}

/// A game's record.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryView {
    /// Number of the game.
    pub game: u32,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The setup.
    pub setup: Setup,
    /// The full board that the stacking phase began with, in the record's notation, where it was drawn.
    pub start: Option<String>,
    /// All plies.
    pub moves: Vec<Ply>,
}

/// The reader's games and invitations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GamesView {
    /// Games that wait for the reader, longest first.
    pub for_you: Vec<GameLine>,
    /// Games that wait for the opponent.
    pub for_them: Vec<GameLine>,
    /// Invitations to the reader, and open challenges of others.
    pub invitations: Vec<ChallengeLine>,
    /// Challenges of the reader that nobody has answered.
    pub challenges: Vec<ChallengeLine>,
    /// Games that ended of late.
    pub over: Vec<OverLine>,
}

/// A running game in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct GameLine {
    /// Number of the game.
    pub game: u32,
    /// Opponent's name.
    pub opponent: String,
    /// Whether the pieces are still being placed.
    pub placing: bool,
    /// Since when it waits.
    pub since: DateTime<Utc>,
}

/// A challenge in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ChallengeLine {
    /// Number of the challenge.
    pub number: u32,
    /// The other side: a name, an address, or `None` where anyone may take it.
    pub with: Option<String>,
    /// Whether anyone may take it.
    pub open: bool,
    /// Until when.
    pub until: DateTime<Utc>,
}

/// A game that is over, in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct OverLine {
    /// Number of the game.
    pub game: u32,
    /// Opponent's name.
    pub opponent: String,
    /// `Some(true)` the reader won, `Some(false)` lost, `None` a draw.
    pub won: Option<bool>,
    /// The reader's score and the opponent's.
    pub score: (u32, u32),
    /// How it ended.
    pub by: EndedBy,
}

/// A member in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerLine {
    /// The name.
    pub name: String,
    /// How many games they play now.
    pub running: u32,
    /// How many they have finished.
    pub finished: u32,
}

/// An invitation to play.
#[derive(Clone, Debug, PartialEq)]
pub struct InvitationView {
    /// Number of the challenge, later of the game.
    pub number: u32,
    /// The challenger's name.
    pub from: String,
    /// The challenger's address, shown only to somebody who is no member and so cannot know the name.
    pub address: Option<String>,
    /// The reader's colour; `None` for a draw by lot.
    pub colour: Option<Colour>,
    /// The setup.
    pub setup: Setup,
    /// SHA-256 of the club's secret number, in hexadecimal, where lots are drawn.
    pub commitment: Option<String>,
    /// Until when it may be accepted.
    pub until: DateTime<Utc>,
}

/// Why a challenge ended without a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengeClosed {
    /// The other side declined.
    Declined,
    /// The challenger took it back.
    Withdrawn,
    /// Nobody answered in time.
    Expired,
}

/// A question of the club.
#[derive(Clone, Debug, PartialEq)]
pub struct QuestionView {
    /// Mails that wait, oldest first.
    pub held: Vec<HeldLine>,
    /// Whether `yes` makes the reader a member.
    pub joins: bool,
    /// Until when an answer counts.
    pub until: DateTime<Utc>,
}

/// A mail that waits for `yes`: its verbs, never its text.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldLine {
    /// When it came.
    pub arrived: DateTime<Utc>,
    /// Where it came from, if that is an address the club does not know as the reader's.
    pub from: Option<String>,
    /// What it asks for, in order, each with its game if it names one.
    pub verbs: Vec<(Verb, Option<u32>)>,
}

/// Something that the admin should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdminNotice {
    /// A mail was set aside.
    Shunted {
        /// Number of the mail in the inbox table.
        inbox: i64,
        /// Why, in words for an admin.
        reason: String,
    },
    /// A letter cannot be delivered and is given up.
    Undeliverable {
        /// Number of the letter in the outbox table.
        letter: i64,
        /// Whose.
        address: String,
        /// The server's answer.
        reason: String,
    },
}
