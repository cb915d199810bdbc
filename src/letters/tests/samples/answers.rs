//! Answers to mails: what was done, refused, not read, not understood.

use super::{at, in_club, in_game, placing, ply, position, stacking, view};
use crate::club::notice::{
    Done, NotUnderstood, Notice, Part, ReportLine, ReportResult, Unreadable,
};
use crate::club::refusal::{BadName, Refusal};
use crate::command::{Command, CommandError, Part as Missing, Trouble, Verb};
use crate::dvonn::{Colour, IllegalMove, Phase, Ply, Position};

pub(super) fn all() -> Vec<(String, Notice)> {
    let mut all = illegal();
    all.extend(refused());
    all.extend(done());
    all.extend(unread());
    all.extend(puzzled());
    all.push(("a_line_failed_and_the_next_was_not_tried".into(), mixed()));
    all.push((
        "held".into(),
        in_club(vec![report("resign", ReportResult::Held)]),
    ));
    all
}

fn report(line: &str, result: ReportResult) -> Part {
    Part::Report(vec![ReportLine {
        line: line.into(),
        result,
    }])
}

fn refuse(position: &Position, asked: &str) -> IllegalMove {
    match ply(asked) {
        Ply::Move(asked) => position.play(asked).unwrap_err(),
        Ply::Pass => position.refuse_pass(),
    }
}

/// One letter for each rule that can be broken.
fn illegal() -> Vec<(String, Notice)> {
    let alone = "-,-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-,-,-/-,-,-,BRW,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-,-";
    let over = position(alone.parse().unwrap(), Colour::White);
    let taken = placing(17).board().occupied().first().unwrap().to_string();
    [
        (placing(17), taken.as_str()),
        (placing(17), "b3-c3"),
        (stacking(), "a1"),
        (stacking(), "pass"),
        (stacking(), "e1-e1"),
        (stacking(), "a1-a2"),
        (stacking(), "g2-h2"),
        (stacking(), "e3-f3"),
        (stacking(), "i3-h3"),
        (stacking(), "e1-f3"),
        (stacking(), "h1-h2"),
        (stacking(), "h3-h2"),
        (stacking(), "c5-c3"),
        (over, "d3-e3"),
    ]
    .into_iter()
    .filter_map(|(position, asked)| {
        let Some(why) = (match ply(asked) {
            Ply::Move(asked) => position.play(asked).err(),
            Ply::Pass => Some(position.refuse_pass()),
        }) else {
            return None;
        };
        let name = format!("illegal_{}", why.told().name());
        let seat = position.turn().unwrap_or(Colour::White);
        let refusal = ReportResult::Refused(Refusal::Illegal { game: 12, why });
        Some((
            name,
            in_game(
                seat,
                vec![
                    report(asked, refusal),
                    Part::Board(Box::new(view(position, seat))),
                ],
            ),
        ))
    })
    .collect()
}

fn refused() -> Vec<(String, Notice)> {
    let board = |seat| Part::Board(Box::new(view(stacking(), seat)));
    let game = |name: &str, line: &str, seat, refusal| {
        (
            name.to_owned(),
            in_game(
                seat,
                vec![report(line, ReportResult::Refused(refusal)), board(seat)],
            ),
        )
    };
    let club = |name: &str, line: &str, refusal| {
        (
            name.to_owned(),
            in_club(vec![report(line, ReportResult::Refused(refusal))]),
        )
    };
    let games = || vec![(12, "Ben".to_owned()), (15, "David".to_owned())];
    let bad = |name: &str, why| Refusal::BadName {
        name: name.into(),
        why,
    };
    vec![
        game(
            "wrong_phase_stacking",
            "c3",
            Colour::White,
            Refusal::WrongPhase {
                game: 12,
                phase: Phase::Stacking,
            },
        ),
        game(
            "wrong_phase_placing",
            "b3-c3",
            Colour::White,
            Refusal::WrongPhase {
                game: 12,
                phase: Phase::Placing,
            },
        ),
        game(
            "not_your_turn",
            "e3-f3",
            Colour::Black,
            Refusal::NotYourTurn {
                game: 12,
                waits_for: "Anna".into(),
            },
        ),
        game(
            "old_board",
            "b3-c3",
            Colour::White,
            Refusal::OldBoard {
                game: 12,
                since: vec![ply("d2-f2"), Ply::Pass],
            },
        ),
        game(
            "two_moves",
            "e1-e3",
            Colour::White,
            Refusal::TwoMoves { game: 12 },
        ),
        club("game_over", "b3-c3", Refusal::GameOver { game: 12 }),
        club(
            "which_game",
            "b3-c3",
            Refusal::WhichGame {
                candidates: games(),
                verb: Verb::Move,
            },
        ),
        club("no_game", "resign", Refusal::NoGame { verb: Verb::Resign }),
        club("not_yours", "show 99", Refusal::NotYours { number: 99 }),
        club(
            "which_challenge",
            "accept",
            Refusal::WhichChallenge {
                candidates: games(),
                verb: Verb::Accept,
            },
        ),
        club(
            "no_challenge",
            "accept",
            Refusal::NoChallenge { verb: Verb::Accept },
        ),
        club(
            "challenge_gone",
            "accept 21",
            Refusal::ChallengeGone { number: 21 },
        ),
        club(
            "own_challenge",
            "accept 21",
            Refusal::OwnChallenge { number: 21 },
        ),
        club("yourself", "challenge Anna", Refusal::Yourself),
        club(
            "nobody_called",
            "challenge Bne",
            Refusal::NobodyCalled {
                name: "Bne".into(),
                nearest: Some("Ben".into()),
            },
        ),
        club(
            "nobody_near",
            "challenge Xaver",
            Refusal::NobodyCalled {
                name: "Xaver".into(),
                nearest: None,
            },
        ),
        club(
            "several_called",
            "challenge be",
            Refusal::SeveralCalled {
                names: vec!["Ben".into(), "Bea 2".into()],
            },
        ),
        club(
            "no_mail_there",
            "challenge eva@example.net",
            Refusal::NoMailThere {
                who: "eva@example.net".into(),
            },
        ),
        club(
            "invited_lately",
            "challenge eva@example.net",
            Refusal::InvitedLately {
                address: "eva@example.net".into(),
            },
        ),
        club(
            "no_person_there",
            "challenge no-reply@example.net",
            Refusal::NoPersonThere {
                address: "no-reply@example.net".into(),
            },
        ),
        club(
            "too_many_invitations",
            "challenge eva@example.net",
            Refusal::TooManyInvitations { limit: 5 },
        ),
        club(
            "too_many_games",
            "accept 21",
            Refusal::TooManyGames {
                name: "Ben".into(),
                limit: 20,
            },
        ),
        club("name_empty", "name ---", bad("---", BadName::Empty)),
        club(
            "name_too_long",
            "name Annaaaa",
            bad("Annaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", BadName::TooLong),
        ),
        club(
            "name_address",
            "name anna@example.org",
            bad("anna@example.org", BadName::Address),
        ),
        club(
            "name_reserved",
            "name admin",
            bad("admin", BadName::Reserved),
        ),
        club("nothing_asked", "yes", Refusal::NothingAsked),
        club("nothing_said", "say", Refusal::NothingSaid),
    ]
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
            },
        ),
        ("opened", "open", Done::Opened { number: 21, until }),
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
