//! How much room the disk of the database has.

use std::path::Path;

/// Room on a disk, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// What this program may still use.
    pub free: u64,
    /// All of it.
    pub total: u64,
}

impl Room {
    /// Of the disk that a file lies on or is going to; `None` where the system does not tell.
    #[must_use]
    pub fn of(file: &Path) -> Option<Room> {
        let folder = file
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        let disk = rustix::fs::statvfs(folder).ok()?;
        Some(Room {
            free: disk.f_bavail.saturating_mul(disk.f_frsize),
            total: disk.f_blocks.saturating_mul(disk.f_frsize),
        })
    }
}
