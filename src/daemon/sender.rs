//! The sender: claims letters, hands them over, records what came of it. Nothing is held over the network.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Result;
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use super::backoff::{self, Backoff};
use super::post::tell_admin;
use super::settings::Club;
use super::{Shared, trouble};
use crate::club::notice::{AdminNotice, Ailment};
use crate::store::{Claimed, Loop, Outcome};
use crate::wire::{Envelope, Postman, Sent};

/// Letters claimed at a time.
const CLAIM: u32 = 16;

/// Recipients that are served at the same time.
const LANES: usize = 4;

/// Tries of a letter that is refused for a reason that may not be its recipient's.
const DOUBTFUL_TRIES: u32 = 3;

/// The way out, and how it is doing.
#[derive(Debug)]
pub struct Sender {
    postman: Arc<Postman>,
    backoff: Backoff,
    /// Until when all letters rest, since the server takes none.
    rests_until: Option<DateTime<Utc>>,
}

/// What a server's answer means for a letter, and for the way out.
struct Meaning {
    outcome: Outcome,
    said: String,
    /// All letters rest, for this long at least, because of this.
    rest: Option<Rest>,
    /// The admin is told that the letter is given up.
    given_up: bool,
}

/// Why all letters rest.
#[derive(Clone, Copy)]
enum Rest {
    Down,
    Limit,
    Credentials,
}

impl Sender {
    /// A way out that has not been tried yet.
    #[must_use]
    pub fn new(postman: Postman) -> Self {
        Sender {
            postman: Arc::new(postman),
            backoff: Backoff::default(),
            rests_until: None,
        }
    }

    /// The way out itself.
    #[must_use]
    pub fn postman(&self) -> &Postman {
        &self.postman
    }

    /// Sends what is due, until nothing is, or the server takes no more. Gives the number of letters sent.
    ///
    /// Letters to one recipient go one after the other, so that they arrive in order; each such lane is recorded as soon
    /// as it is through, and a slow one holds up no other. `sign` is called with every lane.
    ///
    /// # Errors
    /// The database.
    pub async fn round(
        &mut self,
        store: &Shared,
        club: &Club,
        sign: &(dyn Fn() + Sync),
    ) -> Result<u32> {
        let mut sent = 0;
        let mut lanes = FuturesUnordered::new();
        let mut busy: Vec<String> = Vec::new();
        loop {
            let rests = self
                .rests_until
                .is_some_and(|until| until > club.outside.now());
            if !rests && lanes.len() < LANES {
                let most = u32::try_from(LANES - lanes.len())?;
                for letters in claim(store, club, &busy, most)? {
                    busy.extend(letters.first().map(|letter| letter.recipient.clone()));
                    lanes.push(hand_over(self.postman.clone(), letters));
                }
            }
            let Some((recipient, results)) = lanes.next().await else {
                return Ok(sent);
            };
            busy.retain(|other| *other != recipient);
            sent += self.record(store, club, results)?;
            sign();
        }
    }

    /// When the next round has something to do, if that is known.
    ///
    /// # Errors
    /// The database.
    pub fn next_round(&self, store: &Shared) -> Result<Option<DateTime<Utc>>> {
        let due = store.lock().read(|tx| tx.next_due())?;
        Ok(due.map(|due| self.rests_until.map_or(due, |until| due.max(until))))
    }

    fn record(
        &mut self,
        store: &Shared,
        club: &Club,
        results: Vec<(Claimed, Sent)>,
    ) -> Result<u32> {
        let now = club.outside.now();
        let meanings: Vec<(Claimed, Meaning)> = results
            .into_iter()
            .map(|(letter, sent)| (letter.clone(), meaning(&letter, sent, now)))
            .collect();
        let worst = meanings
            .iter()
            .find_map(|(_, meaning)| Some((meaning.rest?, meaning.said.clone())));
        let sent = meanings
            .iter()
            .filter(|(_, meaning)| meaning.outcome == Outcome::Sent)
            .count();
        match &worst {
            Some((rest, said)) => {
                let wait = match rest {
                    Rest::Down => self.backoff.next(false, &club.outside),
                    Rest::Credentials => self.backoff.next(true, &club.outside),
                    Rest::Limit => std::time::Duration::from_secs(3600),
                };
                self.rests_until = Some(now + TimeDelta::from_std(wait)?);
                tracing::warn!("Letters rest for {} s: {said}", wait.as_secs());
            }
            None => {
                self.backoff.reset();
                self.rests_until = None;
            }
        }
        store.lock().write(|tx| {
            for (letter, meaning) in &meanings {
                tx.tried(letter.id, &meaning.outcome, &meaning.said, now)?;
                let to_admin = letter.recipient == club.settings.admin.key();
                if meaning.given_up && !to_admin {
                    let what = AdminNotice::Undeliverable {
                        letter: letter.id,
                        address: letter.recipient.clone(),
                        reason: meaning.said.clone(),
                    };
                    tell_admin(tx, club, what, now)?;
                }
            }
            match &worst {
                Some((rest, said)) => {
                    tx.trouble(Loop::Send, said)?;
                    let refused = matches!(rest, Rest::Credentials);
                    trouble::note(tx, club, Ailment::WayOut, refused, said, now)
                }
                None => {
                    tx.beat(Loop::Send, now)?;
                    trouble::well(tx, club, Ailment::WayOut, now)
                }
            }
        })?;
        for (letter, meaning) in &meanings {
            tracing::info!(
                "Letter {} {}{}",
                letter.id,
                word(&meaning.outcome),
                why(&meaning.said)
            );
        }
        Ok(u32::try_from(sent)?)
    }
}

/// Claims letters for as many recipients as that, a lane each; none of those who are busy.
fn claim(store: &Shared, club: &Club, busy: &[String], most: u32) -> Result<Vec<Vec<Claimed>>> {
    if !store.may_send() {
        return Ok(Vec::new());
    }
    let now = club.outside.now();
    let limits = &club.settings.limits;
    let claimed = store.lock().write(|tx| {
        let mut letters = CLAIM;
        for (limit, span) in [
            (limits.mails_per_hour, TimeDelta::hours(1)),
            (limits.mails_per_day, TimeDelta::days(1)),
        ] {
            if let Some(limit) = limit {
                letters = letters.min(limit.saturating_sub(tx.sent_since(now - span)?));
            }
        }
        tx.claim(now, busy, most, letters, |attempt| {
            now + backoff::letter(attempt)
        })
    })?;
    let mut lanes: BTreeMap<String, Vec<Claimed>> = BTreeMap::new();
    for letter in claimed {
        lanes
            .entry(letter.recipient.clone())
            .or_default()
            .push(letter);
    }
    Ok(lanes.into_values().collect())
}

/// Hands the letters of one lane over, one after the other.
async fn hand_over(postman: Arc<Postman>, letters: Vec<Claimed>) -> (String, Vec<(Claimed, Sent)>) {
    let mut results: Vec<(Claimed, Sent)> = Vec::new();
    let mut recipient = String::new();
    for letter in letters {
        recipient.clone_from(&letter.recipient);
        let number = u64::try_from(letter.id).unwrap_or_default();
        let envelope = Envelope {
            from: letter.sender.clone(),
            to: letter.recipient.clone(),
            number,
        };
        let sent = postman.send(&envelope, &letter.bytes).await;
        results.push((letter, sent));
    }
    (recipient, results)
}

fn meaning(letter: &Claimed, sent: Sent, now: DateTime<Utc>) -> Meaning {
    let plain = |outcome, said| Meaning {
        outcome,
        said,
        rest: None,
        given_up: false,
    };
    let failed = |said| Meaning {
        outcome: Outcome::Failed,
        said,
        rest: None,
        given_up: true,
    };
    let resting = |rest, said| Meaning {
        outcome: Outcome::NotTried { at: now },
        said,
        rest: Some(rest),
        given_up: false,
    };
    match sent {
        Sent::Accepted => plain(Outcome::Sent, String::new()),
        Sent::Refused { code, text } => failed(format!("{code} {text}")),
        Sent::TooLarge { text } => failed(text),
        Sent::Doubtful { code, text } if letter.attempt >= DOUBTFUL_TRIES => {
            failed(format!("{code} {text}"))
        }
        Sent::Doubtful { code, text } => plain(
            Outcome::Again {
                at: now + TimeDelta::hours(12),
                uncertain: false,
            },
            format!("{code} {text}"),
        ),
        Sent::Temporary { text } if backoff::is_hopeless(letter.attempt, letter.made, now) => {
            failed(text)
        }
        Sent::Temporary { text } => plain(
            Outcome::Again {
                at: now + backoff::letter(letter.attempt),
                uncertain: false,
            },
            text,
        ),
        // The server may have it: once more after ten minutes, byte for byte the same; never in a loop (OUT-02).
        Sent::Uncertain { text } if letter.uncertain > 0 => failed(text),
        Sent::Uncertain { text } => plain(
            Outcome::Again {
                at: now + TimeDelta::minutes(10),
                uncertain: true,
            },
            text,
        ),
        Sent::Down { text } => resting(Rest::Down, text),
        Sent::Limit { text } => resting(Rest::Limit, text),
        Sent::Credentials { text } => resting(Rest::Credentials, text),
    }
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Sent => "is sent",
        Outcome::Again { .. } => "is tried again later",
        Outcome::NotTried { .. } => "rests",
        Outcome::Failed => "is given up",
    }
}

fn why(said: &str) -> String {
    if said.is_empty() {
        String::new()
    } else {
        format!(": {said}")
    }
}
