//! Membership: names, messages to the opponent, and leaving.

use crate::club::challenge::{ChallengeState, Invitee};
use crate::club::decision::{Addressee, Change, Decision, GameNews};
use crate::club::desk::Desk;
use crate::club::names;
use crate::club::notice::{ChallengeClosed, Done};
use crate::club::offer::{closed, invitee_of};
use crate::club::refusal::Refusal;
use crate::club::which::{self, Context};
use crate::command::Verb;

/// Gives the writer a new name; a taken one gets a number, and the answer says so.
///
/// # Errors
/// A name that cannot be used.
pub(super) fn rename(desk: &Desk, wish: &str) -> Result<Decision, Refusal> {
    let wish = names::check(wish).map_err(|why| Refusal::BadName {
        name: names::clean(wish),
        why,
    })?;
    let name = names::free(&wish, &desk.taken);
    let taken = (name != wish).then_some(wish);
    Ok(Decision {
        changes: vec![Change::Rename {
            player: desk.me.id,
            name: name.clone(),
        }],
        ..Decision::only(Done::Named { name, taken })
    })
}

/// Sends a message to the opponent.
///
/// # Errors
/// Nothing said, no such game, or several.
pub(super) fn say(
    desk: &Desk,
    context: &Context,
    line: Option<u32>,
    text: &str,
) -> Result<Decision, Refusal> {
    let game = which::game(desk, context, line, Verb::Say, &[])?;
    let text = text.trim().to_owned();
    if text.is_empty() {
        return Err(Refusal::NothingSaid);
    }
    let done = Done::Said {
        game: game.number,
        opponent: game.opponent_of(desk.me.id).name.clone(),
        text: text.clone(),
    };
    Ok(Decision {
        game: Some(GameNews {
            after: game.clone(),
            plies: Vec::new(),
            begun: false,
            message: Some(text),
        }),
        ..Decision::only(done)
    })
}

/// Ends the mail to the writer: running games are resigned, challenges taken back, and those to the writer declined;
/// the other sides are told.
#[must_use]
pub(super) fn stop(desk: &Desk, context: &Context) -> Decision {
    let mut decision = Decision::only(Done::Stopped {
        resigned: desk.running().map(|game| game.number).collect(),
    });
    for challenge in desk.own_challenges(context.arrived) {
        decision.changes.push(Change::Close {
            number: challenge.number,
            state: ChallengeState::Withdrawn,
        });
        let name = &desk.me.name;
        let told =
            invitee_of(challenge).map(|to| closed(challenge, to, name, ChallengeClosed::Withdrawn));
        decision.told.extend(told);
    }
    for challenge in desk.offers(context.arrived) {
        if challenge.to == Invitee::Anyone {
            continue;
        }
        decision.changes.push(Change::Close {
            number: challenge.number,
            state: ChallengeState::Declined,
        });
        decision.told.push(closed(
            challenge,
            Addressee::Member(challenge.from),
            &desk.me.name,
            ChallengeClosed::Declined,
        ));
    }
    decision.changes.push(Change::Stop { player: desk.me.id });
    decision
}
