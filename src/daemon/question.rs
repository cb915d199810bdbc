//! Asking: mails without proof wait, the registered address is asked once, and its yes carries them out.

use anyhow::Result;

use super::member_mail::{self, Answers};
use super::process::{Reading, Verdict};
use super::stage::{Performed, Stage};
use super::writer::{Standing, Trust};
use crate::club::decision::Decision;
use crate::club::names;
use crate::club::notice::{About, Done, HeldLine, Notice, Part, QuestionView, Reader};
use crate::club::player::{Player, PlayerId};
use crate::club::tell::{CameTo, Line};
use crate::club::which::{Answered, Context};
use crate::command::{self, Command, Heard};
use crate::store::{Held, InboxState, Question};

/// Letters about one question: whoever forges mails must not be able to bury the one who is asked.
const LETTERS: usize = 6;

/// Mails that wait for one answer.
const WAITING: usize = 50;

/// Who is asked.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asked<'a> {
    /// A member.
    Member(&'a Player),
    /// An address of no member: its yes makes one.
    Address(&'a str),
}

/// Lets commands of the mail wait, and asks. `chat` is the text that goes on with them.
pub(super) fn hold(
    reading: &Reading<'_>,
    asked: Asked<'_>,
    answered: Option<Answered>,
    commands: &[(Option<u32>, Command)],
    chat: &str,
) -> Result<()> {
    let (player, address) = match asked {
        Asked::Member(player) => (Some(player.id), player.address.as_str()),
        Asked::Address(address) => (None, address),
    };
    let name = reading.incoming.from_name.clone().unwrap_or_default();
    let question = reading.tx.ask(player, address, &name, reading.now)?;
    let waiting = reading.tx.held(question.id)?.len();
    if waiting >= WAITING {
        tracing::warn!(
            "Question {} holds as many mails as one answer can decide; one more is dropped",
            question.id
        );
        return Ok(());
    }
    let lines: Vec<String> = commands
        .iter()
        .map(|(game, command)| match game {
            Some(game) => format!("{game}: {command}"),
            None => command.to_string(),
        })
        .collect();
    let held = Held {
        inbox: reading.mail.inbox,
        sender: reading.from.clone(),
        arrived: reading.mail.arrived.min(reading.now),
        commands: lines.join("\n"),
        chat: chat.to_owned(),
        answered,
    };
    reading.tx.hold(question.id, &held)?;
    // What no letter named is asked about once the question is answered.
    if waiting >= LETTERS {
        return Ok(());
    }
    put(reading, &question)
}

/// Sends the letter that asks, naming everything that waits.
fn put(reading: &Reading<'_>, question: &Question) -> Result<()> {
    let held = reading.tx.held(question.id)?;
    let player = question
        .player
        .map(|id| reading.tx.player(id))
        .transpose()?;
    let to = player
        .as_ref()
        .map_or_else(|| Reader::stranger(&question.address), Player::reader);
    let mut lines = Vec::new();
    for mail in &held {
        let known = match question.player {
            Some(id) => is_known(reading, id, &mail.sender)?,
            None => mail.sender == question.address,
        };
        lines.push(HeldLine {
            arrived: mail.arrived,
            from: (!known).then(|| mail.sender.clone()),
            verbs: command::read(&mail.commands)
                .readings
                .iter()
                .filter_map(|reading| Some((reading.result.as_ref().ok()?.verb(), reading.game)))
                .collect(),
        });
    }
    let named = u32::try_from(held.len())?;
    let notice = Notice {
        to,
        about: About::Question {
            number: question.id,
            held: named,
        },
        answers: true,
        parts: vec![Part::Question(QuestionView {
            held: lines,
            joins: player.is_none(),
            until: question.until,
        })],
    };
    reading.post(notice)
}

fn is_known(reading: &Reading<'_>, player: PlayerId, address: &str) -> Result<bool> {
    Ok(reading
        .tx
        .player_by_address(address)?
        .is_some_and(|known| known.id == player))
}

/// The yes or no in a mail; none where it holds neither or both.
pub(super) fn answer_in(heard: &Heard) -> Option<bool> {
    let says = |what: &Command| {
        heard
            .readings
            .iter()
            .any(|reading| reading.result.as_ref() == Ok(what))
    };
    match (says(&Command::Yes), says(&Command::No)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// Reads a yes or no to an invitation as what it means, unless the mail says that anyway.
pub(super) fn to_an_invitation(heard: &mut Heard) {
    let says_it = heard
        .readings
        .iter()
        .any(|reading| matches!(reading.result, Ok(Command::Accept(_) | Command::Decline(_))));
    let Some(answer) = answer_in(heard).filter(|_| !says_it) else {
        return;
    };
    let means = if answer {
        Command::Accept(None)
    } else {
        Command::Decline(None)
    };
    let mut first = true;
    heard.readings.retain_mut(|reading| {
        if !matches!(reading.result, Ok(Command::Yes | Command::No)) {
            return true;
        }
        reading.result = Ok(means.clone());
        std::mem::take(&mut first)
    });
}

/// Takes the answer to a question. `named`: how many held mails the answered letter named; only those are carried out.
/// What else stands in the mail is done like what stands in any other.
pub(super) fn answered(
    reading: &Reading<'_>,
    standing: &Standing,
    (question, named): (&Question, u32),
    yes: bool,
) -> Result<Verdict> {
    let done = reading.verdict(InboxState::Done, "");
    let held = reading.tx.held(question.id)?;
    reading.tx.close_question(question.id, yes)?;
    if !yes {
        if let Some(id) = question.player {
            let mut all = Performed {
                lines: vec![line("no", Done::Dropped)],
                held: Vec::new(),
            };
            let player = reading.tx.player(id)?;
            let more = the_rest(reading, &player, standing)?;
            all.lines.extend(more.lines);
            member_mail::answer(reading, &player, all, Vec::new(), Answers::All)?;
            ask_anew(reading, question, named, &held, more.held.is_empty())?;
            hold_the_rest(reading, &player, standing, &more.held)?;
        }
        return Ok(done);
    }
    let (player, first) = match question.player {
        Some(id) => (reading.tx.player(id)?, Vec::new()),
        None => join(reading, &question.address, &question.name)?,
    };
    reading.tx.set_stopped(player.id, false)?;
    let mut all = Performed::default();
    let mut chat = Vec::new();
    for mail in held.iter().take(usize::try_from(named)?) {
        all.lines.extend(learn(reading, &player, &mail.sender)?);
        let performed = carry_out(reading, &player, mail)?;
        if performed.touches_a_game() {
            chat.push(mail.chat.clone());
        }
        all.lines.extend(performed.lines);
    }
    let more = the_rest(reading, &player, standing)?;
    if more.touches_a_game() {
        chat.push(reading.heard.chat.clone());
    }
    all.lines.extend(more.lines);
    // A newcomer's `join` is answered by the welcome.
    if !first.is_empty() {
        all.lines.retain(|line| {
            !matches!(&line.came_to, CameTo::Decided(decision) if matches!(decision.done, Done::MemberAlready { .. }))
        });
    }
    let carried_out = Reading {
        heard: Heard {
            chat: chat.join("\n"),
            ..reading.heard.clone()
        },
        from: reading.from.clone(),
        clues: reading.clues.clone(),
        new: reading.new.clone(),
        ..*reading
    };
    member_mail::answer(&carried_out, &player, all, first, Answers::All)?;
    ask_anew(reading, question, named, &held, more.held.is_empty())?;
    hold_the_rest(reading, &player, standing, &more.held)?;
    Ok(done)
}

/// Asks about mails that waited and that the answered letter did not name. `put_it`: by a letter of its own.
fn ask_anew(
    reading: &Reading<'_>,
    answered: &Question,
    named: u32,
    held: &[Held],
    put_it: bool,
) -> Result<()> {
    if held.len() <= usize::try_from(named)? {
        return Ok(());
    }
    let player = reading.tx.player_by_address(&answered.address)?;
    let next = reading.tx.ask(
        player.map(|player| player.id),
        &answered.address,
        &answered.name,
        reading.now,
    )?;
    reading.tx.move_held(answered.id, named, next.id)?;
    if put_it {
        put(reading, &next)?;
    }
    Ok(())
}

/// Carries out what stands beside the yes or no.
fn the_rest(reading: &Reading<'_>, player: &Player, standing: &Standing) -> Result<Performed> {
    let rest: Vec<command::Reading> = reading
        .heard
        .readings
        .iter()
        .filter(|line| !matches!(line.result, Ok(Command::Yes | Command::No)))
        .cloned()
        .collect();
    let mut stage = Stage {
        tx: reading.tx,
        club: reading.club,
        actor: player.id,
        context: member_mail::context(reading, standing.answered),
        trust: standing.trust,
        now: reading.now,
    };
    stage.perform(&rest, reading.chance)
}

fn hold_the_rest(
    reading: &Reading<'_>,
    player: &Player,
    standing: &Standing,
    held: &[(Option<u32>, Command)],
) -> Result<()> {
    if held.is_empty() {
        return Ok(());
    }
    hold(reading, Asked::Member(player), standing.answered, held, "")
}

fn carry_out(reading: &Reading<'_>, player: &Player, mail: &Held) -> Result<Performed> {
    let context = Context {
        answered: mail.answered,
        tagged: None,
        arrived: mail.arrived,
        now: reading.now,
        digest: reading.tx.digest_of(mail.inbox)?,
        nonce: [0; 32],
    };
    let mut stage = Stage {
        tx: reading.tx,
        club: reading.club,
        actor: player.id,
        context,
        trust: Trust::Confirmed,
        now: reading.now,
    };
    stage.perform(&command::read(&mail.commands).readings, reading.chance)
}

/// Lets an address that is nobody else's write for the member from now on.
fn learn(reading: &Reading<'_>, player: &Player, address: &str) -> Result<Option<Line>> {
    if reading.tx.player_by_address(address)?.is_some() {
        return Ok(None);
    }
    reading.tx.learn_address(player.id, address, reading.now)?;
    Ok(Some(line(
        address,
        Done::AddressLearned {
            address: address.to_owned(),
        },
    )))
}

/// Makes a member of an address, under a free name; the welcome says which.
pub(super) fn join(
    reading: &Reading<'_>,
    address: &str,
    display: &str,
) -> Result<(Player, Vec<Part>)> {
    let settings = &reading.club.settings;
    let wish = names::for_newcomer(display, address);
    let name = names::free(&wish, &reading.tx.keys_like(&wish, None)?);
    let player = reading.tx.add_player(Player {
        id: PlayerId(0),
        name: name.clone(),
        address: address.to_owned(),
        language: settings.language.clone(),
        timezone: settings.timezone.clone(),
        joined: reading.now,
        stopped: false,
    })?;
    let taken = (name != wish).then_some(wish);
    Ok((player, vec![Part::Welcome { name, taken }]))
}

fn line(text: &str, done: Done) -> Line {
    Line {
        text: text.to_owned(),
        game: None,
        came_to: CameTo::Decided(Box::new(Decision::only(done))),
    }
}
