//! The sender: claims letters, hands them over, records what came of it. Nothing is held over the network.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::time::{Instant, timeout};

use super::backoff::{self, Backoff};
use super::clock::Outside;
use super::outcome::{Fate, Meaning, Rest, meaning, settle};
use super::settings::Club;
use super::{Shared, trouble};
use crate::club::notice::Ailment;
use crate::store::{Claimed, Loop, Outcome};
use crate::wire::{Envelope, Postman};

/// Letters claimed at a time.
const CLAIM: u32 = 16;

/// Recipients that are served at the same time.
const LANES: usize = 4;

/// How often new letters are looked for while others are under way.
const LOOK: Duration = Duration::from_secs(1);

/// The way out, and how it is doing.
#[derive(Debug)]
pub struct Sender {
    postman: Arc<Postman>,
    backoff: Backoff,
    /// How often in a row the server wanted less mail.
    limits: u32,
    /// Until when all letters rest, since the server takes none. The wall clock may step meanwhile.
    rests_until: Option<Instant>,
}

/// What came of one lane.
struct Lane {
    recipient: String,
    /// How many letters were claimed for it.
    claimed: u32,
    /// The letters that were tried, with the answers.
    tried: Vec<(Claimed, Meaning)>,
    /// The letters after one whose answer ended the lane.
    untried: Vec<Claimed>,
}

impl Sender {
    /// A way out that has not been tried yet.
    #[must_use]
    pub fn new(postman: Postman) -> Self {
        Sender {
            postman: Arc::new(postman),
            backoff: Backoff::default(),
            limits: 0,
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
        let mut on_the_way = 0;
        loop {
            if self.rest().is_none() && lanes.len() < LANES {
                let most = u32::try_from(LANES - lanes.len())?;
                for letters in claim(store, club, &busy, most, on_the_way)? {
                    busy.extend(letters.first().map(|letter| letter.recipient.clone()));
                    on_the_way += u32::try_from(letters.len())?;
                    lanes.push(hand_over(
                        self.postman.clone(),
                        letters,
                        club.outside.clone(),
                    ));
                }
            }
            // Letters that are made meanwhile do not wait for a server that takes its time.
            let Ok(lane) = timeout(LOOK, lanes.next()).await else {
                continue;
            };
            let Some(lane) = lane else {
                return Ok(sent);
            };
            busy.retain(|other| *other != lane.recipient);
            on_the_way -= lane.claimed;
            sent += self.record(store, club, &lane)?;
            sign();
        }
    }

    /// How long all letters still rest.
    fn rest(&self) -> Option<std::time::Duration> {
        self.rests_until
            .map(|until| until.saturating_duration_since(Instant::now()))
            .filter(|rest| !rest.is_zero())
    }

    /// When the next round has something to do, if that is known.
    ///
    /// # Errors
    /// The database.
    pub fn next_round(&self, store: &Shared, club: &Club) -> Result<Option<DateTime<Utc>>> {
        let due = store.lock().read(|tx| tx.next_due())?;
        let rested = match self.rest() {
            Some(rest) => Some(club.outside.now() + TimeDelta::from_std(rest)?),
            None => None,
        };
        Ok(due.map(|due| rested.map_or(due, |rested| due.max(rested))))
    }

    fn record(&mut self, store: &Shared, club: &Club, lane: &Lane) -> Result<u32> {
        let now = club.outside.now();
        let worst = lane
            .tried
            .iter()
            .find_map(|(_, meaning)| Some((meaning.rest?, meaning.said.as_str())));
        let sent = lane
            .tried
            .iter()
            .filter(|(_, meaning)| meaning.fate == Fate::On(Outcome::Sent))
            .count();
        if let Some((rest, said)) = worst {
            let wait = self.wait(rest, &club.outside);
            self.rests_until = Some(Instant::now() + wait);
            tracing::warn!("Letters rest for {} s: {said}", wait.as_secs());
        } else if sent > 0 && self.rest().is_none() {
            // A lane that was on its way while another met a limit proves nothing.
            self.backoff.reset();
            self.limits = 0;
        }
        store.lock().write(|tx| {
            for (letter, meaning) in &lane.tried {
                settle(tx, club, letter, meaning, now)?;
            }
            for letter in &lane.untried {
                tx.tried(letter.id, &Outcome::NotTried { at: now }, "", now)?;
            }
            match worst {
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
        for (letter, meaning) in &lane.tried {
            tracing::info!(
                "Letter {} {}{}",
                letter.id,
                meaning.word(),
                why(&meaning.said)
            );
        }
        Ok(u32::try_from(sent)?)
    }

    fn wait(&mut self, rest: Rest, outside: &Outside) -> Duration {
        match rest {
            Rest::Down => self.backoff.next(false, outside),
            Rest::Credentials => self.backoff.next(true, outside),
            Rest::Limit => {
                self.limits += 1;
                backoff::limited(self.limits - 1, outside)
            }
        }
    }
}

/// Claims letters for as many recipients as that, a lane each; none of those who are busy. `on_the_way`: letters that are
/// claimed and may count against the limits any moment.
fn claim(
    store: &Shared,
    club: &Club,
    busy: &[String],
    most: u32,
    on_the_way: u32,
) -> Result<Vec<Vec<Claimed>>> {
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
                let spent = tx.handed_since(now - span)? + on_the_way;
                letters = letters.min(limit.saturating_sub(spent));
            }
        }
        tx.claim(now, busy, most, letters, letters < CLAIM, |attempt| {
            now + backoff::letter(attempt, &club.outside)
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

/// Hands the letters of one lane over, one after the other, until an answer makes the others pointless.
async fn hand_over(postman: Arc<Postman>, letters: Vec<Claimed>, outside: Outside) -> Lane {
    let mut lane = Lane {
        recipient: String::new(),
        claimed: u32::try_from(letters.len()).unwrap_or(u32::MAX),
        tried: Vec::new(),
        untried: Vec::new(),
    };
    let mut ended = false;
    for letter in letters {
        lane.recipient.clone_from(&letter.recipient);
        if ended {
            lane.untried.push(letter);
            continue;
        }
        let number = u64::try_from(letter.id).unwrap_or_default();
        let envelope = Envelope {
            from: letter.sender.clone(),
            to: letter.recipient.clone(),
            number,
        };
        let sent = postman.send(&envelope, &letter.bytes).await;
        let meaning = meaning(&letter, sent, &outside, outside.now());
        ended = meaning.ends_the_lane();
        lane.tried.push((letter, meaning));
    }
    lane
}

fn why(said: &str) -> String {
    if said.is_empty() {
        String::new()
    } else {
        format!(": {said}")
    }
}
