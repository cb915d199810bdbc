//! The wall clock and randomness: this floor is the only one that asks for either, and this file the only place.

use anyhow::{Result, anyhow};
use chrono::{DateTime, SubsecRound, Utc};
use ring::rand::{SecureRandom, SystemRandom};

/// The moment, in whole seconds.
#[must_use]
pub fn now() -> DateTime<Utc> {
    Utc::now().trunc_subsecs(0)
}

/// Thirty-two secret bytes.
///
/// # Errors
/// The system gives none.
pub fn secret() -> Result<[u8; 32]> {
    let mut bytes = [0; 32];
    SystemRandom::new()
        .fill(&mut bytes)
        .map_err(|_| anyhow!("The system gives no random numbers"))?;
    Ok(bytes)
}

/// A factor between 0.9 and 1.1, so that many clients of one server do not come back at once.
pub(super) fn jitter() -> f64 {
    let byte = secret()
        .ok()
        .and_then(|bytes| bytes.first().copied())
        .unwrap_or(128);
    0.9 + f64::from(byte) / 1275.0
}
