//! The club's mailbox by IMAP (RFC 3501): one connection, folders by UID.
//!
//! Knows which folder is open; refuses to know what was read before, which the cursor of the caller says. Never uses
//! UNSEEN, SINCE or flags, never asks the server to take a mail apart (MAIL-30).

mod connection;
mod done;
mod fetch;
mod idle;
mod list;
mod mark;
mod name;
mod opening;
mod uids;

use async_imap::imap_proto::{MailboxDatum, Response, ResponseCode};

use self::connection::Connection;
use crate::wire::{Folder, Id, ImapSettings, Report, WireError};

/// A connection to an IMAP account.
#[derive(Debug)]
pub struct Imap {
    settings: ImapSettings,
    connection: Connection,
    /// The folder that is selected.
    open: Option<Open>,
    /// The inbox as it stood when it was last listed: what came later is news.
    listed: Option<Marker>,
}

/// A selected folder.
#[derive(Clone, Copy, Debug)]
struct Open {
    folder: Folder,
    /// Selected rather than examined.
    writable: bool,
    marker: Marker,
}

/// The state of a folder as SELECT shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Marker {
    validity: u32,
    /// Missing on some servers (MAIL-33).
    next: Option<u32>,
    exists: u32,
}

impl Imap {
    pub(in crate::wire) async fn connect(settings: &ImapSettings) -> Result<Imap, WireError> {
        Ok(Imap {
            settings: settings.clone(),
            connection: Connection::open(settings).await?,
            open: None,
            listed: None,
        })
    }

    pub(in crate::wire) fn has_junk(&self) -> bool {
        self.settings.junk_mailbox.is_some()
    }

    pub(in crate::wire) async fn close(self) {
        self.connection.logout().await;
    }

    /// Logs in, opens the folders for reading, and tells what the server lacks.
    pub(in crate::wire) async fn check(settings: &ImapSettings) -> Result<Report, WireError> {
        let mut imap = Imap::connect(settings).await?;
        let count = imap.select(Folder::Inbox, false).await?.exists;
        if imap.has_junk() {
            imap.select(Folder::Junk, false).await?;
        }
        let mut warnings = Vec::new();
        if settings.idle && !imap.connection.offers("IDLE") {
            warnings.push(
                "the server has no IDLE: mail is seen only every poll_seconds; set idle = false"
                    .to_owned(),
            );
        }
        if !imap.connection.offers("MOVE") && !imap.connection.offers("UIDPLUS") {
            warnings.push(
                "the server has neither MOVE nor UIDPLUS: mails that are done are copied to done_mailbox, and stay in \
                 mailbox marked as deleted; expunge it now and then"
                    .to_owned(),
            );
        }
        let well = format!(
            "{}, {count} mails in {}",
            imap.connection.place, settings.mailbox
        );
        imap.close().await;
        Ok(Report { well, warnings })
    }

    /// The name of a folder at the server.
    fn name(&self, folder: Folder) -> &str {
        match folder {
            Folder::Inbox => &self.settings.mailbox,
            // Nobody can ask for junk where there is none: `folders` does not list it.
            Folder::Junk => self.settings.junk_mailbox.as_deref().unwrap_or_default(),
        }
    }

    /// Opens a folder afresh.
    async fn select(&mut self, folder: Folder, writable: bool) -> Result<Marker, WireError> {
        let verb = if writable { "SELECT" } else { "EXAMINE" };
        let command = format!("{verb} {}", name::quoted(self.name(folder)));
        let (mut validity, mut next, mut exists) = (None, None, 0);
        self.open = None;
        let limit = self.connection.limit;
        let tagged = self
            .connection
            .run(&command, limit, |response| match response {
                Response::MailboxData(MailboxDatum::Exists(count)) => exists = *count,
                Response::Data { outcome, .. } => match outcome.code {
                    Some(ResponseCode::UidValidity(number)) => validity = Some(number),
                    Some(ResponseCode::UidNext(number)) => next = Some(number),
                    _ => {}
                },
                _ => {}
            })
            .await?;
        let place = &self.connection.place;
        if tagged.passing() && !tagged.ok {
            let text = format!("{verb} is not possible at present ({})", tagged.text);
            return Err(WireError::temporary(place, text));
        }
        if !tagged.ok {
            return Err(WireError::no_mailbox(
                place,
                self.name(folder),
                &tagged.text,
            ));
        }
        let validity =
            validity.ok_or_else(|| WireError::protocol(place, verb, "no UIDVALIDITY"))?;
        let marker = Marker {
            validity,
            next,
            exists,
        };
        self.open = Some(Open {
            folder,
            writable,
            marker,
        });
        // What came while another folder was open was announced to nobody.
        self.connection.news = folder == Folder::Inbox && self.listed != Some(marker);
        Ok(marker)
    }

    /// Opens a folder unless it is open, and tells its UIDVALIDITY.
    async fn enter(&mut self, folder: Folder, writable: bool) -> Result<u32, WireError> {
        match self.open {
            Some(open) if open.folder == folder && open.writable >= writable => {
                Ok(open.marker.validity)
            }
            _ => Ok(self.select(folder, writable).await?.validity),
        }
    }
}

/// Whether a folder is opened for writing: the inbox is, since its mails are moved sooner or later; junk is only looked
/// at.
fn writable(folder: Folder) -> bool {
    folder == Folder::Inbox
}

/// The parts of an IMAP id.
fn parts(id: &Id) -> Option<(Folder, u32, u32)> {
    match id {
        Id::Uid {
            folder,
            validity,
            uid,
        } => Some((*folder, *validity, *uid)),
        Id::File(_) => None,
    }
}
