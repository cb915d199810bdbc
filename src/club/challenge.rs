//! A challenge: one player's wish to play, to a member, to an address that is new here, or to anyone.
//!
//! Challenges and games share one sequence of numbers; an accepted challenge becomes the game of its number.

use chrono::{DateTime, TimeDelta, Utc};
use ring::digest::{SHA256, digest};

use crate::club::notice::Draw;
use crate::club::player::PlayerId;
use crate::dvonn::{Colour, Setup};

/// How long a challenge waits for an answer.
pub const LIFETIME: TimeDelta = TimeDelta::days(14);

/// One challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// Its number, later the game's.
    pub number: u32,
    /// Who challenges.
    pub from: PlayerId,
    /// The challenger's name when it was loaded.
    pub from_name: String,
    /// Who may accept.
    pub to: Invitee,
    /// The challenger's colour; `None` for a draw by lot.
    pub colour: Option<Colour>,
    /// How the pieces come onto the board.
    pub setup: Setup,
    /// When it was made.
    pub made: DateTime<Utc>,
    /// Until when it may be accepted.
    pub until: DateTime<Utc>,
    /// The club's secret number; its digest stands in the invitation.
    pub nonce: [u8; 32],
    /// How it stands.
    pub state: ChallengeState,
}

/// Who may accept a challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invitee {
    /// A member.
    Member {
        /// Row id.
        id: PlayerId,
        /// The member's name when it was loaded.
        name: String,
    },
    /// An address that is new here.
    Address(String),
    /// Anyone else.
    Anyone,
}

/// How a challenge stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengeState {
    /// It waits for an answer.
    Waiting,
    /// It became a game.
    Accepted,
    /// It was declined.
    Declined,
    /// The challenger took it back.
    Withdrawn,
    /// Nobody answered in time.
    Expired,
}

impl Challenge {
    /// Whether it may still be answered at that time.
    #[must_use]
    pub fn waits(&self, now: DateTime<Utc>) -> bool {
        self.state == ChallengeState::Waiting && now <= self.until
    }

    /// Whether lots are drawn for colours or board.
    #[must_use]
    pub fn draws_lots(&self) -> bool {
        self.colour.is_none() || self.setup != Setup::Place
    }

    /// SHA-256 of the club's secret number, for the invitation; `None` where nothing is drawn.
    #[must_use]
    pub fn commitment(&self) -> Option<String> {
        self.draws_lots()
            .then(|| hex(digest(&SHA256, &self.nonce).as_ref()))
    }

    /// The draw, once the digest of the accepting mail is known: SHA-256 of nonce and digest, which neither side can
    /// choose alone.
    #[must_use]
    pub fn draw(&self, accepting: &[u8; 32]) -> ([u8; 32], Draw) {
        let seed = sha256_of(&self.nonce, accepting);
        let draw = Draw {
            nonce: hex(&self.nonce),
            digest: hex(accepting),
            seed: hex(&seed),
        };
        (seed, draw)
    }
}

fn sha256_of(first: &[u8], second: &[u8]) -> [u8; 32] {
    let mut context = ring::digest::Context::new(&SHA256);
    context.update(first);
    context.update(second);
    let mut seed = [0; 32];
    for (to, from) in seed.iter_mut().zip(context.finish().as_ref()) {
        *to = *from;
    }
    seed
}

fn hex(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(bytes)
}
