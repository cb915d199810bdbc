//! Letters about a game: every turn, its beginning and its end.

use super::{BOARD, anna, at, fallen, in_game, news, placing, ply, position, stacking, view};
use crate::club::notice::{
    About, Begun, BoardView, Done, Draw, Notice, Part, PlyNews, ReportLine, ReportResult, Waiting,
};
use crate::dvonn::{CellSet, Colour, Immobile, Position, Setup, diagram, setup};

pub(super) fn all() -> Vec<(String, Notice)> {
    let board = |view: BoardView| in_game(view.seat, vec![Part::Board(Box::new(view))]);
    vec![
        ("your_move".into(), your_move()),
        ("you_moved".into(), you_moved()),
        (
            "you_moved_and_the_message_went_on".into(),
            you_moved_with_message(),
        ),
        (
            "you_moved_and_the_text_around_went_on".into(),
            you_moved_with_text(),
        ),
        (
            "opponent_unreachable".into(),
            in_game(Colour::White, vec![unreachable(&[12])]),
        ),
        (
            "opponent_unreachable_in_two_games".into(),
            in_game(Colour::White, vec![unreachable(&[12, 15])]),
        ),
        (
            "board_only_shown".into(),
            board(view(stacking(), Colour::White)),
        ),
        (
            "board_shown_while_the_other_is_to_move".into(),
            board(view(stacking(), Colour::Black)),
        ),
        (
            "all_moves".into(),
            board(BoardView {
                all_moves: true,
                ..view(stacking(), Colour::White)
            }),
        ),
        (
            "all_moves_of_the_other".into(),
            board(BoardView {
                all_moves: true,
                ..view(stacking(), Colour::Black)
            }),
        ),
        (
            "free_spaces".into(),
            board(BoardView {
                all_moves: true,
                ..placed(17, Colour::Black)
            }),
        ),
        ("forced_pass_of_the_other".into(), board(forced_pass(true))),
        (
            "forced_passes_of_the_reader".into(),
            board(forced_pass(false)),
        ),
        ("placing".into(), board(placed(17, Colour::Black))),
        ("you_placed".into(), board(placed(17, Colour::White))),
        ("placing_red".into(), board(placed(2, Colour::White))),
        ("you_placed_red".into(), board(placed(2, Colour::Black))),
        (
            "all_pieces_placed_by_the_reader".into(),
            board(placed(49, Colour::White)),
        ),
        (
            "all_pieces_placed_by_the_other".into(),
            board(placed(49, Colour::Black)),
        ),
        (
            "first_letter_placing".into(),
            board(begun(Setup::Place, false, Colour::White)),
        ),
        (
            "first_letter_placing_colours_by_lot".into(),
            board(begun(Setup::Place, true, Colour::Black)),
        ),
        (
            "first_letter_random".into(),
            board(begun(Setup::Random, true, Colour::White)),
        ),
        (
            "first_letter_symmetric".into(),
            board(begun(Setup::Symmetric, true, Colour::Black)),
        ),
        (
            "message_only".into(),
            in_game(
                Colour::White,
                vec![message("See you\non Sunday, b3-c3 or not.\n\n<b>Ben</b>")],
            ),
        ),
        ("names_that_try_tricks".into(), tricks()),
    ]
}

fn unreachable(games: &[u32]) -> Part {
    Part::Unreachable {
        who: "Ben".into(),
        games: games.to_vec(),
    }
}

fn message(text: &str) -> Part {
    Part::Message {
        from: "Ben".into(),
        text: text.into(),
    }
}

fn removal() -> PlyNews {
    let removed = vec![
        fallen("a1", Colour::White, 2),
        fallen("b1", Colour::Black, 1),
        fallen("c2", Colour::White, 1),
    ];
    PlyNews {
        removed,
        ..news(Colour::Black, "d2-f2")
    }
}

fn after_removal(seat: Colour) -> BoardView {
    let gone: CellSet = ["a1", "b1", "c2"]
        .iter()
        .map(|cell| cell.parse().unwrap())
        .collect();
    BoardView {
        news: vec![removal()],
        last: Some((ply("d2-f2"), gone)),
        ..view(stacking(), seat)
    }
}

fn your_move() -> Notice {
    let waiting = Waiting {
        next: 9,
        opponent: "Carol".into(),
        count: 2,
        since: at("2026-12-07T09:00:00Z"),
    };
    let view = BoardView {
        waiting: Some(waiting),
        ..after_removal(Colour::White)
    };
    in_game(
        Colour::White,
        vec![
            Part::Board(Box::new(view)),
            message("I hope I have not overlooked your corner this time."),
        ],
    )
}

fn you_moved() -> Notice {
    let waiting = Waiting {
        next: 9,
        opponent: "Carol".into(),
        count: 1,
        since: at("2026-12-07T09:00:00Z"),
    };
    let report = vec![done(
        "d2-f2",
        Done::Played {
            game: 12,
            opponent: "Anna".into(),
            ply: ply("d2-f2"),
        },
    )];
    let view = BoardView {
        waiting: Some(waiting),
        ..after_removal(Colour::Black)
    };
    in_game(
        Colour::Black,
        vec![Part::Report(report), Part::Board(Box::new(view))],
    )
}

fn you_moved_with_message() -> Notice {
    let report = vec![
        done(
            "D2–F2.",
            Done::Played {
                game: 12,
                opponent: "Anna".into(),
                ply: ply("d2-f2"),
            },
        ),
        done(
            "",
            Done::Said {
                game: 12,
                opponent: "Anna".into(),
                text: "Sorry for\nyour corner.".into(),
            },
        ),
    ];
    in_game(
        Colour::Black,
        vec![
            Part::Report(report),
            Part::Board(Box::new(after_removal(Colour::Black))),
        ],
    )
}

fn you_moved_with_text() -> Notice {
    let passed_on = Part::PassedOn {
        to: "Anna".into(),
        text: "Sorry for\nyour corner.".into(),
    };
    let board = Part::Board(Box::new(after_removal(Colour::Black)));
    in_game(Colour::Black, vec![board, passed_on])
}

fn done(line: &str, done: Done) -> ReportLine {
    ReportLine {
        line: line.into(),
        result: ReportResult::Done(done),
    }
}

fn stuck(cell: &str, surrounded: bool) -> Immobile {
    Immobile {
        cell: cell.parse().unwrap(),
        surrounded,
    }
}

fn forced_pass(of_the_other: bool) -> BoardView {
    let pass = |by, immobile| PlyNews {
        immobile,
        ..news(by, "pass")
    };
    let news = if of_the_other {
        vec![
            news(Colour::White, "c4-c5"),
            pass(Colour::Black, vec![stuck("d3", true), stuck("e3", true)]),
        ]
    } else {
        vec![
            news(Colour::Black, "e3-f3"),
            pass(Colour::White, vec![stuck("i3", true), stuck("c5", false)]),
            PlyNews {
                removed: vec![fallen("j2", Colour::White, 3)],
                ..news(Colour::Black, "i2-i4")
            },
            pass(Colour::White, vec![stuck("d5", false)]),
            news(Colour::Black, "g4-d4"),
            pass(Colour::White, Vec::new()),
        ]
    };
    let turn = if of_the_other {
        Colour::White
    } else {
        Colour::Black
    };
    let board = diagram::read(BOARD).unwrap().board();
    BoardView {
        news,
        ..view(position(board, turn), Colour::White)
    }
}

fn placed(count: usize, seat: Colour) -> BoardView {
    let position = placing(count);
    let last = placing(count - 1)
        .free()
        .difference(position.free())
        .first()
        .unwrap();
    let by = if count % 2 == 1 {
        Colour::White
    } else {
        Colour::Black
    };
    BoardView {
        news: vec![news(by, &last.to_string())],
        last: Some((ply(&last.to_string()), CellSet::EMPTY)),
        ply: count as u32,
        ..view(position, seat)
    }
}

fn begun(setup: Setup, lots: bool, seat: Colour) -> BoardView {
    let seed = [7; 32];
    let position = match setup {
        Setup::Place => Position::new(),
        Setup::Random => Position::start(setup::random(&seed)).unwrap().position,
        Setup::Symmetric => Position::start(setup::symmetric(&seed)).unwrap().position,
    };
    let draw = Draw {
        nonce: "3f".repeat(32),
        digest: "a0".repeat(32),
        seed: "07".repeat(32),
    };
    BoardView {
        begun: Some(Begun {
            setup,
            draw: lots.then_some(draw),
        }),
        ply: 0,
        ..view(position, seat)
    }
}

/// A name is a line of our letters only where we say it; a message never looks like one of our lines.
fn tricks() -> Notice {
    let name = "Ben\u{202E}\r\n<a href=\"http://example.org\">&  x  y</a>";
    let mut view = after_removal(Colour::White);
    view.black = name.into();
    let about = About::Game {
        game: 12,
        serial: 75,
        seat: Colour::White,
        white: "Anna".into(),
        black: name.into(),
    };
    let text = format!(
        "--\nPrague DVONN Club. Game 12, move 75. {}\n<script>x</script>",
        "a very long line ".repeat(20)
    );
    let message = Part::Message {
        from: name.into(),
        text,
    };
    Notice {
        to: anna(),
        about,
        answers: false,
        parts: vec![Part::Board(Box::new(view)), message],
    }
}

#[test]
fn the_sample_board_is_the_one_of_the_diagram() {
    let gone: CellSet = ["a1", "b1", "c2"]
        .iter()
        .map(|cell| cell.parse().unwrap())
        .collect();
    let marks = diagram::Marks {
        from: "d2".parse().ok(),
        to: "f2".parse().ok(),
        gone,
    };
    let board = diagram::read(BOARD).unwrap().board();
    assert_eq!(diagram::draw(&board, &marks).trim_end(), BOARD.trim_end());
}
