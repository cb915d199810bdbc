//! One mail, from its bytes to the letters it causes: the heart of the daemon, in one transaction.
//!
//! Reading comes first and is pure; then the writer is found out, the commands are carried out, and every letter is
//! composed to its final bytes. The caller commits, or rolls all of it back.

use anyhow::Result;
use chrono::{DateTime, Utc};

use super::arrival;
use super::bounces;
use super::hearing::hear;
use super::member_mail;
use super::post::{self, Answered};
use super::question;
use super::settings::Club;
use super::stranger;
use super::taking::header;
use super::writer::{self, Standing, Writer};
use crate::club::notice::{AdminNotice, Notice};
use crate::club::which::Answered as Which;
use crate::command::{Command, Heard};
use crate::mail::automatic::{Automatic, automatic};
use crate::mail::incoming::Incoming;
use crate::mail::newtext::{NewText, SentText};
use crate::mail::proof::{self, Proof};
use crate::mail::thread::{self, Clues};
use crate::store::{InboxState, Tx};

/// A mail that was taken in.
#[derive(Clone, Copy, Debug)]
pub struct Mail<'a> {
    /// Its row.
    pub inbox: i64,
    /// Its bytes; of a mail that is too large, the header only.
    pub raw: &'a [u8],
    /// Its digest.
    pub digest: [u8; 32],
    /// When it came to the club's mailbox.
    pub arrived: DateTime<Utc>,
    /// The limit that it exceeds, in bytes.
    pub too_large: Option<u64>,
    /// Whether it lay among suspected junk: then only a token of ours makes it the club's business (IN-11).
    pub junk: bool,
}

/// What became of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Address of From, empty where there is none.
    pub sender: String,
    /// How it stands.
    pub state: InboxState,
    /// Why it was ignored, left or shunted; for one that is done, what was not understood.
    pub reason: String,
}

impl Verdict {
    pub(super) fn new(sender: &str, state: InboxState, reason: impl Into<String>) -> Self {
        Verdict {
            sender: sender.to_owned(),
            state,
            reason: reason.into(),
        }
    }
}

/// A mail that was read, and what it is answered with.
pub(super) struct Reading<'a> {
    pub tx: &'a Tx<'a>,
    pub club: &'a Club,
    pub mail: Mail<'a>,
    pub incoming: &'a Incoming,
    /// Address of From.
    pub from: String,
    pub clues: Clues,
    pub new: NewText,
    pub heard: Heard,
    pub now: DateTime<Utc>,
    pub chance: &'a dyn Fn() -> [u8; 32],
    /// Whether it proves its writer, by a token of theirs or by the provider's word.
    pub proven: bool,
}

impl Reading<'_> {
    /// Whether any line of it is a command that can be read. A mere yes or no is said to whoever asked; it orders nothing.
    pub(super) fn asks(&self) -> bool {
        self.heard
            .readings
            .iter()
            .filter_map(|reading| reading.result.as_ref().ok())
            .any(|command| !matches!(command, Command::Yes | Command::No))
    }

    /// Whether any line of it is such a command.
    pub(super) fn wants(&self, wanted: &dyn Fn(&Command) -> bool) -> bool {
        self.heard
            .readings
            .iter()
            .filter_map(|reading| reading.result.as_ref().ok())
            .any(wanted)
    }

    /// Puts a letter that this mail causes into the outbox.
    pub(super) fn post(&self, notice: Notice) -> Result<()> {
        let caused_by = Answered {
            inbox: self.mail.inbox,
            message_id: self.incoming.message_id.as_deref(),
            proven: self.proven,
        };
        post::post(self.tx, self.club, notice, Some(caused_by), self.now)
    }

    pub(super) fn verdict(&self, state: InboxState, reason: impl Into<String>) -> Verdict {
        Verdict::new(&self.from, state, reason)
    }
}

/// Processes one mail. `chance` gives secret numbers, the same for the same mail.
///
/// # Errors
/// Faults of ours only: a broken template, the disk. What a player does wrong is answered by mail.
pub fn process(
    tx: &Tx<'_>,
    club: &Club,
    mail: Mail<'_>,
    now: DateTime<Utc>,
    chance: &dyn Fn() -> [u8; 32],
) -> Result<Verdict> {
    if club.is_younger_than(mail.arrived) {
        return Ok(Verdict::new("", InboxState::Left, "older than the club"));
    }
    let (incoming, broken) = match Incoming::read(mail.raw) {
        Ok(incoming) => (incoming, None),
        // A mail that cannot be taken apart: its header says whether it is the club's business.
        Err(why) => match Incoming::read(header(mail.raw)) {
            Ok(incoming) => (incoming, Some(why.to_string())),
            Err(_) if mail.junk => return Ok(Verdict::new("", InboxState::Left, why.to_string())),
            Err(_) => {
                let reason = why.to_string();
                let what = AdminNotice::Shunted {
                    inbox: mail.inbox,
                    reason: reason.clone(),
                };
                post::tell_admin(tx, club, what, now)?;
                return Ok(Verdict::new("", InboxState::Shunted, reason));
            }
        },
    };
    let clues = thread::clues(&incoming, &club.settings.address);
    let mail = arrival::not_before_the_answered(tx, mail, &incoming.in_reply_to, now)?;
    let answers_us = clues
        .tokens
        .iter()
        .any(|(token, _)| club.secret.verify(token));
    let kind = automatic(&incoming, &club.settings.customs.own_addresses);
    let is_about_us = kind.as_ref().is_some_and(|kind| is_about_us(club, kind));
    if mail.junk && !answers_us && !is_about_us {
        return Ok(Verdict::new(
            "",
            InboxState::Left,
            "among junk, without a token",
        ));
    }
    let from = match &incoming.from {
        Ok(address) => address.key(),
        Err(why) => return Ok(Verdict::new("", not_ours(answers_us), why.to_string())),
    };
    if let Some(kind) = kind {
        let mut reason = kind.name().to_owned();
        if let Automatic::Bounce(bounce) = &kind
            && let Some(letter) = bounces::report(tx, club, mail.inbox, bounce, &clues, now)?
        {
            reason = format!("{reason} of letter {letter}");
        }
        let concerns_us = answers_us || is_about_us || tx.player_by_address(&from)?.is_some();
        return Ok(Verdict::new(&from, not_ours(concerns_us), reason));
    }
    let (new, mut heard) = read(tx, club, &incoming, &from, &clues)?;
    if mail.too_large.is_some() || broken.is_some() {
        // Of a text that was not even fetched nobody knows; its subject orders nothing.
        heard = Heard::default();
    }
    let proof = proof::judge(&incoming, &club.settings.trusted_authserv);
    let denied = proof == Proof::Fail;
    let standing = writer::standing(tx, club, &from, &clues, proof, mail.arrived.min(now))?;
    if standing.question.is_none() && matches!(standing.answered, Some(Which::Challenge { .. })) {
        question::to_an_invitation(&mut heard);
    }
    let reading = Reading {
        tx,
        club,
        mail,
        incoming: &incoming,
        from,
        clues,
        new,
        heard,
        now,
        chance,
        proven: standing.answers_us || standing.trust == writer::Trust::Proven,
    };

    let verdict = act(&reading, &standing, broken)?;
    if let Some(address) = heard_from(&reading, &standing).filter(|_| !denied) {
        bounces::hears_from(tx, address, now)?;
    }
    Ok(verdict)
}

/// The address that letters reach again, if the mail proves that somebody is there.
fn heard_from<'a>(reading: &'a Reading<'_>, standing: &'a Standing) -> Option<&'a str> {
    match &standing.writer {
        Writer::Member(player) if reading.proven => Some(&player.address),
        Writer::Member(_) | Writer::Foreign(_) | Writer::Elsewhere(_) => None,
        Writer::Invited(_) | Writer::Stranger => {
            let mut tokens = reading.clues.tokens.iter();
            let answers = tokens.any(|(token, _)| reading.club.secret.verify(token));
            (standing.vouched || answers).then_some(&reading.from)
        }
    }
}

/// Carries out what the mail asks for, or answers why not.
fn act(reading: &Reading<'_>, standing: &Standing, broken: Option<String>) -> Result<Verdict> {
    if let Some(why) = broken {
        return set_aside(reading, standing, why);
    }
    if let Some((question, named)) = &standing.question
        && let Some(answer) = question::answer_in(&reading.heard)
    {
        return question::answered(reading, standing, (question, *named), answer);
    }
    if let Some((question, _)) = &standing.question
        && question.player.is_none()
        && reading.wants(&|command| matches!(command, Command::Stop))
    {
        return stranger::stops(reading, question);
    }
    match &standing.writer {
        Writer::Member(player) if player.stopped => {
            stranger::asks_to_join(reading, Some(player), standing)
        }
        Writer::Member(player) => member_mail::member(reading, player, standing, Vec::new()),
        Writer::Foreign(owner) => stranger::foreign(reading, owner, standing),
        Writer::Elsewhere(invited) => stranger::elsewhere(reading, invited, standing),
        Writer::Invited(challenge) => stranger::invited(reading, challenge, standing),
        Writer::Stranger => stranger::asks_to_join(reading, None, standing),
    }
}

/// A mail that cannot be taken apart: of a member, or in answer to a letter of ours, it is set aside for the admin, and the
/// member is told; of anybody else it stays where it lies.
fn set_aside(reading: &Reading<'_>, standing: &Standing, why: String) -> Result<Verdict> {
    match &standing.writer {
        Writer::Member(player) if !player.stopped => {
            member_mail::broken(reading, player, standing.answered)?;
        }
        Writer::Stranger => return Ok(reading.verdict(InboxState::Left, why)),
        _ => {}
    }
    let what = AdminNotice::Shunted {
        inbox: reading.mail.inbox,
        reason: why.clone(),
    };
    post::tell_admin(reading.tx, reading.club, what, reading.now)?;
    Ok(reading.verdict(InboxState::Shunted, why))
}

/// Mail that is neither acted upon nor answered: it is put away if it concerns the club, and else stays where it lies,
/// like all mail of strangers without a command.
fn not_ours(concerns_us: bool) -> InboxState {
    if concerns_us {
        InboxState::Ignored
    } else {
        InboxState::Left
    }
}

/// Whether a bounce is about a letter of ours, or the mail is a letter of ours.
fn is_about_us(club: &Club, kind: &Automatic) -> bool {
    match kind {
        Automatic::Bounce(bounce) => {
            let about = bounce.message_id.as_deref();
            let named = about.and_then(thread::read_message_id);
            let mut tokens = named.iter().map(|(token, _)| token).chain(&bounce.tokens);
            tokens.any(|token| club.secret.verify(token))
        }
        Automatic::Own => true,
        _ => false,
    }
}

/// What the writer typed, and what of it is a command. Tokens are cut out of what may be passed on.
fn read(
    tx: &Tx<'_>,
    club: &Club,
    incoming: &Incoming,
    from: &str,
    clues: &Clues,
) -> Result<(NewText, Heard)> {
    let about = clues
        .tokens
        .iter()
        .find(|(token, _)| club.secret.verify(token))
        .map(|(token, _)| token.number);
    let ids: Vec<String> = incoming
        .in_reply_to
        .iter()
        .chain(&incoming.references)
        .cloned()
        .collect();
    let sent: Vec<SentText> = tx
        .sent_texts(from, &ids, about.or(clues.tag))?
        .into_iter()
        .map(|text| SentText { text })
        .collect();
    let (new, mut heard) = hear(incoming, &sent);
    heard.chat = thread::scrub(&heard.chat);
    for reading in &mut heard.readings {
        if let Ok(Command::Say(text)) = &mut reading.result {
            *text = thread::scrub(text);
        }
    }
    Ok((new, heard))
}
