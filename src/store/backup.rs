//! Backups: a copy that holds all that the club needs, the secret and the configuration's text among it.
//!
//! Knows what a backup says of itself and what it must never overwrite. Refuses to know when one is due.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use chrono::{DateTime, Utc};
use rusqlite::{Connection, OpenFlags, OptionalExtension, params};

use super::copy::{BESIDE, Part, absolute, is_same, real, with};
use super::door::Door;
use super::sound::Damaged;
use super::verify::{Checked, Tell};
use super::words::{moment, seconds};
use super::{Store, Tx};

/// What a backup says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// When it was made.
    pub made: DateTime<Utc>,
    /// Version of the program that made it.
    pub program: String,
    /// Where the configuration was.
    pub config_file: String,
    /// Its text.
    pub config: String,
}

impl Store {
    /// Makes a backup while others read and write: a checked copy, which gets its name only when all is well with it.
    /// `live` is this database.
    ///
    /// # Errors
    /// The name is not for a backup, the copy cannot be written, or something is wrong with it; then nothing is left of
    /// it, and what had the name before has it still.
    pub fn backup(
        &mut self,
        live: &Path,
        to: &Path,
        label: &Label,
        tell: Tell<'_>,
    ) -> Result<Checked> {
        self.may_be_overwritten(live, to)?;
        let part = Part::begin(to)?;
        part.fill(&self.connection)?;
        let mut copy = Store {
            connection: part.open()?,
            _door: Door::none(),
        };
        copy.write(|tx| tx.label(label))?;
        let checked = copy.verify(tell)?;
        drop(copy);
        if checked.troubles > 0 {
            let count = checked.troubles;
            return Err(Damaged(format!("{count} troubles in its copy")).into());
        }
        part.finish()?;
        let file = absolute(to)?.display().to_string();
        // The backup is made; where this cannot be noted, `status` alone is the poorer.
        if let Err(error) = self.write(|tx| tx.note_backup(label.made, &file)) {
            tracing::warn!("The backup is well, but its moment cannot be noted: {error:#}");
        }
        Ok(checked)
    }

    /// A backup may take the place of an older one of the same club, and of nothing else.
    fn may_be_overwritten(&mut self, live: &Path, to: &Path) -> Result<()> {
        let live = real(live)?;
        let to = absolute(to)?;
        let named = to.display();
        let beside = BESIDE.map(|suffix| with(&live, suffix));
        let is_live =
            |path: &Path| *path == to || fs::metadata(&to).is_ok_and(|there| is_same(path, &there));
        if is_live(&live) || beside.iter().any(|path| is_live(path)) {
            bail!("{named} belongs to the database that is served; choose another name");
        }
        if fs::symlink_metadata(&to).is_err() {
            return Ok(());
        }
        let secret = self.read(|tx| tx.secret())?;
        match look(&to) {
            Ok((_, theirs)) if Some(&theirs) == secret.as_ref() => Ok(()),
            Ok(_) => bail!("{named} is a backup of another club; choose another name"),
            Err(_) => bail!("{named} is there already and is no backup; choose another name"),
        }
    }
}

/// What a backup says of itself.
///
/// # Errors
/// It is no backup.
pub fn label_of(file: &Path) -> Result<Label> {
    Ok(look(file)?.0)
}

/// The label of a backup, and the secret of its club.
fn look(file: &Path) -> Result<(Label, Vec<u8>)> {
    let named = || format!("{} is no backup of dvonn-post", file.display());
    let connection = read_only(file).with_context(named)?;
    let tx = Tx(&connection);
    let label = tx.labelled().with_context(named)?.with_context(named)?;
    let secret = tx.secret().with_context(named)?.with_context(named)?;
    Ok((label, secret))
}

/// Opens a database that is not to be changed.
pub(super) fn read_only(file: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Ok(Connection::open_with_flags(file, flags)?)
}

impl Tx<'_> {
    /// The club's secret; `None` before its first start.
    fn secret(&self) -> Result<Option<Vec<u8>>> {
        Ok(self
            .0
            .query_row("SELECT secret FROM club WHERE id = 1", [], |row| row.get(0))
            .optional()?)
    }

    fn label(&self, label: &Label) -> Result<()> {
        self.0.execute("DELETE FROM backup", [])?;
        self.0.execute(
            "INSERT INTO backup (id, made_at, program, config_file, config) VALUES (1, ?1, ?2, ?3, ?4)",
            params![
                seconds(label.made),
                label.program,
                label.config_file,
                label.config
            ],
        )?;
        Ok(())
    }

    /// What this database says of itself; `None` unless it is a backup.
    pub(super) fn labelled(&self) -> Result<Option<Label>> {
        let row = self
            .0
            .query_row(
                "SELECT made_at, program, config_file, config FROM backup WHERE id = 1",
                [],
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
            )
            .optional()?;
        row.map(|(made, program, config_file, config)| {
            Ok(Label {
                made: moment(made)?,
                program,
                config_file,
                config,
            })
        })
        .transpose()
    }

    pub(super) fn note_backup(&self, made: DateTime<Utc>, file: &str) -> Result<()> {
        self.0.execute(
            "INSERT INTO last_backup (id, made_at, file) VALUES (1, ?1, ?2)
             ON CONFLICT (id) DO UPDATE SET made_at = excluded.made_at, file = excluded.file",
            params![seconds(made), file],
        )?;
        Ok(())
    }

    /// When the newest backup was made, and where it was put.
    ///
    /// # Errors
    /// SQLite's.
    pub fn last_backup(&self) -> Result<Option<(DateTime<Utc>, String)>> {
        let row: Option<(i64, String)> = self
            .0
            .query_row(
                "SELECT made_at, file FROM last_backup WHERE id = 1",
                [],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .optional()?;
        row.map(|(made, file)| Ok((moment(made)?, file)))
            .transpose()
    }
}
