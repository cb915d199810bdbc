//! What becomes of a challenge: accepted, declined, withdrawn, expired.

use crate::club::challenge::{Challenge, ChallengeState, Invitee};
use crate::club::decision::{Addressee, Change, Decision, GameNews, Told};
use crate::club::desk::Desk;
use crate::club::game::{Game, Seat};
use crate::club::notice::{ChallengeClosed, Done, Part, PlyNews};
use crate::club::refusal::Refusal;
use crate::club::which::{self, Context};
use crate::command::Verb;
use crate::dvonn::{Board, Colour, Ply, Position, Setup, setup};

/// Accepts a challenge: the game of its number begins.
///
/// # Errors
/// No such challenge, or several, or it is gone, or it is the writer's own.
pub(super) fn accept(
    desk: &Desk,
    context: &Context,
    number: Option<u32>,
) -> Result<Decision, Refusal> {
    let offers: Vec<&Challenge> = desk.offers(context.arrived).collect();
    let challenge = which::challenge(desk, context, number, Verb::Accept, &offers)?;
    answerable(desk, context, challenge)?;
    room_for_a_game(desk, &desk.me.name, count(desk))?;
    let challenger = desk
        .challengers
        .iter()
        .find(|(id, _)| *id == challenge.from);
    room_for_a_game(
        desk,
        &challenge.from_name,
        challenger.map_or(0, |(_, running)| *running),
    )?;
    let (game, plies) = begin(desk, context, challenge);
    let done = Done::Accepted {
        game: game.number,
        opponent: challenge.from_name.clone(),
    };
    Ok(Decision {
        changes: vec![
            Change::Close {
                number: challenge.number,
                state: ChallengeState::Accepted,
            },
            Change::Begin(Box::new(game.clone())),
        ],
        game: Some(GameNews {
            after: game,
            plies,
            begun: true,
            message: None,
        }),
        ..Decision::only(done)
    })
}

/// Declines a challenge to the writer.
///
/// # Errors
/// As for accepting.
pub(super) fn decline(
    desk: &Desk,
    context: &Context,
    number: Option<u32>,
) -> Result<Decision, Refusal> {
    let offers: Vec<&Challenge> = desk
        .offers(context.arrived)
        .filter(|challenge| challenge.to != Invitee::Anyone)
        .collect();
    let challenge = which::challenge(desk, context, number, Verb::Decline, &offers)?;
    answerable(desk, context, challenge)?;
    if challenge.to == Invitee::Anyone {
        return Err(Refusal::NoChallenge {
            verb: Verb::Decline,
        });
    }
    Ok(Decision {
        changes: vec![Change::Close {
            number: challenge.number,
            state: ChallengeState::Declined,
        }],
        told: vec![closed(
            challenge,
            Addressee::Member(challenge.from),
            &desk.me.name,
            ChallengeClosed::Declined,
        )],
        ..Decision::only(Done::Declined {
            number: challenge.number,
            from: challenge.from_name.clone(),
        })
    })
}

/// Takes a challenge of the writer back.
///
/// # Errors
/// No such challenge of the writer, or several, or it is gone.
pub(super) fn withdraw(
    desk: &Desk,
    context: &Context,
    number: Option<u32>,
) -> Result<Decision, Refusal> {
    let own: Vec<&Challenge> = desk.own_challenges(context.arrived).collect();
    let challenge = which::challenge(desk, context, number, Verb::Withdraw, &own)?;
    if challenge.from != desk.me.id {
        return Err(Refusal::NotYours {
            number: challenge.number,
        });
    }
    if !challenge.waits(context.arrived) {
        return Err(Refusal::ChallengeGone {
            number: challenge.number,
        });
    }
    Ok(Decision {
        changes: vec![Change::Close {
            number: challenge.number,
            state: ChallengeState::Withdrawn,
        }],
        told: invitee_of(challenge)
            .map(|to| {
                closed(
                    challenge,
                    to,
                    &challenge.from_name,
                    ChallengeClosed::Withdrawn,
                )
            })
            .into_iter()
            .collect(),
        ..Decision::only(Done::Withdrawn {
            number: challenge.number,
        })
    })
}

/// What expires with a challenge that nobody answered: both sides are told.
#[must_use]
pub fn expire(challenge: &Challenge) -> (Change, Vec<Told>) {
    let other = challenge.other_side(challenge.from).unwrap_or_default();
    let mut told = vec![closed(
        challenge,
        Addressee::Member(challenge.from),
        &other,
        ChallengeClosed::Expired,
    )];
    if let Some(to) = invitee_of(challenge) {
        told.push(closed(
            challenge,
            to,
            &challenge.from_name,
            ChallengeClosed::Expired,
        ));
    }
    (
        Change::Close {
            number: challenge.number,
            state: ChallengeState::Expired,
        },
        told,
    )
}

pub(super) fn invitee_of(challenge: &Challenge) -> Option<Addressee> {
    match &challenge.to {
        Invitee::Member { id, .. } => Some(Addressee::Member(*id)),
        Invitee::Address(address) => Some(Addressee::Address(address.clone())),
        Invitee::Anyone => None,
    }
}

pub(super) fn closed(
    challenge: &Challenge,
    to: Addressee,
    with: &str,
    why: ChallengeClosed,
) -> Told {
    let part = Part::ChallengeClosed {
        number: challenge.number,
        with: with.to_owned(),
        why,
    };
    Told {
        invited: to != Addressee::Member(challenge.from),
        to,
        part,
        challenge: challenge.number,
        from: challenge.from_name.clone(),
    }
}

fn answerable(desk: &Desk, context: &Context, challenge: &Challenge) -> Result<(), Refusal> {
    let number = challenge.number;
    if challenge.from == desk.me.id {
        return Err(Refusal::OwnChallenge { number });
    }
    if !challenge.is_for(&desk.me) {
        return Err(Refusal::NotYours { number });
    }
    if challenge.waits(context.arrived) {
        Ok(())
    } else {
        Err(Refusal::ChallengeGone { number })
    }
}

pub(super) fn count(desk: &Desk) -> u32 {
    u32::try_from(desk.running().count()).unwrap_or(u32::MAX)
}

pub(super) fn room_for_a_game(desk: &Desk, name: &str, running: u32) -> Result<(), Refusal> {
    let limit = desk.customs.games_per_player;
    if limit > 0 && running >= limit {
        return Err(Refusal::TooManyGames {
            name: name.to_owned(),
            limit,
        });
    }
    Ok(())
}

/// The game that an accepted challenge becomes. Lots: the first byte of the seed draws the colours (even: the
/// challenger is white), the seed itself draws the board.
fn begin(desk: &Desk, context: &Context, challenge: &Challenge) -> (Game, Vec<PlyNews>) {
    let (seed, draw) = challenge.draw(&context.digest);
    let challenger = Seat {
        player: challenge.from,
        name: challenge.from_name.clone(),
    };
    let accepter = Seat {
        player: desk.me.id,
        name: desk.me.name.clone(),
    };
    let lot = if seed.first().is_some_and(|byte| byte % 2 == 0) {
        Colour::White
    } else {
        Colour::Black
    };
    let seats = match challenge.colour.unwrap_or(lot) {
        Colour::White => (challenger, accepter),
        Colour::Black => (accepter, challenger),
    };
    let board = match challenge.setup {
        Setup::Place => None,
        Setup::Random => Some(setup::random(&seed)),
        Setup::Symmetric => Some(setup::symmetric(&seed)),
    };
    let opening = board.and_then(opening);
    let passed = opening.and_then(|(_, position, passed)| passed.map(|colour| (position, colour)));
    let plies = passed.map(|(position, by)| PlyNews {
        by,
        ply: Ply::Pass,
        removed: Vec::new(),
        immobile: position.immobile(by),
    });
    let draw = challenge.draws_lots().then_some(draw);
    let game = Game::begin(
        challenge.number,
        seats,
        challenge.setup,
        opening,
        draw,
        context.arrived,
    );
    (game, plies.into_iter().collect())
}

fn opening(board: Board) -> Option<(Board, Position, Option<Colour>)> {
    Position::start(board)
        .ok()
        .map(|played| (board, played.position, played.passed))
}
