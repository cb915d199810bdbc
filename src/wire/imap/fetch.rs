//! Downloading mails, many in one command, and accounting for every one that was asked for.
//!
//! Knows BODY.PEEK[]; refuses to mark anything as seen (IN-01), and to take a part for the whole.

use std::collections::BTreeMap;
use std::time::Duration;

use async_imap::imap_proto::{AttributeValue, Response};
use chrono::{DateTime, Utc};

use super::connection::Tagged;
use super::list::arrival;
use super::uids::sets;
use super::{Imap, parts, writable};
use crate::wire::{Batch, Fetched, Listed, Part, WireError};

/// The slowest line that is waited for, in bytes a second: large batches get more time than a command has.
const SLOWEST: u64 = 32 << 10;

/// Mails by UID.
type Came = BTreeMap<u32, (Vec<u8>, Option<DateTime<Utc>>)>;

impl Imap {
    pub(in crate::wire) async fn fetch(
        &mut self,
        mails: &[Listed],
        part: Part,
    ) -> Result<Batch, WireError> {
        let mut batch = Batch::default();
        let place = |mail: &Listed| parts(&mail.id).map(|(folder, validity, _)| (folder, validity));
        for run in mails.chunk_by(|last, next| place(last) == place(next)) {
            let Some((folder, validity)) = run.first().and_then(place) else {
                continue;
            };
            if self.enter(folder, writable(folder)).await? != validity {
                let text = "the mailbox was renumbered; it is listed again";
                return Err(WireError::temporary(&self.connection.place, text));
            }
            self.fetch_run(run, part, &mut batch).await?;
        }
        Ok(batch)
    }

    /// Downloads mails of the open folder.
    async fn fetch_run(
        &mut self,
        mails: &[Listed],
        part: Part,
        batch: &mut Batch,
    ) -> Result<(), WireError> {
        let mut asked: Vec<u32> = mails.iter().filter_map(uid).collect();
        asked.sort_unstable();
        let bytes: u64 = mails.iter().map(|mail| mail.size).sum();
        let limit = self.connection.limit + Duration::from_secs(bytes / SLOWEST);
        let mut came = Came::new();
        let mut refusal = None;
        for set in sets(&asked) {
            let tagged = self.download(&set, part, limit, &mut came).await?;
            refusal = refusal.or((!tagged.ok).then_some(tagged.text));
        }
        came.retain(|_, (raw, _)| !raw.is_empty());
        let missing: Vec<u32> = asked
            .iter()
            .copied()
            .filter(|uid| !came.contains_key(uid))
            .collect();
        let mut held = BTreeMap::new();
        for set in sets(&missing) {
            for uid in self.search(&set, 0).await? {
                held.insert(uid, refusal.clone());
            }
        }
        if asked.len() > 1 {
            self.one_by_one(part, limit, &mut held, &mut came).await?;
            if came.is_empty() && !held.is_empty() {
                // All of them cannot be bad: it is the server.
                let text = refusal.unwrap_or_else(|| "no reason given".to_owned());
                let text = format!("it hands out no mail at present ({text}); try again later");
                return Err(WireError::temporary(&self.connection.place, text));
            }
        }
        for mail in mails {
            let Some(uid) = uid(mail) else { continue };
            let id = mail.id.clone();
            if let Some((raw, arrived)) = came.remove(&uid) {
                batch.mails.push(Fetched { id, arrived, raw });
            } else if let Some(text) = held.remove(&uid) {
                let text = text.unwrap_or_else(|| "the server sends nothing for it".to_owned());
                batch.unreadable.push((id, text));
            } else {
                batch.gone.push(id);
            }
        }
        Ok(())
    }

    /// Gives each mail that a common command did not bring a command of its own (IN-06), noting each refusal.
    async fn one_by_one(
        &mut self,
        part: Part,
        limit: Duration,
        held: &mut BTreeMap<u32, Option<String>>,
        came: &mut Came,
    ) -> Result<(), WireError> {
        for (uid, text) in held.iter_mut() {
            let tagged = self.download(&uid.to_string(), part, limit, came).await?;
            *text = (!tagged.ok).then_some(tagged.text);
        }
        came.retain(|_, (raw, _)| !raw.is_empty());
        held.retain(|uid, _| !came.contains_key(uid));
        Ok(())
    }

    async fn download(
        &mut self,
        set: &str,
        part: Part,
        limit: Duration,
        came: &mut Came,
    ) -> Result<Tagged, WireError> {
        let section = match part {
            Part::Whole => "BODY.PEEK[]",
            Part::Header => "BODY.PEEK[HEADER]",
        };
        let command = format!("UID FETCH {set} (UID INTERNALDATE {section})");
        let tagged = self
            .connection
            .run(&command, limit, |response| {
                let Response::Fetch(_, attributes) = response else {
                    return;
                };
                let (mut uid, mut arrived, mut raw) = (None, None, None);
                for attribute in attributes {
                    match attribute {
                        AttributeValue::Uid(number) => uid = Some(*number),
                        AttributeValue::InternalDate(date) => arrived = arrival(date),
                        AttributeValue::BodySection { data, .. } => {
                            raw = data.as_ref().map(|data| data.to_vec());
                        }
                        _ => {}
                    }
                }
                if let (Some(uid), Some(raw)) = (uid, raw) {
                    came.insert(uid, (raw, arrived));
                }
            })
            .await?;
        if !tagged.ok && tagged.passing() {
            let text = format!("it hands out no mail at present ({})", tagged.text);
            return Err(WireError::temporary(&self.connection.place, text));
        }
        Ok(tagged)
    }
}

fn uid(mail: &Listed) -> Option<u32> {
    parts(&mail.id).map(|(_, _, uid)| uid)
}
