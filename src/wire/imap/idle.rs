//! Waiting for mail: IDLE (RFC 2177) where there is one, else time.
//!
//! Knows that news has come; refuses to know what news: the caller lists (IN-08).

use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::{Imap, writable};
use crate::wire::{Folder, WireError};

/// The longest wait, since a connection that died in silence is noticed only at its end (MAIL-34).
const LONGEST: Duration = Duration::from_secs(5 * 60);

impl Imap {
    pub(in crate::wire) async fn wait(&mut self, limit: Duration) -> Result<(), WireError> {
        let limit = limit.min(LONGEST);
        self.enter(Folder::Inbox, writable(Folder::Inbox)).await?;
        if self.connection.news {
            return Ok(());
        }
        if !self.settings.idle || !self.connection.offers("IDLE") {
            sleep(limit).await;
            return Ok(());
        }
        let Some(tag) = self.connection.idle().await? else {
            // It offered IDLE and does not want it: never mind.
            self.settings.idle = false;
            sleep(limit).await;
            return Ok(());
        };
        match timeout(limit, self.connection.idled(&tag)).await {
            Ok(Ok(false)) => Ok(()),
            Ok(Err(error)) => Err(error),
            Ok(Ok(true)) | Err(_) => self.connection.idle_done(&tag).await,
        }
    }
}
