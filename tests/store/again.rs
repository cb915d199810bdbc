//! Random mails: the columns that repeat a game's record agree with it at every ply, and mails that are delivered
//! again, in any order, leave exactly the database that they leave when each comes once.

use chrono::{DateTime, TimeDelta, Utc};
use dvonn_post::club::game::{EndedBy, Game, Happened};
use dvonn_post::dvonn::{Colour, Outcome, Position};
use rusqlite::OptionalExtension;

use crate::club::{ADDRESS, Chance, mail};
use crate::dump::{assert_same, dump};
use crate::world::World;

const PEOPLE: [(&str, &str); 3] = [
    ("Anna", "anna@example.org"),
    ("Ben", "ben@example.org"),
    ("Carol", "carol@example.org"),
];

/// Nobody's member at first.
const DORA: &str = "dora@example.org";

fn began() -> DateTime<Utc> {
    DateTime::from_timestamp(1_796_000_000, 0).unwrap()
}

fn world() -> World {
    let mut world = World::new(began());
    for (name, address) in PEOPLE {
        world.join(name, address);
    }
    // Members joined at the moment of this test; that is to be the same in every run.
    world
        .database()
        .execute_batch("UPDATE players SET joined_at = 0; UPDATE addresses SET learned_at = 0;")
        .unwrap();
    world
}

/// Makes up the next mail, fitting what the club has come to.
struct Author {
    chance: Chance,
    written: usize,
}

impl Author {
    fn next(&mut self, world: &mut World) -> String {
        self.written += 1;
        let games = running(world);
        let person = PEOPLE[self.chance.below(PEOPLE.len())].1;
        let other = PEOPLE[self.chance.below(PEOPLE.len())].0;
        match self.chance.below(100) {
            0..=74 if !games.is_empty() => {
                let game = &games[self.chance.below(games.len())];
                self.play(world, game)
            }
            0..=79 if games.len() < 3 => match waiting(world) {
                Some((number, to)) => self.fresh(&to, &format!("accept {number}")),
                None if self.chance.below(2) == 0 => {
                    self.fresh(person, &format!("challenge {other} white"))
                }
                None => self.fresh(person, &format!("challenge {other} random setup random")),
            },
            80 => self.fresh(person, "open setup symmetric"),
            81 => self.fresh(person, &format!("withdraw {}", self.written % 7)),
            82 => self.fresh(person, "b3-c3"),
            83 => self.fresh(person, "I think b3-c3 is best now"),
            84 if self.chance.below(4) == 0 => self.fresh(person, "resign"),
            84..=86 => self.fresh(person, "list\nshow\nhistory"),
            87 => self.fresh(person, "say hello\nplayers"),
            88 => self.fresh(person, &format!("name {other} {}", self.written % 5)),
            89 => self.unproven(person, "challenge Carol"),
            90 => self.unproven(DORA, "join"),
            91..=93 => self.reply(world, person, "yes"),
            94 => self.reply(world, DORA, "yes"),
            95 => self.fresh(person, &format!("challenge {DORA}")),
            96 => self.reply(world, DORA, "accept"),
            97 => self
                .unproven(person, "nothing at all\n")
                .replace("Message-ID", "X-Other"),
            98 => self
                .fresh(person, "list")
                .replace("Subject", "Auto-Submitted: auto-replied\nSubject"),
            _ => self.fresh(person, "zzz"),
        }
    }

    /// A move of whoever is to move, as a fresh mail or in answer to our letter.
    fn play(&mut self, world: &mut World, game: &Game) -> String {
        let colour = game.turn().unwrap();
        let player = game.seat(colour).player;
        let address = world.store.read(|tx| tx.player(player)).unwrap().address;
        let legal: Vec<_> = game.position.legal_moves().collect();
        let chosen = legal[self.chance.below(legal.len())];
        let letter: Option<String> = world
            .database()
            .query_row(
                "SELECT message_id FROM outbox WHERE recipient = ?1 AND game = ?2 ORDER BY id DESC LIMIT 1",
                rusqlite::params![address, game.number],
                |row| row.get(0),
            )
            .optional()
            .unwrap();
        match letter.filter(|_| self.chance.below(2) == 0) {
            Some(letter) => self.answer(&address, &letter, &format!("{chosen}\n\nYour turn.")),
            None => self.fresh(&address, &format!("{}: {chosen}", game.number)),
        }
    }

    /// An answer to the latest letter to somebody; a yes is said to the latest question.
    fn reply(&mut self, world: &World, from: &str, body: &str) -> String {
        let letter: Option<String> = world
            .database()
            .query_row(
                "SELECT message_id FROM outbox WHERE recipient = ?1 AND (?2 <> 'yes' OR message_id LIKE '%.q.%')
                 ORDER BY id DESC LIMIT 1",
                [from, body],
                |row| row.get(0),
            )
            .optional()
            .unwrap();
        match letter {
            Some(letter) => self.answer(from, &letter, body),
            None => self.fresh(from, body),
        }
    }

    fn fresh(&self, from: &str, body: &str) -> String {
        mail(from, &format!("{}@example.org", self.written), body)
    }

    fn answer(&self, from: &str, letter: &str, body: &str) -> String {
        self.unproven(from, body).replace(
            "Subject: dvonn",
            &format!("Subject: Re: dvonn\nIn-Reply-To: <{letter}>\nReferences: <{letter}>"),
        )
    }

    fn unproven(&self, from: &str, body: &str) -> String {
        format!(
            "From: <{from}>\nTo: <{ADDRESS}>\nSubject: dvonn\nMessage-ID: <{}@example.org>\n\n{body}\n",
            self.written
        )
    }
}

fn numbers(world: &World) -> Vec<u32> {
    let database = world.database();
    let mut statement = database
        .prepare("SELECT number FROM games ORDER BY number")
        .unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(|row| row.unwrap()).collect()
}

fn running(world: &mut World) -> Vec<Game> {
    numbers(world)
        .into_iter()
        .map(|number| world.store.read(|tx| tx.game(number)).unwrap().unwrap())
        .filter(|game| game.turn().is_some())
        .collect()
}

/// A challenge that waits, and the address of a member who may accept it.
fn waiting(world: &World) -> Option<(u32, String)> {
    world
        .database()
        .query_row(
            "SELECT c.number, p.address FROM challenges c JOIN players p
             ON p.id = c.to_player OR (c.to_player IS NULL AND c.to_address IS NULL AND p.id <> c.from_player)
             WHERE c.state = 'waiting' ORDER BY c.number, p.id LIMIT 1",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()
        .unwrap()
}

/// What the columns of a game say, and what its events say.
fn check_columns(world: &mut World) {
    type Columns = (
        Option<String>,
        i64,
        u32,
        Option<String>,
        Option<String>,
        Option<i64>,
        u32,
        u32,
    );
    for number in numbers(world) {
        let game = world.store.read(|tx| tx.game(number)).unwrap().unwrap();
        let columns: Columns = world
            .database()
            .query_row(
                "SELECT turn, turn_since, serial, result, ended_by, ended_at, score_white, score_black
                 FROM games WHERE number = ?1",
                [number],
                |row| {
                    Ok((
                        row.get(0)?,
                        row.get(1)?,
                        row.get(2)?,
                        row.get(3)?,
                        row.get(4)?,
                        row.get(5)?,
                        row.get(6)?,
                        row.get(7)?,
                    ))
                },
            )
            .unwrap();
        let plies: Vec<_> = game.plies().collect();
        let position = Position::replay(game.start, &plies).unwrap();
        let resigned = game.events.iter().find_map(|event| match event.what {
            Happened::Resigned(Colour::White) => Some(Outcome::Black),
            Happened::Resigned(Colour::Black) => Some(Outcome::White),
            Happened::Ply(_) => None,
        });
        let result = resigned.or(position.outcome());
        let by = match (resigned, position.outcome()) {
            (Some(_), _) => Some(EndedBy::Resignation),
            (None, Some(_)) => Some(EndedBy::Score),
            (None, None) => None,
        };
        let last = game.events.last().map_or(game.started, |event| event.at);
        let turn = position.turn().filter(|_| result.is_none());
        let score = position.score();
        let replayed: Columns = (
            turn.map(|colour| colour.to_string()),
            last.timestamp(),
            u32::try_from(game.events.len()).unwrap(),
            result.map(|result| result.to_string()),
            by.map(|by| by.word().to_owned()),
            result.map(|_| last.timestamp()),
            u32::from(score.white),
            u32::from(score.black),
        );
        assert_eq!(columns, replayed, "game {number}");
        let serials: Vec<u32> = game.events.iter().map(|event| event.serial).collect();
        let all: Vec<u32> = (1..=replayed.2).collect();
        assert_eq!(serials, all, "game {number}");
    }
}

#[test]
fn mails_that_come_again_in_any_order_change_nothing_and_columns_agree_with_the_record() {
    let mut once = world();
    let mut author = Author {
        chance: Chance(0x5eed),
        written: 0,
    };
    let mut mails: Vec<(String, DateTime<Utc>)> = Vec::new();
    for step in 0..600 {
        let raw = author.next(&mut once);
        let at = began() + TimeDelta::minutes(10 * step);
        once.receive(raw.as_bytes(), at);
        check_columns(&mut once);
        mails.push((raw, at));
    }
    // The mails were not all of one kind.
    let count = |sql: &str| -> i64 {
        once.database()
            .query_row(sql, [], |row| row.get(0))
            .unwrap()
    };
    assert!(count("SELECT count(*) FROM games WHERE ended_by = 'score'") >= 2);
    assert!(count("SELECT count(*) FROM events WHERE what = 'pass'") >= 1);
    assert!(count("SELECT count(*) FROM events") >= 250);
    assert!(count("SELECT count(*) FROM held") >= 3);
    assert!(count("SELECT count(*) FROM questions WHERE state = 'yes'") >= 1);
    assert!(count("SELECT count(*) FROM inbox WHERE state = 'ignored'") >= 2);

    let mut chance = Chance(0xfeed);
    let mut again = world();
    // First copies keep their order; second and third ones come anywhere behind.
    let mut order: Vec<(usize, bool)> = Vec::new();
    for index in (0..mails.len()).rev() {
        for _ in 0..chance.below(3) {
            order.insert(chance.below(order.len() + 1), (index, true));
        }
        order.insert(0, (index, false));
    }
    let copies = order.iter().filter(|(_, is_copy)| *is_copy).count();
    assert!(copies > 400, "{copies}");
    for (index, is_copy) in order {
        let (raw, at) = &mails[index];
        if !is_copy {
            again.receive(raw.as_bytes(), *at);
            continue;
        }
        // A relay adds its trace and other line ends; only a mail without an id is told by all of it.
        let raw = match chance.below(2) {
            0 if raw.contains("Message-ID") => {
                format!("Received: from a by b\nDelivered-To: c\n{raw}").replace('\n', "\r\n")
            }
            _ => raw.clone(),
        };
        let late = *at + TimeDelta::days(2);
        assert_eq!(again.receive(raw.as_bytes(), late), None);
    }
    // A number is used up by each refused copy; all else is the same to the last byte of every letter.
    let ids = ["inbox.id", "held.inbox", "outbox.answers"];
    let (once, again) = (dump(&once.database(), &ids), dump(&again.database(), &ids));
    assert_same(&again, &once, "after copies");
}
