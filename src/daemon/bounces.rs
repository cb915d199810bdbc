//! Letters that come back: what is believed of it, whose mail stops and starts again, and who is told, once.
//!
//! Anybody can write a report; it counts only with a token of ours, and then it is about the letter that carried it.
//! How much a failure proves is weighed by [`crate::mail::bounce`].

use std::collections::BTreeMap;

use anyhow::Result;
use chrono::{DateTime, TimeDelta, Utc};

use super::post::{post, tell_admin};
use super::settings::Club;
use crate::club::challenge::Invitee;
use crate::club::game::Game;
use crate::club::notice::{About, AdminNotice, Notice, Part};
use crate::club::player::{Player, PlayerId};
use crate::mail::automatic::Bounce;
use crate::mail::bounce::{Score, TOO_MUCH, Weight, weigh};
use crate::mail::safe::SafeHeader;
use crate::mail::thread::{self, Clues};
use crate::mail::token::Token;
use crate::store::{Nature, OutboxState, Posted, Reach, Tx};

/// Others are told of an address no sooner again: one that takes mail on some days only must not become their burden.
const TOLD_AGAIN: TimeDelta = TimeDelta::days(7);

/// Why a letter failed for good.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failure<'a> {
    /// What it proves.
    pub weight: Weight,
    /// What was said, in a line.
    pub said: &'a str,
    /// The mail that reported it; `None`: the server said so at once.
    pub report: Option<i64>,
}

/// A letter failed for good. If its recipient cannot be reached, it waits, like all others to that address.
pub(super) fn fails(
    tx: &Tx<'_>,
    club: &Club,
    letter: &Posted,
    failure: &Failure<'_>,
    now: DateTime<Utc>,
) -> Result<()> {
    let address = &letter.recipient;
    if failure.weight == Weight::Nothing {
        return give_up(tx, club, letter, failure, now);
    }
    let before = tx.reach(address)?;
    let mut reach = Reach {
        score: before
            .as_ref()
            .map(|reach| reach.score)
            .unwrap_or_default()
            .after(failure.weight, now),
        held: before.as_ref().and_then(|reach| reach.held),
        told: before.as_ref().and_then(|reach| reach.told),
        reason: failure.said.to_owned(),
    };
    let was_held = reach.held.is_some();
    if !was_held && failure.weight != Weight::Gone && reach.score.halves < TOO_MUCH {
        tx.set_reach(address, &reach)?;
        return give_up(tx, club, letter, failure, now);
    }
    reach.held.get_or_insert(now);
    // A clock that ran ahead when others were told keeps them from nothing.
    let tells = !was_held
        && reach
            .told
            .is_none_or(|told| (now - told).abs() >= TOLD_AGAIN);
    if tells {
        reach.told = Some(now);
    }
    tx.set_reach(address, &reach)?;
    keep(tx, letter, failure)?;
    tx.hold_letters(address)?;
    tracing::warn!(
        "Mail to {address} comes back and waits from now on: {}",
        failure.said
    );
    if tells {
        tell(tx, club, letter, failure.said, now)?;
    }
    Ok(())
}

/// Gives a letter up that proves nothing about its recipient, or not enough; the admin is told.
fn give_up(
    tx: &Tx<'_>,
    club: &Club,
    letter: &Posted,
    failure: &Failure<'_>,
    now: DateTime<Utc>,
) -> Result<()> {
    tx.came_back(letter.id, failure.said, failure.report, false)?;
    let what = AdminNotice::Undeliverable {
        letter: letter.id,
        address: letter.recipient.clone(),
        reason: failure.said.to_owned(),
    };
    tell_admin(tx, club, what, now)
}

/// Lets a letter that came back wait, unless a newer one went out that may have arrived.
fn keep(tx: &Tx<'_>, letter: &Posted, failure: &Failure<'_>) -> Result<()> {
    let waits = letter.nature != Nature::Admin;
    tx.came_back(letter.id, failure.said, failure.report, waits)?;
    if waits && let Some(newer) = tx.newer_letter(letter)? {
        tx.supersede(letter.id, newer)?;
    }
    Ok(())
}

/// Tells, once, whoever waits for somebody who cannot be reached, and the admin.
fn tell(tx: &Tx<'_>, club: &Club, letter: &Posted, said: &str, now: DateTime<Utc>) -> Result<()> {
    let address = &letter.recipient;
    let member = tx
        .player_by_address(address)?
        .filter(|player| player.address == *address);
    tell_challenger(tx, club, letter, member.as_ref(), now)?;
    // Whoever never joined plays no game, and forged addresses of strangers are not worth the admin's time.
    let Some(player) = member else {
        return Ok(());
    };
    let running = tx.sitting(player.id)?.running;
    let mut by_opponent: BTreeMap<PlayerId, Vec<&Game>> = BTreeMap::new();
    for game in &running {
        let opponent = game.opponent_of(player.id).player;
        by_opponent.entry(opponent).or_default().push(game);
    }
    for (opponent, games) in by_opponent {
        let opponent = tx.player(opponent)?;
        if can_be_told(tx, &opponent)?
            && let Some(notice) = to_opponent(&player, &opponent, &games)
        {
            post(tx, club, notice, None, now)?;
        }
    }
    let what = AdminNotice::Unreachable {
        name: player.name,
        address: address.clone(),
        games: running.iter().map(|game| game.number).collect(),
        reason: said.to_owned(),
    };
    tell_admin(tx, club, what, now)
}

fn can_be_told(tx: &Tx<'_>, player: &Player) -> Result<bool> {
    let reach = tx.reach(&player.address)?;
    Ok(!player.stopped && reach.is_none_or(|reach| reach.held.is_none()))
}

fn to_opponent(player: &Player, opponent: &Player, games: &[&Game]) -> Option<Notice> {
    let first = games.first()?;
    Some(Notice {
        to: opponent.reader(),
        about: About::Game {
            game: first.number,
            serial: first.serial(),
            seat: first.seat_of(opponent.id)?,
            white: first.white.name.clone(),
            black: first.black.name.clone(),
        },
        answers: false,
        parts: vec![Part::Unreachable {
            who: player.name.clone(),
            games: games.iter().map(|game| game.number).collect(),
        }],
    })
}

/// Tells a challenger whose invitation came back.
fn tell_challenger(
    tx: &Tx<'_>,
    club: &Club,
    letter: &Posted,
    member: Option<&Player>,
    now: DateTime<Utc>,
) -> Result<()> {
    let Some(challenge) = letter
        .game
        .map(|number| tx.challenge(number))
        .transpose()?
        .flatten()
    else {
        return Ok(());
    };
    let who = match (&challenge.to, member) {
        (Invitee::Member { id, name }, Some(member)) if *id == member.id => name.clone(),
        (Invitee::Address(to), _) if *to == letter.recipient => to.clone(),
        _ => return Ok(()),
    };
    let challenger = tx.player(challenge.from)?;
    if !challenge.waits(now) || !can_be_told(tx, &challenger)? {
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
        parts: vec![Part::InvitationCameBack {
            number: challenge.number,
            who,
        }],
    };
    post(tx, club, notice, None, now)
}

/// Takes a report of a mail server. Gives the letter that it is about; a report without a token of ours is about none,
/// and only one that says "failed" changes anything (RFC 3464 section 2.3.3).
pub(super) fn report(
    tx: &Tx<'_>,
    club: &Club,
    inbox: i64,
    bounce: &Bounce,
    clues: &Clues,
    now: DateTime<Utc>,
) -> Result<Option<i64>> {
    let Some(letter) = letter_of(tx, club, bounce, clues, now)? else {
        return Ok(None);
    };
    // A second report about it tells nothing new.
    let is_open = !letter.held && letter.state != OutboxState::Failed;
    if bounce.failed && is_open {
        let status = bounce.status.as_deref();
        let diagnosis = bounce.diagnosis.as_deref().unwrap_or_default();
        let said = format!("reported: {} {diagnosis}", status.unwrap_or_default());
        let said = SafeHeader::new(said.trim());
        let failure = Failure {
            weight: weigh(diagnosis, status),
            said: said.as_str(),
            report: Some(inbox),
        };
        fails(tx, club, &letter, &failure, now)?;
    }
    Ok(Some(letter.id))
}

/// The letter that a report is about: by the Message-ID of what it returns, else by another token of ours in it.
fn letter_of(
    tx: &Tx<'_>,
    club: &Club,
    bounce: &Bounce,
    clues: &Clues,
    now: DateTime<Utc>,
) -> Result<Option<Posted>> {
    let named = bounce
        .message_id
        .as_deref()
        .and_then(thread::read_message_id);
    if let Some((token, number)) = named.filter(|(token, _)| club.secret.verify(token)) {
        let letter = tx.posted(i64::from(number))?;
        let is_it =
            |letter: &Posted| thread::read_message_id(&letter.message_id) == Some((token, number));
        if let Some(letter) = letter.filter(is_it) {
            return Ok(Some(letter));
        }
    }
    let recipient = bounce.recipient.as_ref().map(|address| address.key());
    let found: Vec<Token> = named
        .map(|(token, _)| token)
        .into_iter()
        .chain(bounce.tokens.iter().copied())
        .chain(clues.tokens.iter().map(|(token, _)| *token))
        .filter(|token| club.secret.verify(token))
        .collect();
    // Final-Recipient may be an alias behind the address that the letter went to.
    for to in [recipient.as_deref(), None] {
        for token in &found {
            if let Some(letter) = tx.posted_with(&token.to_string(), to, now)? {
                return Ok(Some(letter));
            }
        }
    }
    Ok(None)
}

/// A mail came from there that proves its writer: letters go out again, of each game the newest, and nothing is counted
/// any more.
pub(super) fn hears_from(tx: &Tx<'_>, address: &str, now: DateTime<Utc>) -> Result<()> {
    let Some(reach) = tx.reach(address)? else {
        return Ok(());
    };
    let mut newest: BTreeMap<Option<u32>, i64> = BTreeMap::new();
    for letter in tx.held_letters(address)? {
        if let Some(newer) = newest.get(&letter.game)
            && tx.supersede(letter.id, *newer)?
        {
            continue;
        }
        if letter.nature != Nature::Question {
            newest.entry(letter.game).or_insert(letter.id);
        }
        tx.let_go(letter.id, now)?;
    }
    if reach.held.is_some() {
        tracing::info!("A mail came from {address}: letters go there again");
    }
    let reach = Reach {
        score: Score::default(),
        held: None,
        ..reach
    };
    tx.set_reach(address, &reach)
}
