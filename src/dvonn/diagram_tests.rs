//! Diagrams drawn and read back.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use proptest::prelude::*;

use super::*;
use crate::dvonn::games::games;

/// The diagram that the contract with the players shows, to the column.
const SHOWN: &str = "    5  w2  W3  .   .   .   .   w4  .   .

  4  .   .   b3  b3  .   b4  .   b2  R   .

3  .   .   .   .   b   b6  .   w   w   w2  .

  2  .   .   x   _   .  [b3] R   b   b2  b   k

    1  x   x   .   .   w2  .   .   w2  .   j
         a   b   c   d   e   f   g   h   i";

fn cell(name: &str) -> Cell {
    name.parse().unwrap()
}

#[test]
fn the_diagram_of_the_contract_is_read_and_drawn_again_to_the_column() {
    let diagram = read(SHOWN).unwrap();
    assert_eq!(diagram.marks.from, Some(cell("d2")));
    assert_eq!(diagram.marks.to, Some(cell("f2")));
    assert_eq!(
        diagram.marks.gone,
        ["a1", "b1", "c2"].map(cell).into_iter().collect()
    );
    let board = diagram.board();
    assert_eq!(board.stack(cell("d5")).unwrap().height(), 3);
    assert!(board.stack(cell("d5")).unwrap().has_dvonn());
    assert!(board.stack(cell("j4")).unwrap().is_lone_dvonn());
    assert_eq!(draw(&board, &diagram.marks), SHOWN);
}

#[test]
fn an_empty_board_with_a_first_placement() {
    let mut board = Board::EMPTY;
    board.push(cell("k3"), Piece::Dvonn);
    let marks = Marks {
        to: Some(cell("k3")),
        ..Marks::default()
    };
    let expected = "    5  .   .   .   .   .   .   .   .   .

  4  .   .   .   .   .   .   .   .   .   .

3  .   .   .   .   .   .   .   .   .   .  [R]

  2  .   .   .   .   .   .   .   .   .   .   k

    1  .   .   .   .   .   .   .   .   .   j
         a   b   c   d   e   f   g   h   i";
    assert_eq!(draw(&board, &marks), expected);
    assert_eq!(read(expected).unwrap().marks, marks);
}

#[test]
fn a_high_stack_between_brackets_touches_neither_neighbour() {
    let mut board = Board::EMPTY;
    for name in ["i1", "j3", "k3"] {
        board.push(cell(name), Piece::Dvonn);
        for _ in 0..11 {
            board.push(cell(name), Piece::White);
        }
    }
    for name in ["i1", "k3"] {
        let marks = Marks {
            to: Some(cell(name)),
            ..Marks::default()
        };
        let drawn = draw(&board, &marks);
        assert!(drawn.contains("[W12]"), "{drawn}");
        assert_eq!(read(&drawn).unwrap().marks, marks);
    }
}

#[test]
fn a_stack_that_vanished_with_its_own_move_is_marked_as_both() {
    let marks = Marks {
        from: Some(cell("a1")),
        to: Some(cell("b1")),
        gone: CellSet::of(cell("b1")),
    };
    let drawn = draw(&Board::EMPTY, &marks);
    assert!(drawn.contains("1  _  [x]  ."), "{drawn}");
    assert_eq!(read(&drawn).unwrap().marks, marks);
}

#[test]
fn what_is_no_diagram_is_refused() {
    assert_eq!(read(""), Err(ParseDiagramError::Rows));
    let rows: Vec<&str> = SHOWN.lines().collect();
    assert_eq!(read(&rows[2..].join("\n")), Err(ParseDiagramError::Rows));
    assert_eq!(read(&rows[..8].join("\n")), Err(ParseDiagramError::Rows));
    for (good, bad) in [
        ("w2  W3", "w1  W3"),
        ("w2  W3", "w2  W "),
        ("R   b ", "R2  b "),
        ("x   _", "y   _"),
    ] {
        let text = SHOWN.replace(good, bad);
        assert!(
            matches!(read(&text), Err(ParseDiagramError::Space { .. })),
            "{bad}"
        );
    }
    let crowd = SHOWN.replace("w2  W3", "w49 W3");
    assert_eq!(read(&crowd), Err(ParseDiagramError::TooMany));
}

proptest! {
    #[test]
    fn diagrams_of_games_round_trip(game in games(), indent in 0..5usize) {
        let board = *game.position.board();
        let marks = game.marks;
        let drawn = draw(&board, &marks);
        for line in drawn.lines() {
            prop_assert!(line.len() <= 52 && line.is_ascii() && line.trim_end() == line);
        }
        let indented: Vec<String> = drawn.lines().map(|line| format!("{:indent$}{line}", "")).collect();
        let diagram = read(&indented.join("\n")).unwrap();
        prop_assert_eq!(diagram.marks, marks);
        for cell in Cell::ALL {
            prop_assert_eq!(diagram.stack(cell), board.stack(cell));
        }
        prop_assert_eq!(draw(&diagram.board(), &marks), drawn);
    }

    #[test]
    fn no_text_panics(text in "([1-5wbWBR.x_\\[\\] \n]|\\PC){0,300}") {
        let _ = read(&text);
    }
}
