//! Every mail of `data/mail`, taken from public bug reports, through the program on Maildirs: what is played, who is
//! written to, and that the mail behind it is served. `data/mail/INDEX.md` tells the trouble and the right behaviour.
//!
//! In game 12 the writer is white, and each move that the mail holds can be played: it must then stand in the record.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used
)]

mod club;

use std::fs;
use std::path::PathBuf;

use club::{ADMIN, Club, game_where, insert_game};
use dvonn_post::daemon::clock;
use dvonn_post::mail::Incoming;
use dvonn_post::store::{Letter, Nature, Outcome};
use serde_json::Value;

/// The letter that all these mails answer.
const OUR_LETTER: &str = "g12.m31.9f3kq2x7@club.example";

const BOB: &str = "bob.hale@example.org";
const CAROL: &str = "carol.finch@example.net";

/// The players who write in these mails, and the language of our letter to each.
const WRITERS: [(&str, &str, &str); 5] = [
    ("Alice Moor", "alice.moor@example.org", "en"),
    ("Uwe Keßler", "uwe.kessler@example.org", "de"),
    ("Petr Novotný", "petr.novotny@example.org", "cs"),
    ("Oksana Bondar", "oksana.bondar@example.org", "uk"),
    ("Mette Lund", "mette.lund@example.org", "en"),
];

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

/// A club in which one of these mails arrives.
struct Scene {
    club: Club,
    writer: &'static str,
    before: [Vec<String>; 2],
}

impl Scene {
    /// Games 12 and 14 stand so that the moves can be played in them.
    fn new(raw: &[u8], moves: [&[&str]; 2]) -> Scene {
        let club = Club::new();
        let (writer_name, writer, language) = *WRITERS
            .iter()
            .find(|(_, address, _)| {
                let from = Incoming::read(raw).ok().and_then(|mail| mail.from.ok());
                from.is_some_and(|from| from.key() == *address)
            })
            .unwrap_or(&WRITERS[0]);
        let id = club.join(writer_name, writer);
        let bob = club.join("Bob Hale", BOB);
        let carol = club.join("Carol Finch", CAROL);
        let mut store = club.store();
        let now = clock::now();
        for (number, black, wanted) in [(12, bob, moves[0]), (14, carol, moves[1])] {
            insert_game(&mut store, number, (id, black), &game_where(wanted), now);
        }
        let our_letter =
            Incoming::read(&fs::read(data(&format!("replies/answered-{language}.eml"))).unwrap())
                .unwrap();
        let letter = Letter {
            message_id: OUR_LETTER.to_owned(),
            sender: None,
            recipient: writer.to_owned(),
            game: Some(12),
            answers: None,
            unproven: false,
            nature: Nature::Plain,
            text: our_letter.body.text,
            bytes: Vec::new(),
        };
        store
            .write(|tx| {
                let id = tx.post(&letter, now)?;
                tx.tried(id, &Outcome::Sent, "", now)
            })
            .unwrap();
        drop(store);
        let before = [12, 14].map(|game| club.moves(game));
        Scene {
            club,
            writer,
            before,
        }
    }

    /// What was played in a game since the beginning, without what the rules passed.
    fn played(&self, game: usize) -> Vec<String> {
        let now = self.club.moves([12, 14][game]);
        let before = &self.before[game];
        assert_eq!(&now[..before.len()], &before[..]);
        now[before.len()..]
            .iter()
            .filter(|ply| *ply != "pass")
            .cloned()
            .collect()
    }
}

fn moves(case: &Value) -> Vec<&str> {
    case["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap())
        .collect()
}

fn check(case: &Value) {
    let name = case["name"].as_str().unwrap();
    let raws: Vec<Vec<u8>> = case["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| fs::read(data("mail").join(file.as_str().unwrap())).unwrap())
        .collect();
    let wanted = moves(case);
    let of_14: Vec<&str> = wanted
        .iter()
        .filter_map(|text| text.strip_prefix("game 14: "))
        .collect();
    let of_12: Vec<&str> = wanted
        .iter()
        .filter(|text| !text.starts_with("game 14: "))
        .map(|text| text.trim_start_matches("game 12: "))
        .collect();
    // What an unproven mail asks for must be possible, or it would fail for another reason.
    let possible: &[&str] = match name {
        "injected-comment-in-results" => &["e4-e5"],
        _ => &of_12,
    };
    let scene = Scene::new(&raws[0], [possible, &of_14]);
    let club = &scene.club;
    for raw in &raws {
        club.arrive(raw);
    }
    club.write(CAROL, "list");
    let ran = club.once();

    let played = [0, 1].map(|game| scene.played(game));
    let to_writer = club.letters(scene.writer);
    let to_admin = club.letters(ADMIN);
    let others: Vec<String> = club
        .recipients()
        .into_iter()
        .filter(|address| ![scene.writer, BOB, CAROL, ADMIN].contains(&address.as_str()))
        .collect();
    let context = format!("{name}\n{}\n{to_writer:#?}", ran.err);
    let action = match (
        case["action"].as_str().unwrap(),
        case["acceptable"].as_str(),
    ) {
        // The other outcome that the index accepts.
        (_, Some("ask")) if played[0].is_empty() && to_admin.is_empty() => "ask",
        (action, _) => action,
    };
    assert_eq!(others, Vec::<String>::new(), "{context}");
    let nothing = [Vec::<String>::new(), Vec::new()];
    match action {
        "execute" => {
            assert_eq!(played[0], of_12, "{context}");
            assert_eq!(played[1], of_14, "{context}");
            assert_eq!(club.letters(BOB).len(), 1, "{context}");
            // The mail that others choked on is no poison here: it is read at once, and its writer is answered like
            // everyone in whose mail nothing is understood. Nothing is there to be set aside.
            assert_eq!(to_writer.len(), raws.len(), "{context}");
            assert_eq!(to_admin.len(), 0, "{context}");
        }
        "ask" => {
            assert_eq!(played, nothing, "{context}");
            assert_eq!((to_writer.len(), to_admin.len()), (1, 0), "{context}");
            assert!(to_writer[0].text.starts_with("Nothing was "), "{context}");
            assert_eq!(club.letters(BOB).len(), 0, "{context}");
        }
        "confirm" => {
            assert_eq!(played, nothing, "{context}");
            assert_eq!(to_writer.len(), 1, "{context}");
            assert!(to_writer[0].text.contains("yes"), "{context}");
            assert_eq!(club.letters(BOB).len() + to_admin.len(), 0, "{context}");
            let over: i64 = club.value("SELECT count(*) FROM games WHERE ended_at IS NOT NULL");
            assert_eq!(over, 0, "{context}");
        }
        "ignore" => {
            assert_eq!(played, nothing, "{context}");
            assert_eq!(to_writer.len() + to_admin.len(), 0, "{context}");
            assert_eq!(club.letters(BOB).len(), 0, "{context}");
        }
        "quarantine" => {
            assert_eq!(played, nothing, "{context}");
            // A member is told that the mail cannot be read; the INDEX allows it.
            assert!(to_writer.len() <= 1 && to_admin.len() == 1, "{context}");
            let kept: i64 = club
                .value("SELECT count(*) FROM inbox WHERE state = 'shunted' AND length(raw) > 0");
            assert_eq!(kept, 1, "{context}");
        }
        other => panic!("{other} is no action"),
    }
    // Whatever it was, the mail behind it is answered.
    let to_carol = club.letters(CAROL);
    assert_eq!(to_carol.len(), 1 + of_14.len(), "{context}");

    // And the same mails again do nothing at all.
    for raw in &raws {
        club.arrive(raw);
    }
    club.once();
    assert_eq!([0, 1].map(|game| scene.played(game)), played, "{context}");
    assert_eq!(
        club.letters(scene.writer).len(),
        to_writer.len(),
        "{context}"
    );
    assert_eq!(club.letters(ADMIN).len(), to_admin.len(), "{context}");
}

#[test]
fn every_trouble_of_the_public_reports_is_met_as_the_index_says() {
    let text = fs::read_to_string(data("mail/expected.jsonl")).unwrap();
    let cases: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let troubles: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let failed = std::panic::catch_unwind(|| check(case)).is_err();
            failed.then(|| case["name"].as_str().unwrap().to_owned())
        })
        .collect();
    assert_eq!(troubles, Vec::<String>::new());
    assert_eq!(cases.len(), 30);
}
