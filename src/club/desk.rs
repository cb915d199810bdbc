//! The desk: everything that deciding one command needs, loaded beforehand. Deciding asks nobody anything.

use chrono::{DateTime, Utc};

use crate::club::challenge::{Challenge, ChallengeState, Invitee};
use crate::club::game::Game;
use crate::club::notice::PlayerLine;
use crate::club::player::{Player, PlayerId};
use crate::command::{Command, Who};
use crate::dvonn::Setup;

/// What the club allows and prefers; from the configuration.
#[derive(Clone, Debug)]
pub struct Customs {
    /// Setup of a challenge that names none.
    pub setup: Setup,
    /// Games that a member may play at a time; 0: no limit.
    pub games_per_player: u32,
    /// Addresses of the club itself, in lower case.
    pub own_addresses: Vec<String>,
}

/// What a command needs loaded beyond what every command needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Games and challenges named by number.
    pub numbers: Vec<u32>,
    /// Somebody named or addressed.
    pub who: Option<Who>,
    /// A name that is wished for.
    pub name: Option<String>,
    /// All members.
    pub members: bool,
    /// Games that ended of late.
    pub over: bool,
    /// How many games the challengers play.
    pub challengers: bool,
}

impl Wanted {
    /// What that command needs, with the numbers that its mail names besides.
    #[must_use]
    pub fn by(command: &Command, numbers: impl IntoIterator<Item = u32>) -> Self {
        let mut wanted = Wanted {
            numbers: numbers.into_iter().collect(),
            ..Wanted::default()
        };
        match command {
            Command::Challenge { who, .. } => wanted.who = Some(who.clone()),
            Command::Name(name) => wanted.name = Some(name.clone()),
            Command::Players => wanted.members = true,
            Command::List => wanted.over = true,
            Command::Accept(n) => {
                wanted.numbers.extend(n);
                wanted.challengers = true;
            }
            Command::Decline(n) | Command::Withdraw(n) | Command::Show(n) | Command::History(n) => {
                wanted.numbers.extend(n);
            }
            _ => {}
        }
        wanted
    }
}

/// All that deciding one command of one member needs.
#[derive(Clone, Debug)]
pub struct Desk {
    /// Who writes.
    pub me: Player,
    /// The writer's running games, oldest first, and finished ones that the mail names.
    pub games: Vec<Game>,
    /// Challenges that wait for or from the writer, open ones, and others of the writer that the mail names.
    pub challenges: Vec<Challenge>,
    /// Running games of those who made the challenges, where they were wanted.
    pub challengers: Vec<(PlayerId, u32)>,
    /// Members whom WHO may mean.
    pub found: Found,
    /// Keys of names that begin like the name wished for, the writer's own left out.
    pub taken: Vec<String>,
    /// All members, where they were wanted.
    pub members: Vec<PlayerLine>,
    /// Games of the writer that ended of late, newest first, where they were wanted.
    pub over: Vec<Game>,
    /// Invitations that the writer sent to strangers within the last day.
    pub invited_today: u32,
    /// The number that the next challenge gets.
    pub next_number: u32,
    /// What the club allows.
    pub customs: Customs,
}

/// Whom a WHO may mean.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Members, each with the number of their running games.
    pub members: Vec<(Player, u32)>,
    /// All names near the one written, for a suggestion.
    pub near: Option<String>,
    /// For an address of no member: whether it asked for no mail.
    pub suppressed: bool,
    /// For an address of no member: whether it was invited within 30 days.
    pub invited: bool,
}

impl Desk {
    /// The writer's running games.
    pub fn running(&self) -> impl Iterator<Item = &Game> {
        self.games.iter().filter(|game| game.ended.is_none())
    }

    /// The writer's game of that number, running or over.
    #[must_use]
    pub fn game(&self, number: u32) -> Option<&Game> {
        self.games.iter().find(|game| game.number == number)
    }

    /// Challenges that the writer may accept or decline.
    pub fn offers(&self, now: DateTime<Utc>) -> impl Iterator<Item = &Challenge> {
        self.challenges
            .iter()
            .filter(move |c| c.waits(now) && c.is_for(&self.me))
    }

    /// Challenges of the writer that wait for an answer.
    pub fn own_challenges(&self, now: DateTime<Utc>) -> impl Iterator<Item = &Challenge> {
        self.challenges
            .iter()
            .filter(move |c| c.waits(now) && c.from == self.me.id)
    }

    /// Running games that wait for the writer, the longest first.
    #[must_use]
    pub fn waiting_for_me(&self) -> Vec<&Game> {
        let mut games: Vec<&Game> = self
            .running()
            .filter(|game| game.is_turn_of(self.me.id))
            .collect();
        games.sort_by_key(|game| (game.turn_since(), game.number));
        games
    }
}

impl Challenge {
    /// Whether that member may accept it.
    #[must_use]
    pub fn is_for(&self, player: &Player) -> bool {
        self.from != player.id
            && match &self.to {
                Invitee::Member { id, .. } => *id == player.id,
                Invitee::Address(address) => *address == player.address,
                Invitee::Anyone => true,
            }
    }

    /// The side other than that member, as a name or an address; `None` where anyone may take it.
    #[must_use]
    pub fn other_side(&self, player: PlayerId) -> Option<String> {
        if self.from != player {
            return Some(self.from_name.clone());
        }
        match &self.to {
            Invitee::Member { name, .. } => Some(name.clone()),
            Invitee::Address(address) => Some(address.clone()),
            Invitee::Anyone => None,
        }
    }

    /// Whether it can never be accepted any more.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.state != ChallengeState::Waiting
    }
}
