//! One owner of the loops: a lock on a file beside the database. Looking, `deliver` and acting commands need none.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Another daemon serves this database.
#[derive(Debug, thiserror::Error)]
#[error("another dvonn-post (process {owner}) serves this club already; stop it first")]
pub struct Taken {
    /// Its process id, as far as it is known.
    pub owner: String,
}

/// The right to run the loops; it ends with the process, however that ends.
#[derive(Debug)]
pub struct Lease {
    file: File,
    /// Whether the last owner was killed or crashed.
    pub unclean: bool,
}

impl Lease {
    /// Takes the lease of a database.
    ///
    /// # Errors
    /// Another process has it ([`Taken`]), or the file cannot be made.
    pub fn take(store: &Path) -> Result<Lease> {
        let mut file = open(store)?;
        let mut owner = String::new();
        // What a file holds that is locked is only shown; a failure to read it matters to nobody.
        let _ = file.read_to_string(&mut owner);
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Taken {
                    owner: owner.trim().to_owned(),
                }
                .into());
            }
            Err(TryLockError::Error(error)) => {
                return Err(error).context("The lock file cannot be locked");
            }
        }
        file.set_len(0).context("The lock file cannot be written")?;
        write!(file, "{}", std::process::id()).context("The lock file cannot be written")?;
        Ok(Lease {
            file,
            unclean: !owner.trim().is_empty(),
        })
    }

    /// Gives it back after a clean stop.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn give_back(self) -> Result<()> {
        self.file
            .set_len(0)
            .context("The lock file cannot be written")
    }

    /// Whether somebody has it now.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn is_taken(store: &Path) -> Result<bool> {
        match open(store)?.try_lock() {
            Ok(()) => Ok(false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(error)) => Err(error).context("The lock file cannot be locked"),
        }
    }
}

fn open(store: &Path) -> Result<File> {
    let path = path(store);
    OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .open(&path)
        .with_context(|| format!("The lock file {} cannot be opened", path.display()))
}

/// Beside the file itself: two names of one database must meet at one lock.
fn path(store: &Path) -> PathBuf {
    let real = std::fs::canonicalize(store).or_else(|_| {
        let folder = store
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        std::fs::canonicalize(folder)
            .map(|folder| folder.join(store.file_name().unwrap_or_default()))
    });
    let real = real.unwrap_or_else(|_| store.to_owned());
    let mut name = real.into_os_string();
    name.push(".lock");
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_second_owner_is_told_who_the_first_is() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("club.sqlite");
        let first = Lease::take(&store).unwrap();
        assert!(Lease::is_taken(&store).unwrap());
        let refused = Lease::take(&store).unwrap_err();
        let taken = refused.downcast_ref::<Taken>().unwrap();
        assert_eq!(taken.owner, std::process::id().to_string());
        first.give_back().unwrap();
        assert!(!Lease::is_taken(&store).unwrap());
    }

    #[test]
    fn two_names_of_one_database_have_one_owner() {
        let folder = tempfile::tempdir().unwrap();
        let (store, alias) = (
            folder.path().join("club.sqlite"),
            folder.path().join("alias.sqlite"),
        );
        std::fs::write(&store, "").unwrap();
        std::os::unix::fs::symlink(&store, &alias).unwrap();
        let first = Lease::take(&store).unwrap();
        assert!(Lease::take(&alias).is_err());
        first.give_back().unwrap();
    }

    #[test]
    fn a_killed_owner_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("club.sqlite");
        drop(Lease::take(&store).unwrap());
        let second = Lease::take(&store).unwrap();
        assert!(second.unclean);
        second.give_back().unwrap();
        assert!(!Lease::take(&store).unwrap().unclean);
    }
}
