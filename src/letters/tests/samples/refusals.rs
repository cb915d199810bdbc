//! Commands that can be read and may not be carried out, one letter for each reason.

use super::answers::{refuse, report};
use super::{in_club, in_game, placing, ply, position, stacking, view};
use crate::club::notice::{Notice, Part, ReportResult};
use crate::club::refusal::{BadName, Refusal};
use crate::command::Verb;
use crate::dvonn::{Colour, Phase, Ply};

pub(super) fn all() -> Vec<(String, Notice)> {
    let mut all = illegal();
    all.extend(others());
    all
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
        (stacking(), "c5-c3"),
        (over, "d3-e3"),
    ]
    .into_iter()
    .map(|(position, asked)| {
        let why = refuse(&position, asked);
        let name = format!("illegal_{}", why.told().name());
        let seat = position.turn().unwrap_or(Colour::White);
        let refusal = ReportResult::Refused(Refusal::Illegal { game: 12, why });
        (
            name,
            in_game(
                seat,
                vec![
                    report(asked, refusal),
                    Part::Board(Box::new(view(position, seat))),
                ],
            ),
        )
    })
    .collect()
}

fn others() -> Vec<(String, Notice)> {
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
        club("whose_message", "Hello both", Refusal::WhoseMessage),
        club("nothing_said", "say", Refusal::NothingSaid),
    ]
}
