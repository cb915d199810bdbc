//! One owner of the loops: a lock on a file beside the database, and a row in it for file systems whose locks do not
//! reach other machines. Looking, `deliver` and acting commands need neither.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use chrono::{DateTime, TimeDelta, Utc};

use super::instance::{Instance, host};
use crate::store::{Owner, Tx};

/// Another daemon serves this database.
#[derive(Debug, thiserror::Error)]
#[error("another dvonn-post (process {owner}) serves this club already; stop it first")]
pub struct Taken {
    /// Its process id and machine, as far as they are known.
    pub owner: String,
}

/// The right to run the loops; it ends with the process, however that ends.
#[derive(Debug)]
pub struct Lease {
    file: File,
    /// Whether the last owner was killed or crashed.
    pub unclean: bool,
    /// Whether the file system keeps locks at all.
    locks: bool,
}

/// How long a lock may be in the way of a daemon that starts: `status` holds it for a moment.
const PATIENCE: u32 = 20;

/// The wait between two tries.
const TRY: Duration = Duration::from_millis(25);

/// An owner whose last sign of life is older is dead: it gives one each minute.
const ALIVE: TimeDelta = TimeDelta::minutes(3);

/// "No locks available": what a network file system says without its lock service.
const ENOLCK: i32 = 37;

impl Lease {
    /// Takes the lock beside a database.
    ///
    /// # Errors
    /// Another process has it ([`Taken`]), or the file cannot be made.
    pub fn take(store: &Path) -> Result<Lease> {
        let mut file = open(store)?;
        let mut tries = 0;
        let locks = loop {
            match file.try_lock() {
                Ok(()) => break true,
                Err(TryLockError::WouldBlock) if tries < PATIENCE => {
                    tries += 1;
                    std::thread::sleep(TRY);
                }
                Err(TryLockError::WouldBlock) => {
                    let owner = content(&mut file);
                    return Err(Taken { owner }.into());
                }
                Err(TryLockError::Error(error)) if knows_no_locks(&error) => break false,
                Err(TryLockError::Error(error)) => {
                    return Err(error).context("The lock file cannot be locked");
                }
            }
        };
        let before = content(&mut file);
        file.set_len(0).context("The lock file cannot be written")?;
        write!(file, "{} on {}", std::process::id(), host())
            .context("The lock file cannot be written")?;
        Ok(Lease {
            file,
            unclean: !before.is_empty(),
            locks,
        })
    }

    /// Makes this run the owner in the database as well. Gives the run that was the owner before.
    ///
    /// # Errors
    /// Another machine's daemon gave a sign of life of late ([`Taken`]); SQLite's.
    pub(super) fn claim(
        &mut self,
        tx: &Tx<'_>,
        me: &Instance,
        now: DateTime<Utc>,
    ) -> Result<Option<Owner>> {
        let before = tx.owner()?;
        if let Some(owner) = &before {
            let elsewhere = owner.host != me.host;
            if is_alive(owner, now) && (elsewhere || (!self.locks && exists(owner.process))) {
                let owner = format!("{} on {}", owner.process, owner.host);
                return Err(Taken { owner }.into());
            }
            self.unclean |= !owner.ended;
        }
        tx.set_owner(&Owner {
            run: me.run.clone(),
            host: me.host.clone(),
            process: me.process,
            home: me.home.clone(),
            since: now,
            beat: now,
            ended: false,
            marked: before
                .as_ref()
                .map_or_else(String::new, |o| o.marked.clone()),
            marked_before: before
                .as_ref()
                .map_or_else(String::new, |o| o.marked_before.clone()),
        })?;
        Ok(before)
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

    /// Whether somebody on this machine has it now. It looks by a shared lock, which is in nobody's way for long.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn is_taken(store: &Path) -> Result<bool> {
        match open(store)?.try_lock_shared() {
            Ok(()) => Ok(false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(error)) if knows_no_locks(&error) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error).context("The lock file cannot be locked"),
        }
    }
}

/// Whether the row of the database says that its owner is at work, on whatever machine. A sign of life from the future is
/// one all the same, as long as clocks may differ by so much.
#[must_use]
pub fn is_alive(owner: &Owner, now: DateTime<Utc>) -> bool {
    !owner.ended && (now - owner.beat).abs() < ALIVE
}

/// Whether a process of this machine still runs.
fn exists(process: u32) -> bool {
    Path::new("/proc").join(process.to_string()).exists()
}

fn knows_no_locks(error: &std::io::Error) -> bool {
    error.kind() == ErrorKind::Unsupported || error.raw_os_error() == Some(ENOLCK)
}

/// What the file says of its owner. It is only shown; a failure to read it matters to nobody.
fn content(file: &mut File) -> String {
    let mut text = String::new();
    let _ = file.read_to_string(&mut text);
    text.trim().to_owned()
}

fn open(store: &Path) -> Result<File> {
    let path = lock_file(store);
    OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .open(&path)
        .with_context(|| format!("The lock file {} cannot be opened", path.display()))
}

/// Beside the file itself: two names of one database must meet at one lock.
fn lock_file(store: &Path) -> PathBuf {
    let mut name = real(store).into_os_string();
    name.push(".lock");
    PathBuf::from(name)
}

/// The one path of a database, by whatever name it is called; it need not be there yet.
pub(super) fn real(store: &Path) -> PathBuf {
    std::fs::canonicalize(store)
        .or_else(|_| {
            let folder = store
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty())
                .unwrap_or(Path::new("."));
            std::fs::canonicalize(folder)
                .map(|folder| folder.join(store.file_name().unwrap_or_default()))
        })
        .unwrap_or_else(|_| store.to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::store::Store;

    fn me(run: &str, host: &str) -> Instance {
        Instance {
            run: run.to_owned(),
            host: host.to_owned(),
            process: std::process::id(),
            home: "home".to_owned(),
        }
    }

    fn at(minute: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::days(20_000) + TimeDelta::minutes(minute)
    }

    #[test]
    fn the_second_owner_is_told_who_the_first_is() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("club.sqlite");
        let first = Lease::take(&store).unwrap();
        assert!(Lease::is_taken(&store).unwrap());
        let refused = Lease::take(&store).unwrap_err();
        let taken = refused.downcast_ref::<Taken>().unwrap();
        assert_eq!(taken.owner, format!("{} on {}", std::process::id(), host()));
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

    #[test]
    fn a_look_at_the_lock_does_not_keep_a_daemon_from_starting() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("club.sqlite");
        // As `status` holds it, only longer.
        let look = open(&store).unwrap();
        look.try_lock_shared().unwrap();
        assert!(!Lease::is_taken(&store).unwrap());
        let ends = std::thread::spawn(move || {
            std::thread::sleep(TRY * 4);
            drop(look);
        });
        Lease::take(&store).unwrap().give_back().unwrap();
        ends.join().unwrap();
    }

    #[test]
    fn where_the_lock_reaches_no_other_machine_the_row_does() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("club.sqlite");
        let mut store = Store::open(&path).unwrap();
        let mut claim = |run: &str, host: &str, minute: i64| {
            // The lock of a file system that keeps it to itself: it is always free.
            let mut lease = Lease::take(&path).unwrap();
            let before = store.write(|tx| lease.claim(tx, &me(run, host), at(minute)));
            before.map(|before| (before.map(|owner| owner.run), lease.unclean))
        };
        assert_eq!(claim("a", "alpha", 0).unwrap(), (None, false));
        let refused = claim("b", "beta", 2).unwrap_err();
        let taken = refused.downcast_ref::<Taken>().unwrap();
        assert_eq!(taken.owner, format!("{} on alpha", std::process::id()));
        // Killed and started again on its own machine, it waits for nothing.
        let again = claim("c", "alpha", 2).unwrap();
        assert_eq!(again, (Some("a".to_owned()), true));
        // Two minutes after the last sign of life it may still be there, five minutes after it not.
        assert!(claim("d", "beta", 4).is_err());
        let later = claim("e", "beta", 7).unwrap();
        assert_eq!(later, (Some("c".to_owned()), true));
        store.write(|tx| tx.owner_ends("e")).unwrap();
        assert!(!store.write(|tx| tx.owner_lives("c", at(8))).unwrap());
        let mut lease = Lease::take(&path).unwrap();
        store
            .write(|tx| lease.claim(tx, &me("f", "alpha"), at(7)))
            .unwrap();
    }
}
