//! The corners of the rules on boards drawn in ASCII, and what holds in every game.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::dvonn::diagram;
use crate::dvonn::games::games;
use crate::dvonn::illegal::Reason;

fn board(drawn: &str) -> Board {
    diagram::read(drawn).unwrap().board()
}

fn position(drawn: &str, side: Colour) -> Position {
    Position::resume(board(drawn), side).unwrap().position
}

fn jump(text: &str) -> Move {
    match text.parse().unwrap() {
        Ply::Move(played) => played,
        Ply::Pass => panic!("a pass is no move"),
    }
}

fn cell(name: &str) -> Cell {
    name.parse().unwrap()
}

fn moves_of(position: &Position) -> Vec<String> {
    position
        .legal_moves()
        .map(|played| played.to_string())
        .collect()
}

/// Asserts the drawing of what came of a move.
#[track_caller]
fn check(played: &Played, expected: &str) {
    let drawn = diagram::draw(played.position.board(), &diagram::Marks::default());
    let expected = diagram::draw(&board(expected), &diagram::Marks::default());
    assert_eq!(drawn, expected);
}

#[test]
fn pieces_are_placed_by_turns_the_dvonn_pieces_first_and_white_places_last_and_moves_first() {
    let mut position = Position::new();
    for (ply, cell) in Cell::ALL.into_iter().enumerate() {
        let side = if ply % 2 == 0 {
            Colour::White
        } else {
            Colour::Black
        };
        assert_eq!(position.turn(), Some(side));
        let due = if ply < 3 { Piece::Dvonn } else { side.into() };
        assert_eq!(position.due(), Some(due));
        assert_eq!(position.legal_count(), 49 - ply);
        position = position.play(Move::Place(cell)).unwrap().position;
    }
    assert_eq!(position.phase(), Phase::Stacking);
    assert_eq!(position.turn(), Some(Colour::White));
    assert_eq!(position.due(), None);
    assert_eq!(
        position.score(),
        Score {
            white: 23,
            black: 23
        }
    );
}

#[test]
fn a_stack_jumps_as_far_as_it_is_high_over_gaps_and_stacks_onto_anything() {
    let position = position(
        "
        5  .   .   .   .   .   .   .   .   .
      4  .   .   .   .   .   .   .   .   .   .
    3  .   .   R   w2  .   R   .   .   .   .   .
      2  .   .   .   .   .   b   .   .   .   .
        1  .   .   .   .   .   b   .   .   .",
        Colour::White,
    );
    assert_eq!(moves_of(&position), ["d3-f3"]);
    let played = position.play(jump("d3-f3")).unwrap();
    check(
        &played,
        "
        5  .   .   .   .   .   .   .   .   .
      4  .   .   .   .   .   .   .   .   .   .
    3  .   .   R   .   .   W3  .   .   .   .   .
      2  .   .   .   .   .   b   .   .   .   .
        1  .   .   .   .   .   b   .   .   .",
    );
    let pieces: Vec<Piece> = played.position.board().pieces(cell("f3")).collect();
    assert_eq!(pieces, [Piece::Dvonn, Piece::White, Piece::White]);
}

#[test]
fn what_loses_contact_leaves_at_once_also_the_stack_that_moved_and_lone_dvonn_pieces_stay() {
    let position = position(
        "
        5  .   .   .   .   .   .   .   .   .
      4  .   .   .   .   .   .   .   .   .   .
    3  R   w   b2  .   .   .   R   .   .   .   .
      2  .   .   .   .   .   .   .   .   .   .
        1  .   .   .   .   .   .   .   .   .",
        Colour::White,
    );
    let played = position.play(jump("b3-c3")).unwrap();
    let fallen = Fallen {
        cell: cell("c3"),
        owner: Colour::White,
        height: 3,
    };
    assert_eq!(played.removed, [fallen]);
    // RULE-10: neither side has a stack left, so nobody passes and the game is over.
    assert_eq!(played.passed, None);
    assert_eq!(played.outcome, Some(Outcome::Draw));
    assert_eq!(played.position.turn(), None);
    assert_eq!(played.position.board().occupied().len(), 2);
}

#[test]
fn moving_a_dvonn_piece_away_cuts_off_those_who_lived_by_it() {
    let position = position(
        "
        5  .   .   .   .   .   .   .   .   .
      4  .   .   .   .   .   .   .   .   .   .
    3  b   W2  .   w   R   w   .   .   .   .   .
      2  .   .   .   .   .   .   .   .   .   .
        1  .   .   .   .   .   .   .   .   .",
        Colour::White,
    );
    let played = position.play(jump("b3-d3")).unwrap();
    assert_eq!(played.removed.len(), 1);
    check(
        &played,
        "
        5  .   .   .   .   .   .   .   .   .
      4  .   .   .   .   .   .   .   .   .   .
    3  .   .   .   W3  R   w   .   .   .   .   .
      2  .   .   .   .   .   .   .   .   .   .
        1  .   .   .   .   .   .   .   .   .",
    );
    assert_eq!(played.passed, Some(Colour::Black));
}

#[test]
fn white_passes_at_the_very_first_turn_when_black_and_red_hold_the_edge() {
    let full: Board = "B,B,B,B,B,R,B,B,B/B,W,R,R,W,W,W,W,W,B/B,W,W,W,W,W,W,W,W,W,B/B,W,W,W,W,W,W,W,W,B/B,B,B,B,B,B,B,B,B"
        .parse()
        .unwrap();
    let started = Position::start(full).unwrap();
    assert_eq!(started.passed, Some(Colour::White));
    assert_eq!(started.position.turn(), Some(Colour::Black));
    assert!(
        started
            .position
            .immobile(Colour::White)
            .iter()
            .all(|stack| stack.surrounded)
    );
    assert_eq!(started.position.immobile(Colour::White).len(), 23);
}

#[test]
fn who_passed_moves_again_when_a_stack_comes_free() {
    // White's only stack is surrounded until d2 leaves; Black moves elsewhere first.
    let start = position(
        "
        5  .   .   .   .   .   .   .   .   .
      4  .   .   .   b   b   .   .   .   .   .
    3  .   .   .   b   w   b   b   b   .   .   .
      2  .   .   .   R   b   .   .   .   .   .
        1  .   .   .   .   .   .   .   .   .",
        Colour::Black,
    );
    let played = start.play(jump("h3-g3")).unwrap();
    assert_eq!(played.passed, Some(Colour::White));
    let surrounded = Immobile {
        cell: cell("e3"),
        surrounded: true,
    };
    assert_eq!(played.position.immobile(Colour::White), [surrounded]);
    let played = played.position.play(jump("e2-d2")).unwrap();
    assert_eq!(played.passed, None);
    assert_eq!(played.position.turn(), Some(Colour::White));
}

#[test]
fn the_most_helpful_reason_is_told_with_its_facts_and_the_legal_targets() {
    let position = position(
        "
        5  .   .   .   .   .   .   .   .   .
      4  .   .   .   .   .   .   .   .   .   .
    3  .   .   w2  b   R   w   b   .   .   .   .
      2  .   .   .   .   .   .   .   .   .   .
        1  .   .   .   .   .   .   .   .   .",
        Colour::White,
    );
    let refused = |text: &str| position.play(jump(text)).unwrap_err();
    let wrong = refused("c3-d4");
    assert_eq!(
        wrong.told(),
        Reason::WrongDistance {
            height: 2,
            distance: 1
        }
    );
    assert_eq!(wrong.reasons().last(), Some(Reason::TargetEmpty));
    assert_eq!(wrong.legal(), CellSet::of(cell("e3")));
    assert_eq!(refused("e3-f3").told(), Reason::LoneDvonn);
    assert_eq!(
        refused("g3-f3").told(),
        Reason::NotYourStack {
            owner: Colour::Black
        }
    );
    assert_eq!(refused("a1-a1").told(), Reason::SameCell);
    assert_eq!(refused("c3").told(), Reason::PlacingOver);
    assert_eq!(position.refuse_pass().told(), Reason::PassNotAllowed);
    assert_eq!(
        wrong.to_string(),
        "c3-d4 may not be played: the stack moves as many spaces as it is high, 2, and the target is 1 away"
    );
}

#[test]
fn while_placing_a_space_is_taken_once_and_nothing_moves() {
    let position = Position::new().play(jump("f3")).unwrap().position;
    let taken = position.play(jump("f3")).unwrap_err();
    assert_eq!(taken.told(), Reason::SpaceTaken);
    assert_eq!(taken.legal().len(), 48);
    let moved = position.play(jump("f3-e3")).unwrap_err();
    assert_eq!(moved.told(), Reason::StillPlacing);
    assert_eq!(position.refuse_pass().told(), Reason::PassNotAllowed);
}

#[test]
fn boards_that_cannot_begin_a_game_are_refused() {
    assert_eq!(
        Position::start(Board::EMPTY),
        Err(BadStart::NotSingle(cell("a1")))
    );
    let mut all_red = Board::EMPTY;
    for cell in Cell::ALL {
        all_red.push(cell, Piece::Dvonn);
    }
    assert_eq!(Position::start(all_red), Err(BadStart::Supply));
    let loose: Board = "W,-,R,-,-,-,-,-,-/-,-,-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-,-"
        .parse()
        .unwrap();
    assert_eq!(
        Position::resume(loose, Colour::White),
        Err(BadStart::Unlinked(cell("a1")))
    );
}

proptest! {
    #[test]
    fn no_piece_is_ever_lost_or_made(game in games()) {
        let mut gone = 0;
        for (played, before) in game.played.iter().zip(&game.positions) {
            gone += played.removed.iter().map(|fallen| usize::from(fallen.height)).sum::<usize>();
            let on_board = played.position.board().piece_count();
            if before.phase() == Phase::Placing {
                prop_assert_eq!(on_board, before.board().piece_count() + 1);
            } else {
                prop_assert_eq!(on_board + gone, 49);
            }
            prop_assert!(played.position.phase() == Phase::Placing || played.position.board().unlinked().is_empty());
        }
    }

    #[test]
    fn the_generator_agrees_with_the_checker(game in games()) {
        for position in game.positions.iter().rev().take(3) {
            let generated: BTreeSet<Move> = position.legal_moves().collect();
            prop_assert_eq!(generated.len(), position.legal_count());
            prop_assert_eq!(position.turn().is_some(), !generated.is_empty());
            let jumps = Cell::ALL.into_iter().flat_map(|from| {
                Cell::ALL.into_iter().map(move |to| Move::Jump { from, to })
            });
            let all = Cell::ALL.into_iter().map(Move::Place).chain(jumps);
            let allowed: BTreeSet<Move> = all.filter(|asked| position.play(*asked).is_ok()).collect();
            prop_assert_eq!(generated, allowed);
        }
    }

    #[test]
    fn position_texts_round_trip(game in games()) {
        let board = *game.position.board();
        prop_assert_eq!(board.to_string().parse::<Board>(), Ok(board));
    }

    #[test]
    fn no_position_text_panics(text in "([-WBR,/]|\\PC){0,120}") {
        let _ = text.parse::<Board>();
    }
}
