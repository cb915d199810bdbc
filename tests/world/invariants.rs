//! What holds whatever happens, checked after every step and once more at the end.
//!
//! | | | where |
//! |---|---|---|
//! | I1 | each delivered mail ends in exactly one state, none is lost | at the end |
//! | I2 | each accepted move is in one ply, and somebody asked for it; the board replays | every step |
//! | I3 | what was committed never changes or vanishes | every step |
//! | I4, I9 | clocks: they come with time controls | - |
//! | I5 | copies of a letter are identical; a state is told once | every step |
//! | I6 | no letter to an address that did not opt in | every step |
//! | I7 | one mail causes one letter a person at most, and nobody is flooded | every step |
//! | I8 | automatic mail, ours too, causes none | every step |
//! | I10 | without faults all queues drain, and games go on | at the end |
//! | I11 | no secret, token or password in the log | at the end |
//! | I12 | a result is a function of the log | every step |
//! | I13 | a backup that reads the same mailbox has the same games | at the end |
//! | I14 | the admin hears of what needs a person | at the end |

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dvonn_post::club::game::EndedBy;
use dvonn_post::dvonn::{Colour, Position, replay};
use dvonn_post::mail::thread::read_message_id;
use dvonn_post::mail::token::TokenKind;

use super::book::{Book, Events, GameRow};
use super::letters::ADMIN;
use super::world::World;

/// Letters to one person within a world's life: far more than a game needs.
const FLOOD: usize = 400;

/// What was seen before.
#[derive(Debug, Default)]
pub struct Seen {
    events: Events,
    /// Every copy that the outgoing server took over.
    pub copies: Vec<(String, Arc<[u8]>)>,
    checked: usize,
    bytes: BTreeMap<String, (String, Arc<[u8]>)>,
    letters: i64,
    marks: (i64, i64),
    told: BTreeSet<(String, u32, u32, bool)>,
    answers: BTreeSet<(String, i64)>,
    /// Digests of mails that no person wrote.
    pub robots: BTreeSet<Vec<u8>>,
    /// Serials of the games when the faults ended.
    pub at_calm: Option<BTreeMap<u32, u32>>,
}

type Held = Result<(), String>;

fn demand(holds: bool, what: impl FnOnce() -> String) -> Held {
    if holds { Ok(()) } else { Err(what()) }
}

impl World {
    /// What holds at every moment.
    pub fn check(&mut self) -> Held {
        if let Some(what) = self.broken.take() {
            return Err(what);
        }
        self.copies_hold()?;
        let marks = self.book.marks();
        if marks == self.seen.marks {
            return Ok(());
        }
        self.seen.marks = marks;
        self.check_the_database()
    }

    /// All that the database must hold.
    pub fn check_the_database(&mut self) -> Held {
        let events = self.book.events();
        self.log_holds(&events)?;
        self.seen.events = events;
        self.outbox_holds()
    }

    /// I2, I3, I12.
    fn log_holds(&self, events: &Events) -> Held {
        for (key, event) in &self.seen.events {
            demand(events.get(key) == Some(event), || {
                format!(
                    "I3: event {key:?} was {event:?} and is {:?}",
                    events.get(key)
                )
            })?;
        }
        let games = self.book.games();
        for (key, event) in events {
            // What lies before the world began was asked for by nobody.
            let begun = game_of(&games, key.0)?;
            let is_new = !self.seen.events.contains_key(key) && !self.seen.events.is_empty();
            if is_new && event.2 != "pass" {
                self.somebody_asked(begun, *key, &event.1, &event.2)?;
            }
        }
        for game in &games {
            self.record_holds(game, events)?;
        }
        Ok(())
    }

    /// I2: a move is in the log because the player whose turn it was wrote it in answer to just that state.
    fn somebody_asked(&self, game: &GameRow, key: (u32, u32), kind: &str, what: &str) -> Held {
        let seats = [&game.white, &game.black];
        let asked = self.delivered.iter().any(|(mail, _, _)| {
            let mail = &self.mails[*mail];
            seats.contains(&&mail.from)
                && match kind {
                    "ply" => {
                        mail.state == Some((key.0, key.1 - 1))
                            && mail.moves.iter().any(|mv| mv == what)
                    }
                    _ => mail.resigns && mail.state.is_some_and(|state| state.0 == key.0),
                }
        });
        demand(asked, || {
            format!("I2: nobody asked for {kind} {what} at {key:?}")
        })
    }

    /// I2, I12: the log replays, and the row of the game says what the log says.
    fn record_holds(&self, game: &GameRow, events: &Events) -> Held {
        let number = game.number;
        let own: Vec<_> = events.range((number, 0)..=(number, u32::MAX)).collect();
        for (at, ((_, serial), _)) in own.iter().enumerate() {
            demand(*serial as usize == at + 1, || {
                format!("I2: game {number} has a gap before {serial}")
            })?;
        }
        demand(game.serial as usize == own.len(), || {
            format!(
                "I12: game {number} has serial {} and {} events",
                game.serial,
                own.len()
            )
        })?;
        let plies = Book::plies(events, number);
        let position = if game.start.is_some() || !plies.is_empty() {
            replay(game.start, &plies)
                .map_err(|why| format!("I2: game {number} does not replay: {why}"))?
                .position
        } else {
            Position::new()
        };
        let resigned = own.iter().find(|(_, (_, kind, _))| kind == "resigned");
        let (turn, result, by) = match (resigned, position.outcome()) {
            (Some((_, (_, _, who))), _) => {
                let winner = if who == "white" {
                    Colour::Black
                } else {
                    Colour::White
                };
                (
                    None,
                    Some(winner.to_string()),
                    Some(EndedBy::Resignation.word()),
                )
            }
            (None, Some(outcome)) => (None, Some(outcome.to_string()), Some(EndedBy::Score.word())),
            (None, None) => (position.turn().map(|c| c.to_string()), None, None),
        };
        let score = position.score();
        let said = (
            &game.turn,
            &game.result,
            game.ended_by.as_deref(),
            game.score,
        );
        let is = (
            &turn,
            &result,
            by,
            (u32::from(score.white), u32::from(score.black)),
        );
        demand(said == is, || {
            format!("I12: game {number} says {said:?}, its log {is:?}")
        })
    }

    /// I5, I6: copies of one letter are the same letter, and each went to somebody who wants mail.
    fn copies_hold(&mut self) -> Held {
        for (to, raw) in &self.seen.copies[self.seen.checked..] {
            let letter = super::letters::Letter::read(to, raw.clone());
            let known = self
                .seen
                .bytes
                .entry(letter.id.clone())
                .or_insert_with(|| (to.clone(), raw.clone()));
            demand(known.0 == *to && known.1 == *raw, || {
                format!("I5: two different letters are {}", letter.id)
            })?;
            let is_member = self.people.iter().any(|person| person.address == *to);
            let wrote = self
                .mails
                .iter()
                .any(|mail| mail.from == *to && !to.contains("daemon"));
            demand(is_member || wrote || to == ADMIN, || {
                format!("I6: a letter to {to}")
            })?;
            if let Some(token) = letter.token {
                self.board_holds(&letter, (token.number, token.serial), token.kind)?;
            }
        }
        self.seen.checked = self.seen.copies.len();
        Ok(())
    }

    /// A letter draws the board of its state.
    fn board_holds(
        &self,
        letter: &super::letters::Letter,
        (number, serial): (u32, u32),
        kind: TokenKind,
    ) -> Held {
        if !matches!(kind, TokenKind::White | TokenKind::Black) {
            return Ok(());
        }
        let Some(drawn) = letter.board() else {
            return Ok(());
        };
        let games = self.book.games();
        let game = game_of(&games, number)?;
        let events: Events = self
            .book
            .events()
            .into_iter()
            .filter(|((_, at), _)| *at <= serial)
            .collect();
        let known = events.range((number, 0)..=(number, u32::MAX)).count();
        demand(known == serial as usize, || {
            format!(
                "I3: the letter {} tells of a state that is not in the log",
                letter.id
            )
        })?;
        let plies = Book::plies(&events, number);
        let replayed = replay(game.start, &plies).map_err(|why| why.to_string())?;
        let board = replayed.position.board();
        let same = dvonn_post::dvonn::Cell::ALL.into_iter().all(|cell| {
            let of = |stack: Option<dvonn_post::dvonn::Stack>| {
                stack.map(|s| (s.owner(), s.height(), s.has_dvonn()))
            };
            of(board.stack(cell)) == of(drawn.stack(cell))
        });
        // A letter about an older state shows the newest board as well.
        demand(same, || {
            format!(
                "the letter {} draws another board:\n{}",
                letter.id, letter.text
            )
        })
    }

    /// I5, I7, I8: what the letters in the outbox answer.
    fn outbox_holds(&mut self) -> Held {
        let letters = self.book.letters();
        let mut each: BTreeMap<&str, usize> = BTreeMap::new();
        for letter in &letters {
            *each.entry(&letter.recipient).or_default() += 1;
        }
        if let Some((to, count)) = each.iter().find(|(_, count)| **count > FLOOD) {
            return Err(format!("I7: {count} letters to {to}"));
        }
        let newest = letters.last().map_or(0, |letter| letter.id);
        if newest == self.seen.letters {
            return Ok(());
        }
        let mails: BTreeMap<i64, (String, bool)> = self
            .book
            .mails()
            .into_iter()
            .map(|mail| {
                (
                    mail.id,
                    (mail.state, self.seen.robots.contains(&mail.digest)),
                )
            })
            .collect();
        let known = self.seen.letters;
        for letter in letters.iter().filter(|letter| letter.id > known) {
            let to = letter.recipient.clone();
            match letter.answers {
                Some(mail) => {
                    demand(self.seen.answers.insert((to.clone(), mail)), || {
                        format!("I7: mail {mail} has two answers to {to}")
                    })?;
                    let (state, robot) = mails
                        .get(&mail)
                        .map_or(("gone", false), |(state, robot)| (state.as_str(), *robot));
                    let may = !robot && !matches!(state, "ignored" | "left" | "gone");
                    demand(may, || {
                        format!(
                            "I8: mail {mail} is {state}, and letter {} answers it",
                            letter.id
                        )
                    })?;
                }
                None => self.told_once(&to, &letter.message_id, letter.is_of_bounces)?,
            }
        }
        self.seen.letters = newest;
        Ok(())
    }

    /// I5: that a game has come to a state is told to whoever did not cause it once, and so is that the opponent cannot be
    /// reached.
    fn told_once(&mut self, to: &str, message_id: &str, of_bounces: bool) -> Held {
        let Some((token, _)) = read_message_id(message_id) else {
            return Ok(());
        };
        let is_game = matches!(token.kind, TokenKind::White | TokenKind::Black);
        let new = self
            .seen
            .told
            .insert((to.to_owned(), token.number, token.serial, of_bounces));
        demand(!is_game || new, || {
            format!(
                "I5: {to} is told twice of game {}.{}",
                token.number, token.serial
            )
        })
    }
}

impl World {
    /// How often the letter went out that went out most often.
    pub fn most_copies(&self) -> usize {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for letter in &self.letters {
            *counts.entry(&letter.id).or_default() += 1;
        }
        counts.into_values().max().unwrap_or(0)
    }
}

pub fn game_of(games: &[GameRow], number: u32) -> Result<&GameRow, String> {
    games
        .iter()
        .find(|game| game.number == number)
        .ok_or_else(|| format!("I3: game {number} is gone"))
}
