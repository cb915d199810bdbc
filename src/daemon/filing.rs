//! Putting mails away that are taken in.

use anyhow::Context;

use super::Shared;
use super::intake::Trouble;
use super::places::folder_name;
use crate::wire::{Folder, Id, Mailbox};

/// Moves mails that are taken in to where done mails lie; it is repeated after a crash.
pub(super) async fn put_away(
    mailbox: &mut Mailbox,
    folder: Folder,
    store: &Shared,
) -> Result<(), Trouble> {
    let name = folder_name(folder);
    loop {
        let keys = store.lock().read(|tx| tx.entries_to_file(name))?;
        if keys.is_empty() {
            return Ok(());
        }
        let ids: Vec<Id> = keys.iter().filter_map(|key| key.parse().ok()).collect();
        mailbox.done(&ids).await?;
        store
            .lock()
            .write(|tx| tx.forget_entries(name, &keys))
            .context("Mails that are put away are not forgotten")?;
    }
}
