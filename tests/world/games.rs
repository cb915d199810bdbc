//! Games that are under way when a world begins, reached by random play, so that some end within it.

use chrono::{DateTime, Utc};
use dvonn_post::club::challenge::{Challenge, ChallengeState, Invitee};
use dvonn_post::club::decision::Change;
use dvonn_post::club::game::{Event, Game, Happened, Seat};
use dvonn_post::club::player::PlayerId;
use dvonn_post::dvonn::{Board, Colour, Move, Ply, Position, Setup, setup};
use dvonn_post::store::Store;

use super::chance::Chance;
use super::plan::Plan;

/// Puts the world's games into the database: the first player has White in the one and Black in the other.
pub fn begin(store: &mut Store, plan: &Plan, ids: &[PlayerId], now: DateTime<Utc>) {
    let mut chance = Chance::new(plan.seed, "games");
    for (index, plies) in plan.played.iter().enumerate().take(plan.games) {
        let seats = if index == 0 {
            (ids[0], ids[1])
        } else {
            (ids[1], ids[0])
        };
        let number = u32::try_from(index).unwrap() + 1;
        let (board, plies) = play(&mut chance, *plies);
        insert(store, number, seats, board, &plies, now);
    }
}

/// A drawn board and random moves from it, as long as the game goes on.
fn play(chance: &mut Chance, most: u64) -> (Board, Vec<Ply>) {
    let board = setup::random(&chance.bytes());
    let started = Position::start(board).unwrap();
    let mut plies: Vec<Ply> = started.passed.map(|_| Ply::Pass).into_iter().collect();
    let mut position = started.position;
    for _ in 0..most {
        let legal: Vec<Move> = position.legal_moves().collect();
        let mv = *chance.pick(&legal);
        let played = position.play(mv).unwrap();
        if played.position.turn().is_none() {
            break;
        }
        plies.push(Ply::Move(mv));
        plies.extend(played.passed.map(|_| Ply::Pass));
        position = played.position;
    }
    (board, plies)
}

fn insert(
    store: &mut Store,
    number: u32,
    (white, black): (PlayerId, PlayerId),
    board: Board,
    plies: &[Ply],
    at: DateTime<Utc>,
) {
    let [white, black] = [white, black].map(|player| Seat {
        player,
        name: store.read(|tx| tx.player(player)).unwrap().name,
    });
    let challenge = Challenge {
        number,
        from: white.player,
        from_name: white.name.clone(),
        to: Invitee::Member {
            id: black.player,
            name: black.name.clone(),
        },
        colour: Some(Colour::White),
        setup: Setup::Random,
        made: at,
        until: at,
        nonce: [9; 32],
        state: ChallengeState::Accepted,
    };
    let position = Position::replay(Some(board), plies).unwrap();
    let mut game = Game::begin(
        number,
        (white, black),
        Setup::Random,
        Some((board, position, None)),
        None,
        at,
    );
    game.events = plies
        .iter()
        .zip(1..)
        .map(|(ply, serial)| Event {
            serial,
            at,
            what: Happened::Ply(*ply),
        })
        .collect();
    store
        .write(|tx| tx.apply(&[Change::Challenge(challenge), Change::Begin(Box::new(game))]))
        .unwrap();
}
