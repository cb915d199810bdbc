//! Games played at random, for the properties of this floor.

#![allow(clippy::expect_used)]

use proptest::prelude::*;

use super::board::Board;
use super::diagram::Marks;
use super::moves::Move;
use super::notation::Ply;
use super::played::Played;
use super::position::Position;
use super::setup::{self, Setup};

/// A game that may have stopped anywhere.
#[derive(Clone, Debug)]
pub(super) struct Game {
    pub(super) setup: Setup,
    pub(super) start: Option<Board>,
    pub(super) plies: Vec<Ply>,
    /// Every position, the first one included.
    pub(super) positions: Vec<Position>,
    pub(super) played: Vec<Played>,
    pub(super) position: Position,
    pub(super) marks: Marks,
}

/// Whole and half games of all setups.
pub(super) fn games() -> impl Strategy<Value = Game> {
    let setup = prop_oneof![
        Just(Setup::Place),
        Just(Setup::Random),
        Just(Setup::Symmetric)
    ];
    let choices = proptest::collection::vec(any::<u16>(), 0..120);
    (setup, any::<[u8; 32]>(), choices)
        .prop_map(|(setup, seed, choices)| play(setup, &seed, &choices))
}

fn play(setup: Setup, seed: &[u8; 32], choices: &[u16]) -> Game {
    let start = match setup {
        Setup::Place => None,
        Setup::Random => Some(setup::random(seed)),
        Setup::Symmetric => Some(setup::symmetric(seed)),
    };
    let mut game = Game {
        setup,
        start,
        plies: Vec::new(),
        positions: Vec::new(),
        played: Vec::new(),
        position: Position::new(),
        marks: Marks::default(),
    };
    if let Some(board) = start {
        let started = Position::start(board).expect("a drawn board is a start");
        game.plies.extend(started.passed.map(|_| Ply::Pass));
        game.position = started.position;
    }
    game.positions.push(game.position);
    for choice in choices {
        let count = game.position.legal_count();
        let Some(index) = usize::from(*choice).checked_rem(count) else {
            break;
        };
        let chosen = game
            .position
            .legal_moves()
            .nth(index)
            .expect("it is that many");
        let played = game
            .position
            .play(chosen)
            .expect("the generator knows the rules");
        let (from, to) = match chosen {
            Move::Place(cell) => (None, cell),
            Move::Jump { from, to } => (Some(from), to),
        };
        game.marks = Marks {
            from,
            to: Some(to),
            gone: played.removed.iter().map(|fallen| fallen.cell).collect(),
        };
        game.plies.push(Ply::Move(chosen));
        game.plies.extend(played.passed.map(|_| Ply::Pass));
        game.position = played.position;
        game.positions.push(game.position);
        game.played.push(played);
    }
    game
}
