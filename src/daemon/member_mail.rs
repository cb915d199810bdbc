//! A member's mail: its commands are carried out or held, and one letter answers all of it.

use anyhow::Result;
use chrono::TimeDelta;

use super::process::{Reading, Verdict};
use super::question::{self, Asked};
use super::stage::{Performed, Stage};
use super::writer::Standing;
use crate::club::game::Game;
use crate::club::notice::{NotUnderstood, Part, Unreadable};
use crate::club::player::Player;
use crate::club::tell::{CameTo, Line, Mail, tell};
use crate::club::which::{Answered, Context};
use crate::command::{self, Command};
use crate::store::InboxState;

/// Answers within a day to mails with a token of ours in a row in which nothing was understood: a robot without marks would go on
/// for ever (MAIL-22). Mails without proof count apart, so that no forger silences the club for a member.
const PUZZLED_A_DAY: u32 = 3;

/// Answers to one sender's mails without proof, within ten minutes and within a day (IN-14).
const UNPROVEN: [(TimeDelta, u32); 2] = [(TimeDelta::minutes(10), 1), (TimeDelta::days(1), 3)];

/// Answers within a day to one sender's mails with proof, in hours' worth of `answers_per_hour`: a person has no more
/// busy hours, a robot has twenty-four.
const BUSY_HOURS: u32 = 3;

/// Mails in a row that came to nothing which are all answered: somebody is learning. After them only the 16th, 32nd, 64th
/// … of a day is, since a robot learns nothing.
const FRUITLESS_ANSWERED: u32 = 10;

/// The word in the inbox for mails of which no line could be carried out.
const FRUITLESS: &str = "nothing came of it";

/// The same for mails that prove their writer.
const FRUITLESS_PROVEN: &str = "nothing came of it, with proof";

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
    let is_fruitless = held.is_empty() && first.is_empty() && came_to_nothing(&performed.lines);
    let answers = match is_fruitless && is_fruitless_flood(reading)? {
        true => Answers::None,
        false => Answers::Some,
    };
    answer(reading, player, performed, first, answers)?;
    if !held.is_empty() {
        let asked = Asked::Member(player);
        question::hold(reading, asked, standing.answered, &held, chat)?;
    }
    let word = if is_fruitless {
        fruitless_word(reading)
    } else {
        ""
    };
    Ok(reading.verdict(InboxState::Done, word))
}

/// How many answers that change nothing a mail may get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answers {
    /// As many as there are: its writer answers a question of ours.
    All,
    /// As many as a person needs.
    Some,
    /// None: there were enough.
    None,
}

/// Whether no line of a mail was carried out, or waits to be.
fn came_to_nothing(lines: &[Line]) -> bool {
    lines.iter().all(|line| {
        matches!(
            line.came_to,
            CameTo::Refused(_) | CameTo::Unread(_) | CameTo::NotTried | CameTo::Beyond(_)
        )
    })
}

/// Whether this is one more of many mails in a row that came to nothing, and not one that is answered all the same.
fn is_fruitless_flood(reading: &Reading<'_>) -> Result<bool> {
    let before = in_a_row(reading, fruitless_word(reading))?;
    Ok(before >= FRUITLESS_ANSWERED && !(before + 1).is_power_of_two())
}

fn fruitless_word(reading: &Reading<'_>) -> &'static str {
    if reading.proven {
        FRUITLESS_PROVEN
    } else {
        FRUITLESS
    }
}

/// How many mails of the sender ended with that word since one was understood, within a day.
fn in_a_row(reading: &Reading<'_>, word: &str) -> Result<u32> {
    let understood = reading.tx.last_understood(&reading.from)?;
    let day = reading.now - TimeDelta::days(1);
    let since = understood.map_or(day, |at| at.max(day).min(reading.now));
    reading.tx.concluded_since(&reading.from, word, since)
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
/// left out where nothing changed and enough `answers` went there of late.
pub(super) fn answer(
    reading: &Reading<'_>,
    player: &Player,
    performed: Performed,
    first: Vec<Part>,
    answers: Answers,
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
        let is_enough = match answers {
            Answers::All => false,
            Answers::Some => is_flood(reading, &notice.to.address)?,
            Answers::None => true,
        };
        if to_writer && (only_held || (!changed && is_enough)) {
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
    let is_enough = if reading.proven {
        is_puzzling_flood(reading)?
    } else {
        is_flood(reading, &player.address)?
    };
    if is_enough {
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

/// Whether the sender of a mail that carries a token of ours got as many answers to mails without a command as a person
/// needs.
pub(super) fn is_puzzling_flood(reading: &Reading<'_>) -> Result<bool> {
    Ok(in_a_row(reading, puzzled_word(reading))? >= PUZZLED_A_DAY)
}

/// The word in the inbox for this mail, if nothing in it is understood.
pub(super) fn puzzled_word(reading: &Reading<'_>) -> &'static str {
    if reading.proven {
        PUZZLED_PROVEN
    } else {
        PUZZLED
    }
}

/// Whether as many answers that may be left out went there of late as a person needs.
fn is_flood(reading: &Reading<'_>, address: &str) -> Result<bool> {
    let an_hour = reading.club.settings.limits.answers_per_hour;
    let proven = [
        (TimeDelta::hours(1), an_hour),
        (TimeDelta::days(1), an_hour.saturating_mul(BUSY_HOURS)),
    ];
    for (span, most) in if reading.proven { proven } else { UNPROVEN } {
        let since = reading.now - span;
        if reading.tx.answers_since(address, reading.proven, since)? >= most {
            return Ok(true);
        }
    }
    Ok(false)
}
