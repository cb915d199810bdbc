//! Copies of a database: made under another name, checked, and given their own name only when they are whole and on the
//! disk.
//!
//! `VACUUM INTO` makes them: one reading transaction, so the copy is of one moment however busy the daemon is, and the
//! daemon never waits for it. The backup interface of SQLite would begin anew whenever the daemon writes. Besides, what
//! was deleted does not go into the copy.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use rusqlite::{Connection, OpenFlags};

use super::door::DOOR;
use super::migrate;
use super::sound::{Damaged, check_file};

/// What SQLite may put beside a database, and what this program does: none of it may be overwritten by a copy.
pub(super) const BESIDE: [&str; 6] = ["-wal", "-shm", "-journal", ".lock", ".part", DOOR];

/// Somebody else makes a copy of that name at this moment.
#[derive(Debug, thiserror::Error)]
#[error("another copy is being made as {0}; wait until it is done")]
pub struct InTheMaking(String);

/// A copy in the making: a file beside its final name that goes away unless it is finished.
#[derive(Debug)]
pub(super) struct Part {
    target: PathBuf,
    path: PathBuf,
    /// Open and locked until the end: another process must not take it for a leftover, and it is synced through this.
    file: File,
    finished: bool,
}

impl Part {
    /// Begins a copy that only its owner can read. A leftover of a process that was killed is thrown away.
    pub(super) fn begin(target: &Path) -> Result<Part> {
        let target = absolute(target)?;
        let path = with(&target, ".part");
        let named = || format!("{} cannot be written", path.display());
        let file = loop {
            let file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .mode(0o600)
                .open(&path)
                .with_context(named)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(InTheMaking(path.display().to_string()).into());
                }
                Err(TryLockError::Error(error)) => return Err(error).with_context(named),
            }
            // Whoever had it may have given it its name just now: then it is no leftover.
            if is_same(&path, &file.metadata()?) {
                break file;
            }
        };
        for suffix in ["-journal", "-wal", "-shm"] {
            remove(&with(&path, suffix))?;
        }
        file.set_len(0).with_context(named)?;
        Ok(Part {
            target,
            path,
            file,
            finished: false,
        })
    }

    /// Where it grows.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Fills it with a database, as it is at this moment.
    pub(super) fn fill(&self, from: &Connection) -> Result<()> {
        let path = self
            .path
            .to_str()
            .with_context(|| format!("{} is no name in UTF-8", self.path.display()))?;
        from.execute("VACUUM INTO ?1", [path])
            .with_context(|| format!("{} cannot be written", self.path.display()))?;
        Ok(())
    }

    /// Opens what it was filled with, without files beside it.
    pub(super) fn open(&self) -> Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")?;
        Ok(connection)
    }

    /// Waits until it is on the disk.
    pub(super) fn sync(&self) -> Result<()> {
        self.file
            .sync_all()
            .with_context(|| format!("{} does not reach the disk", self.path.display()))
    }

    /// Gives it its name, which a power cut does not take away again.
    pub(super) fn finish(mut self) -> Result<()> {
        self.sync()?;
        fs::rename(&self.path, &self.target).with_context(|| {
            format!(
                "{} cannot be renamed to {}",
                self.path.display(),
                self.target.display()
            )
        })?;
        self.finished = true;
        sync_folder(&self.target)
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.finished {
            // Where not even that can be done, the next copy does it.
            let _ = fs::remove_file(&self.path);
            let _ = remove(&with(&self.path, "-journal"));
        }
    }
}

/// Copies a database of an older version beside itself before it is brought up to date (G-08). Gives the copy's name.
pub(super) fn before_migration(from: &Connection, store: &Path, old: usize) -> Result<PathBuf> {
    let target = with(&real(store)?, &format!(".before-{}", migrate::newest()));
    let part = Part::begin(&target)?;
    part.fill(from)?;
    let copy = part.open()?;
    anyhow::ensure!(
        migrate::version(&copy)? == old,
        "The copy {} is of another version",
        part.path().display()
    );
    sound(&copy)?;
    drop(copy);
    part.finish()?;
    Ok(target)
}

/// Refuses a database that SQLite finds something wrong with.
pub(super) fn sound(connection: &Connection) -> Result<()> {
    let mut first = None;
    check_file(connection, &mut |line| {
        first.get_or_insert_with(|| line.to_owned());
    })?;
    match first {
        Some(line) => Err(Damaged(line).into()),
        None => Ok(()),
    }
}

/// A file's name with something behind it.
pub(super) fn with(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

/// The database itself where its path is a link: what lies beside it lies there.
pub(super) fn real(store: &Path) -> Result<PathBuf> {
    match fs::canonicalize(store) {
        Ok(path) => Ok(path),
        Err(error) if error.kind() == ErrorKind::NotFound => absolute(store),
        Err(error) => Err(error).with_context(|| format!("{} cannot be found", store.display())),
    }
}

/// The same path from the root, its folder without links. A name that begins like `file:` would be more than a name to
/// SQLite.
pub(super) fn absolute(path: &Path) -> Result<PathBuf> {
    let named = || format!("{} is no name for a database", path.display());
    let name = path.file_name().with_context(named)?;
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let folder = fs::canonicalize(folder)
        .with_context(|| format!("The folder of {} cannot be used", path.display()))?;
    Ok(folder.join(name))
}

/// Whether a path names that very file.
pub(super) fn is_same(path: &Path, file: &fs::Metadata) -> bool {
    fs::metadata(path).is_ok_and(|there| (there.dev(), there.ino()) == (file.dev(), file.ino()))
}

/// Makes names in the folder of a file outlast a power cut.
pub(super) fn sync_folder(file: &Path) -> Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .with_context(|| format!("The folder {} does not reach the disk", folder.display()))
}

/// Removes a file that may be missing.
pub(super) fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("{} cannot be removed", path.display()))
        }
        _ => Ok(()),
    }
}
