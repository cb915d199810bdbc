//! IMAP (RFC 3501).

use std::time::Duration;

use crate::wire::{
    Batch, Cursor, Folder, Id, ImapSettings, Listed, Listing, Part, Report, WireError,
};

/// A connection.
#[derive(Debug)]
pub struct Imap {
    settings: ImapSettings,
}

impl Imap {
    pub(in crate::wire) async fn connect(settings: &ImapSettings) -> Result<Imap, WireError> {
        Err(WireError::temporary(&settings.server.host, "not yet"))
    }
    pub(in crate::wire) fn has_junk(&self) -> bool {
        self.settings.junk_mailbox.is_some()
    }
    pub(in crate::wire) async fn list(
        &mut self,
        _: Folder,
        _: Option<Cursor>,
    ) -> Result<Listing, WireError> {
        Err(WireError::temporary(&self.settings.server.host, "not yet"))
    }
    pub(in crate::wire) async fn fetch(
        &mut self,
        _: &[Listed],
        _: Part,
    ) -> Result<Batch, WireError> {
        Err(WireError::temporary(&self.settings.server.host, "not yet"))
    }
    pub(in crate::wire) async fn done(&mut self, _: &[Id]) -> Result<(), WireError> {
        Err(WireError::temporary(&self.settings.server.host, "not yet"))
    }
    pub(in crate::wire) async fn wait(&mut self, _: Duration) -> Result<(), WireError> {
        Err(WireError::temporary(&self.settings.server.host, "not yet"))
    }
    pub(in crate::wire) async fn close(self) {}
    pub(in crate::wire) async fn check(settings: &ImapSettings) -> Result<Report, WireError> {
        Err(WireError::temporary(&settings.server.host, "not yet"))
    }
}
