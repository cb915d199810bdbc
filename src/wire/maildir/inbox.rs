//! A Maildir that mail comes in by: what lies in `new` is to be read, what is done goes to `cur`.
//!
//! Knows a mail by its file name, which lasts as long as the file lies in `new`; refuses to keep count of what was
//! read. Whoever delivers writes to `tmp` and renames, so a file in `new` is whole.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::{DateTime, Utc};

use super::{furnish, on_disk};
use crate::wire::mailbox::header_of_mark;
use crate::wire::{Batch, Fetched, Id, Listed, Listing, Mark, Part, Report, WireError};

/// How often `new` is looked at. The promise is two seconds.
const GLANCE: Duration = Duration::from_secs(1);

/// The file of the mark.
const OWNER: &str = "dvonn-post.owner";

/// A Maildir that is read.
#[derive(Debug)]
pub struct Inbox {
    path: PathBuf,
    /// What the last list showed, so that mails that stay where they lie wake nobody.
    seen: BTreeSet<String>,
}

impl Inbox {
    /// Opens a Maildir, making it where there is none.
    pub(in crate::wire) async fn open(path: &Path) -> Result<Inbox, WireError> {
        let inbox = Inbox {
            path: path.to_owned(),
            seen: BTreeSet::new(),
        };
        let path = inbox.path.clone();
        on_disk(move || furnish(&path))
            .await
            .map_err(|error| inbox.trouble(&error))?;
        Ok(inbox)
    }

    /// Every file in `new`, by arrival and name.
    pub(in crate::wire) async fn list(&mut self) -> Result<Listing, WireError> {
        let new = self.path.join("new");
        let mut mails = on_disk(move || scan(&new))
            .await
            .map_err(|error| self.trouble(&error))?;
        mails.sort_by(|a, b| (a.arrived, &a.id).cmp(&(b.arrived, &b.id)));
        self.seen = mails.iter().filter_map(name).map(str::to_owned).collect();
        Ok(Listing { validity: 0, mails })
    }

    /// Reads files; one that vanished or cannot be read spoils nothing for the others.
    pub(in crate::wire) async fn fetch(
        &self,
        mails: &[Listed],
        part: Part,
    ) -> Result<Batch, WireError> {
        let mut batch = Batch::default();
        for mail in mails {
            let Some(name) = name(mail) else { continue };
            let file = self.path.join("new").join(name);
            let id = mail.id.clone();
            match on_disk(move || read(&file, part)).await {
                Ok((raw, arrived)) => batch.mails.push(Fetched { id, arrived, raw }),
                Err(error) if error.kind() == ErrorKind::NotFound => batch.gone.push(id),
                Err(error) => batch.unreadable.push((id, error.to_string())),
            }
        }
        Ok(batch)
    }

    /// Moves files to `cur`, marked as seen.
    pub(in crate::wire) async fn done(&self, ids: &[Id]) -> Result<(), WireError> {
        let files: Vec<(PathBuf, PathBuf)> = ids
            .iter()
            .filter_map(|id| match id {
                Id::File(name) => Some((
                    self.path.join("new").join(name),
                    self.path.join("cur").join(seen(name)),
                )),
                Id::Uid { .. } => None,
            })
            .collect();
        on_disk(move || files.iter().try_for_each(|(from, to)| put_away(from, to)))
            .await
            .map_err(|error| self.trouble(&error))
    }

    /// The mark beside `new`, if there is one.
    pub(in crate::wire) async fn marks(&self) -> Result<Vec<Mark>, WireError> {
        let file = self.path.join(OWNER);
        match on_disk(move || read(&file, Part::Whole)).await {
            Ok((raw, arrived)) => Ok(header_of_mark(&raw)
                .map(|text| Mark {
                    text,
                    arrived,
                    uid: None,
                })
                .into_iter()
                .collect()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(self.trouble(&error)),
        }
    }

    /// Puts a mark in the place of the one that lies there.
    pub(in crate::wire) async fn mark(&self, note: &str) -> Result<Option<String>, WireError> {
        let (tmp, file) = (self.path.join("tmp").join(OWNER), self.path.join(OWNER));
        let note = note.to_owned();
        let written = on_disk(move || {
            fs::write(&tmp, note)?;
            fs::rename(&tmp, file)
        });
        Ok(written.await.err().map(|error| error.to_string()))
    }

    /// Takes a mark away, unless another has taken its place.
    pub(in crate::wire) async fn unmark(&self, marks: &[&Mark]) -> Result<(), WireError> {
        for mark in self.marks().await? {
            if marks
                .iter()
                .any(|gone| gone.text == mark.text && gone.arrived == mark.arrived)
            {
                let file = self.path.join(OWNER);
                // It grows old by itself.
                let _ = on_disk(move || fs::remove_file(file)).await;
            }
        }
        Ok(())
    }

    /// Waits until `new` holds a file that the last list did not show, at most `limit`.
    pub(in crate::wire) async fn wait(&self, limit: Duration) {
        let arrival = async {
            loop {
                tokio::time::sleep(GLANCE).await;
                let new = self.path.join("new");
                // Trouble is left to the list that follows, which can say so.
                let Ok(mails) = on_disk(move || scan(&new)).await else {
                    return;
                };
                if mails
                    .iter()
                    .filter_map(name)
                    .any(|name| !self.seen.contains(name))
                {
                    return;
                }
            }
        };
        // Either way the caller lists again.
        let _ = tokio::time::timeout(limit, arrival).await;
    }

    /// Opens the Maildir and counts what waits.
    pub(in crate::wire) async fn check(path: &Path) -> Result<Report, WireError> {
        let count = Inbox::open(path).await?.list().await?.mails.len();
        Ok(Report {
            well: format!("Maildir {}, {count} mails in new", path.display()),
            warnings: Vec::new(),
        })
    }

    fn trouble(&self, error: &io::Error) -> WireError {
        let place = format!("Maildir {}", self.path.display());
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::PermissionDenied | ErrorKind::NotADirectory => {
                WireError::no_mailbox(&place, &self.path.to_string_lossy(), &error.to_string())
            }
            _ => WireError::temporary(&place, error),
        }
    }
}

/// The name of a listed file.
fn name(mail: &Listed) -> Option<&str> {
    match &mail.id {
        Id::File(name) => Some(name),
        Id::Uid { .. } => None,
    }
}

/// The file's name in `cur`: flags follow `:2,`, and a name that came with flags loses them.
fn seen(name: &str) -> String {
    let unique = name.split_once(":2,").map_or(name, |(unique, _)| unique);
    format!("{unique}:2,S")
}

fn scan(new: &Path) -> io::Result<Vec<Listed>> {
    let mut mails = Vec::new();
    for entry in fs::read_dir(new)? {
        let entry = entry?;
        // A name that is not UTF-8 could not be told apart from others in the database; no delivery agent makes one.
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let about = match fs::metadata(entry.path()) {
            Ok(about) => about,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        if name.starts_with('.') || !about.is_file() {
            continue;
        }
        mails.push(Listed {
            id: Id::File(name),
            size: about.len(),
            arrived: arrival(&about),
        });
    }
    Ok(mails)
}

fn read(path: &Path, part: Part) -> io::Result<(Vec<u8>, Option<DateTime<Utc>>)> {
    let file = File::open(path)?;
    let arrived = arrival(&file.metadata()?);
    let mut reader = BufReader::new(file);
    let mut raw = Vec::new();
    match part {
        Part::Whole => {
            reader.read_to_end(&mut raw)?;
        }
        Part::Header => loop {
            let start = raw.len();
            reader.read_until(b'\n', &mut raw)?;
            let line = raw.get(start..).unwrap_or_default();
            if matches!(line, b"" | b"\n" | b"\r\n") {
                break;
            }
        },
    }
    Ok((raw, arrived))
}

fn arrival(about: &fs::Metadata) -> Option<DateTime<Utc>> {
    about.modified().ok().map(DateTime::<Utc>::from)
}

fn put_away(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == ErrorKind::NotFound && !from.exists() => Ok(()),
        result => result,
    }
}
