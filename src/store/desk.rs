//! Loads the desk of a member, and saves what was decided at it.

use anyhow::Result;
use chrono::{DateTime, Utc};

use super::Tx;
use crate::club::challenge::Challenge;
use crate::club::decision::Change;
use crate::club::desk::{Customs, Desk, Found, Wanted};
use crate::club::game::Game;
use crate::club::names;
use crate::club::player::{Player, PlayerId};
use crate::club::tell::Sitting;
use crate::command::Who;

impl Tx<'_> {
    /// All that deciding a command of that member needs.
    ///
    /// # Errors
    /// SQLite's.
    pub fn desk(
        &self,
        me: Player,
        wanted: &Wanted,
        customs: &Customs,
        now: DateTime<Utc>,
    ) -> Result<Desk> {
        let mut games = self.running(me.id)?;
        let mut challenges = self.challenges_of(&me)?;
        for number in &wanted.numbers {
            self.add_named(&me, *number, &mut games, &mut challenges)?;
        }
        let mut challengers = Vec::new();
        for challenge in challenges.iter().filter(|_| wanted.challengers) {
            challengers.push((challenge.from, self.count_running(challenge.from)?));
        }
        Ok(Desk {
            challengers,
            found: wanted
                .who
                .as_ref()
                .map(|who| self.find(who, now))
                .transpose()?
                .unwrap_or_default(),
            taken: wanted
                .name
                .as_ref()
                .map(|name| self.keys_like(name, Some(me.id)))
                .transpose()?
                .unwrap_or_default(),
            members: if wanted.members {
                self.members()?
            } else {
                Vec::new()
            },
            over: if wanted.over {
                self.over_lately(me.id, now)?
            } else {
                Vec::new()
            },
            invited_today: self.invited_today(me.id, now)?,
            next_number: self.next_number()?,
            customs: customs.clone(),
            me,
            games,
            challenges,
        })
    }

    /// A member with their running games, for a letter.
    ///
    /// # Errors
    /// SQLite's.
    pub fn sitting(&self, id: PlayerId) -> Result<Sitting> {
        Ok(Sitting {
            player: self.player(id)?,
            running: self.running(id)?,
        })
    }

    /// Saves what was decided, in order.
    ///
    /// # Errors
    /// SQLite's, or a state that changed meanwhile.
    pub fn apply(&self, changes: &[Change]) -> Result<()> {
        for change in changes {
            match change {
                Change::Rename { player, name } => self.rename(*player, name)?,
                Change::Stop { player } => {
                    self.set_stopped(*player, true)?;
                    self.close_questions_of(*player)?;
                }
                Change::Challenge(challenge) => self.add_challenge(challenge)?,
                Change::Close { number, state } => self.close_challenge(*number, *state)?,
                Change::Begin(game) => self.add_game(game)?,
                Change::Advance { game, new } => self.advance(game, *new)?,
            }
        }
        Ok(())
    }

    /// Puts a game or challenge that the mail names onto the desk, if it is the member's to see.
    fn add_named(
        &self,
        me: &Player,
        number: u32,
        games: &mut Vec<Game>,
        challenges: &mut Vec<Challenge>,
    ) -> Result<()> {
        if !games.iter().any(|game| game.number == number) {
            games.extend(
                self.game(number)?
                    .filter(|game| game.seat_of(me.id).is_some()),
            );
        }
        if !challenges
            .iter()
            .any(|challenge| challenge.number == number)
        {
            challenges.extend(
                self.challenge(number)?
                    .filter(|challenge| challenge.from == me.id || challenge.is_for(me)),
            );
        }
        Ok(())
    }

    /// Whom a WHO may mean: the member of that address, of exactly that name, else all whose names begin with it.
    fn find(&self, who: &Who, now: DateTime<Utc>) -> Result<Found> {
        let members = match who {
            Who::Address(address) => self
                .player_by_address(&address.to_lowercase())?
                .into_iter()
                .collect(),
            Who::Name(name) => match self.player_by_name(name)? {
                Some(player) => vec![player],
                None => self.players_called_like(name)?,
            },
        };
        let mut found = Found::default();
        match who {
            Who::Name(name) if members.is_empty() => found.near = nearest(name, self.names()?),
            Who::Address(address) if members.is_empty() => {
                let address = address.to_lowercase();
                found.suppressed = self.is_suppressed(&address)?;
                found.invited = self.was_invited(&address, now)?;
            }
            _ => {}
        }
        for player in members {
            let running = self.count_running(player.id)?;
            found.members.push((player, running));
        }
        Ok(found)
    }
}

/// The name that is most like the one written, if any is much like it.
fn nearest(written: &str, known: Vec<String>) -> Option<String> {
    let written = names::key(written);
    known
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&written, &names::key(&name)), name))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}
