//! Reading the whole mailbox again, once after a restore: what came in since the backup is found by its digest, and done
//! again in the order in which it arrived, wherever it lies by now.
//!
//! Known mails do nothing, and all other rules hold as ever. A round that ends early is taken up by the next one.

use super::intake::{Reader, Trouble};
use super::places::{folder_name, unknown};
use super::taking::Place;
use crate::store::Cursor;
use crate::wire::{Folder, Id, Listed};

/// The folders, in the order in which mails of one moment are read: what is done was read before what waits.
const ALL: [Folder; 3] = [Folder::Done, Folder::Inbox, Folder::Junk];

impl Reader<'_> {
    /// Takes in every mail that the database does not know.
    pub(super) async fn reread(&mut self) -> Result<u32, Trouble> {
        tracing::info!("The club came back from a backup: the whole mailbox is read again");
        let watched = self.mailbox.folders();
        let mut mails: Vec<Listed> = Vec::new();
        let mut newest = Vec::new();
        for folder in ALL {
            if folder != Folder::Done && !watched.contains(&folder) {
                continue;
            }
            let listing = self.mailbox.list(folder, None).await?;
            let last = listing.mails.iter().filter_map(|mail| at(&mail.id)).max();
            newest.extend(last.filter(|_| folder != Folder::Done).map(|uid| {
                let uidvalidity = listing.validity;
                (folder_name(folder), Cursor { uidvalidity, uid })
            }));
            mails.extend(listing.mails);
        }
        // Stable: mails of one moment keep the order of their folder. One whose date cannot be read arrived just now.
        mails.sort_by_key(|mail| (mail.arrived.is_none(), mail.arrived));
        mails.retain(|mail| !self.is_before_the_club(mail));
        let new = unknown(&mut self.store.lock(), mails)?;
        let taken = self.take_all(&new, noted).await?;
        if !self.behind {
            self.store.lock().write(|tx| {
                for (folder, cursor) in newest {
                    tx.set_cursor(folder, cursor)?;
                }
                tx.has_reread(folder_name(Folder::Done))
            })?;
            tracing::info!("The mailbox has been read again: {taken} mails came after the backup");
        }
        Ok(taken)
    }
}

/// Folders are read across, so no cursor says how far: each mail is noted by its name.
fn noted(id: &Id) -> Place {
    Place {
        cursor: None,
        ..Place::of(id)
    }
}

fn at(id: &Id) -> Option<u32> {
    match id {
        Id::Uid { uid, .. } => Some(*uid),
        Id::File(_) | Id::Done(_) => None,
    }
}
