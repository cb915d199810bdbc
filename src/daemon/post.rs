//! From a notice to the final bytes in the outbox: token, thread, wording, building.

use anyhow::{Context, Result};
use chrono::{DateTime, Utc};

use super::settings::Club;
use crate::club::notice::{About, Notice};
use crate::dvonn::Colour;
use crate::letters;
use crate::mail::address::Address;
use crate::mail::outgoing::{Kind, Outgoing};
use crate::mail::thread;
use crate::mail::token::{Token, TokenKind};
use crate::store::{Letter, Tx};

pub(super) use super::notices::tell_admin;

/// The mail that a letter answers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answered<'a> {
    /// Its row.
    pub inbox: i64,
    /// Its Message-ID, without angle brackets.
    pub message_id: Option<&'a str>,
    /// Whether it proved its writer.
    pub proven: bool,
}

/// Puts a letter into the outbox.
pub(super) fn post(
    tx: &Tx<'_>,
    club: &Club,
    mut notice: Notice,
    caused_by: Option<Answered<'_>>,
    now: DateTime<Utc>,
) -> Result<()> {
    let settings = &club.settings;
    if notice.to.language.is_empty() {
        notice.to.language.clone_from(&settings.language);
        notice.to.timezone.clone_from(&settings.timezone);
    }
    let to = Address::parse(&notice.to.address)
        .with_context(|| format!("{} is no address", notice.to.address))?;
    let token = token(tx, club, &notice)?;
    let letter = letters::compose(&notice, &club.facts(), Some(&token.to_string()))?;
    let message_id = thread::message_id(&token, tx.next_letter()?, settings.address.domain());
    let about = match notice.about {
        About::Game { game, .. } => Some(game),
        About::Challenge { number, .. } => Some(number),
        About::Question { .. } | About::Club => None,
    };
    let answered = caused_by.filter(|_| notice.answers);
    let in_reply_to = answered
        .and_then(|answered| answered.message_id)
        .map(str::to_owned);
    let mut ids = about
        .map(|about| tx.thread(&to.key(), about))
        .transpose()?
        .unwrap_or_default();
    ids.extend(in_reply_to.clone());
    let references = match ids.split_first() {
        Some((root, rest)) => thread::references(root, rest),
        None => Vec::new(),
    };
    let outgoing = Outgoing {
        club: settings.address.clone(),
        club_name: settings.name.clone(),
        to: to.clone(),
        to_name: notice.to.name,
        reply_to: if settings.plus_addressing {
            Some(settings.address.plus(&token.to_string())?)
        } else {
            None
        },
        subject: letter.subject,
        text: letter.text.clone(),
        html: letter.html,
        kind: if notice.answers {
            Kind::Answer
        } else {
            Kind::Notice
        },
        message_id: message_id.clone(),
        in_reply_to,
        references,
        date: now,
        unsubscribe: None,
        envelope_from: Some(settings.address.clone()),
    };
    let bytes = outgoing
        .bytes()
        .with_context(|| format!("The letter {message_id} cannot be built"))?;
    tx.post(
        &Letter {
            message_id,
            sender: Some(settings.address.to_string()),
            recipient: to.key(),
            game: about,
            answers: caused_by
                .filter(|_| notice.answers)
                .map(|answered| answered.inbox),
            unproven: caused_by.is_some_and(|answered| notice.answers && !answered.proven),
            text: letter.text,
            bytes,
        },
        now,
    )?;
    Ok(())
}

fn token(tx: &Tx<'_>, club: &Club, notice: &Notice) -> Result<Token> {
    let secret = &club.secret;
    Ok(match &notice.about {
        About::Game {
            game,
            serial,
            seat: Colour::White,
            ..
        } => secret.token(*game, *serial, TokenKind::White),
        About::Game {
            game,
            serial,
            seat: Colour::Black,
            ..
        } => secret.token(*game, *serial, TokenKind::Black),
        About::Challenge {
            number,
            invited: true,
            ..
        } => secret.token(*number, 0, TokenKind::Invitation),
        About::Question { number, held } => {
            secret.token(u32::try_from(*number)?, *held, TokenKind::Question)
        }
        About::Club | About::Challenge { .. } => {
            let member = tx.player_by_address(&notice.to.address)?;
            let number = member
                .map(|member| u32::try_from(member.id.0))
                .transpose()?
                .unwrap_or(0);
            secret.token(number, 0, TokenKind::Member)
        }
    })
}
