//! Where mails lie, in the words of the tables. It knows nothing of what is in them.

use anyhow::Result;

use super::taking::Place;
use crate::store::{Cursor, Store};
use crate::wire::{Folder, Id, Listed};

/// Mails of a listing that are not taken in yet. A Maildir has no cursor, and behind a mail that cannot be had just now
/// the cursor stays: what lies above it is known by its name.
pub(super) fn unknown(store: &mut Store, mails: Vec<Listed>) -> Result<Vec<Listed>> {
    store.read(|tx| {
        let mut unknown = Vec::new();
        for mail in mails {
            if !tx.knows_entry(folder_name(mail.id.folder()), &mail.id.to_string())? {
                unknown.push(mail);
            }
        }
        Ok(unknown)
    })
}

impl Place {
    /// The place of a mail, the cursor of its folder at it.
    pub(super) fn of(id: &Id) -> Place {
        let cursor = match id {
            Id::Uid { validity, uid, .. } => Some(Cursor {
                uidvalidity: *validity,
                uid: *uid,
            }),
            Id::File(_) | Id::Done(_) => None,
        };
        Place {
            folder: folder_name(id.folder()),
            key: id.to_string(),
            cursor,
        }
    }
}

/// The name of a folder in the tables.
pub(super) fn folder_name(folder: Folder) -> &'static str {
    match folder {
        Folder::Inbox => "inbox",
        Folder::Junk => "junk",
        Folder::Done => "done",
    }
}
