//! Making challenges: to a member, to an address that is new here, or to anyone.

use crate::club::challenge::{Challenge, ChallengeState, Invitee, LIFETIME};
use crate::club::decision::{Addressee, Change, Decision, Told};
use crate::club::desk::Desk;
use crate::club::notice::{Done, InvitationView, Part};
use crate::club::offer::{count, room_for_a_game};
use crate::club::refusal::Refusal;
use crate::club::which::Context;
use crate::command::{Terms, Who};
use crate::dvonn::Colour;

/// Challenges of one member to another that may wait at a time.
const WAITING_FOR_ONE: usize = 5;

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
    let invitee = invitee(desk, context, who)?;
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
        invited: true,
    };
    Ok(Decision {
        changes: vec![Change::Challenge(challenge.clone())],
        told: vec![told],
        ..Decision::only(Done::Challenged {
            number: challenge.number,
            who: shown,
            until: challenge.until,
            commitment: challenge.commitment(),
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
        commitment: challenge.commitment(),
    };
    Ok(Decision {
        changes: vec![Change::Challenge(challenge)],
        ..Decision::only(done)
    })
}

fn invitee(desk: &Desk, context: &Context, who: &Who) -> Result<Invitee, Refusal> {
    match (desk.found.members.as_slice(), who) {
        ([(member, _)], _) if member.id == desk.me.id => Err(Refusal::Yourself),
        ([(member, _)], _) if member.stopped => Err(Refusal::NoMailThere {
            who: member.name.clone(),
        }),
        ([(member, running)], _) => {
            let mut waiting = desk.own_challenges(context.arrived).filter(
                |challenge| matches!(&challenge.to, Invitee::Member { id, .. } if *id == member.id),
            );
            if let Some(challenge) = waiting.nth(WAITING_FOR_ONE - 1) {
                return Err(Refusal::InvitedAlready {
                    name: member.name.clone(),
                    number: challenge.number,
                });
            }
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
    if is_own(desk, &address) || nobody_reads(&address) {
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

/// Whether it is an address of the club, with or without a tag behind a plus.
fn is_own(desk: &Desk, address: &str) -> bool {
    let (local, domain) = address.split_once('@').unwrap_or((address, ""));
    let local = local.split('+').next().unwrap_or(local);
    let own = &desk.customs.own_addresses;
    own.contains(&format!("{local}@{domain}"))
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
        made: context.now,
        until: context.now + LIFETIME,
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
