//! Challenges: making, accepting, declining and withdrawing them.

use crate::club::challenge::{Challenge, ChallengeState, Invitee, LIFETIME};
use crate::club::decision::{Addressee, Change, Decision, GameNews, Told};
use crate::club::desk::Desk;
use crate::club::game::{Game, Seat};
use crate::club::notice::{ChallengeClosed, Done, InvitationView, Part, PlyNews};
use crate::club::refusal::Refusal;
use crate::club::which::{self, Context};
use crate::command::{Terms, Verb, Who};
use crate::dvonn::{Board, Colour, Ply, Position, Setup, setup};

/// Invitations that a member may send to strangers within a day.
const STRANGERS_A_DAY: u32 = 5;

/// Invites a member, or an address that is new here.
///
/// # Errors
/// Nobody or several of that name, the writer themselves, an address that may not be written to.
pub(super) fn challenge(
    desk: &Desk,
    context: &Context,
    who: &Who,
    terms: &Terms,
) -> Result<Decision, Refusal> {
    room_for_a_game(desk, &desk.me.name, count(desk))?;
    let invitee = invitee(desk, who)?;
    let challenge = new_challenge(desk, context, invitee.clone(), terms);
    let (to, shown) = match invitee {
        Invitee::Member { id, name } => (Addressee::Member(id), name),
        Invitee::Address(address) => (Addressee::Address(address.clone()), address),
        Invitee::Anyone => {
            return Err(Refusal::NobodyCalled {
                name: String::new(),
                nearest: None,
            });
        }
    };
    let told = Told {
        part: Part::Invitation(invitation(&challenge, desk, &to)),
        to,
        challenge: challenge.number,
        from: desk.me.name.clone(),
    };
    Ok(Decision {
        changes: vec![Change::Challenge(challenge.clone())],
        told: vec![told],
        ..Decision::only(Done::Challenged {
            number: challenge.number,
            who: shown,
            until: challenge.until,
        })
    })
}

/// Makes an open challenge that anyone may take.
///
/// # Errors
/// The writer plays as many games as the club allows.
pub(super) fn open(desk: &Desk, context: &Context, terms: &Terms) -> Result<Decision, Refusal> {
    room_for_a_game(desk, &desk.me.name, count(desk))?;
    let challenge = new_challenge(desk, context, Invitee::Anyone, terms);
    let done = Done::Opened {
        number: challenge.number,
        until: challenge.until,
    };
    Ok(Decision {
        changes: vec![Change::Challenge(challenge)],
        ..Decision::only(done)
    })
}

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

fn invitee_of(challenge: &Challenge) -> Option<Addressee> {
    match &challenge.to {
        Invitee::Member { id, .. } => Some(Addressee::Member(*id)),
        Invitee::Address(address) => Some(Addressee::Address(address.clone())),
        Invitee::Anyone => None,
    }
}

fn closed(challenge: &Challenge, to: Addressee, with: &str, why: ChallengeClosed) -> Told {
    let part = Part::ChallengeClosed {
        number: challenge.number,
        with: with.to_owned(),
        why,
    };
    Told {
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

fn count(desk: &Desk) -> u32 {
    u32::try_from(desk.running().count()).unwrap_or(u32::MAX)
}

fn room_for_a_game(desk: &Desk, name: &str, running: u32) -> Result<(), Refusal> {
    let limit = desk.customs.games_per_player;
    if limit > 0 && running >= limit {
        return Err(Refusal::TooManyGames {
            name: name.to_owned(),
            limit,
        });
    }
    Ok(())
}

fn invitee(desk: &Desk, who: &Who) -> Result<Invitee, Refusal> {
    match (desk.found.members.as_slice(), who) {
        ([(member, _)], _) if member.id == desk.me.id => Err(Refusal::Yourself),
        ([(member, _)], _) if member.stopped => Err(Refusal::NoMailThere {
            who: member.name.clone(),
        }),
        ([(member, running)], _) => {
            room_for_a_game(desk, &member.name, *running)?;
            Ok(Invitee::Member {
                id: member.id,
                name: member.name.clone(),
            })
        }
        ([], Who::Name(name)) => Err(Refusal::NobodyCalled {
            name: name.clone(),
            nearest: desk.found.near.clone(),
        }),
        ([], Who::Address(address)) => stranger(desk, &address.to_lowercase()),
        (several, _) => Err(Refusal::SeveralCalled {
            names: several
                .iter()
                .map(|(member, _)| member.name.clone())
                .collect(),
        }),
    }
}

fn stranger(desk: &Desk, address: &str) -> Result<Invitee, Refusal> {
    let address = address.to_owned();
    if desk.customs.own_addresses.contains(&address) || nobody_reads(&address) {
        return Err(Refusal::NoPersonThere { address });
    }
    if desk.found.suppressed {
        return Err(Refusal::NoMailThere { who: address });
    }
    if desk.found.invited {
        return Err(Refusal::InvitedLately { address });
    }
    if desk.invited_today >= STRANGERS_A_DAY {
        return Err(Refusal::TooManyInvitations {
            limit: STRANGERS_A_DAY,
        });
    }
    Ok(Invitee::Address(address))
}

/// Local parts behind which RFC 2142 and custom put a role or a robot.
fn nobody_reads(address: &str) -> bool {
    let local = address.split('@').next().unwrap_or_default();
    matches!(
        local,
        "mailer-daemon"
            | "postmaster"
            | "abuse"
            | "no-reply"
            | "noreply"
            | "hostmaster"
            | "webmaster"
    )
}

fn new_challenge(desk: &Desk, context: &Context, to: Invitee, terms: &Terms) -> Challenge {
    Challenge {
        number: desk.next_number,
        from: desk.me.id,
        from_name: desk.me.name.clone(),
        to,
        colour: terms.colour,
        setup: terms.setup.unwrap_or(desk.customs.setup),
        made: context.arrived,
        until: context.arrived + LIFETIME,
        nonce: context.nonce,
        state: ChallengeState::Waiting,
    }
}

fn invitation(challenge: &Challenge, desk: &Desk, to: &Addressee) -> InvitationView {
    InvitationView {
        number: challenge.number,
        from: challenge.from_name.clone(),
        address: matches!(to, Addressee::Address(_)).then(|| desk.me.address.clone()),
        colour: challenge.colour.map(Colour::opposite),
        setup: challenge.setup,
        commitment: challenge.commitment(),
        until: challenge.until,
    }
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
