//! Marks in the done mailbox: small notes by which daemons notice each other.
//!
//! Knows how to find them by their header and their flag, to append one and to take some away; refuses to know what they say, and to
//! touch any mail but the marks it was told of. A server that does not go along is no trouble: the mail comes first.

use async_imap::imap_proto::{AttributeValue, MailboxDatum, Response, ResponseCode};

use super::list::arrival;
use super::uids::sets;
use super::{Imap, name};
use crate::wire::mailbox::header_of_mark;
use crate::wire::{MARK, Mark, WireError};

/// Marks that are looked at, newest first: a server that ignores what it is asked for may name every mail.
const MOST: usize = 50;

impl Imap {
    pub(in crate::wire) async fn marks(&mut self) -> Result<Vec<Mark>, WireError> {
        let Some(validity) = self.enter_done("EXAMINE").await? else {
            return Ok(Vec::new());
        };
        let limit = self.connection.limit;
        let mut uids = Vec::new();
        // Anybody can write a mail with that header, and mails that are done lie here too; but no sender sets a flag.
        let command = format!("UID SEARCH FLAGGED UNDELETED HEADER {MARK} \"\"");
        self.connection
            .ask(&command, limit, |response| {
                if let Response::MailboxData(MailboxDatum::Search(found)) = response {
                    uids.extend(found.iter().copied());
                }
            })
            .await?;
        uids.sort_unstable();
        uids.dedup();
        let uids = uids.split_off(uids.len().saturating_sub(MOST));
        let mut marks = Vec::new();
        for set in sets(&uids) {
            let command = format!("UID FETCH {set} (UID INTERNALDATE BODY.PEEK[HEADER])");
            self.connection
                .ask(&command, limit, |response| {
                    let Response::Fetch(_, attributes) = response else {
                        return;
                    };
                    let (mut uid, mut arrived, mut text) = (None, None, None);
                    for attribute in attributes {
                        match attribute {
                            AttributeValue::Uid(number) => uid = Some(*number),
                            AttributeValue::InternalDate(date) => arrived = arrival(date),
                            AttributeValue::BodySection { data, .. } => {
                                text = data.as_ref().and_then(|data| header_of_mark(data));
                            }
                            _ => {}
                        }
                    }
                    if let (Some(uid), Some(text)) = (uid, text) {
                        marks.push(Mark {
                            text,
                            arrived,
                            uid: Some((validity, uid)),
                        });
                    }
                })
                .await?;
        }
        marks.sort_by_key(|mark| mark.uid);
        Ok(marks)
    }

    pub(in crate::wire) async fn mark(&mut self, note: &str) -> Result<Option<String>, WireError> {
        let target = name::quoted(&self.settings.done_mailbox);
        let refused = self.connection.append(&target, note).await?;
        if refused.is_none() {
            return Ok(None);
        }
        // Most likely there is no done mailbox yet.
        let Some(made) = self.make_done().await? else {
            return Ok(refused);
        };
        if made.ok {
            return self.connection.append(&target, note).await;
        }
        Ok(refused)
    }

    pub(in crate::wire) async fn unmark(&mut self, marks: &[&Mark]) -> Result<(), WireError> {
        let mut places: Vec<(u32, u32)> = marks.iter().filter_map(|mark| mark.uid).collect();
        if places.is_empty() {
            return Ok(());
        }
        let Some(now) = self.enter_done("SELECT").await? else {
            return Ok(());
        };
        places.retain(|(validity, _)| *validity == now);
        places.sort_unstable();
        let uids: Vec<u32> = places.into_iter().map(|(_, uid)| uid).collect();
        let limit = self.connection.limit;
        for set in sets(&uids) {
            let store = format!("UID STORE {set} +FLAGS.SILENT (\\Deleted)");
            self.connection.ask(&store, limit, |_| {}).await?;
            // Without UIDPLUS it lies there marked as deleted, and counts no more.
            if self.connection.offers("UIDPLUS") {
                let expunge = format!("UID EXPUNGE {set}");
                self.connection.ask(&expunge, limit, |_| {}).await?;
            }
        }
        // Nobody else has business in there.
        self.open = None;
        Ok(())
    }

    /// Opens the done mailbox, if there is one; gives its UIDVALIDITY.
    async fn enter_done(&mut self, verb: &str) -> Result<Option<u32>, WireError> {
        let command = format!("{verb} {}", name::quoted(&self.settings.done_mailbox));
        let limit = self.connection.limit;
        let mut validity = None;
        self.open = None;
        let tagged = self
            .connection
            .ask(&command, limit, |response| {
                if let Response::Data { outcome, .. } = response
                    && let Some(ResponseCode::UidValidity(number)) = outcome.code
                {
                    validity = Some(number);
                }
            })
            .await?;
        Ok(validity.filter(|_| tagged.is_some_and(|tagged| tagged.ok)))
    }
}
