//! A member's mail: its commands are carried out or held, and one letter answers all of it.

use anyhow::Result;
use chrono::TimeDelta;

use super::process::{Reading, Verdict};
use super::question::{self, Asked};
use super::stage::{Performed, Stage};
use super::writer::Standing;
use crate::club::game::Game;
use crate::club::notice::{NotUnderstood, Notice, Part, Unreadable};
use crate::club::player::Player;
use crate::club::tell::{CameTo, Line, Mail, tell};
use crate::club::which::{Answered, Context};
use crate::command::{self, Command};
use crate::store::InboxState;

/// Answers within a day, to one sender, to mails in a row in which nothing was understood: a robot without marks would go
/// on for ever (MAIL-22). Mails that carry a token of ours count apart, so that no forger silences the club for a member.
const PUZZLED_A_DAY: u32 = 3;

/// Answers within an hour to one sender's mails without proof.
const UNPROVEN_AN_HOUR: u32 = 6;

/// The word in the inbox for mails in which nothing was understood.
const PUZZLED: &str = "not understood";

/// The same for mails that prove their writer.
const PUZZLED_PROVEN: &str = "an answer that was not understood";

/// Carries out a member's mail. `first`: what its answer begins with.
pub(super) fn member(
    reading: &Reading<'_>,
    player: &Player,
    standing: &Standing,
    first: Vec<Part>,
) -> Result<Verdict> {
    let context = context(reading, standing.answered);
    let mut stage = Stage {
        tx: reading.tx,
        club: reading.club,
        actor: player.id,
        context,
        trust: standing.trust,
        now: reading.now,
    };
    let mut performed = stage.perform(&commands(reading), reading.chance)?;
    if reading.heard.beyond > 0 {
        let came_to = CameTo::Beyond(reading.heard.beyond);
        performed.lines.push(Line {
            text: String::new(),
            game: None,
            came_to,
        });
    }
    if performed.lines.is_empty() {
        return puzzled(reading, player, standing.answered);
    }
    let held = std::mem::take(&mut performed.held);
    // Text goes on once, with what was carried out.
    let chat = if performed.touches_a_game() {
        ""
    } else {
        reading.heard.chat.as_str()
    };
    let limit = if reading.proven {
        reading.club.settings.limits.answers_per_hour
    } else {
        UNPROVEN_AN_HOUR
    };
    answer(reading, player, performed, first, limit)?;
    if !held.is_empty() {
        let asked = Asked::Member(player);
        question::hold(reading, asked, standing.answered, &held, chat)?;
    }
    Ok(reading.verdict(InboxState::Done, ""))
}

/// What the mail says about itself.
pub(super) fn context(reading: &Reading<'_>, answered: Option<Answered>) -> Context {
    Context {
        answered,
        tagged: reading.clues.tag,
        arrived: reading.mail.arrived.min(reading.now),
        now: reading.now,
        digest: reading.mail.digest,
        nonce: [0; 32],
    }
}

/// The lines to carry out. A `yes` or `no` that answers no question is said to a person, unless it is all there is.
fn commands(reading: &Reading<'_>) -> Vec<command::Reading> {
    let is_reply_word =
        |line: &command::Reading| matches!(line.result, Ok(Command::Yes | Command::No));
    let all = &reading.heard.readings;
    if all.iter().all(is_reply_word) {
        return all.clone();
    }
    all.iter()
        .filter(|line| !is_reply_word(line))
        .cloned()
        .collect()
}

/// Posts the letters that carried out commands cause: one to the writer, one a game to each opponent. The writer's is
/// left out where nothing changed and `limit` answers went there within the hour.
pub(super) fn answer(
    reading: &Reading<'_>,
    player: &Player,
    performed: Performed,
    first: Vec<Part>,
    limit: u32,
) -> Result<()> {
    let changed = performed.lines.iter().any(
        |line| matches!(&line.came_to, CameTo::Decided(decision) if !decision.changes.is_empty()),
    );
    let only_held = first.is_empty()
        && performed
            .lines
            .iter()
            .all(|line| line.came_to == CameTo::Held);
    let mail = Mail {
        author: player.id,
        lines: performed.lines,
        chat: &reading.heard.chat,
        first,
        not_understood: None,
        answered: None,
    };
    for notice in tell(mail, |id| reading.tx.sitting(id))? {
        // A mail of which everything waits is answered by the question alone.
        let to_writer = notice.answers;
        if to_writer && (only_held || (!changed && is_flood(reading, &notice, limit)?)) {
            continue;
        }
        reading.post(notice)?;
    }
    Ok(())
}

/// A mail in which nothing was understood: one answer says so and how to write, with the board of the letter that was
/// answered.
fn puzzled(reading: &Reading<'_>, player: &Player, answered: Option<Answered>) -> Result<Verdict> {
    tell_puzzled(reading, player, answered, not_understood(reading))?;
    Ok(reading.verdict(InboxState::Done, puzzled_word(reading)))
}

/// Tells a member that a mail cannot be taken apart.
pub(super) fn broken(
    reading: &Reading<'_>,
    player: &Player,
    answered: Option<Answered>,
) -> Result<()> {
    let what = NotUnderstood {
        mentions: Vec::new(),
        reason: Some(Unreadable::Broken),
    };
    tell_puzzled(reading, player, answered, what)
}

fn tell_puzzled(
    reading: &Reading<'_>,
    player: &Player,
    answered: Option<Answered>,
    what: NotUnderstood,
) -> Result<()> {
    if is_puzzling_flood(reading)? {
        return Ok(());
    }
    let game = match answered {
        Some(Answered::Game { game, .. }) => reading.tx.game(game)?.map(Box::<Game>::new),
        _ => None,
    };
    let mail = Mail {
        author: player.id,
        lines: Vec::new(),
        chat: "",
        first: Vec::new(),
        not_understood: Some(what),
        answered: game,
    };
    for notice in tell(mail, |id| reading.tx.sitting(id))? {
        reading.post(notice)?;
    }
    Ok(())
}

/// What looked like a command, or why there was nothing to read.
pub(super) fn not_understood(reading: &Reading<'_>) -> NotUnderstood {
    let reason = match reading.mail.too_large {
        Some(limit) => Some(Unreadable::TooLarge { limit }),
        None if reading.new.sealed.is_some() => Some(Unreadable::Sealed),
        None if reading.new.text.trim().is_empty() => Some(Unreadable::NothingNew),
        None => None,
    };
    let mentions = reading
        .heard
        .mentions
        .iter()
        .map(|m| (m.line.clone(), m.suggestion.clone()))
        .collect();
    NotUnderstood { mentions, reason }
}

/// Whether the sender got as many answers to mails without a command as a person needs.
pub(super) fn is_puzzling_flood(reading: &Reading<'_>) -> Result<bool> {
    let understood = reading.tx.last_understood(&reading.from)?;
    let day = reading.now - TimeDelta::days(1);
    let since = understood.map_or(day, |at| at.max(day).min(reading.now));
    Ok(reading
        .tx
        .concluded_since(&reading.from, puzzled_word(reading), since)?
        >= PUZZLED_A_DAY)
}

/// The word in the inbox for this mail, if nothing in it is understood.
pub(super) fn puzzled_word(reading: &Reading<'_>) -> &'static str {
    if reading.proven {
        PUZZLED_PROVEN
    } else {
        PUZZLED
    }
}

fn is_flood(reading: &Reading<'_>, notice: &Notice, limit: u32) -> Result<bool> {
    let since = reading.now - TimeDelta::hours(1);
    Ok(reading
        .tx
        .answers_since(&notice.to.address, reading.proven, since)?
        >= limit)
}
