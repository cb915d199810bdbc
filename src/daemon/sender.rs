//! The sender: claims letters, hands them over, records what came of it. Nothing is held over the network.

use std::collections::{BTreeMap, VecDeque};
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

/// A lane after one try: what came of it, and the letters that stand behind it.
struct Lane {
    letter: Claimed,
    meaning: Meaning,
    behind: VecDeque<Claimed>,
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
    /// Letters to one recipient go one after the other, so that they arrive in order, and a slow lane holds up no other.
    /// What came of a letter is recorded before the next one of its lane is handed over: a kill repeats one a lane at
    /// most. `sign` is called with every letter.
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
                for mut letters in claim(store, club, &busy, most, on_the_way)? {
                    on_the_way += u32::try_from(letters.len())?;
                    if let Some(first) = letters.pop_front() {
                        busy.push(first.recipient.clone());
                        lanes.push(hand_over(
                            self.postman.clone(),
                            first,
                            letters,
                            club.outside.clone(),
                        ));
                    }
                }
            }
            // Letters that are made meanwhile do not wait for a server that takes its time.
            let Ok(lane) = timeout(LOOK, lanes.next()).await else {
                continue;
            };
            let Some(lane) = lane else {
                return Ok(sent);
            };
            sent += self.record(store, club, &lane)?;
            sign();
            on_the_way -= 1;
            let mut behind = lane.behind;
            if lane.meaning.ends_the_lane() {
                on_the_way -= u32::try_from(behind.len())?;
                behind.clear();
            }
            match behind.pop_front() {
                Some(next) => lanes.push(hand_over(
                    self.postman.clone(),
                    next,
                    behind,
                    club.outside.clone(),
                )),
                None => busy.retain(|other| *other != lane.letter.recipient),
            }
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

    /// Notes what came of a letter, and puts those behind it back where its answer makes them pointless.
    fn record(&mut self, store: &Shared, club: &Club, lane: &Lane) -> Result<u32> {
        let (now, meaning) = (club.outside.now(), &lane.meaning);
        let is_sent = meaning.fate == Fate::On(Outcome::Sent);
        if let Some(rest) = meaning.rest {
            let wait = self.wait(rest, &club.outside);
            self.rests_until = Some(Instant::now() + wait);
            tracing::warn!("Letters rest for {} s: {}", wait.as_secs(), meaning.said);
        } else if is_sent && self.rest().is_none() {
            // A lane that was on its way while another met a limit proves nothing.
            self.backoff.reset();
            self.limits = 0;
        }
        store.lock().write(|tx| {
            settle(tx, club, &lane.letter, meaning, now)?;
            for letter in lane.behind.iter().filter(|_| meaning.ends_the_lane()) {
                tx.tried(letter.id, &Outcome::NotTried { at: now }, "", now)?;
            }
            match meaning.rest {
                Some(rest) => {
                    let said = meaning.said.as_str();
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
        tracing::info!(
            "Letter {} {}{}",
            lane.letter.id,
            meaning.word(),
            why(&meaning.said)
        );
        Ok(u32::from(is_sent))
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
) -> Result<Vec<VecDeque<Claimed>>> {
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
    let mut lanes: BTreeMap<String, VecDeque<Claimed>> = BTreeMap::new();
    for letter in claimed {
        lanes
            .entry(letter.recipient.clone())
            .or_default()
            .push_back(letter);
    }
    Ok(lanes.into_values().collect())
}

/// Hands the first letter of a lane over.
async fn hand_over(
    postman: Arc<Postman>,
    letter: Claimed,
    behind: VecDeque<Claimed>,
    outside: Outside,
) -> Lane {
    let envelope = Envelope {
        from: letter.sender.clone(),
        to: letter.recipient.clone(),
        number: u64::try_from(letter.id).unwrap_or_default(),
    };
    let sent = postman.send(&envelope, &letter.bytes).await;
    let meaning = meaning(&letter, sent, &outside, outside.now());
    Lane {
        letter,
        meaning,
        behind,
    }
}

fn why(said: &str) -> String {
    if said.is_empty() {
        String::new()
    } else {
        format!(": {said}")
    }
}
