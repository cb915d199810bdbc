//! The room in the mailbox (RFC 2087, RFC 9208).
//!
//! Knows per cents; refuses to change anything, and to be of importance.

use async_imap::imap_proto::Response;

use super::{Imap, name};
use crate::wire::WireError;

impl Imap {
    /// How full the mailbox is, in per cent, by whatever resource is scarcest; none where the server does not say.
    pub(in crate::wire) async fn fullness(&mut self) -> Result<Option<u8>, WireError> {
        if !self.connection.offers("QUOTA") {
            return Ok(None);
        }
        let command = format!("GETQUOTAROOT {}", name::quoted(&self.settings.mailbox));
        let limit = self.connection.limit;
        let mut worst = None;
        self.connection
            .ask(&command, limit, |response| {
                let Response::Quota(quota) = response else {
                    return;
                };
                for resource in quota.resources.iter().filter(|resource| resource.limit > 0) {
                    let percent = resource.usage.saturating_mul(100) / resource.limit;
                    let percent = u8::try_from(percent.min(100)).unwrap_or(100);
                    worst = worst.max(Some(percent));
                }
            })
            .await?;
        Ok(worst)
    }
}
