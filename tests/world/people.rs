//! What people do with the letters they get: answer with a move, later, twice, wrongly, or not at all.
//!
//! Knows the club's letters as a reader sees them; refuses to look into its database.

use std::time::Duration;

use dvonn_post::dvonn::{Colour, Move, Position};
use dvonn_post::mail::token::TokenKind;

use super::letters::{Letter, Person, bounce, delivered};
use super::world::{Event, Mail, Where, World};

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

impl World {
    /// The move that a letter's reader would make: always the same for the same state of a game.
    pub fn choice(&self, letter: &Letter, other: u64) -> Option<Move> {
        let token = letter.token?;
        let colour = match token.kind {
            TokenKind::White => Colour::White,
            TokenKind::Black => Colour::Black,
            _ => return None,
        };
        let position = Position::resume(letter.board()?.board(), colour)
            .ok()?
            .position;
        if position.turn() != Some(colour) {
            return None;
        }
        let legal: Vec<Move> = position.legal_moves().collect();
        let state = u64::from(token.number) * 7919 + u64::from(token.serial) * 31 + other;
        let at =
            super::chance::Chance::new(self.plan.seed ^ state, "move").below(legal.len() as u64);
        legal.get(usize::try_from(at).unwrap()).copied()
    }

    /// A letter lies before its reader.
    pub fn reads(&mut self, at: usize) {
        let letter = self.letters[at].clone();
        let Some(who) = self.people.iter().position(|p| p.address == letter.to) else {
            return;
        };
        let Some(token) = letter.token else { return };
        match token.kind {
            TokenKind::Question => self.write(who, Some(at), "yes", &[]),
            TokenKind::Invitation => self.write(who, Some(at), "accept", &[]),
            TokenKind::Member => {}
            TokenKind::White | TokenKind::Black => {
                if letter.asks_for_a_move() {
                    self.answers(who, at, &letter);
                }
            }
        }
    }

    fn answers(&mut self, who: usize, at: usize, letter: &Letter) {
        let token = letter.token.unwrap();
        // Nobody answers twice by habit: a state once answered is answered again only by oddity or impatience.
        let odd = !self.is_calm && self.chance.happens(self.plan.odd);
        if !odd && !self.answered.insert((token.number, token.serial, who)) && !self.is_calm {
            return;
        }
        let Some(mv) = self.choice(letter, 0) else {
            self.note(format_args!("no move can be read from {}", letter.id));
            self.broken = Some(format!(
                "a letter asks for a move and shows none: {}",
                letter.text
            ));
            return;
        };
        let line = mv.to_string();
        if !odd {
            let chat = if self.chance.happens(100) {
                "Well met.\r\n\r\n"
            } else {
                ""
            };
            self.write(who, Some(at), &format!("{chat}{line}"), &[&line]);
            return;
        }
        let other = (1..9).find_map(|n| self.choice(letter, n).filter(|other| *other != mv));
        let other = other.unwrap_or(mv).to_string();
        match self.chance.below(8) {
            // Two mails with the same move.
            0 => {
                self.write(who, Some(at), &line, &[&line]);
                self.write(who, Some(at), &line, &[&line]);
            }
            // Two mails with different moves.
            1 => {
                self.write(who, Some(at), &line, &[&line]);
                self.write(who, Some(at), &other, &[&other]);
            }
            // Two moves in one mail: none is played.
            2 if other != line => self.write(who, Some(at), &format!("{line}\r\n{other}"), &[]),
            3 => self.write(who, Some(at), "I feared a1-a9, and you?", &[]),
            // The stack may be anybody's, the distance wrong.
            4 => self.write(who, Some(at), "a1-k5", &[]),
            5 if self.chance.happens(150) => {
                self.write(who, Some(at), "resign", &[]);
            }
            // An answer to an older letter of the same game.
            6 => {
                let old = self.letters[..at].iter().rposition(|old| {
                    old.to == letter.to
                        && old.token.is_some_and(|t| {
                            t.number == token.number
                                && t.kind == token.kind
                                && t.serial < token.serial
                        })
                });
                let old_move = old.and_then(|old| self.choice(&self.letters[old].clone(), 0));
                match (old, old_move) {
                    (Some(old), Some(mv)) => {
                        let line = mv.to_string();
                        self.write(who, Some(old), &line, &[&line]);
                    }
                    _ => self.write(who, Some(at), "show", &[]),
                }
            }
            _ => self.write(who, Some(at), "moves", &[]),
        }
    }

    /// Somebody looks whether a game hangs, and asks for the board.
    pub fn looks(&mut self, who: usize) {
        let next = if self.is_calm {
            6 * HOUR
        } else {
            self.chance.within(2 * DAY, 4 * DAY)
        };
        if self.plan.faults > 0 || self.plan.by_mail {
            self.later(Duration::from_secs(next), Event::Looks(who));
        }
        let waits: Vec<u32> = self.book.waiting_for(&self.people[who].address);
        let begun = self.book.has_games();
        if self.plan.by_mail && !begun && who == 0 {
            self.write(who, None, "challenge Ben random setup random", &[]);
        }
        for game in waits {
            self.write(who, None, &format!("show {game}"), &[]);
        }
    }

    /// Somebody writes a mail, which goes on its way.
    pub fn write(&mut self, who: usize, answering: Option<usize>, body: &str, moves: &[&str]) {
        let id = self.mails.len();
        let person = self.people[who].clone();
        let now = self.clock.now();
        let letter = answering.map(|at| self.letters[at].clone());
        let text = match &letter {
            Some(letter) => person.reply(id, letter, body, now),
            None => person.fresh(id, "hello", body, now),
        };
        let state = letter.and_then(|l| l.token).map(|t| (t.number, t.serial));
        self.note(format_args!(
            "{} writes mail {id}: {}{}",
            person.name,
            body.replace("\r\n", " / "),
            state.map_or(String::new(), |(game, serial)| format!(
                " (at {game}.{serial})"
            )),
        ));
        let moves = moves.iter().map(|mv| (*mv).to_owned()).collect();
        self.mails.push(Mail {
            from: person.address,
            text,
            state,
            moves,
            resigns: body == "resign",
            robot: false,
        });
        self.travels(id);
    }

    /// A mail that no person typed.
    pub fn machine_writes(&mut self, from: &str, text: String, what: &str) -> usize {
        let id = self.mails.len();
        self.note(format_args!("mail {id} is {what}"));
        self.mails.push(Mail {
            from: from.to_owned(),
            text,
            state: None,
            moves: Vec::new(),
            resigns: false,
            robot: [
                "a bounce",
                "a late bounce",
                "a vacation notice",
                "our own letter",
            ]
            .contains(&what),
        });
        id
    }

    /// A mail goes its way: soon or late, once or twice, into the inbox or among junk, or nowhere.
    fn travels(&mut self, id: usize) {
        let faulty = !self.is_calm && self.plan.faults > 0;
        if faulty && self.chance.happens(40) {
            self.note(format_args!("mail {id} is lost"));
            return;
        }
        let copies = if faulty && self.chance.happens(60) {
            2
        } else {
            1
        };
        for copy in 0..copies {
            let wait = if !faulty {
                20
            } else if self.chance.happens(60) {
                self.chance.within(HOUR, 5 * DAY)
            } else {
                self.chance.within(2, 10 * MINUTE)
            };
            let place = if faulty && self.chance.happens(40) {
                Where::Junk
            } else {
                Where::Inbox
            };
            let verdict = if faulty && self.chance.happens(40) {
                *self.chance.pick(&[None, Some("fail")])
            } else {
                Some("pass")
            };
            let raw = delivered(&self.mails[id].text, verdict, copy);
            self.later(
                Duration::from_secs(wait),
                Event::Arrives {
                    mail: id,
                    raw,
                    place,
                },
            );
        }
    }

    /// A letter of the club goes its way to its reader, who may be away, or gone.
    pub fn carries(&mut self, at: usize) {
        let letter = self.letters[at].clone();
        let faulty = !self.is_calm && self.plan.faults > 0;
        let Some(who) = self.people.iter().position(|p| p.address == letter.to) else {
            return;
        };
        let now = self.clock.now();
        if faulty && self.chance.happens(25) {
            self.note(format_args!("the letter {} is lost", letter.id));
            return;
        }
        let is_answer = faulty && self.chance.happens(30);
        let bounces = faulty && self.chance.happens(20);
        if is_answer || bounces {
            let id = self.mails.len();
            let person: &Person = &self.people[who].clone();
            let (from, text, what) = if bounces {
                (
                    "mailer-daemon@mx.world.example",
                    bounce(id, &letter, now),
                    "a bounce",
                )
            } else {
                (
                    person.address.as_str(),
                    person.away(id, &letter, now),
                    "a vacation notice",
                )
            };
            let id = self.machine_writes(from, text, what);
            let raw = delivered(&self.mails[id].text, None, 0);
            let place = Where::Inbox;
            let wait = self.chance.within(1, HOUR);
            self.later(
                Duration::from_secs(wait),
                Event::Arrives {
                    mail: id,
                    raw,
                    place,
                },
            );
            if bounces {
                return;
            }
        }
        let wait = if faulty {
            self.chance.within(MINUTE, self.plan.patience * HOUR)
        } else {
            10 * MINUTE
        };
        self.later(Duration::from_secs(wait), Event::Reads(at));
    }
}
