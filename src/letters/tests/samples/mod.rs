//! One notice for each kind of letter and each thing that a letter can say, by name.

pub(super) use endings::whole_game;

mod admin;
mod answers;
mod club;
mod endings;
mod games;
mod refusals;

use chrono::{DateTime, Utc};

use crate::club::notice::{About, BoardView, Notice, Part, PlyNews, Reader};
use crate::dvonn::{Board, Colour, Fallen, Ply, Position, diagram};

/// The board of the first sample letter in the club's style guide, after Black played d2-f2.
pub(super) const BOARD: &str = "    5  w2  W3  .   .   .   .   w4  .   .

  4  .   .   b3  b3  .   b4  .   b2  R   .

3  .   .   .   .   b   b6  .   w   w   w2  .

  2  .   .   x   _   .  [b3] R   b   b2  b   k

    1  x   x   .   .   w2  .   .   w2  .   j
         a   b   c   d   e   f   g   h   i
";

/// All of them.
pub(super) fn all() -> Vec<(String, Notice)> {
    let mut all = games::all();
    all.extend(endings::all());
    all.extend(answers::all());
    all.extend(refusals::all());
    all.extend(club::all());
    all.extend(admin::all());
    all
}

fn anna() -> Reader {
    Reader {
        name: Some("Anna".into()),
        address: "anna@example.org".into(),
        language: "en".into(),
        timezone: "Europe/Prague".into(),
    }
}

fn stranger() -> Reader {
    Reader {
        name: None,
        address: "eva@example.net".into(),
        language: "en".into(),
        timezone: "Europe/Prague".into(),
    }
}

fn at(moment: &str) -> DateTime<Utc> {
    moment.parse().unwrap()
}

fn ply(text: &str) -> Ply {
    text.parse().unwrap()
}

fn in_game(seat: Colour, parts: Vec<Part>) -> Notice {
    let about = About::Game {
        game: 12,
        serial: 75,
        seat,
        white: "Anna".into(),
        black: "Ben".into(),
    };
    Notice {
        to: anna(),
        about,
        answers: true,
        parts,
    }
}

fn in_club(parts: Vec<Part>) -> Notice {
    Notice {
        to: anna(),
        about: About::Club,
        answers: true,
        parts,
    }
}

fn position(board: Board, turn: Colour) -> Position {
    Position::resume(board, turn).unwrap().position
}

fn stacking() -> Position {
    position(diagram::read(BOARD).unwrap().board(), Colour::White)
}

/// A position in the placing phase after that many placements.
fn placing(placed: usize) -> Position {
    let mut position = Position::new();
    for turn in 0..placed {
        let free: Vec<_> = position.legal_moves().collect();
        position = position
            .play(free[(turn * 17) % free.len()])
            .unwrap()
            .position;
    }
    position
}

fn view(position: Position, seat: Colour) -> BoardView {
    BoardView {
        game: 12,
        white: "Anna".into(),
        black: "Ben".into(),
        seat,
        position,
        ply: 75,
        news: Vec::new(),
        last: None,
        begun: None,
        all_moves: false,
        waiting: None,
    }
}

fn news(by: Colour, played: &str) -> PlyNews {
    PlyNews {
        by,
        ply: ply(played),
        removed: Vec::new(),
        immobile: Vec::new(),
    }
}

fn fallen(cell: &str, owner: Colour, height: u8) -> Fallen {
    Fallen {
        cell: cell.parse().unwrap(),
        owner,
        height,
    }
}
