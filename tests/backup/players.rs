//! Two members who play by answering letters, with nothing to prove them but the token of the letter.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use dvonn_post::dvonn::{Board, Ply, Position};
use serde_json::Value;

use crate::club::{ADDRESS, Chance, Club};
use crate::{ANNA, BEN};

/// A club in which Anna and Ben have joined; it was founded ten days ago.
pub(crate) fn two_members() -> Club {
    let club = Club::new();
    club.join("Anna", ANNA);
    club.join("Ben", BEN);
    club.once();
    club.database()
        .execute("UPDATE club SET created_at = created_at - 864000", [])
        .unwrap();
    club
}

/// Anna challenges Ben, and Ben accepts by reply.
pub(crate) fn begin(club: &Club, options: &str) {
    club.write(ANNA, &format!("challenge Ben {options}"));
    club.once();
    answer(club, BEN, "accept");
    club.once();
}

/// A game as other programs read it.
pub(crate) fn game(club: &Club, number: u32) -> Value {
    let ran = club.run(&["game", &number.to_string(), "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    serde_json::from_str(&ran.out).unwrap()
}

/// Writes the next move of a game, in answer to the newest letter about it.
pub(crate) fn write_move(club: &Club, number: u32) {
    let game = game(club, number);
    let from = game[game["turn"].as_str().unwrap()]["address"]
        .as_str()
        .unwrap()
        .to_owned();
    let plies: Vec<Ply> = game["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|ply| ply.as_str().unwrap().parse().unwrap())
        .collect();
    let start: Option<Board> = game["start"].as_str().map(|text| text.parse().unwrap());
    let position = Position::replay(start, &plies).unwrap();
    let legal: Vec<_> = position.legal_moves().collect();
    let mut chance = Chance(u64::try_from(plies.len()).unwrap() * 31 + u64::from(number));
    let chosen = legal[chance.below(legal.len())];
    answer(club, &from, &format!("{number}: {chosen}\n\nYour turn."));
}

/// Plays so many moves of a game.
pub(crate) fn play(club: &Club, number: u32, moves: u32) {
    for _ in 0..moves {
        write_move(club, number);
        club.once();
    }
}

/// Answers the newest letter to somebody.
pub(crate) fn answer(club: &Club, from: &str, body: &str) {
    let letter: String = club
        .database()
        .query_row(
            "SELECT message_id FROM outbox WHERE recipient = ?1 ORDER BY id DESC LIMIT 1",
            [from],
            |row| row.get(0),
        )
        .unwrap();
    let count = club.count("new") + club.count("cur");
    club.arrive(
        format!(
            "From: <{from}>\nTo: <{ADDRESS}>\nSubject: Re: dvonn\nMessage-ID: <r{count}@example.org>\n\
             In-Reply-To: <{letter}>\nReferences: <{letter}>\n\n{body}\n"
        )
        .as_bytes(),
    );
}

/// Sets when a mail came.
pub(crate) fn arrived(file: &Path, at: SystemTime) {
    let file = fs::File::options().append(true).open(file).unwrap();
    file.set_modified(at).unwrap();
}

/// Every event of every game, with the moment that counts.
pub(crate) fn record(club: &Club) -> Vec<String> {
    let database = club.database();
    let mut statement = database
        .prepare(
            "SELECT e.game || ' ' || e.serial || ' ' || e.at || ' ' || e.kind || ' ' || e.what || ' ' || coalesce(g.start, '')
             FROM events e JOIN games g ON g.number = e.game ORDER BY e.game, e.serial",
        )
        .unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(|row| row.unwrap()).collect()
}
