//! The lasting name of a mail in the mailbox, for the database.
//!
//! Knows how a name is written and read again; refuses to know what lies under it.

use std::fmt;
use std::str::FromStr;

/// Which folder a mail lies in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Folder {
    /// The mailbox itself.
    Inbox,
    /// The folder of suspected junk.
    Junk,
    /// Where mails lie that are done: a Maildir's `cur`. It is read after a restore alone.
    Done,
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
    /// By the file's name in a Maildir's `cur`, where it changes with the mail's flags.
    Done(String),
}

impl Id {
    /// The folder that the mail lies in.
    #[must_use]
    pub fn folder(&self) -> Folder {
        match self {
            Id::Uid { folder, .. } => *folder,
            Id::File(_) => Folder::Inbox,
            Id::Done(_) => Folder::Done,
        }
    }
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
            Id::Done(name) => write!(f, "done-file:{name}"),
        }
    }
}

impl fmt::Display for Folder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Folder::Inbox => "inbox",
            Folder::Junk => "junk",
            Folder::Done => "done",
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
            "done-file" => return Ok(Id::Done(rest.to_owned())),
            "inbox" => Folder::Inbox,
            "junk" => Folder::Junk,
            "done" => Folder::Done,
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

    #[test]
    fn ids_survive_the_database() {
        for id in [
            Id::Uid {
                folder: Folder::Junk,
                validity: u32::MAX,
                uid: 7,
            },
            Id::Uid {
                folder: Folder::Done,
                validity: 1,
                uid: 1,
            },
            Id::File("1700000000.M1P2.host:2,S".to_owned()),
            Id::Done("1700000000.M1P2.host:2,S".to_owned()),
        ] {
            assert_eq!(id.to_string().parse(), Ok(id));
        }
        for text in ["", "inbox:1", "inbox:1:x", "outbox:1:2"] {
            assert_eq!(text.parse::<Id>(), Err(ParseIdError), "{text}");
        }
    }
}
