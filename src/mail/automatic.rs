//! Whether a machine wrote the mail (MAIL-20, MAIL-21, IN-13). Such a mail is never executed and never answered.

use crate::mail::address::Address;
use crate::mail::incoming::Incoming;

/// What kind of automatic mail it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Automatic {
    /// An answer of a vacation notice or another robot.
    AutoReply,
    /// A report that a mail could not be delivered, or is late.
    Bounce(Bounce),
    /// Mail of a list or in bulk.
    List,
    /// A read receipt.
    ReadReceipt,
    /// Our own mail come back.
    Own,
    /// A calendar message.
    Calendar,
    /// From an address that nobody reads.
    NoReply,
    /// An emoji sent as a reaction.
    Reaction,
}

impl Automatic {
    /// The name in `explain --json`.
    pub fn name(&self) -> &'static str {
        match self {
            Automatic::AutoReply => "auto-reply",
            Automatic::Bounce(_) => "bounce",
            Automatic::List => "list",
            Automatic::ReadReceipt => "read-receipt",
            Automatic::Own => "own",
            Automatic::Calendar => "calendar",
            Automatic::NoReply => "no-reply",
            Automatic::Reaction => "reaction",
        }
    }
}

/// What a delivery report says, as far as it can be read (RFC 3464).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bounce {
    /// The address that could not be reached.
    pub recipient: Option<Address>,
    /// Message-ID of the mail that came back, without angle brackets.
    pub message_id: Option<String>,
    /// The status code, such as `5.1.1` (RFC 3463).
    pub status: Option<String>,
    /// Whether it failed for good: action "failed" and no status of another class than 5.
    pub permanent: bool,
}

/// Tells automatic mail. `own` are our own addresses; their plus addresses are ours too.
pub fn automatic(mail: &Incoming, own: &[String]) -> Option<Automatic> {
    let from = mail.from.as_ref().ok()?;
    own.iter()
        .any(|o| Address::parse(o).is_ok_and(|o| o.covers(from)))
        .then_some(Automatic::Own)
}
