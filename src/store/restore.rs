//! Coming back from a backup: a checked copy of it takes the place of the database, at once or not at all.
//!
//! Knows what a club must forget and skip when it goes back in time. Refuses to read mail: the daemon does, later, where
//! [`Tx::must_reread`] says so.

use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension, params};

use super::backup::read_only;
use super::copy::{Part, is_same, real, remove, sound, sync_folder, with};
use super::door::{DOOR, Door};
use super::sound::{Damaged, check_file};
use super::verify::{Checked, Tell};
use super::words::{moment, seconds};
use super::{Owner, Store, Tx, migrate};

/// How many letter numbers are skipped at least, and how many for each second since the backup: no club writes more
/// letters than that.
const SKIPPED: i64 = 1_000;
const SKIPPED_A_SECOND: i64 = 10;

/// How many are skipped at most: for a backup that is older the rate above is far too high.
const SKIPPED_AT_MOST: i64 = 100_000_000;

/// What a restore came to.
#[derive(Clone, Debug)]
pub struct Restored {
    /// The moment to which the club went back.
    pub made: DateTime<Utc>,
    /// The name that the database of before has now, if there was one.
    pub kept: Option<PathBuf>,
    /// What was checked.
    pub checked: Checked,
}

/// There is a club in the way.
#[derive(Debug, thiserror::Error)]
#[error(
    "there is a club in {0} already; with --replace the backup takes its place, and it is kept beside"
)]
pub struct InTheWay(String);

/// Puts a copy of a backup in the place of a database; whoever calls this has the lease of that database. With `replace`
/// the database of before is kept beside it.
///
/// # Errors
/// The backup is damaged, of a newer version, or no database of a club; a club is in the way ([`InTheWay`]); the disk.
/// Then all is as it was.
pub fn restore(
    from: &Path,
    store: &Path,
    replace: bool,
    now: DateTime<Utc>,
    tell: Tell<'_>,
) -> Result<Restored> {
    let store = real(store)?;
    let before = fs::metadata(&store).ok().filter(|there| there.len() > 0);
    let backup =
        fs::metadata(from).with_context(|| format!("{} cannot be read", from.display()))?;
    if before.is_some() && is_same(&store, &backup) {
        bail!("{} is the database itself", from.display());
    }
    if before.is_some() && !replace {
        return Err(InTheWay(store.display().to_string()).into());
    }
    let named = || format!("{} cannot be used", from.display());
    let source = source(from)?;
    // Before it is copied: a copy has sound indexes, whatever those of the original are.
    sound(&source).with_context(named)?;
    let part = Part::begin(&store)?;
    let mut copy = copy(&source, &part).with_context(named)?;
    let gone = before
        .as_ref()
        .and_then(|_| gone(&store).ok())
        .unwrap_or_default();
    let made = copy.write(|tx| tx.go_back(now, gone, &from.display().to_string()))?;
    let checked = check(&mut copy, from, tell)?;
    drop(copy);
    belong(part.path(), &store)?;
    // From here to the end of the change nobody else has either file open.
    let _shut = Door::shut(&store)?;
    let kept = match before {
        Some(_) => Some(set_aside(&store, now)?),
        None => None,
    };
    for suffix in ["-wal", "-shm", "-journal"] {
        // What was written to the other database must not be taken for this one's.
        remove(&with(&store, suffix))?;
    }
    part.finish()?;
    Ok(Restored {
        made,
        kept,
        checked,
    })
}

/// Checks a backup, or any database of a club, of whatever version, without changing it.
///
/// # Errors
/// As [`restore`], for the backup.
pub fn verify_file(file: &Path, tell: Tell<'_>) -> Result<Checked> {
    let source = source(file)?;
    let mut checked = Checked::default();
    check_file(&source, &mut |line| {
        checked.troubles += 1;
        tell(line);
    })?;
    if checked.troubles > 0 {
        return Ok(checked);
    }
    let folder = tempfile::tempdir().context("There is no folder for a copy to check")?;
    let part = Part::begin(&folder.path().join("copy.sqlite"))?;
    copy(&source, &part)?.verify(tell)
}

/// Opens a backup, of whatever version.
fn source(from: &Path) -> Result<Connection> {
    let named = || format!("{} cannot be used", from.display());
    let source = read_only(from).with_context(named)?;
    if migrate::version(&source).with_context(named)? == 0 {
        bail!("{} is no database of dvonn-post", from.display());
    }
    Ok(source)
}

/// A copy of a backup, of the newest version.
fn copy(source: &Connection, part: &Part) -> Result<Store> {
    part.fill(source)?;
    let mut connection = part.open()?;
    migrate::run(&mut connection)?;
    Ok(Store {
        connection,
        _door: Door::none(),
    })
}

fn check(copy: &mut Store, from: &Path, tell: Tell<'_>) -> Result<Checked> {
    let checked = copy.verify(tell)?;
    if checked.troubles > 0 {
        let what = format!("{} has {} troubles", from.display(), checked.troubles);
        return Err(Damaged(what).into());
    }
    Ok(checked)
}

/// What the database that goes still tells of the world outside.
#[derive(Default)]
struct Gone {
    /// Number of its last letter.
    letter: i64,
    /// Who served it, and so whose mark lies in the mailbox.
    owner: Option<Owner>,
}

/// Reads it from the database that goes, as far as that is possible.
fn gone(store: &Path) -> Result<Gone> {
    let connection = read_only(store)?;
    let tx = Tx(&connection);
    Ok(Gone {
        letter: tx.last_letter()?,
        // An older version has none.
        owner: tx.owner().ok().flatten(),
    })
}

/// Gives a second name to the database that goes; its first one then passes to the backup in one step. Its journal goes
/// along, for one that is so broken that it cannot be written into it any more.
fn set_aside(store: &Path, now: DateTime<Utc>) -> Result<PathBuf> {
    let stamp = now.format(".replaced-%Y%m%dT%H%M%SZ").to_string();
    let mut kept = with(store, &stamp);
    let mut more = 1;
    while kept.exists() {
        more += 1;
        kept = with(store, &format!("{stamp}-{more}"));
    }
    let closed =
        Connection::open(store).and_then(|old| old.pragma_update(None, "journal_mode", "delete"));
    if let Err(error) = closed {
        tracing::warn!("The database that goes is kept as it is: {error}");
    }
    for suffix in ["", "-wal", "-journal"] {
        let (here, there) = (with(store, suffix), with(&kept, suffix));
        if here.exists() {
            fs::hard_link(&here, &there)
                .or_else(|_| fs::copy(&here, &there).map(|_| ()))
                .with_context(|| {
                    format!("{} cannot be kept as {}", here.display(), there.display())
                })?;
        }
    }
    sync_folder(store)?;
    Ok(kept)
}

/// A restore is root's work, and the daemon is often another user: the database is to be of whom its predecessor or its
/// folder is.
fn belong(part: &Path, store: &Path) -> Result<()> {
    let folder = store.parent().unwrap_or(Path::new("."));
    let owner = fs::metadata(store).or_else(|_| fs::metadata(folder))?;
    for path in [part, &with(store, ".lock"), &with(store, DOOR)] {
        let Ok(mine) = fs::metadata(path) else {
            continue;
        };
        if (mine.uid(), mine.gid()) != (owner.uid(), owner.gid())
            && let Err(error) = chown(path, Some(owner.uid()), Some(owner.gid()))
        {
            tracing::warn!(
                "{} is not given to the owner of {} ({error}); do it with chown, or the daemon cannot open it",
                path.display(),
                folder.display()
            );
        }
    }
    Ok(())
}

impl Tx<'_> {
    /// Makes a copy of a backup ready to be served. Where the mailbox was read to is forgotten: mails that came since are
    /// to be found again, and known ones are told by their digests. The numbers of letters that may have gone out since
    /// are skipped, so that no Message-ID comes with two contents. Gives the moment of the backup.
    fn go_back(&self, now: DateTime<Utc>, before: Gone, file: &str) -> Result<DateTime<Utc>> {
        let made = match self.labelled()? {
            Some(label) => label.made,
            None => self.last_sign_of_life()?,
        };
        let gone = (now - made).num_seconds().max(0);
        let last = self.last_letter()?.max(before.letter);
        let skipped = gone.saturating_mul(SKIPPED_A_SECOND).min(SKIPPED_AT_MOST);
        let next = last.saturating_add(SKIPPED).saturating_add(skipped);
        let next = u32::try_from(next).context("There are no numbers for letters any more")?;
        self.0
            .execute("DELETE FROM sqlite_sequence WHERE name = 'outbox'", [])?;
        self.0.execute(
            "INSERT INTO sqlite_sequence (name, seq) VALUES ('outbox', ?1)",
            [next],
        )?;
        if let Some(owner) = &before.owner {
            // Its mark in the mailbox is no rival's.
            self.set_owner(owner)?;
        }
        for forgotten in [
            "DELETE FROM cursors",
            "DELETE FROM entries WHERE mailbox IS NOT NULL",
            "DELETE FROM backup",
            // The daemon that was at work when the backup was made is nobody's rival.
            "UPDATE owner SET beat = 0",
        ] {
            self.0.execute(forgotten, [])?;
        }
        self.note_backup(made, file)?;
        self.0.execute(
            "INSERT INTO restored (at, made_at) VALUES (?1, ?2)",
            params![seconds(now), seconds(made)],
        )?;
        Ok(made)
    }

    /// When a club was last at work, for a copy that was made by other means.
    fn last_sign_of_life(&self) -> Result<DateTime<Utc>> {
        let at: Option<i64> = self.0.query_row(
            "SELECT max(at) FROM (SELECT max(at) AS at FROM heartbeat UNION ALL SELECT created_at FROM club)",
            [],
            |row| row.get(0),
        )?;
        moment(at.context("It is the database of no club")?)
    }

    fn last_letter(&self) -> Result<i64> {
        let last = self
            .0
            .query_row(
                "SELECT seq FROM sqlite_sequence WHERE name = 'outbox'",
                [],
                |row| row.get(0),
            )
            .optional()?;
        Ok(last.unwrap_or(0))
    }

    /// Whether the club came back from a backup and has not read all folders of its mailbox again since.
    ///
    /// # Errors
    /// SQLite's.
    pub fn must_reread(&self) -> Result<bool> {
        Ok(self
            .0
            .prepare_cached("SELECT EXISTS (SELECT 1 FROM restored WHERE reread = 0)")?
            .query_row([], |row| row.get(0))?)
    }

    /// Notes that they have been read; what was noted of that folder on the way is not needed any more.
    ///
    /// # Errors
    /// SQLite's.
    pub fn has_reread(&self, done: &str) -> Result<()> {
        self.0
            .execute("DELETE FROM entries WHERE mailbox = ?1", [done])?;
        self.0.execute("UPDATE restored SET reread = 1", [])?;
        Ok(())
    }
}
