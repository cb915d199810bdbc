//! A running game: news, board, score, and all that is needed to answer.

use super::seats::Seats;
use super::section::{Section, templates};
use super::voice::Voice;
use super::{ComposeError, markup, news, stacks};
use crate::club::notice::{Begun, BoardView, Draw};
use crate::command::Verb;
use crate::dvonn::{Board, Cell, CellSet, Colour, Move, Phase, Ply, Setup, diagram};

/// Everything that the templates of a running game say.
struct Sheet {
    begun: Vec<String>,
    draw: Option<DrawSheet>,
    news: Vec<String>,
    report: Option<Section>,
    /// Nothing new was played: what became of the mail is the news.
    report_first: bool,
    picture: Picture,
    moves: Vec<String>,
    answer: Vec<String>,
    messages: Vec<Section>,
}
templates!(Sheet, "board/text.txt", "board/page.html");

/// The numbers of a draw and how to check it.
struct DrawSheet {
    intro: String,
    numbers: Vec<(String, String)>,
    check: String,
}

/// The board as every letter shows it.
pub(super) struct Picture {
    /// The drawing.
    pub(super) diagram: String,
    /// What stands below it.
    pub(super) caption: String,
    /// The list of stacks, for the text part.
    pub(super) stacks: String,
    /// The same, for the HTML part.
    pub(super) stack_lines: Vec<String>,
}

impl Picture {
    pub(super) fn of(voice: &Voice<'_>, seats: &Seats, view: &BoardView, ended: bool) -> Self {
        let rows = stacks::rows(voice, seats, view.position.board());
        Picture {
            diagram: draw(view.position.board(), view.last.as_ref()),
            caption: caption(voice, seats, view, ended),
            stacks: stacks::text(&rows),
            stack_lines: stacks::lines(&rows),
        }
    }
}

/// A running game. `still`: a command failed, and the turn is what it was.
pub(super) fn section(
    voice: &Voice<'_>,
    view: &BoardView,
    report: Option<Section>,
    messages: Vec<Section>,
    still: bool,
) -> Result<Section, ComposeError> {
    let seats = Seats::of(view);
    let begun = view.begun.as_ref();
    Sheet {
        begun: begun
            .map(|begun| beginning(voice, &seats, view.game, begun))
            .unwrap_or_default(),
        draw: begun
            .and_then(|begun| begun.draw.as_ref())
            .map(|draw| draw_sheet(voice, draw)),
        news: news::lines(voice, &seats, view, still),
        report,
        report_first: view.news.is_empty(),
        picture: Picture::of(voice, &seats, view, false),
        moves: if view.all_moves {
            moves(voice, &seats, view)
        } else {
            Vec::new()
        },
        answer: answer(voice, &seats, view),
        messages,
    }
    .section()
}

/// The drawing with the marks of the last move.
fn draw(board: &Board, last: Option<&(Ply, CellSet)>) -> String {
    let mut marks = diagram::Marks::default();
    if let Some((ply, gone)) = last {
        match *ply {
            Ply::Move(Move::Jump { from, to }) => (marks.from, marks.to) = (Some(from), Some(to)),
            Ply::Move(Move::Place(cell)) => marks.to = Some(cell),
            Ply::Pass => {}
        }
        marks.gone = *gone;
    }
    diagram::draw(board, &marks)
}

/// The score as it stands, or how many pieces are placed.
fn caption(voice: &Voice<'_>, seats: &Seats, view: &BoardView, ended: bool) -> String {
    let position = &view.position;
    if position.phase() == Phase::Placing {
        let placed = position.board().occupied().len();
        return voice.say(
            "board-placed",
            &[
                ("placed", placed.into()),
                ("pieces", news::PLACEMENTS.into()),
            ],
        );
    }
    let score = position.score();
    let facts = [
        ("white", seats.name(Colour::White).into()),
        ("whitescore", score.white.into()),
        ("black", seats.name(Colour::Black).into()),
        ("blackscore", score.black.into()),
    ];
    if ended {
        return voice.say("board-score-at-end", &facts);
    }
    let mut caption = voice.say("board-score", &facts);
    if position.turn() == Some(seats.reader) {
        caption.push(' ');
        caption.push_str(&voice.say(
            "board-open-moves",
            &[("count", position.legal_count().into())],
        ));
    }
    caption
}

/// How to answer now, with an example that is legal.
fn answer(voice: &Voice<'_>, seats: &Seats, view: &BoardView) -> Vec<String> {
    let position = &view.position;
    let opponent = [("name", seats.opponent().into())];
    if position.turn() != Some(seats.reader) {
        let words = voice.list([Verb::Resign, Verb::Help]);
        return vec![
            voice.say("answer-while-waiting", &[("words", words.into())]),
            voice.say("answer-say", &opponent),
        ];
    }
    // One from the middle: the same letter always names the same one, and it is not always a corner.
    let legal: Vec<Move> = position.legal_moves().collect();
    let example = legal
        .get(legal.len() / 2)
        .map(ToString::to_string)
        .unwrap_or_default();
    let key = if position.phase() == Phase::Placing {
        "answer-place"
    } else {
        "answer-move"
    };
    let words = [Verb::Moves, Verb::Resign, Verb::Help]
        .into_iter()
        .filter(|verb| !(view.all_moves && *verb == Verb::Moves));
    vec![
        voice.say(key, &[("example", example.into())]),
        voice.say("answer-words", &[("words", voice.list(words).into())]),
        voice.say("answer-chat", &opponent),
    ]
}

/// All legal moves, those of one stack in a line.
fn moves(voice: &Voice<'_>, seats: &Seats, view: &BoardView) -> Vec<String> {
    let position = &view.position;
    if position.turn() != Some(seats.reader) {
        return vec![voice.say("moves-not-yours", &[("name", seats.opponent().into())])];
    }
    if position.phase() == Phase::Placing {
        return vec![voice.say(
            "moves-free",
            &[("spaces", voice.list(position.free().iter()).into())],
        )];
    }
    let from = |cell: Cell| {
        let targets = position.legal_from(cell);
        let facts = || {
            [
                ("space", cell.to_string().into()),
                ("targets", voice.list(targets.iter()).into()),
            ]
        };
        (!targets.is_empty()).then(|| voice.say("moves-from", &facts()))
    };
    let mut lines = vec![voice.word("moves-all")];
    lines.extend(position.board().occupied().iter().filter_map(from));
    lines
}

/// The first lines of a game's first letter.
fn beginning(voice: &Voice<'_>, seats: &Seats, game: u32, begun: &Begun) -> Vec<String> {
    let facts = [
        ("game", game.into()),
        ("white", seats.name(Colour::White).into()),
        ("black", seats.name(Colour::Black).into()),
    ];
    vec![
        voice.say("begun", &facts),
        voice.word(setup_begun(begun.setup)),
    ]
}

fn setup_begun(setup: Setup) -> &'static str {
    match setup {
        Setup::Place => "begun-place",
        Setup::Random => "begun-random",
        Setup::Symmetric => "begun-symmetric",
    }
}

fn draw_sheet(voice: &Voice<'_>, draw: &Draw) -> DrawSheet {
    DrawSheet {
        intro: voice.word("draw-intro"),
        numbers: vec![
            (voice.word("draw-nonce"), draw.nonce.clone()),
            (voice.word("draw-digest"), draw.digest.clone()),
            (voice.word("draw-seed"), draw.seed.clone()),
        ],
        check: voice.word("draw-check"),
    }
}

impl DrawSheet {
    /// The three numbers, each below its name.
    fn numbers(&self) -> String {
        self.numbers
            .iter()
            .map(|(name, number)| format!("  {name}\n    {number}"))
            .collect::<Vec<_>>()
            .join("\n")
    }
}
