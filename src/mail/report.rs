//! The machine-readable part of delivery reports and read receipts (RFC 3464, RFC 8098): whom it is about, which mail,
//! how final. It refuses to know what is done about it.

/// What a report says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Report {
    pub(crate) recipient: Option<String>,
}
