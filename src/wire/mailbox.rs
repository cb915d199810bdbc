//! The club's mailbox as the intake sees it: list, fetch, done, wait.
//!
//! Knows which mails lie where and since when; refuses to read them. No flag is ever used as memory (IN-02): a mail
//! is known by its [`Id`], and the daemon remembers how far it came.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use chrono::{DateTime, Utc};

use super::imap::Imap;
use super::maildir::Inbox;
use super::{WayIn, WireError};

/// A connection to the club's mailbox.
///
/// After any error it is dropped and made anew. The same goes for a call that was cancelled half-way.
#[derive(Debug)]
pub enum Mailbox {
    /// An IMAP account, logged in.
    Imap(Box<Imap>),
    /// A Maildir.
    Maildir(Inbox),
}

/// Which folder a mail lies in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Folder {
    /// The mailbox itself.
    Inbox,
    /// The folder of suspected junk.
    Junk,
}

/// The lasting name of a mail in its folder.
///
/// `Display` and `FromStr` are inverse, for the database.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Id {
    /// By IMAP; means nothing any more when the folder's UIDVALIDITY has changed.
    Uid {
        /// The folder.
        folder: Folder,
        /// The UIDVALIDITY under which the UID was given.
        validity: u32,
        /// The UID.
        uid: u32,
    },
    /// By the file's name in a Maildir's `new`.
    File(String),
}

/// How far a folder has been read: everything up to `uid` is safe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cursor {
    /// The UIDVALIDITY under which the UID was given.
    pub validity: u32,
    /// The last UID that needs not be listed again.
    pub uid: u32,
}

/// What lies in a folder above the cursor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listing {
    /// The folder's UIDVALIDITY; 0 for a Maildir. Where it is not that of the cursor, everything was listed (IN-04).
    pub validity: u32,
    /// The mails, by rising UID; those of a Maildir by arrival, then name.
    pub mails: Vec<Listed>,
}

/// A mail that has not been downloaded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// Its name.
    pub id: Id,
    /// Its size in bytes, as the server has it.
    pub size: u64,
    /// When it arrived (INTERNALDATE, mtime); none where the server gave no readable date.
    pub arrived: Option<DateTime<Utc>>,
}

/// How much of a mail to download.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// All of it.
    Whole,
    /// Its header only: enough to tell the writer that the mail is too large (IN-10).
    Header,
}

/// What a fetch brought. Every mail that was asked for is in exactly one of the three.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Batch {
    /// Mails, in the order in which they were asked for.
    pub mails: Vec<Fetched>,
    /// Mails that are not there any more: somebody else took them away.
    pub gone: Vec<Id>,
    /// Mails that lie there but cannot be had, each with the reason; the others are not held up by them (IN-06).
    pub unreadable: Vec<(Id, String)>,
}

/// A mail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fetched {
    /// Its name.
    pub id: Id,
    /// When it arrived (INTERNALDATE, mtime); none where the server gave no readable date.
    pub arrived: Option<DateTime<Utc>>,
    /// Its bytes.
    pub raw: Vec<u8>,
}

/// The header of a mark (see [`Mailbox::marks`]).
pub const MARK: &str = "X-Dvonn-Post-Owner";

/// A mark that somebody left in the mailbox.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// What it says: the value of its header [`MARK`].
    pub text: String,
    /// When it was put there, by the clock of whoever keeps the mailbox; none where that gave no readable date.
    pub arrived: Option<DateTime<Utc>>,
    /// UIDVALIDITY and UID by IMAP.
    pub(super) uid: Option<(u32, u32)>,
}

/// What a check of a way in or out found, for `doctor`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// One line about what works.
    pub well: String,
    /// What works, but could be better, each with what to do.
    pub warnings: Vec<String>,
}

/// How much one batch of [`batches`] holds: 4 MiB.
pub const BATCH_BYTES: u64 = 4 << 20;

/// Cuts a listing into runs of at most `max_bytes` by the listed sizes, for [`Mailbox::fetch`]; a larger mail goes alone.
pub fn batches(mails: &[Listed], max_bytes: u64) -> impl Iterator<Item = &[Listed]> {
    let mut batch = None;
    mails.chunk_by(move |last, next| {
        let sum = batch.unwrap_or(last.size).saturating_add(next.size);
        batch = (sum <= max_bytes).then_some(sum);
        batch.is_some()
    })
}

impl Mailbox {
    /// Connects and logs in.
    ///
    /// # Errors
    /// Login refused, no trusted encryption, no connection. A missing mailbox is noticed by [`Mailbox::list`].
    pub async fn connect(way: &WayIn) -> Result<Mailbox, WireError> {
        Ok(match way {
            WayIn::Imap(settings) => Mailbox::Imap(Box::new(Imap::connect(settings).await?)),
            WayIn::Maildir(path) => Mailbox::Maildir(Inbox::open(path).await?),
        })
    }

    /// The folders to be read, in this order.
    pub fn folders(&self) -> &'static [Folder] {
        match self {
            Mailbox::Imap(imap) if imap.has_junk() => &[Folder::Inbox, Folder::Junk],
            _ => &[Folder::Inbox],
        }
    }

    /// Lists a folder afresh: every mail above the cursor where its UIDVALIDITY still holds, else every mail
    /// (MAIL-30, MAIL-33). A Maildir has no order to put a cursor in, so all its new mails are listed.
    ///
    /// # Errors
    /// No such mailbox; anything that ends a connection.
    pub async fn list(
        &mut self,
        folder: Folder,
        cursor: Option<Cursor>,
    ) -> Result<Listing, WireError> {
        match self {
            Mailbox::Imap(imap) => imap.list(folder, cursor).await,
            Mailbox::Maildir(inbox) => inbox.list().await,
        }
    }

    /// Downloads listed mails without marking them in any way (IN-01), many in one command; the caller keeps the sum
    /// of their sizes reasonable by [`batches`].
    ///
    /// # Errors
    /// Anything that ends a connection; then nothing of the batch has been delivered. It may be the fault of one mail,
    /// whose answer no parser gets through: fetch them one by one then, after each failure on a new connection.
    pub async fn fetch(&mut self, mails: &[Listed], part: Part) -> Result<Batch, WireError> {
        match self {
            Mailbox::Imap(imap) => imap.fetch(mails, part).await,
            Mailbox::Maildir(inbox) => inbox.fetch(mails, part).await,
        }
    }

    /// Puts mails away: to the done mailbox by IMAP, from `new` to `cur` in a Maildir. Only after the commit (MAIL-31).
    /// Mails that are gone, and ids of an older UIDVALIDITY, are passed over.
    ///
    /// # Errors
    /// The done mailbox cannot be made; anything that ends a connection. It is safe to repeat.
    pub async fn done(&mut self, ids: &[Id]) -> Result<(), WireError> {
        match self {
            Mailbox::Imap(imap) => imap.done(ids).await,
            Mailbox::Maildir(inbox) => inbox.done(ids).await,
        }
    }

    /// The marks that daemons left where done mails lie, oldest first; a server that cannot look for them shows none.
    ///
    /// # Errors
    /// Anything that ends a connection.
    pub async fn marks(&mut self) -> Result<Vec<Mark>, WireError> {
        match self {
            Mailbox::Imap(imap) => imap.marks().await,
            Mailbox::Maildir(inbox) => inbox.marks().await,
        }
    }

    /// Leaves a mark: a whole mail with a header [`MARK`]. Gives the reason where the mailbox does not take it.
    ///
    /// # Errors
    /// Anything that ends a connection.
    pub async fn mark(&mut self, note: &str) -> Result<Option<String>, WireError> {
        match self {
            Mailbox::Imap(imap) => imap.mark(note).await,
            Mailbox::Maildir(inbox) => inbox.mark(note).await,
        }
    }

    /// Takes marks away, and nothing else.
    ///
    /// # Errors
    /// Anything that ends a connection.
    pub async fn unmark(&mut self, marks: &[&Mark]) -> Result<(), WireError> {
        match self {
            Mailbox::Imap(imap) => imap.unmark(marks).await,
            Mailbox::Maildir(inbox) => inbox.unmark(marks).await,
        }
    }

    /// Waits until something may have arrived since the last list of the inbox, at most `limit` and five minutes.
    /// Only a hint: always list afterwards (IN-08).
    ///
    /// # Errors
    /// Anything that ends a connection.
    pub async fn wait(&mut self, limit: Duration) -> Result<(), WireError> {
        match self {
            Mailbox::Imap(imap) => imap.wait(limit).await,
            Mailbox::Maildir(inbox) => {
                inbox.wait(limit).await;
                Ok(())
            }
        }
    }

    /// Says good-bye to the server.
    pub async fn close(self) {
        if let Mailbox::Imap(imap) = self {
            imap.close().await;
        }
    }

    /// Connects, logs in and opens the folders, for `doctor`; changes nothing.
    ///
    /// # Errors
    /// What would keep the daemon from reading mail.
    pub async fn check(way: &WayIn) -> Result<Report, WireError> {
        match way {
            WayIn::Imap(settings) => Imap::check(settings).await,
            WayIn::Maildir(path) => Inbox::check(path).await,
        }
    }
}

/// The value of the header of a mark, in a mail or the header of one.
pub(super) fn header_of_mark(mail: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(mail);
    text.lines()
        .take_while(|line| !line.is_empty())
        .find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case(MARK)
                .then(|| value.trim().to_owned())
        })
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Id::Uid {
                folder,
                validity,
                uid,
            } => write!(f, "{folder}:{validity}:{uid}"),
            Id::File(name) => write!(f, "file:{name}"),
        }
    }
}

impl fmt::Display for Folder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Folder::Inbox => "inbox",
            Folder::Junk => "junk",
        })
    }
}

/// The text is no [`Id`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not the name of a mail in a mailbox")]
pub struct ParseIdError;

impl FromStr for Id {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Id, ParseIdError> {
        let (folder, rest) = text.split_once(':').ok_or(ParseIdError)?;
        let folder = match folder {
            "file" => return Ok(Id::File(rest.to_owned())),
            "inbox" => Folder::Inbox,
            "junk" => Folder::Junk,
            _ => return Err(ParseIdError),
        };
        let (validity, uid) = rest.split_once(':').ok_or(ParseIdError)?;
        Ok(Id::Uid {
            folder,
            validity: validity.parse().map_err(|_| ParseIdError)?,
            uid: uid.parse().map_err(|_| ParseIdError)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(sizes: &[u64]) -> Vec<Listed> {
        sizes
            .iter()
            .map(|&size| Listed {
                id: Id::File(size.to_string()),
                size,
                arrived: None,
            })
            .collect()
    }

    fn cut(sizes: &[u64]) -> Vec<usize> {
        batches(&listed(sizes), 10).map(<[Listed]>::len).collect()
    }

    #[test]
    fn a_batch_stays_below_its_size_and_a_large_mail_goes_alone() {
        assert_eq!(cut(&[]), [0; 0]);
        assert_eq!(cut(&[5, 5, 1]), [2, 1]);
        assert_eq!(cut(&[11, 1, 12, 3]), [1, 1, 1, 1]);
        assert_eq!(cut(&[4, 4, 4, 4, 4]), [2, 2, 1]);
        assert_eq!(cut(&[0, 0, 10, 1]), [3, 1]);
    }

    #[test]
    fn ids_survive_the_database() {
        for id in [
            Id::Uid {
                folder: Folder::Junk,
                validity: u32::MAX,
                uid: 7,
            },
            Id::File("1700000000.M1P2.host:2,S".to_owned()),
        ] {
            assert_eq!(id.to_string().parse(), Ok(id));
        }
        for text in ["", "inbox:1", "inbox:1:x", "outbox:1:2"] {
            assert_eq!(text.parse::<Id>(), Err(ParseIdError), "{text}");
        }
    }
}
