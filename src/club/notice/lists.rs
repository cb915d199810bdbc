//! Lists: the reader's games and invitations, and the members.

use chrono::{DateTime, Utc};

use crate::club::game::EndedBy;

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
    /// SHA-256 of the club's secret number, in hexadecimal, where lots are drawn and anyone may accept.
    pub commitment: Option<String>,
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
