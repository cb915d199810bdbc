//! Games recorded by an independent implementation, ply by ply, as expectation.

use std::fs;
use std::path::Path;

use dvonn_post::dvonn::{Cell, CellSet, Colour, Diagram, Marks, Move, Played, Ply, Position};
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    seed: u64,
    places: String,
    moves: String,
    #[serde(rename = "final")]
    last: String,
    score: [u8; 2],
    winner: String,
}

/// A whole game.
pub struct Recorded {
    /// What the players choose, in order.
    pub turns: Vec<Turn>,
    /// Every ply as a record writes it, forced passes included.
    pub moves: Vec<String>,
    pub last: String,
    pub score: [u8; 2],
    pub result: &'static str,
}

/// A placement or move, and what came of it.
pub struct Turn {
    /// How many plies, forced passes included, came before it.
    pub before: usize,
    pub by: Colour,
    pub chosen: Move,
    pub played: Played,
}

impl Recorded {
    pub fn game(seed: u64) -> Recorded {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/rules/games.jsonl");
        let text = fs::read_to_string(file).unwrap();
        let row: Row = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| serde_json::from_str::<Row>(line).unwrap())
            .find(|row| row.seed == seed)
            .expect("there is such a game");
        let places = (0..49).map(|at| row.places[2 * at..2 * at + 2].to_owned());
        let moves = row.moves.split(' ').map(|text| match text {
            "pass" => text.to_owned(),
            text => format!("{}-{}", &text[..2], &text[2..]),
        });
        let moves: Vec<String> = places.chain(moves).collect();
        let mut position = Position::new();
        let mut turns = Vec::new();
        for (before, text) in moves.iter().enumerate().filter(|(_, text)| *text != "pass") {
            let Ok(Ply::Move(chosen)) = text.parse() else {
                panic!("{text}");
            };
            let by = position.turn().unwrap();
            let played = position.play(chosen).unwrap();
            position = played.position;
            turns.push(Turn {
                before,
                by,
                chosen,
                played,
            });
        }
        assert_eq!(position.board().to_string(), row.last);
        Recorded {
            turns,
            moves,
            last: row.last,
            score: row.score,
            result: match row.winner.as_str() {
                "W" => "white",
                "B" => "black",
                _ => "draw",
            },
        }
    }

    /// How many forced passes there are.
    pub fn passes(&self) -> usize {
        self.moves.iter().filter(|text| *text == "pass").count()
    }
}

impl Turn {
    /// What a mail says to play it.
    pub fn text(&self) -> String {
        self.chosen.to_string()
    }

    /// Asserts that a board shows just this: the position, and the marks of the move.
    pub fn assert_shown(&self, board: &Diagram) {
        assert_board(board, &self.played.position);
        let (from, to) = match self.chosen {
            Move::Place(cell) => (None, cell),
            Move::Jump { from, to } => (Some(from), to),
        };
        let gone: CellSet = self
            .played
            .removed
            .iter()
            .map(|fallen| fallen.cell)
            .collect();
        // A stack that vanished where it had landed is marked as gone.
        let to = Some(to).filter(|to| !gone.contains(*to));
        assert_eq!(board.marks.from, from, "{}", self.text());
        assert_eq!(board.marks.gone, gone, "{}", self.text());
        if to.is_some() {
            assert_eq!(board.marks, Marks { from, to, gone }, "{}", self.text());
        }
    }
}

/// Asserts that a board shows this position.
pub fn assert_board(board: &Diagram, position: &Position) {
    for cell in Cell::ALL {
        assert_eq!(board.stack(cell), position.board().stack(cell), "{cell}");
    }
}
