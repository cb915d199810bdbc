//! Games for tests, put into a database without any mail.
//!
//! Knows how to reach a position by chance and plain search; refuses to judge any rule itself.

use chrono::{DateTime, Utc};
use dvonn_post::club::challenge::{Challenge, ChallengeState, Invitee};
use dvonn_post::club::decision::Change;
use dvonn_post::club::game::{Event, Game, Happened, Seat};
use dvonn_post::club::player::PlayerId;
use dvonn_post::dvonn::{Board, Colour, Move, Ply, Position, Setup, setup};
use dvonn_post::store::Store;

/// A game from a drawn board in which it is White's turn and each of these moves can be played: the board and the plies.
/// Moves of one piece each, as they are in mails from the beginning of a game.
pub fn game_where(wanted: &[&str]) -> (Board, Vec<Ply>) {
    let wanted: Vec<Ply> = wanted.iter().map(|text| text.parse().unwrap()).collect();
    let mut chance = Chance(7);
    for round in 0_u32..100_000 {
        let mut seed = [0; 32];
        seed[..4].copy_from_slice(&round.to_le_bytes());
        let board = setup::random(&seed);
        let started = Position::start(board).unwrap();
        let mut plies: Vec<Ply> = started.passed.map(|_| Ply::Pass).into_iter().collect();
        let mut position = started.position;
        while position.turn().is_some() {
            let legal: Vec<Move> = position.legal_moves().collect();
            if position.turn() == Some(Colour::White)
                && wanted
                    .iter()
                    .all(|wanted| legal.iter().any(|mv| Ply::Move(*mv) == *wanted))
            {
                return (board, plies);
            }
            let played = legal[chance.below(legal.len())];
            let result = position.play(played).unwrap();
            plies.push(Ply::Move(played));
            plies.extend(result.passed.map(|_| Ply::Pass));
            position = result.position;
        }
    }
    panic!("no game was found in which {wanted:?} can be played");
}

/// Puts a game into the database, with the challenge whose number it has.
pub fn insert_game(
    store: &mut Store,
    number: u32,
    (white, black): (PlayerId, PlayerId),
    (board, plies): &(Board, Vec<Ply>),
    at: DateTime<Utc>,
) {
    let names = [white, black].map(|id| store.read(|tx| tx.player(id)).unwrap().name);
    let [white_name, black_name] = names;
    let challenge = Challenge {
        number,
        from: white,
        from_name: white_name.clone(),
        to: Invitee::Member {
            id: black,
            name: black_name.clone(),
        },
        colour: Some(Colour::White),
        setup: Setup::Random,
        made: at,
        until: at,
        nonce: [9; 32],
        state: ChallengeState::Accepted,
    };
    let seat = |player, name| Seat { player, name };
    let events = plies.iter().enumerate().map(|(index, ply)| Event {
        serial: u32::try_from(index).unwrap() + 1,
        at,
        what: Happened::Ply(*ply),
    });
    let mut game = Game::begin(
        number,
        (seat(white, white_name), seat(black, black_name)),
        Setup::Random,
        Some((*board, Position::replay(Some(*board), plies).unwrap(), None)),
        None,
        at,
    );
    game.events = events.collect();
    store
        .write(|tx| tx.apply(&[Change::Challenge(challenge), Change::Begin(Box::new(game))]))
        .unwrap();
}

/// Numbers that only look like chance: the same in every run (xorshift64).
pub struct Chance(pub u64);

impl Chance {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end).unwrap()).unwrap()
    }
}
