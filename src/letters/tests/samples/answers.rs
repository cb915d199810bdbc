//! Answers to mails: what was done, refused, not read, not understood.

use super::{at, in_club, in_game, ply, stacking, view};
use crate::club::notice::{
    Done, NotUnderstood, Notice, Part, ReportLine, ReportResult, Unreadable,
};
use crate::club::refusal::Refusal;
use crate::command::{Command, CommandError, Part as Missing, Trouble};
use crate::dvonn::{Colour, IllegalMove, Ply, Position};

pub(super) fn all() -> Vec<(String, Notice)> {
    let mut all = done();
    all.extend(unread());
    all.extend(puzzled());
    all.push(("a_line_failed_and_the_next_was_not_tried".into(), mixed()));
    all.push((
        "held".into(),
        in_club(vec![report("resign", ReportResult::Held)]),
    ));
    all
}

pub(super) fn report(line: &str, result: ReportResult) -> Part {
    Part::Report(vec![ReportLine {
        line: line.into(),
        result,
    }])
}

pub(super) fn refuse(position: &Position, asked: &str) -> IllegalMove {
    match ply(asked) {
        Ply::Move(asked) => position.play(asked).unwrap_err(),
        Ply::Pass => position.refuse_pass(),
    }
}

fn done() -> Vec<(String, Notice)> {
    let until = at("2026-12-10T17:30:00Z");
    let named = |taken: Option<&str>| Done::Named {
        name: "Ben 2".into(),
        taken: taken.map(str::to_owned),
    };
    [
        (
            "challenged",
            "challenge eva@example.net",
            Done::Challenged {
                number: 21,
                who: "eva@example.net".into(),
                until,
                commitment: None,
            },
        ),
        (
            "opened",
            "open",
            Done::Opened {
                number: 21,
                until,
                commitment: Some("5f".repeat(32)),
            },
        ),
        (
            "accepted",
            "accept",
            Done::Accepted {
                game: 21,
                opponent: "Eva".into(),
            },
        ),
        (
            "declined",
            "decline",
            Done::Declined {
                number: 21,
                from: "Eva".into(),
            },
        ),
        ("withdrawn", "withdraw 21", Done::Withdrawn { number: 21 }),
        (
            "said",
            "say hello",
            Done::Said {
                game: 12,
                opponent: "Ben".into(),
                text: "hello".into(),
            },
        ),
        (
            "said_too_much",
            "",
            Done::Said {
                game: 12,
                opponent: "Ben".into(),
                text: "hello ".repeat(2000),
            },
        ),
        (
            "played",
            "b3-c3",
            Done::Played {
                game: 15,
                opponent: "David".into(),
                ply: ply("b3-c3"),
            },
        ),
        (
            "played_already",
            "b3-c3",
            Done::PlayedAlready {
                game: 12,
                ply: ply("b3-c3"),
            },
        ),
        (
            "resigned",
            "resign",
            Done::Resigned {
                game: 12,
                opponent: "Ben".into(),
            },
        ),
        ("named", "name Ben 2", named(None)),
        ("named_otherwise", "name Ben", named(Some("Ben"))),
        (
            "member_already",
            "join",
            Done::MemberAlready {
                name: "Anna".into(),
            },
        ),
        (
            "stopped",
            "stop",
            Done::Stopped {
                resigned: vec![12, 15],
            },
        ),
        (
            "stopped_without_games",
            "stop",
            Done::Stopped {
                resigned: Vec::new(),
            },
        ),
        ("dropped", "no", Done::Dropped),
        (
            "shown_elsewhere",
            "show 9",
            Done::Shown(Command::Show(Some(9))),
        ),
        (
            "address_learned",
            "yes",
            Done::AddressLearned {
                address: "anna@work.example".into(),
            },
        ),
    ]
    .into_iter()
    .map(|(name, line, done)| {
        (
            format!("done_{name}"),
            in_club(vec![report(line, ReportResult::Done(done))]),
        )
    })
    .collect()
}

fn unread() -> Vec<(String, Notice)> {
    let word = || "blue".to_owned();
    [
        (
            "not_a_space",
            "b3-z9",
            3..5,
            Trouble::NotASpace { word: "z9".into() },
        ),
        (
            "several_spaces",
            "place c3 d4 e5",
            9..14,
            Trouble::SeveralSpaces,
        ),
        (
            "missing_target",
            "move b3",
            7..8,
            Trouble::Missing(Missing::Target),
        ),
        (
            "missing_who",
            "challenge",
            9..10,
            Trouble::Missing(Missing::Who),
        ),
        (
            "missing_colour",
            "open colour",
            11..12,
            Trouble::Missing(Missing::Colour),
        ),
        (
            "missing_setup",
            "open setup",
            10..11,
            Trouble::Missing(Missing::Setup),
        ),
        (
            "bad_option",
            "challenge Ben blue",
            14..18,
            Trouble::BadOption {
                word: word(),
                known: &["white", "black", "random", "setup"],
            },
        ),
        (
            "twice",
            "open white black",
            11..16,
            Trouble::Twice {
                word: "black".into(),
            },
        ),
        (
            "not_a_number",
            "accept abc",
            7..10,
            Trouble::NotANumber { word: "abc".into() },
        ),
        (
            "not_an_address",
            "challenge ben@",
            10..14,
            Trouble::NotAnAddress {
                word: "ben@".into(),
            },
        ),
        (
            "not_yet",
            "undo",
            0..4,
            Trouble::NotYet {
                word: "undo".into(),
            },
        ),
        ("no_pass", "pass", 0..4, Trouble::NoPass),
    ]
    .into_iter()
    .map(|(name, line, at, trouble)| {
        let error = CommandError { at, trouble };
        (
            format!("unread_{name}"),
            in_club(vec![report(line, ReportResult::Unread(error))]),
        )
    })
    .collect()
}

fn puzzled() -> Vec<(String, Notice)> {
    let mention = |line: &str, how: Option<&str>| (line.to_owned(), how.map(str::to_owned));
    let mentions = vec![
        mention("I think b3-c3 is best now", Some("b3-c3")),
        mention("resing, perhaps", None),
    ];
    [
        (
            "mention",
            NotUnderstood {
                mentions,
                reason: None,
            },
        ),
        (
            "nothing_new",
            NotUnderstood {
                mentions: Vec::new(),
                reason: Some(Unreadable::NothingNew),
            },
        ),
        (
            "sealed",
            NotUnderstood {
                mentions: Vec::new(),
                reason: Some(Unreadable::Sealed),
            },
        ),
        (
            "broken",
            NotUnderstood {
                mentions: Vec::new(),
                reason: Some(Unreadable::Broken),
            },
        ),
        (
            "too_large",
            NotUnderstood {
                mentions: Vec::new(),
                reason: Some(Unreadable::TooLarge { limit: 5 << 20 }),
            },
        ),
    ]
    .into_iter()
    .map(|(name, view)| {
        (
            format!("not_understood_{name}"),
            in_club(vec![Part::NotUnderstood(view)]),
        )
    })
    .collect()
}

/// Several lines: each is named, and what was not tried says so.
fn mixed() -> Notice {
    let line = |line: &str, result| ReportLine {
        line: line.into(),
        result,
    };
    let why = refuse(&stacking(), "h1-h2");
    let lines = vec![
        line(
            "name Anna K",
            ReportResult::Done(Done::Named {
                name: "Anna K".into(),
                taken: None,
            }),
        ),
        line(
            "h1-h2",
            ReportResult::Refused(Refusal::Illegal { game: 12, why }),
        ),
        line("e1-e3", ReportResult::NotTried),
        line("list", ReportResult::Done(Done::Shown(Command::List))),
    ];
    let games = Part::Games(Default::default());
    in_game(
        Colour::White,
        vec![
            Part::Report(lines),
            Part::Board(Box::new(view(stacking(), Colour::White))),
            games,
        ],
    )
}
