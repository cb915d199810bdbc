//! Putting mails away in the done mailbox.
//!
//! Knows MOVE (RFC 6851) and how to do without; refuses to touch any mail but those it was told of: never a plain
//! EXPUNGE, never a sequence number (IN-12).

use std::collections::BTreeMap;

use super::connection::Tagged;
use super::uids::sets;
use super::{Imap, name, parts};
use crate::wire::{Folder, Id, WireError};

impl Imap {
    pub(in crate::wire) async fn done(&mut self, ids: &[Id]) -> Result<(), WireError> {
        let mut places: BTreeMap<(Folder, u32), Vec<u32>> = BTreeMap::new();
        for (folder, validity, uid) in ids.iter().filter_map(parts) {
            places.entry((folder, validity)).or_default().push(uid);
        }
        for ((folder, validity), mut uids) in places {
            // Old UIDs name other mails now, or none. The mails will be listed again, and known by their digests.
            if self.enter(folder, true).await? != validity {
                continue;
            }
            uids.sort_unstable();
            uids.dedup();
            for set in sets(&uids) {
                self.put_away(&set).await?;
            }
        }
        Ok(())
    }

    async fn put_away(&mut self, set: &str) -> Result<(), WireError> {
        if self.connection.offers("MOVE") {
            return self.transfer("MOVE", set).await;
        }
        // A crash between these leaves a second copy in the done mailbox, never a lost mail.
        self.transfer("COPY", set).await?;
        self.demand(&format!("UID STORE {set} +FLAGS.SILENT (\\Deleted)"))
            .await?;
        if self.connection.offers("UIDPLUS") {
            self.demand(&format!("UID EXPUNGE {set}")).await?;
        }
        Ok(())
    }

    /// Moves or copies to the done mailbox, which is made when it is missing.
    async fn transfer(&mut self, verb: &str, set: &str) -> Result<(), WireError> {
        let done = self.settings.done_mailbox.clone();
        let target = name::quoted(&done);
        let command = format!("UID {verb} {set} {target}");
        let limit = self.connection.limit;
        let mut created = false;
        // Twice more at most: once for a mailbox that was missing, once for mails that somebody else took away.
        for _ in 0..2 {
            let tagged = self.connection.run(&command, limit, |_| {}).await?;
            if tagged.ok {
                return Ok(());
            }
            if tagged.expunged() || tagged.passing() || created {
                continue;
            }
            let made = self.make_done().await?;
            created = made.as_ref().is_some_and(|made| made.ok);
            if !created && tagged.try_create {
                let said = made.map_or_else(String::new, |made| made.text);
                let place = &self.connection.place;
                return Err(WireError::no_mailbox(place, &done, &said));
            }
        }
        self.demand(&command).await
    }

    /// Makes the done mailbox; none where the server does not know how.
    pub(super) async fn make_done(&mut self) -> Result<Option<Tagged>, WireError> {
        let target = name::quoted(&self.settings.done_mailbox);
        let limit = self.connection.limit;
        let create = format!("CREATE {target}");
        let made = self.connection.ask(&create, limit, |_| {}).await?;
        if made.as_ref().is_some_and(|made| made.ok) {
            // Mail programs show subscribed mailboxes; where that fails nothing is lost.
            let subscribe = format!("SUBSCRIBE {target}");
            self.connection.ask(&subscribe, limit, |_| {}).await?;
        }
        Ok(made)
    }

    /// Runs a command to which NO is an error.
    async fn demand(&mut self, command: &str) -> Result<(), WireError> {
        let limit = self.connection.limit;
        let tagged = self.connection.run(command, limit, |_| {}).await?;
        if tagged.ok {
            return Ok(());
        }
        let text = format!(
            "mails that are done cannot be put away in {:?} ({}); check done_mailbox and the quota",
            self.settings.done_mailbox, tagged.text
        );
        Err(WireError::temporary(&self.connection.place, text))
    }
}
