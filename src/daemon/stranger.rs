//! Mail from addresses that the club does not know: strangers, the invited, and second addresses of members.

use anyhow::Result;
use chrono::TimeDelta;

use super::member_mail::{self, is_puzzling_flood, not_understood};
use super::process::{Reading, Verdict};
use super::question::{self, Asked};
use super::writer::{Standing, Trust};
use crate::club::challenge::{Challenge, ChallengeState};
use crate::club::notice::{
    About, ChallengeClosed, Done, Notice, Part, Reader, ReportLine, ReportResult,
};
use crate::club::player::Player;
use crate::club::refusal::Refusal;
use crate::command::{self, Command};
use crate::store::{InboxState, Question};

/// The word in the inbox for pages that somebody got who was invited.
const PAGE: &str = "a page for the invited";

/// Pages within a day for somebody who was invited.
const PAGES_A_DAY: u32 = 10;

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
    if !standing.vouched && reading.tx.is_suppressed(&reading.from)? {
        return Ok(reading.verdict(InboxState::Ignored, "from an address that wants no mail"));
    }
    let limits = &reading.club.settings.limits;
    if left.is_some()
        && reading
            .tx
            .open_question(
                left.map_or(&reading.from, |player| &player.address),
                reading.now,
            )?
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

/// A mail with a member's token from an address that is not known as theirs: the member is asked once.
pub(super) fn foreign(
    reading: &Reading<'_>,
    owner: &Player,
    standing: &Standing,
) -> Result<Verdict> {
    about_a_foreign_address(reading, standing, Asked::Member(owner), || {
        Ok(owner.stopped || reading.tx.refused_address(owner.id, &reading.from)?)
    })
}

/// An answer to an invitation from another address than was invited: the invited one is asked, at most once a week.
pub(super) fn elsewhere(
    reading: &Reading<'_>,
    invited: &str,
    standing: &Standing,
) -> Result<Verdict> {
    about_a_foreign_address(reading, standing, Asked::Address(invited), || {
        Ok(reading.tx.is_suppressed(invited)? || reading.tx.was_asked(invited, reading.now)?)
    })
}

/// Asks whoever a letter went to about a mail that answers it from an address that is not theirs, unless that is
/// `settled`. Without a command such a mail is met with silence.
fn about_a_foreign_address(
    reading: &Reading<'_>,
    standing: &Standing,
    asked: Asked<'_>,
    settled: impl FnOnce() -> Result<bool>,
) -> Result<Verdict> {
    if !reading.asks() {
        return Ok(reading.verdict(
            InboxState::Ignored,
            "from a foreign address, without a command",
        ));
    }
    if settled()? {
        return Ok(reading.verdict(
            InboxState::Ignored,
            "from a foreign address that was asked about",
        ));
    }
    hold(reading, asked, standing)?;
    Ok(reading.verdict(InboxState::Done, ""))
}

/// A stranger who was asked wants to hear no more: nothing of what waits is done.
pub(super) fn stops(reading: &Reading<'_>, question: &Question) -> Result<Verdict> {
    reading.tx.close_question(question.id, false)?;
    reading.tx.suppress(&question.address, reading.now)?;
    Ok(reading.verdict(InboxState::Done, ""))
}

/// An answer to an invitation from the address that was invited.
pub(super) fn invited(
    reading: &Reading<'_>,
    challenge: &Challenge,
    standing: &Standing,
) -> Result<Verdict> {
    let done = reading.verdict(InboxState::Done, "");
    let waits = challenge.waits(reading.mail.arrived);
    let is_this = |number: &Option<u32>| number.is_none_or(|number| number == challenge.number);
    let accepts = reading.wants(&|command| matches!(command, Command::Accept(n) if is_this(n)));
    let declines = reading.wants(&|command| matches!(command, Command::Decline(n) if is_this(n)));
    let stops = reading.wants(&|command| matches!(command, Command::Stop));
    let decides = (waits && accepts) || declines || stops;
    if decides && standing.trust == Trust::Nothing {
        hold(reading, Asked::Address(&reading.from), standing)?;
        return Ok(done);
    }
    if waits && accepts {
        // Accepting an invitation by reply makes a member.
        let display = reading.incoming.from_name.clone().unwrap_or_default();
        let (player, first) = question::join(reading, &reading.from, &display)?;
        return member_mail::member(reading, &player, standing, first);
    }
    if waits && (declines || stops) {
        decline(reading, challenge)?;
    }
    if stops {
        reading.tx.suppress(&reading.from, reading.now)?;
        return Ok(done);
    }
    if declines && waits {
        let declined = Done::Declined {
            number: challenge.number,
            from: challenge.from_name.clone(),
        };
        let report = Part::Report(vec![report_line("decline", ReportResult::Done(declined))]);
        return to_the_invited(reading, challenge, vec![report]).map(|()| done);
    }
    let pages = pages(reading, challenge);
    if pages.is_empty() && reading.asks() {
        hold(reading, Asked::Address(&reading.from), standing)?;
        return Ok(done);
    }
    if pages.is_empty() {
        if !is_puzzling_flood(reading)? {
            to_the_invited(
                reading,
                challenge,
                vec![Part::NotUnderstood(not_understood(reading))],
            )?;
        }
        return Ok(reading.verdict(InboxState::Done, member_mail::puzzled_word(reading)));
    }
    let since = reading.now - TimeDelta::days(1);
    if reading.tx.concluded_since(&reading.from, PAGE, since)? < PAGES_A_DAY {
        to_the_invited(reading, challenge, pages)?;
    }
    Ok(reading.verdict(InboxState::Done, PAGE))
}

/// What somebody who is only invited may read.
fn pages(reading: &Reading<'_>, challenge: &Challenge) -> Vec<Part> {
    let gone = Refusal::ChallengeGone {
        number: challenge.number,
    };
    let page = |line: &command::Reading| match &line.result {
        Ok(Command::Rules) => Some(Part::Rules),
        Ok(Command::Help(verb)) => Some(Part::Help(*verb)),
        Ok(Command::Accept(_) | Command::Decline(_)) if !challenge.waits(reading.mail.arrived) => {
            Some(Part::Report(vec![report_line(
                &line.line,
                ReportResult::Refused(gone.clone()),
            )]))
        }
        _ => None,
    };
    reading.heard.readings.iter().filter_map(page).collect()
}

fn report_line(line: &str, result: ReportResult) -> ReportLine {
    ReportLine {
        line: line.to_owned(),
        result,
    }
}

fn to_the_invited(reading: &Reading<'_>, challenge: &Challenge, parts: Vec<Part>) -> Result<()> {
    reading.post(Notice {
        to: Reader::stranger(&reading.from),
        about: About::Challenge {
            number: challenge.number,
            from: challenge.from_name.clone(),
            invited: true,
        },
        answers: true,
        parts,
    })
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
            invited: false,
        },
        answers: false,
        parts: vec![Part::ChallengeClosed {
            number: challenge.number,
            with: reading.from.clone(),
            why: ChallengeClosed::Declined,
        }],
    };
    reading.post(notice)
}

fn hold(reading: &Reading<'_>, asked: Asked<'_>, standing: &Standing) -> Result<()> {
    question::hold(
        reading,
        asked,
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
