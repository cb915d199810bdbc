//! Carries out the commands of a mail for a member: load the desk, decide, save — a command at a time.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use chrono::{DateTime, Utc};

use super::settings::Club;
use super::writer::Trust;
use crate::club::desk::{Desk, Wanted};
use crate::club::notice::Done;
use crate::club::player::PlayerId;
use crate::club::refusal::Refusal;
use crate::club::tell::{CameTo, Line};
use crate::club::which::Context;
use crate::club::{decide, meant_game};
use crate::command::{Command, Reading, Who};
use crate::dvonn::Move;
use crate::mail::Address;
use crate::store::Tx;

/// What performing came to.
#[derive(Debug, Default)]
pub(super) struct Performed {
    /// Every line with its result, in order.
    pub lines: Vec<Line>,
    /// Commands that wait for the writer's `yes`, each with the game that its line names.
    pub held: Vec<(Option<u32>, Command)>,
}

impl Performed {
    /// Whether anything happened in a game, so that the text around it went on.
    pub(super) fn touches_a_game(&self) -> bool {
        self.lines.iter().any(
            |line| matches!(&line.came_to, CameTo::Decided(decision) if decision.game.is_some()),
        )
    }
}

/// The game that a line means.
struct Meant {
    /// Its number, where that is known.
    game: Option<u32>,
    /// The refusal of a move that may be meant for several.
    unclear: Option<Refusal>,
}

/// What the commands of a mail are carried out with.
pub(super) struct Stage<'a> {
    /// The transaction.
    pub tx: &'a Tx<'a>,
    /// The club.
    pub club: &'a Club,
    /// Whose commands they are.
    pub actor: PlayerId,
    /// What the mail says about itself; its nonce is drawn anew for each command.
    pub context: Context,
    /// What it may change.
    pub trust: Trust,
    /// The moment.
    pub now: DateTime<Utc>,
}

impl Stage<'_> {
    /// Carries out readings, in order.
    pub(super) fn perform(
        &mut self,
        readings: &[Reading],
        chance: &dyn Fn() -> [u8; 32],
    ) -> Result<Performed> {
        let meant = self.meant(readings)?;
        let rivals = rivals(readings, &meant);
        let mut performed = Performed::default();
        let mut failed: BTreeSet<Option<u32>> = BTreeSet::new();
        let mut left = false;
        for (reading, Meant { game: key, unclear }) in readings.iter().zip(meant) {
            let command = match &reading.result {
                Ok(command) => command,
                Err(error) => {
                    failed.insert(key);
                    performed.lines.push(Line {
                        text: reading.line.clone(),
                        game: None,
                        came_to: CameTo::Unread(error.clone()),
                    });
                    continue;
                }
            };
            self.context.nonce = chance();
            let is_play = matches!(command, Command::Play(_));
            // A line of no certain game may have been about this one, unless the mail names this one.
            let named = target(reading, &self.context);
            let line = if left || (is_play && (failed.contains(&key) || failed.contains(&named))) {
                Line {
                    text: reading.line.clone(),
                    game: None,
                    came_to: CameTo::NotTried,
                }
            } else if is_play && rivals.contains(&key) {
                self.two_moves(reading, key)?
            } else if let Some(refusal) = unclear {
                Line {
                    text: reading.line.clone(),
                    game: None,
                    came_to: CameTo::Refused(refusal),
                }
            } else if is_play {
                let named = Reading {
                    game: key,
                    ..reading.clone()
                };
                self.one(&named, command)?
            } else {
                self.one(reading, command)?
            };
            match &line.came_to {
                CameTo::Refused(_) => {
                    failed.insert(key);
                }
                CameTo::Held => performed.held.push((reading.game, command.clone())),
                _ => {}
            }
            left |= leaves(&line);
            let given_up = given_up(&line);
            performed.lines.push(line);
            for game in given_up {
                let resign = Reading {
                    game: Some(game),
                    result: Ok(Command::Resign),
                    ..reading.clone()
                };
                performed.lines.push(self.one(&resign, &Command::Resign)?);
            }
        }
        Ok(performed)
    }

    /// The game of each line: the one that the mail names, for a move else the only one in which it makes sense. What is
    /// not clear as the mail finds the games does not become clear by its other lines.
    fn meant(&self, readings: &[Reading]) -> Result<Vec<Meant>> {
        let mut desk = None;
        let mut meant = Vec::new();
        for reading in readings {
            let mut this = Meant {
                game: target(reading, &self.context),
                unclear: None,
            };
            let named = reading.game.or(self.context.answered_game());
            if let (None, Ok(Command::Play(mv))) = (named, &reading.result) {
                let desk = match &desk {
                    Some(desk) => desk,
                    None => desk.insert(self.desk(&Command::Play(*mv), None)?),
                };
                match meant_game(desk, &self.context, *mv) {
                    Ok(game) => this.game = Some(game),
                    Err(refusal @ Refusal::WhichGame { .. }) => this.unclear = Some(refusal),
                    Err(_) => this.game = None,
                }
            }
            meant.push(this);
        }
        Ok(meant)
    }

    fn desk(&self, command: &Command, line: Option<u32>) -> Result<Desk> {
        let me = self.tx.player(self.actor)?;
        let context = &self.context;
        let numbers = [
            line,
            context.answered_game(),
            context.answered_challenge(),
            context.tagged,
        ];
        let wanted = Wanted::by(command, numbers.into_iter().flatten());
        self.tx
            .desk(me, &wanted, &self.club.settings.customs, self.now)
    }

    fn one(&self, reading: &Reading, command: &Command) -> Result<Line> {
        if let Some(address) = unwritable(command) {
            let refusal = Refusal::NoPersonThere { address };
            return Ok(Line {
                text: reading.line.clone(),
                game: None,
                came_to: CameTo::Refused(refusal),
            });
        }
        let desk = self.desk(command, reading.game)?;
        let mut game = None;
        let came_to = match decide(&desk, &self.context, reading.game, command) {
            Err(refusal) => {
                game = refusal
                    .game()
                    .and_then(|number| desk.game(number))
                    .cloned()
                    .map(Box::new);
                CameTo::Refused(refusal)
            }
            Ok(decision) if self.trust.allows(command, &decision) => {
                self.tx.apply(&decision.changes)?;
                CameTo::Decided(Box::new(decision))
            }
            Ok(_) => CameTo::Held,
        };
        Ok(Line {
            text: reading.line.clone(),
            game,
            came_to,
        })
    }

    /// Refuses each of two different moves for one turn: the answer asks (MAIL-10).
    fn two_moves(&self, reading: &Reading, key: Option<u32>) -> Result<Line> {
        let desk = self.desk(&Command::List, reading.game)?;
        let only = || {
            let mut running = desk.running();
            running
                .next()
                .filter(|_| running.next().is_none())
                .map(|game| game.number)
        };
        let (refusal, game) = match key.or_else(only) {
            Some(number) => (
                Refusal::TwoMoves { game: number },
                desk.game(number).cloned().map(Box::new),
            ),
            None => {
                let verb = crate::command::Verb::Move;
                let name = |game: &crate::club::game::Game| {
                    (game.number, game.opponent_of(self.actor).name.clone())
                };
                (
                    Refusal::WhichGame {
                        candidates: desk.running().map(name).collect(),
                        verb,
                    },
                    None,
                )
            }
        };
        Ok(Line {
            text: reading.line.clone(),
            game,
            came_to: CameTo::Refused(refusal),
        })
    }
}

/// The address that a challenge names, if no letter can be sent there.
fn unwritable(command: &Command) -> Option<String> {
    match command {
        Command::Challenge {
            who: Who::Address(address),
            ..
        } if Address::parse(address).is_err() => Some(address.clone()),
        _ => None,
    }
}

/// Whether the line ended its writer's membership: whoever has left asks for nothing more.
fn leaves(line: &Line) -> bool {
    matches!(&line.came_to, CameTo::Decided(decision) if matches!(decision.done, Done::Stopped { .. }))
}

/// Games that leaving the club gives up.
fn given_up(line: &Line) -> Vec<u32> {
    match &line.came_to {
        CameTo::Decided(decision) => match &decision.done {
            Done::Stopped { resigned } => resigned.clone(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The game that a line names by itself, by the letter answered or by the subject; `None` where it must be found out.
fn target(reading: &Reading, context: &Context) -> Option<u32> {
    reading.game.or(context.answered_game()).or(context.tagged)
}

/// Games for which the mail holds two different moves.
fn rivals(readings: &[Reading], meant: &[Meant]) -> BTreeSet<Option<u32>> {
    let mut moves: BTreeMap<Option<u32>, BTreeSet<Move>> = BTreeMap::new();
    for (reading, this) in readings.iter().zip(meant) {
        if let Ok(Command::Play(mv)) = &reading.result {
            moves.entry(this.game).or_default().insert(*mv);
        }
    }
    moves
        .into_iter()
        .filter(|(_, different)| different.len() > 1)
        .map(|(game, _)| game)
        .collect()
}
