//! This run of the daemon: a name that no other has, the machine, the process, and where its database lies.

use std::path::Path;

use anyhow::Result;
use data_encoding::HEXLOWER;
use ring::digest::{SHA256, digest};

use super::clock::Outside;
use super::lease::real;

/// A run of the daemon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Instance {
    /// Its random name.
    pub run: String,
    /// The machine.
    pub host: String,
    /// Its process there.
    pub process: u32,
    /// Digest of the path of its database: a copy of the database knows all its secrets, but lies elsewhere.
    pub home: String,
}

impl Instance {
    /// This process at a database.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub(super) fn new(store: &Path, outside: &Outside) -> Result<Instance> {
        let path = digest(&SHA256, real(store).as_os_str().as_encoded_bytes());
        Ok(Instance {
            run: short(&outside.chance()?),
            host: host(),
            process: std::process::id(),
            home: short(path.as_ref()),
        })
    }
}

/// The name of this machine, as one word.
pub(super) fn host() -> String {
    let name = hostname::get().unwrap_or_default();
    let name: String = name
        .to_string_lossy()
        .chars()
        .map(|c| if c.is_ascii_graphic() { c } else { '_' })
        .take(100)
        .collect();
    if name.is_empty() {
        "unknown".to_owned()
    } else {
        name
    }
}

fn short(bytes: &[u8]) -> String {
    HEXLOWER.encode(bytes.get(..8).unwrap_or(bytes))
}
