//! Listing a folder: which mails lie above the cursor, how large, since when.
//!
//! Knows UIDs, sizes and INTERNALDATE; refuses to download anything.

use std::collections::BTreeMap;

use async_imap::imap_proto::{AttributeValue, MailboxDatum, Response};
use chrono::{DateTime, Utc};

use super::uids::sets;
use super::{Imap, writable};
use crate::wire::{Cursor, Folder, Id, Kind, Listed, Listing, WireError};

impl Imap {
    pub(in crate::wire) async fn list(
        &mut self,
        folder: Folder,
        cursor: Option<Cursor>,
    ) -> Result<Listing, WireError> {
        // Selected anew each time: that shows a changed UIDVALIDITY, and mails that have come since.
        let marker = match self.select(folder, writable(folder)).await {
            // It is made when the first mail is done.
            Err(error) if folder == Folder::Done && error.kind() == Kind::NoSuchMailbox => {
                return Ok(Listing {
                    validity: 0,
                    mails: Vec::new(),
                });
            }
            selected => selected?,
        };
        if folder == Folder::Inbox {
            self.listed = Some(marker);
            self.connection.news = false;
        }
        let validity = marker.validity;
        let done = cursor
            .filter(|cursor| cursor.validity == validity)
            .map_or(0, |cursor| cursor.uid);
        let uids = match done.checked_add(1) {
            Some(first) if marker.exists > 0 => self.search(&format!("{first}:*"), done).await?,
            _ => Vec::new(),
        };
        let about = self.describe(&uids).await?;
        let mails = uids
            .iter()
            .map(|&uid| {
                // Every UID that was found is listed, even where the server did not describe it (IN-06): the fetch
                // finds out whether it is gone.
                let (size, arrived) = about.get(&uid).copied().unwrap_or_default();
                let id = Id::Uid {
                    folder,
                    validity,
                    uid,
                };
                Listed { id, size, arrived }
            })
            .collect();
        Ok(Listing { validity, mails })
    }

    /// The UIDs of a set that exist and are above `done`, sorted.
    pub(super) async fn search(&mut self, set: &str, done: u32) -> Result<Vec<u32>, WireError> {
        let mut uids = Vec::new();
        let limit = self.connection.limit;
        let command = format!("UID SEARCH UID {set}");
        let tagged = self
            .connection
            .run(&command, limit, |response| {
                if let Response::MailboxData(MailboxDatum::Search(found)) = response {
                    // `7:*` finds the last mail even where its UID is below 7 (RFC 3501 6.4.8).
                    uids.extend(found.iter().copied().filter(|&uid| uid > done));
                }
            })
            .await?;
        if !tagged.ok {
            let text = format!("UID SEARCH was refused ({})", tagged.text);
            return Err(WireError::temporary(&self.connection.place, text));
        }
        uids.sort_unstable();
        uids.dedup();
        Ok(uids)
    }

    async fn describe(
        &mut self,
        uids: &[u32],
    ) -> Result<BTreeMap<u32, (u64, Option<DateTime<Utc>>)>, WireError> {
        let mut about = BTreeMap::new();
        let limit = self.connection.limit;
        for set in sets(uids) {
            let command = format!("UID FETCH {set} (UID RFC822.SIZE INTERNALDATE)");
            let tagged = self
                .connection
                .run(&command, limit, |response| {
                    let Response::Fetch(_, attributes) = response else {
                        return;
                    };
                    let (mut uid, mut size, mut arrived) = (None, None, None);
                    for attribute in attributes {
                        match attribute {
                            AttributeValue::Uid(number) => uid = Some(*number),
                            AttributeValue::Rfc822Size(bytes) => size = Some(u64::from(*bytes)),
                            AttributeValue::InternalDate(date) => arrived = arrival(date),
                            _ => {}
                        }
                    }
                    // Without a size it is news about flags, which any answer may hold.
                    if let (Some(uid), Some(size)) = (uid, size) {
                        about.insert(uid, (size, arrived));
                    }
                })
                .await?;
            if !tagged.ok && !tagged.expunged() {
                let text = format!("UID FETCH was refused ({})", tagged.text);
                return Err(WireError::temporary(&self.connection.place, text));
            }
        }
        Ok(about)
    }
}

/// Reads an INTERNALDATE, such as `17-Jul-1996 02:44:25 -0700` or ` 7-Jul-1996 02:44:25 -0700` (RFC 3501 9,
/// `date-time`).
pub(super) fn arrival(date: &str) -> Option<DateTime<Utc>> {
    DateTime::parse_from_str(date.trim(), "%d-%b-%Y %H:%M:%S %z")
        .ok()
        .map(|date| date.to_utc())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn internal_dates_in_every_form() {
        let read = |date| arrival(date).map(|date| date.to_rfc3339());
        assert_eq!(
            read("17-Jul-1996 02:44:25 -0700").as_deref(),
            Some("1996-07-17T09:44:25+00:00")
        );
        assert_eq!(
            read(" 7-Jul-1996 02:44:25 +0000").as_deref(),
            Some("1996-07-07T02:44:25+00:00")
        );
        assert_eq!(read("yesterday"), None);
    }
}
