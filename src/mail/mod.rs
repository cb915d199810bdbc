//! The `mail` floor: reading a mail, finding what its writer typed, telling automatic mail, judging the proof of
//! who wrote, tokens and threads, and building the bytes of a mail that goes out.
//!
//! It knows RFC 5322 and its family, and the habits of mail programs. It refuses to know DVONN, players, SQL,
//! sockets and the clock: numbers of games are numbers here, a seat is a letter, and every time is an argument.
//!
//! A mail is read in one direction: [`Incoming::read`] takes it apart within limits, [`new_text`] says what is new in
//! it, [`automatic()`] whether a machine wrote it, [`proof::judge`] what our own mail server thinks of its author, and
//! [`thread::clues`] which of our letters it answers.

pub mod address;
mod author;
pub mod automatic;
pub mod body;
pub mod bounce;
mod charset;
pub mod digest;
mod fields;
mod flowed;
mod html;
pub mod incoming;
mod mime;
pub mod newtext;
pub mod outgoing;
pub mod proof;
mod report;
pub mod safe;
pub mod thread;
pub mod token;
mod transfer;

pub use address::{Address, AddressError};
pub use automatic::{Automatic, Bounce, automatic};
pub use body::{Body, Part, Sealed};
pub use digest::Digest;
pub use incoming::{AuthorError, Incoming, Unreadable};
pub use newtext::{Cut, NewText, Rule, SentText, new_text};
pub use outgoing::{Kind, Outgoing, OutgoingError};
pub use proof::Proof;
pub use safe::SafeHeader;
pub use token::{Secret, Token};
