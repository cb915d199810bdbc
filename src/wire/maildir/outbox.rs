//! Maildirs that mail goes out to: one for each recipient, below one directory.
//!
//! Knows how to write a file so that it is there whole or not at all; refuses to know who reads it.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use ring::digest::{SHA256, digest};

use super::{furnish, on_disk};
use crate::wire::error::tame;
use crate::wire::{Envelope, Report, Sent, WireError};

/// The longest name of a file or directory that common file systems take, in bytes.
const LONGEST_NAME: usize = 255;

/// A directory of Maildirs.
#[derive(Debug)]
pub struct Outbox {
    path: PathBuf,
}

impl Outbox {
    pub(in crate::wire) fn new(path: PathBuf) -> Outbox {
        Outbox { path }
    }

    /// Delivers a mail; when this returns `Accepted` it has reached the disk.
    pub(in crate::wire) async fn send(&self, envelope: &Envelope, raw: &[u8]) -> Sent {
        let Some(folder) = folder(&envelope.to) else {
            return Sent::Refused {
                code: 553,
                text: tame(&format!(
                    "{:?} cannot be the name of a Maildir",
                    envelope.to
                )),
            };
        };
        let maildir = self.path.join(folder);
        let name = file_name(envelope.number, raw);
        let raw = raw.to_owned();
        match on_disk(move || deliver(&maildir, &name, &raw)).await {
            Ok(()) => Sent::Accepted,
            Err(error) => Sent::Down {
                text: tame(&format!("Maildir {}: {error}", self.path.display())),
            },
        }
    }

    /// Makes the directory where there is none, and tries to write to it.
    pub(in crate::wire) async fn check(&self) -> Result<Report, WireError> {
        let path = self.path.clone();
        on_disk(move || {
            let trial = path.join(".dvonn-post-trial");
            fs::create_dir_all(&path)?;
            File::create(&trial)?;
            fs::remove_file(&trial)
        })
        .await
        .map_err(|error| {
            let place = format!("Maildirs in {}", self.path.display());
            WireError::no_mailbox(&place, &self.path.to_string_lossy(), &error.to_string())
        })?;
        Ok(Report {
            well: format!("Maildirs in {}", self.path.display()),
            warnings: Vec::new(),
        })
    }
}

/// The directory of an address: the address itself, with `%` and hex for what a file name must not hold. Different
/// addresses have different directories.
fn folder(address: &str) -> Option<String> {
    let mut name = String::with_capacity(address.len());
    for (at, c) in address.char_indices() {
        if c == '/' || c == '%' || c.is_control() || (c == '.' && at == 0) {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                name.push_str(&format!("%{byte:02X}"));
            }
        } else {
            name.push(c);
        }
    }
    (!name.is_empty() && name.len() <= LONGEST_NAME).then_some(name)
}

/// Number first, so that names sort as mails were written; the bytes next, so that another database's number 12 does
/// not overwrite ours.
fn file_name(number: u64, raw: &[u8]) -> String {
    let digest = digest(&SHA256, raw);
    let short = digest.as_ref().get(..16).unwrap_or_default();
    format!("{number:012}.{}.dvonn-post", HEXLOWER.encode(short))
}

fn deliver(maildir: &Path, name: &str, raw: &[u8]) -> io::Result<()> {
    if !maildir.join("new").is_dir() {
        furnish(maildir)?;
        // The first mail to somebody must outlast a power cut with the directories it lies in.
        sync(maildir)?;
        maildir.parent().map_or(Ok(()), sync)?;
    }
    let tmp = maildir.join("tmp").join(name);
    let new = maildir.join("new");
    let mut file = File::create(&tmp)?;
    file.write_all(raw)?;
    file.sync_all()?;
    fs::rename(&tmp, new.join(name))?;
    // Without this a power cut may forget the name of a file whose content is safe.
    sync(&new)
}

fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_its_own_directory_and_cannot_leave_it() {
        assert_eq!(
            folder("ben@example.org").as_deref(),
            Some("ben@example.org")
        );
        assert_eq!(folder("../x").as_deref(), Some("%2E.%2Fx"));
        assert_eq!(folder("a\0%@b").as_deref(), Some("a%00%25@b"));
        assert_eq!(folder(".").as_deref(), Some("%2E"));
        assert_eq!(folder(""), None);
        assert_eq!(folder(&"ž".repeat(128)), None);
    }
}
