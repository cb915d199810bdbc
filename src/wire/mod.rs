//! The `wire` floor: IMAP, Maildir, SMTP and TLS. The only place with sockets, and the only one that touches mail
//! folders on disk.
//!
//! Knows mails as bytes that arrive and leave; refuses to know DVONN, the club, and SQL. Nothing here reads the wall
//! clock: time limits run on the runtime's clock, arrival times come from the servers. Nothing here tries again by
//! itself, but for one thing: a connection of the pool that turns out dead is replaced.
//!
//! Every await on a peer has a time limit, since the libraries below have none (B1, B2).

mod error;
mod imap;
mod mailbox;
mod maildir;
mod postman;
mod settings;
mod smtp;
mod stream;
mod tls;

pub use error::{Kind, WireError};
pub use imap::Imap;
pub use mailbox::{
    BATCH_BYTES, Batch, Cursor, Fetched, Folder, Id, Listed, Listing, MARK, Mailbox, Mark,
    ParseIdError, Part, Report, batches,
};
pub use maildir::{Inbox, Outbox};
pub use postman::{Envelope, Postman, Sent};
pub use settings::{ImapSettings, Login, Password, Security, Server, SmtpSettings, WayIn, WayOut};
pub use smtp::Smtp;
pub use stream::{Dial, Dialled, Duplex, Network};
