//! Letters about the end of a game, and all letters of a whole game.

use super::{at, in_game, news, ply, position, stacking, view};
use crate::club::game::EndedBy;
use crate::club::notice::{BoardView, HistoryView, Notice, OverView, Part, PlyNews};
use crate::dvonn::{CellSet, Colour, Outcome, Phase, Ply, Position, Setup, setup};

pub(super) fn all() -> Vec<(String, Notice)> {
    let over = |view: OverView| in_game(view.board.seat, vec![Part::Over(Box::new(view))]);
    vec![
        (
            "over_by_score".into(),
            over(ended(EndedBy::Score, Colour::White)),
        ),
        (
            "over_by_resignation_of_the_other".into(),
            over(ended(EndedBy::Resignation, Colour::White)),
        ),
        (
            "over_by_resignation_of_the_reader".into(),
            over(ended(EndedBy::Resignation, Colour::Black)),
        ),
        ("over_in_a_draw".into(), over(drawn())),
    ]
}

/// A whole game, played without skill.
fn played_out() -> (Vec<Ply>, Position, Ply) {
    let (mut plies, mut position) = (Vec::new(), Position::new());
    while position.phase() != Phase::Over {
        let legal: Vec<_> = position.legal_moves().collect();
        let chosen = legal[plies.len() * 31 % legal.len()];
        let played = position.play(chosen).unwrap();
        plies.push(Ply::Move(chosen));
        plies.extend(played.passed.map(|_| Ply::Pass));
        position = played.position;
    }
    let last = *plies.last().unwrap();
    (plies, position, last)
}

fn ended(by: EndedBy, winner: Colour) -> OverView {
    let (moves, position, last) = played_out();
    let mut board = BoardView {
        last: Some((last, CellSet::EMPTY)),
        ply: moves.len() as u32,
        ..view(position, Colour::White)
    };
    let result = match by {
        EndedBy::Score => {
            board.news = vec![news(Colour::Black, &last.to_string())];
            position.outcome().unwrap()
        }
        EndedBy::Resignation => {
            board.position = stacking();
            Outcome::won_by(winner)
        }
    };
    let history = HistoryView {
        game: 12,
        white: "Anna".into(),
        black: "Ben".into(),
        setup: Setup::Place,
        start: None,
        moves,
    };
    OverView {
        board,
        result,
        by,
        history,
        started: at("2026-11-07T10:00:00Z"),
        ended: at("2026-11-30T23:30:00Z"),
    }
}

fn drawn() -> OverView {
    let board = "-,-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-,-,-/-,-,-,RW,-,-,-,RB,-,-,-/-,-,-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-,-";
    let position = position(board.parse().unwrap(), Colour::White);
    let mut over = ended(EndedBy::Score, Colour::White);
    over.board = view(position, Colour::White);
    over.result = Outcome::Draw;
    over.history.setup = Setup::Random;
    over.history.start = Some(setup::random(&[7; 32]).to_string());
    over.history.moves = vec![ply("b3-c3"), ply("pass"), ply("c3-d3")];
    over.started = at("2026-11-30T10:00:00Z");
    over.ended = at("2026-11-30T12:30:00Z");
    over
}

/// The letters to both players after every move of a whole game.
pub(in crate::letters::tests) fn whole_game() -> Vec<(String, Notice)> {
    let (mut letters, mut position, mut count) = (Vec::new(), Position::new(), 0);
    while position.phase() != Phase::Over {
        let legal: Vec<_> = position.legal_moves().collect();
        let chosen = legal[count as usize * 31 % legal.len()];
        let by = position.turn().unwrap();
        let played = position.play(chosen).unwrap();
        position = played.position;
        let gone = played.removed.iter().map(|stack| stack.cell).collect();
        let mut plies = vec![PlyNews {
            removed: played.removed,
            ..news(by, &chosen.to_string())
        }];
        plies.extend(played.passed.map(|by| PlyNews {
            immobile: position.immobile(by),
            ..news(by, "pass")
        }));
        count += plies.len() as u32;
        for seat in Colour::BOTH {
            let last = Some((Ply::Move(chosen), gone));
            let view = BoardView {
                news: plies.clone(),
                ply: count,
                last,
                all_moves: true,
                ..view(position, seat)
            };
            letters.push((
                format!("{count} {seat}"),
                in_game(seat, vec![Part::Board(Box::new(view))]),
            ));
        }
    }
    letters
}
