//! Which game or challenge a command means. Nothing is guessed: if several fit, the answer asks.

use crate::club::challenge::Challenge;
use crate::club::desk::Desk;
use crate::club::game::Game;
use crate::club::refusal::Refusal;
use crate::command::Verb;
use chrono::{DateTime, Utc};

/// What a mail says about itself, beside its commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// The letter of the club that it answers.
    pub answered: Option<Answered>,
    /// Number in the `[dvonn #12]` tag of the subject.
    pub tagged: Option<u32>,
    /// Arrival in the club's mailbox: the moment that counts.
    pub arrived: DateTime<Utc>,
    /// The moment at which it is carried out; later than the arrival of a mail that waited.
    pub now: DateTime<Utc>,
    /// Digest of the mail, for lots that are drawn.
    pub digest: [u8; 32],
    /// A secret number of the club, for lots that will be drawn.
    pub nonce: [u8; 32],
}

/// The letter of the club that a mail answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answered {
    /// A letter about a game.
    Game {
        /// The game.
        game: u32,
        /// The state that the letter showed.
        serial: u32,
    },
    /// A letter about a challenge.
    Challenge {
        /// Its number.
        number: u32,
    },
}

impl Context {
    /// The game whose letter was answered.
    #[must_use]
    pub fn answered_game(&self) -> Option<u32> {
        match self.answered {
            Some(Answered::Game { game, .. }) => Some(game),
            _ => None,
        }
    }

    /// The challenge whose letter was answered.
    #[must_use]
    pub fn answered_challenge(&self) -> Option<u32> {
        match self.answered {
            Some(Answered::Challenge { number }) => Some(number),
            _ => None,
        }
    }

    /// The state of a game that the answered letter showed.
    #[must_use]
    pub fn answered_serial(&self, number: u32) -> Option<u32> {
        match self.answered {
            Some(Answered::Game { game, serial }) if game == number => Some(serial),
            _ => None,
        }
    }
}

/// The game that a command means: the one its line names, the letter answered, the subject's tag, or the only one in
/// which it makes sense. `tests` go from narrow to wide: the first that fits exactly one game names it.
///
/// # Errors
/// A refusal that lists the candidates, or says that there is none.
pub fn game<'d>(
    desk: &'d Desk,
    context: &Context,
    line: Option<u32>,
    verb: Verb,
    tests: &[&dyn Fn(&Game) -> bool],
) -> Result<&'d Game, Refusal> {
    if let Some(number) = line.or(context.answered_game()) {
        return desk.game(number).ok_or(Refusal::NotYours { number });
    }
    if let Some(game) = context.tagged.and_then(|number| desk.game(number)) {
        return Ok(game);
    }
    for test in tests {
        if let Some(game) = only(desk.running().filter(|game| test(game))) {
            return Ok(game);
        }
    }
    if let Some(game) = only(desk.running()) {
        return Ok(game);
    }
    let candidates: Vec<_> = desk
        .running()
        .map(|game| (game.number, game.opponent_of(desk.me.id).name.clone()))
        .collect();
    if candidates.is_empty() {
        Err(Refusal::NoGame { verb })
    } else {
        Err(Refusal::WhichGame { candidates, verb })
    }
}

/// The challenge that a command means: by its number, the letter answered, the subject's tag, or the only candidate.
///
/// # Errors
/// A refusal that lists the candidates, or says that there is none.
pub fn challenge<'d>(
    desk: &'d Desk,
    context: &Context,
    number: Option<u32>,
    verb: Verb,
    candidates: &[&'d Challenge],
) -> Result<&'d Challenge, Refusal> {
    if let Some(number) = number.or(context.answered_challenge()) {
        return desk
            .challenges
            .iter()
            .find(|c| c.number == number)
            .ok_or(Refusal::NotYours { number });
    }
    if let Some(found) = context
        .tagged
        .and_then(|n| candidates.iter().find(|c| c.number == n))
    {
        return Ok(found);
    }
    match candidates {
        [] => Err(Refusal::NoChallenge { verb }),
        [one] => Ok(one),
        several => Err(Refusal::WhichChallenge {
            candidates: several
                .iter()
                .map(|c| {
                    (
                        c.number,
                        c.other_side(desk.me.id)
                            .unwrap_or_else(|| c.from_name.clone()),
                    )
                })
                .collect(),
            verb,
        }),
    }
}

fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    items.next().filter(|_| items.next().is_none())
}
