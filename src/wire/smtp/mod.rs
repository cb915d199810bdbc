//! SMTP (RFC 5321).

use crate::wire::{Envelope, Report, Sent, SmtpSettings, WireError};

/// A submission server.
#[derive(Debug)]
pub struct Smtp {
    settings: SmtpSettings,
}

impl Smtp {
    pub(in crate::wire) fn new(settings: SmtpSettings) -> Smtp {
        Smtp { settings }
    }
    pub(in crate::wire) async fn send(&self, _: &Envelope, _: &[u8]) -> Sent {
        Sent::Down {
            text: self.settings.server.host.clone(),
        }
    }
    pub(in crate::wire) async fn check(&self) -> Result<Report, WireError> {
        Err(WireError::temporary(&self.settings.server.host, "not yet"))
    }
    pub(in crate::wire) async fn close(&self) {}
}
