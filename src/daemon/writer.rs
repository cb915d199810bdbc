//! Who writes a mail, and what the mail proves of it ("Proof of who writes" in the contract).

use anyhow::Result;
use chrono::{DateTime, Utc};

use super::settings::Club;
use crate::club::challenge::{Challenge, Invitee};
use crate::club::decision::Decision;
use crate::club::notice::Done;
use crate::club::player::{Player, PlayerId};
use crate::club::which::Answered;
use crate::command::Command;
use crate::dvonn::Colour;
use crate::mail::proof::Proof;
use crate::mail::thread::{Clues, Found};
use crate::mail::token::{Token, TokenKind};
use crate::store::{Question, Tx};

/// What a mail may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// Everything: its writer answered the club's question with yes.
    Confirmed,
    /// Everything but what is always asked about: the provider vouches for the writer.
    Proven,
    /// Moves, messages and resigning in the game of its token.
    Seat(u32),
    /// Accepting or declining the challenge of its token.
    Offer(u32),
    /// Nothing.
    Nothing,
}

/// Whose mail it is.
#[derive(Debug)]
pub(super) enum Writer {
    /// A member's, from an address that may write for them.
    Member(Player),
    /// From an address that the club does not know, with the token of a letter to this member.
    Foreign(Player),
    /// From an address that the club does not know, with the token of an invitation to this one, which is no member's.
    Elsewhere(String),
    /// From an address that was invited, with the token of the invitation.
    Invited(Challenge),
    /// Nobody's that the club knows.
    Stranger,
}

/// What a mail says of its writer.
#[derive(Debug)]
pub(super) struct Standing {
    /// Whose it is.
    pub writer: Writer,
    /// What it may change.
    pub trust: Trust,
    /// The letter of the club that it answers, as far as that is the writer's own.
    pub answered: Option<Answered>,
    /// Whether it carries a token that only its writer got from us, current or old: no robot or forger's mail does.
    pub answers_us: bool,
    /// The question that it answers in time, and how many held mails that letter named.
    pub question: Option<(Question, u32)>,
    /// Whether the provider vouches for its writer.
    pub vouched: bool,
    /// Whether it answers a question whose time is over.
    pub too_late: bool,
}

/// Finds out who writes.
pub(super) fn standing(
    tx: &Tx<'_>,
    club: &Club,
    from: &str,
    clues: &Clues,
    proof: Proof,
    arrived: DateTime<Utc>,
) -> Result<Standing> {
    let member = tx.player_by_address(from)?;
    let tokens: Vec<(Token, Found)> = clues
        .tokens
        .iter()
        .filter(|(token, _)| club.secret.verify(token))
        .copied()
        .collect();
    let asked = question(tx, from, member.as_ref(), &tokens)?;
    let too_late = asked.as_ref().is_some_and(|(q, _)| q.until < arrived);
    let question = asked.filter(|_| !too_late);
    let (writer, seat) = match member {
        Some(player) => {
            let seat = seat(tx, clues, &tokens, |owner| owner == player.id)?;
            (Writer::Member(player), seat)
        }
        None => match seat(tx, clues, &tokens, |_| true)? {
            Some(seat) => (Writer::Foreign(tx.player(seat.owner)?), Some(seat)),
            None => (unknown(tx, from, clues, &tokens, arrived)?, None),
        },
    };
    let offer = tokens
        .iter()
        .find(|(token, _)| token.kind == TokenKind::Invitation)
        .map(|(token, _)| token.number);
    let answered = match (&seat, offer) {
        (Some(seat), _) => Some(Answered::Game {
            game: seat.game,
            serial: seat.serial,
        }),
        (None, Some(number)) => Some(Answered::Challenge { number }),
        (None, None) => None,
    };
    let trust = match (proof, &writer) {
        // An explicit fail always means: hold and ask, even beside a token (MAIL-25).
        (Proof::Fail, _) | (_, Writer::Foreign(_) | Writer::Elsewhere(_) | Writer::Stranger) => {
            Trust::Nothing
        }
        (Proof::Pass, Writer::Member(_)) => Trust::Proven,
        _ => match (&seat, offer) {
            (Some(seat), _) if seat.current => Trust::Seat(seat.game),
            (_, Some(number)) => Trust::Offer(number),
            _ => Trust::Nothing,
        },
    };
    let answers_us = match &writer {
        Writer::Member(player) => {
            seat.is_some()
                || question.is_some()
                || tokens.iter().any(|(token, _)| is_letter_to(token, player))
                || is_invited(tx, &tokens, player)?
        }
        Writer::Invited(_) | Writer::Foreign(_) | Writer::Elsewhere(_) | Writer::Stranger => false,
    };
    Ok(Standing {
        writer,
        trust,
        answered,
        answers_us,
        question,
        vouched: proof == Proof::Pass,
        too_late,
    })
}

/// Whether a token stood in a letter to that member about no game.
fn is_letter_to(token: &Token, player: &Player) -> bool {
    token.kind == TokenKind::Member && i64::from(token.number) == player.id.0
}

/// Whether one of the tokens stood in an invitation to that member.
fn is_invited(tx: &Tx<'_>, tokens: &[(Token, Found)], player: &Player) -> Result<bool> {
    for (token, _) in tokens {
        if token.kind == TokenKind::Invitation
            && let Some(challenge) = tx.challenge(token.number)?
            && challenge.is_for(player)
            && challenge.to != Invitee::Anyone
        {
            return Ok(true);
        }
    }
    Ok(false)
}

struct SeatToken {
    owner: PlayerId,
    game: u32,
    serial: u32,
    current: bool,
}

/// The first token of a seat that is the writer's; an old one counts only in a reply, since address books complete old
/// plus addresses.
fn seat(
    tx: &Tx<'_>,
    clues: &Clues,
    tokens: &[(Token, Found)],
    is_mine: impl Fn(PlayerId) -> bool,
) -> Result<Option<SeatToken>> {
    for (token, found) in tokens {
        let colour = match token.kind {
            TokenKind::White => Colour::White,
            TokenKind::Black => Colour::Black,
            _ => continue,
        };
        let Some(game) = tx.game(token.number)? else {
            continue;
        };
        let owner = game.seat(colour).player;
        let current = token.serial == game.serial();
        if is_mine(owner) && (current || clues.is_reply || *found != Found::Address) {
            return Ok(Some(SeatToken {
                owner,
                game: game.number,
                serial: token.serial,
                current,
            }));
        }
    }
    Ok(None)
}

/// Whose mail it is that comes from an unknown address, by the letter that it answers. Such tokens never grow old, so
/// an address book that completes them proves no answer.
fn unknown(
    tx: &Tx<'_>,
    from: &str,
    clues: &Clues,
    tokens: &[(Token, Found)],
    arrived: DateTime<Utc>,
) -> Result<Writer> {
    for (token, found) in tokens {
        if !clues.is_reply && *found == Found::Address {
            continue;
        }
        let writer = match token.kind {
            TokenKind::Member => Some(PlayerId(i64::from(token.number))).filter(|id| id.0 > 0),
            TokenKind::Question => tx
                .question(i64::from(token.number))?
                .and_then(|question| question.player),
            TokenKind::Invitation => match tx.challenge(token.number)? {
                Some(challenge) => match &challenge.to {
                    Invitee::Member { id, .. } => Some(*id),
                    Invitee::Address(address) if address == from => {
                        return Ok(Writer::Invited(challenge));
                    }
                    Invitee::Address(address) => match tx.player_by_address(address)? {
                        Some(player) => Some(player.id),
                        None if challenge.waits(arrived) => {
                            return Ok(Writer::Elsewhere(address.clone()));
                        }
                        None => None,
                    },
                    Invitee::Anyone => None,
                },
                None => None,
            },
            TokenKind::White | TokenKind::Black => None,
        };
        if let Some(id) = writer {
            return Ok(Writer::Foreign(tx.player(id)?));
        }
    }
    Ok(Writer::Stranger)
}

/// The unanswered question whose token the mail carries, if it was put to its writer.
fn question(
    tx: &Tx<'_>,
    from: &str,
    member: Option<&Player>,
    tokens: &[(Token, Found)],
) -> Result<Option<(Question, u32)>> {
    for (token, _) in tokens {
        if token.kind == TokenKind::Question {
            let question = tx.question(i64::from(token.number))?;
            let is_asked = |q: &Question| {
                q.address == from
                    || (q.player.is_some() && q.player == member.map(|member| member.id))
            };
            if let Some(question) = question.filter(is_asked) {
                return Ok(Some((question, token.serial)));
            }
        }
    }
    Ok(None)
}

impl Trust {
    /// Whether a decided command may be carried out.
    pub(super) fn allows(self, command: &Command, decision: &Decision) -> bool {
        if decision.changes.is_empty() && decision.game.is_none() {
            return true;
        }
        match self {
            Trust::Confirmed => true,
            // Leaving gives running games up: asked about, whoever vouches.
            Trust::Proven => {
                !matches!(&decision.done, Done::Stopped { resigned } if !resigned.is_empty())
            }
            Trust::Seat(number) => {
                matches!(
                    command,
                    Command::Play(_) | Command::Resign | Command::Say(_)
                ) && decision
                    .game
                    .as_ref()
                    .is_some_and(|news| news.after.number == number)
            }
            Trust::Offer(number) => match &decision.done {
                Done::Accepted { game, .. } => *game == number,
                Done::Declined {
                    number: declined, ..
                } => *declined == number,
                _ => false,
            },
            Trust::Nothing => false,
        }
    }
}
