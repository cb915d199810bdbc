//! Two players at one game: how it begins by mail, and how a turn is played.
//!
//! Knows which letters each step brings; refuses to know the servers.

use std::collections::BTreeSet;

use dvonn_post::dvonn::{Colour, Position};
use serde_json::{Value, json};

use crate::club::Club;
use crate::common::{DOMAIN, MailStack};
use crate::letter::Letter;
use crate::player::Player;
use crate::recorded::{Recorded, Turn, assert_board};

/// Two players and their game, whose number is 1.
pub struct Table<'a> {
    pub white: Player<'a>,
    pub black: Player<'a>,
    /// Letters to each (White, Black) before the first one of the game.
    before: [usize; 2],
}

impl<'a> Table<'a> {
    /// Ben, a stranger, challenges Anna, another one, and both become members; Anna accepts. `colour`: what Ben asks for.
    pub fn begin(stack: &'a MailStack, colour: Colour) -> Table<'a> {
        let (mut ben, mut anna) = (Player::new(stack, "ben"), Player::new(stack, "anna"));
        ben.write("hello", &format!("challenge anna@{DOMAIN} {colour}"));
        let question = ben.next();
        assert!(
            question.text.contains("Answer with  yes"),
            "{}",
            question.text
        );
        ben.reply("yes");
        let report = ben.next();
        assert!(report.text.contains(&anna.address()), "{}", report.text);
        let invitation = anna.next();
        assert!(
            invitation.text.contains("Answer with  accept"),
            "{}",
            invitation.text
        );
        anna.reply("accept");
        for player in [&mut ben, &mut anna] {
            assert_board(&player.next().board(), &Position::new());
        }
        let (white, black) = match colour {
            Colour::White => (ben, anna),
            Colour::Black => (anna, ben),
        };
        let before = [&white, &black].map(|player| player.letters.len() - 1);
        Table {
            white,
            black,
            before,
        }
    }

    pub fn player(&mut self, colour: Colour) -> &mut Player<'a> {
        match colour {
            Colour::White => &mut self.white,
            Colour::Black => &mut self.black,
        }
    }

    /// Plays one turn by mail. Both get one letter.
    pub fn play(&mut self, turn: &Turn) {
        self.player(turn.by).reply(&turn.text());
        self.white.next();
        self.black.next();
    }

    /// Plays one turn by mail as soon as the letter about the one before is there.
    pub fn write(&mut self, turn: &Turn) {
        let player = self.player(turn.by);
        player.wait_for_ply(turn.before);
        player.reply_to_ply(turn.before, &turn.text());
    }

    /// Compares the first turns of a game, all of the placing phase, with what the program says and with the letters of
    /// both players: each about each turn, and no letter more often than that.
    pub fn assert_so_far(&mut self, club: &Club, game: &Recorded, turns: usize, most: u32) {
        for player in [&mut self.white, &mut self.black] {
            for turn in &game.turns[..turns] {
                player.wait_for_ply(turn.before + 1);
                turn.assert_shown(&player.of_ply(turn.before + 1).unwrap().board());
            }
            player.look();
            let copies = &player.copies;
            assert!(copies.values().all(|times| *times <= most), "{copies:?}");
        }
        let record = club.json(&["game", "1", "--json"]);
        assert_eq!(record["moves"], json!(game.moves[..turns]));
    }

    /// Waits until both players have every letter of a game.
    pub fn wait_for_all(&mut self, game: &Recorded) {
        let [white, black] = self.before.map(|before| before + 1 + game.turns.len());
        self.white.wait_for(white);
        self.black.wait_for(black);
    }

    /// The letters of one player about the running game: its begin, then one a turn.
    fn thread(&self, colour: Colour) -> &[Letter] {
        match colour {
            Colour::White => &self.white.letters[self.before[0]..],
            Colour::Black => &self.black.letters[self.before[1]..],
        }
    }

    /// Compares the letters of both players with the game.
    pub fn assert_letters(&self, game: &Recorded) {
        let subject = format!("[dvonn #1] {} - {}", self.white.name(), self.black.name());
        let mut ids = BTreeSet::new();
        for colour in [Colour::White, Colour::Black] {
            let player = match colour {
                Colour::White => &self.white,
                Colour::Black => &self.black,
            };
            for letter in &player.letters {
                letter.assert_well_formed();
                assert_eq!(letter.from, format!("club@{DOMAIN}"));
                assert_eq!(letter.to, player.address());
                assert!(
                    ids.insert(&letter.id),
                    "two letters have the id {}",
                    letter.id
                );
            }
            let letters = self.thread(colour);
            assert_eq!(letters.len(), 1 + game.turns.len(), "letters to {colour}");
            let about = |letter: &&Letter| letter.subject.starts_with("[dvonn #1] ");
            let root = &player.letters.iter().find(about).unwrap().id;
            for (letter, turn) in letters.iter().skip(1).zip(&game.turns) {
                turn.assert_shown(&letter.board());
                assert_eq!(letter.subject, subject);
                assert_eq!(letter.references.first(), Some(root), "{}", letter.bytes);
                assert!(letter.references.len() <= 10);
                let answers = turn.by == colour;
                let expected = if answers {
                    "auto-replied"
                } else {
                    "auto-generated"
                };
                assert_eq!(letter.submitted, expected, "{}", letter.bytes);
                assert_eq!(
                    letter.in_reply_to.len(),
                    usize::from(answers),
                    "{}",
                    letter.bytes
                );
                // The last letter holds the whole record, with every pass of the game.
                let passed = turn.played.passed.is_some() && turn.played.outcome.is_none();
                assert_eq!(
                    letter.text.contains("no move and pass"),
                    passed,
                    "{}",
                    letter.text
                );
            }
            let end = letters.last().unwrap();
            let [white, black] = game.score;
            let (more, less) = (white.max(black), white.min(black));
            assert!(end.text.contains("The game is over"), "{}", end.text);
            assert!(
                end.text.contains(&format!("{more} to {less}")),
                "{}",
                end.text
            );
            assert!(
                letters
                    .iter()
                    .rev()
                    .skip(1)
                    .all(|letter| !letter.text.contains("is over"))
            );
        }
    }

    /// Compares what the program says about the game with the recorded one.
    pub fn assert_record(&self, club: &Club, game: &Recorded) {
        let record = club.json(&["record", "1", "--json"]);
        let [white, black] = game.score;
        for (key, expected) in [
            ("game", json!(1)),
            ("setup", json!("place")),
            ("start", Value::Null),
            ("phase", json!("over")),
            ("turn", Value::Null),
            ("ply", json!(game.moves.len())),
            ("moves", json!(game.moves)),
            ("position", json!(game.last)),
            ("score", json!({"white": white, "black": black})),
            ("result", json!(game.result)),
            ("ended_by", json!("score")),
        ] {
            assert_eq!(record[key], expected, "{key}");
        }
        assert_eq!(record["white"]["name"], json!(self.white.name()));
        assert_eq!(record["black"]["name"], json!(self.black.name()));
        for form in [&["record", "1"][..], &["record", "1", "--json"]] {
            let file = club.path("record");
            std::fs::write(&file, club.run(form).out).unwrap();
            let replayed = club.json(&["replay", file.to_str().unwrap(), "--json"]);
            for key in ["moves", "position", "score", "result", "ended_by"] {
                assert_eq!(replayed[key], record[key], "{form:?}: {key}");
            }
        }
    }
}
