//! Mail from addresses that the club does not know: strangers, the invited, and second addresses of members.

use anyhow::Result;

use super::perform::{Performed, Stage};
use super::performed::{self, is_puzzling_flood, not_understood};
use super::post;
use super::process::{Reading, Verdict};
use super::question::{self, Asked};
use super::writer::{Standing, Trust};
use crate::club::challenge::{Challenge, ChallengeState};
use crate::club::notice::{About, ChallengeClosed, Notice, Part, Reader, ReportLine, ReportResult};
use crate::club::player::Player;
use crate::club::refusal::Refusal;
use crate::command::Command;
use crate::store::InboxState;

/// A stranger's mail with a command makes nothing but a question, at most one a week; without one it is left where it
/// lies (MAIL-29). The same for a member who left.
/// A yes that comes too late asks for membership anew.
pub(super) fn asks_to_join(
    reading: &Reading<'_>,
    left: Option<&Player>,
    standing: &Standing,
) -> Result<Verdict> {
    let mut wanted = commands(reading);
    if standing.too_late && question::answer_in(&reading.heard) == Some(true) {
        wanted.push((None, Command::Join));
    }
    if wanted.is_empty() {
        return Ok(reading.verdict(InboxState::Left, "from a stranger, without a command"));
    }
    let limits = &reading.club.settings.limits;
    if left.is_some()
        && reading
            .tx
            .open_question(&reading.from, reading.now)?
            .is_some()
    {
        return Ok(reading.verdict(InboxState::Ignored, "from a member who left, who was asked"));
    }
    if left.is_none() && reading.tx.was_asked(&reading.from, reading.now)? {
        return Ok(reading.verdict(
            InboxState::Ignored,
            "from a stranger who was asked this week",
        ));
    }
    if reading.tx.strangers_asked_today(reading.now)? >= limits.strangers_per_day {
        return Ok(reading.verdict(
            InboxState::Ignored,
            "from a stranger, beyond strangers_per_day",
        ));
    }
    let asked = left.map_or(Asked::Address(&reading.from), Asked::Member);
    question::hold(reading, asked, None, &wanted, &reading.heard.chat)?;
    Ok(reading.verdict(InboxState::Done, ""))
}

/// A mail with a member's token from an address that is not known as theirs: the member is asked once. Without a
/// command it is met with silence.
pub(super) fn foreign(
    reading: &Reading<'_>,
    owner: &Player,
    standing: &Standing,
) -> Result<Verdict> {
    if !reading.asks() {
        return Ok(reading.verdict(
            InboxState::Ignored,
            "from a foreign address, without a command",
        ));
    }
    if owner.stopped || reading.tx.refused_address(owner.id, &reading.from)? {
        return Ok(reading.verdict(
            InboxState::Ignored,
            "from a foreign address that was asked about",
        ));
    }
    question::hold(
        reading,
        Asked::Member(owner),
        standing.answered,
        &commands(reading),
        &reading.heard.chat,
    )?;
    Ok(reading.verdict(InboxState::Done, ""))
}

/// An answer to an invitation from another address than was invited: the invited one is asked, at most once a week.
pub(super) fn elsewhere(
    reading: &Reading<'_>,
    invited: &str,
    standing: &Standing,
) -> Result<Verdict> {
    if !reading.asks() {
        return Ok(reading.verdict(
            InboxState::Ignored,
            "from a foreign address, without a command",
        ));
    }
    if reading.tx.is_suppressed(invited)? || reading.tx.was_asked(invited, reading.now)? {
        return Ok(reading.verdict(
            InboxState::Ignored,
            "from a foreign address that was asked about",
        ));
    }
    question::hold(
        reading,
        Asked::Address(invited),
        standing.answered,
        &commands(reading),
        &reading.heard.chat,
    )?;
    Ok(reading.verdict(InboxState::Done, ""))
}

/// An answer to an invitation from the address that was invited.
pub(super) fn invited(
    reading: &Reading<'_>,
    challenge: &Challenge,
    standing: &Standing,
) -> Result<Verdict> {
    let done = reading.verdict(InboxState::Done, "");
    let wants = |wanted: &dyn Fn(&Command) -> bool| {
        reading
            .heard
            .readings
            .iter()
            .filter_map(|reading| reading.result.as_ref().ok())
            .any(wanted)
    };
    let waits = challenge.waits(reading.mail.arrived);
    if waits && wants(&|command| matches!(command, Command::Accept(_))) {
        if standing.trust == Trust::Nothing {
            hold(reading, standing)?;
            return Ok(done);
        }
        return accept(reading, standing).map(|()| done);
    }
    if wants(&|command| matches!(command, Command::Stop)) {
        reading.tx.suppress(&reading.from, reading.now)?;
        if waits {
            decline(reading, challenge)?;
        }
        return Ok(done);
    }
    if wants(&|command| matches!(command, Command::Decline(_))) {
        if waits {
            decline(reading, challenge)?;
        }
        return Ok(done);
    }
    let pages: Vec<Part> = reading
        .heard
        .readings
        .iter()
        .filter_map(|reading| match &reading.result {
            Ok(Command::Rules) => Some(Part::Rules),
            Ok(Command::Help(verb)) => Some(Part::Help(*verb)),
            Ok(Command::Accept(_)) => Some(Part::Report(vec![ReportLine {
                line: reading.line.clone(),
                result: ReportResult::Refused(Refusal::ChallengeGone {
                    number: challenge.number,
                }),
            }])),
            _ => None,
        })
        .collect();
    if pages.is_empty() && reading.asks() {
        hold(reading, standing)?;
        return Ok(done);
    }
    if is_puzzling_flood(reading)? {
        return Ok(reading.verdict(InboxState::Done, performed::PUZZLED));
    }
    let parts = if pages.is_empty() {
        vec![Part::NotUnderstood(not_understood(reading))]
    } else {
        pages
    };
    let notice = Notice {
        to: Reader::stranger(&reading.from),
        about: About::Challenge {
            number: challenge.number,
            from: challenge.from_name.clone(),
        },
        answers: true,
        parts,
    };
    post::post(
        reading.tx,
        reading.club,
        notice,
        Some(reading.answered()),
        reading.now,
    )?;
    Ok(reading.verdict(InboxState::Done, performed::PUZZLED))
}

/// Accepting an invitation by reply makes a member.
fn accept(reading: &Reading<'_>, standing: &Standing) -> Result<()> {
    let display = reading.incoming.from_name.clone().unwrap_or_default();
    let (player, first) = question::join(reading, &reading.from, &display)?;
    let mut stage = Stage {
        tx: reading.tx,
        club: reading.club,
        actor: player.id,
        context: performed::context(reading, standing.answered),
        trust: Trust::Confirmed,
        now: reading.now,
    };
    let performed: Performed = stage.perform(&reading.heard.readings, reading.chance)?;
    performed::answer(reading, &player, performed, first, u32::MAX)
}

fn decline(reading: &Reading<'_>, challenge: &Challenge) -> Result<()> {
    reading
        .tx
        .close_challenge(challenge.number, ChallengeState::Declined)?;
    let challenger = reading.tx.player(challenge.from)?;
    if challenger.stopped {
        return Ok(());
    }
    let notice = Notice {
        to: challenger.reader(),
        about: About::Challenge {
            number: challenge.number,
            from: challenge.from_name.clone(),
        },
        answers: false,
        parts: vec![Part::ChallengeClosed {
            number: challenge.number,
            with: reading.from.clone(),
            why: ChallengeClosed::Declined,
        }],
    };
    post::post(
        reading.tx,
        reading.club,
        notice,
        Some(reading.answered()),
        reading.now,
    )
}

fn hold(reading: &Reading<'_>, standing: &Standing) -> Result<()> {
    question::hold(
        reading,
        Asked::Address(&reading.from),
        standing.answered,
        &commands(reading),
        &reading.heard.chat,
    )
}

/// The commands that can be read; a yes or no is none.
fn commands(reading: &Reading<'_>) -> Vec<(Option<u32>, Command)> {
    reading
        .heard
        .readings
        .iter()
        .filter_map(|reading| Some((reading.game, reading.result.as_ref().ok()?.clone())))
        .filter(|(_, command)| !matches!(command, Command::Yes | Command::No))
        .collect()
}
