//! Letters about no game: invitations, questions, lists and pages.

use super::{anna, at, in_club, in_game, ply, stranger};
use crate::club::game::EndedBy;
use crate::club::notice::{
    About, ChallengeClosed, ChallengeLine, GameLine, GamesView, HeldLine, HistoryView,
    InvitationView, Notice, OverLine, Part, PlayerLine, QuestionView, Reader,
};
use crate::command::Verb;
use crate::dvonn::{Colour, Setup};

pub(super) fn all() -> Vec<(String, Notice)> {
    let mut all = vec![
        (
            "invitation_to_a_stranger".to_owned(),
            invitation(stranger(), None, Setup::Place),
        ),
        (
            "invitation_to_a_member".into(),
            invitation(anna(), Some(Colour::Black), Setup::Place),
        ),
        (
            "invitation_to_a_member_by_lot".into(),
            invitation(anna(), Some(Colour::White), Setup::Random),
        ),
        (
            "invitation_symmetric".into(),
            invitation(anna(), None, Setup::Symmetric),
        ),
        (
            "question_to_join".into(),
            question(
                stranger(),
                true,
                vec![held(None, &[(Verb::Join, None), (Verb::Challenge, None)])],
            ),
        ),
        (
            "question_to_confirm".into(),
            question(anna(), false, vec![held(None, &[(Verb::Challenge, None)])]),
        ),
        (
            "question_about_a_foreign_address".into(),
            question(
                anna(),
                false,
                vec![
                    held(None, &[(Verb::Resign, Some(12))]),
                    held(
                        Some("anna@work.example"),
                        &[(Verb::Move, Some(12)), (Verb::Name, None)],
                    ),
                ],
            ),
        ),
        (
            "question_about_every_verb".into(),
            question(
                anna(),
                false,
                vec![held(None, &Verb::ALL.map(|verb| (verb, None)))],
            ),
        ),
        (
            "welcome".into(),
            in_club(vec![Part::Welcome {
                name: "Anna".into(),
                taken: None,
            }]),
        ),
        (
            "welcome_name_taken".into(),
            in_club(vec![Part::Welcome {
                name: "Anna 2".into(),
                taken: Some("Anna".into()),
            }]),
        ),
        ("games".into(), in_club(vec![Part::Games(games())])),
        (
            "games_none".into(),
            in_club(vec![Part::Games(GamesView::default())]),
        ),
        ("players".into(), in_club(vec![Part::Players(players())])),
        (
            "history".into(),
            in_game(
                Colour::White,
                vec![Part::History(history(vec!["c3", "d4", "e5", "k3"]))],
            ),
        ),
        (
            "history_empty".into(),
            in_club(vec![Part::History(history(Vec::new()))]),
        ),
        ("help_overview".into(), in_club(vec![Part::Help(None)])),
        ("rules".into(), in_club(vec![Part::Rules])),
        (
            "challenge_declined".into(),
            closed(ChallengeClosed::Declined),
        ),
        (
            "challenge_withdrawn".into(),
            closed(ChallengeClosed::Withdrawn),
        ),
        ("challenge_expired".into(), closed(ChallengeClosed::Expired)),
    ];
    all.extend(Verb::ALL.map(|verb| {
        (
            format!("help_{verb}"),
            in_club(vec![Part::Help(Some(verb))]),
        )
    }));
    all
}

fn invitation(to: Reader, colour: Option<Colour>, setup: Setup) -> Notice {
    let address = to.name.is_none().then(|| "ben@example.org".to_owned());
    let lots = colour.is_none() || setup != Setup::Place;
    let commitment = lots.then(|| "5d".repeat(32));
    let view = InvitationView {
        number: 21,
        from: "Ben".into(),
        address,
        colour,
        setup,
        commitment,
        until: at("2026-12-10T17:30:00Z"),
    };
    let about = About::Challenge {
        number: 21,
        from: "Ben".into(),
        invited: true,
    };
    Notice {
        to,
        about,
        answers: false,
        parts: vec![Part::Invitation(view)],
    }
}

fn held(from: Option<&str>, verbs: &[(Verb, Option<u32>)]) -> HeldLine {
    HeldLine {
        arrived: at("2026-12-07T13:05:00Z"),
        from: from.map(str::to_owned),
        verbs: verbs.to_vec(),
    }
}

fn question(to: Reader, joins: bool, held: Vec<HeldLine>) -> Notice {
    let about = About::Question {
        number: 3,
        held: held.len() as u32,
    };
    let view = QuestionView {
        held,
        joins,
        until: at("2026-12-14T13:05:00Z"),
    };
    Notice {
        to,
        about,
        answers: true,
        parts: vec![Part::Question(view)],
    }
}

fn closed(why: ChallengeClosed) -> Notice {
    let about = About::Challenge {
        number: 21,
        from: "Anna".into(),
        invited: true,
    };
    Notice {
        to: anna(),
        about,
        answers: false,
        parts: vec![Part::ChallengeClosed {
            number: 21,
            with: "Eva".into(),
            why,
        }],
    }
}

fn games() -> GamesView {
    let game = |game, opponent: &str, placing| GameLine {
        game,
        opponent: opponent.into(),
        placing,
        since: at("2026-12-07T09:00:00Z"),
    };
    let challenge = |number, with: Option<&str>, open| ChallengeLine {
        number,
        with: with.map(str::to_owned),
        open,
        until: at("2026-12-11T09:00:00Z"),
        commitment: open.then(|| "5f".repeat(32)),
    };
    let over = |won, by| OverLine {
        game: 7,
        opponent: "Ben".into(),
        won,
        score: (21, 13),
        by,
    };
    GamesView {
        for_you: vec![game(12, "Ben", false), game(9, "Carol", true)],
        for_them: vec![game(1015, "Maximilian von und zu Hohenlohe 2", false)],
        invitations: vec![
            challenge(21, Some("Eva"), false),
            challenge(22, Some("Fred"), true),
        ],
        challenges: vec![
            challenge(23, None, true),
            challenge(24, Some("gina@example.net"), false),
        ],
        over: vec![
            over(Some(true), EndedBy::Score),
            over(Some(false), EndedBy::Score),
            over(None, EndedBy::Score),
            over(Some(true), EndedBy::Resignation),
            over(Some(false), EndedBy::Resignation),
        ],
    }
}

fn players() -> Vec<PlayerLine> {
    let player = |name: &str, running, finished| PlayerLine {
        name: name.into(),
        running,
        finished,
    };
    vec![
        player("Anna", 2, 5),
        player("Ben", 1, 1),
        player("Žofie", 0, 0),
    ]
}

fn history(moves: Vec<&str>) -> HistoryView {
    let moves = moves.into_iter().map(ply).collect();
    HistoryView {
        game: 12,
        white: "Anna".into(),
        black: "Ben".into(),
        setup: Setup::Place,
        start: None,
        moves,
    }
}
