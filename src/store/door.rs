//! The door of a database: whoever uses the file is inside, and a restore, which puts another file in its place, waits
//! until everybody is out.
//!
//! SQLite finds the journal of a database by its name. Whoever had opened the old file, and wrote while the new one took
//! its name, would leave a journal that belongs to another database, and spoil it. The daemon has its lease for that;
//! `deliver` and all that only looks go by this lock on a file of its own.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use anyhow::{Context, Result};

use super::copy::{real, with};

/// What the name of the lock's file ends with.
pub(super) const DOOR: &str = ".door";

/// The right to use a file, or to put another in its place; it ends with the value.
#[derive(Debug)]
pub(super) struct Door {
    _file: Option<File>,
}

impl Door {
    /// Goes in, to use the database; waits while a restore changes it. Where the lock cannot be had, as in a folder that
    /// may only be read, nothing is written either, and it goes without.
    pub(super) fn enter(store: &Path) -> Door {
        let file = open(store).ok().filter(|file| file.lock_shared().is_ok());
        Door { _file: file }
    }

    /// A database that nobody else knows of needs none.
    pub(super) fn none() -> Door {
        Door { _file: None }
    }

    /// Waits until everybody is out, and keeps them out.
    ///
    /// # Errors
    /// The lock cannot be had.
    pub(super) fn shut(store: &Path) -> Result<Door> {
        let file = open(store)?;
        file.lock()
            .context("Those who use the database cannot be waited for")?;
        Ok(Door { _file: Some(file) })
    }
}

fn open(store: &Path) -> Result<File> {
    let path = with(&real(store)?, DOOR);
    OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .mode(0o600)
        .open(&path)
        .with_context(|| format!("{} cannot be opened", path.display()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_restore_waits_until_everybody_is_out_and_keeps_others_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("club.sqlite");
        let inside = [Door::enter(&store), Door::enter(&store)];
        let (said, heard) = channel();
        std::thread::scope(|scope| {
            let store = &store;
            let shutting = said.clone();
            scope.spawn(move || {
                let shut = Door::shut(store).unwrap();
                shutting.send("shut").unwrap();
                let entering = shutting.clone();
                scope.spawn(move || {
                    drop(Door::enter(store));
                    entering.send("entered").unwrap();
                });
                shutting.send("still shut").unwrap();
                drop(shut);
            });
            said.send("inside").unwrap();
            drop(inside);
        });
        let order: Vec<&str> = heard.try_iter().collect();
        assert_eq!(order, ["inside", "shut", "still shut", "entered"]);
    }
}
