//! One mail address, as it is typed by a person or stands in a header. Strict: whatever is not plainly one mailbox is
//! refused with the reason, because letters are sent to it. It knows no display names and no lists.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

/// Longest local part in bytes (RFC 5321 section 4.5.3.1.1).
const LOCAL_MAX: usize = 64;
/// Longest address in bytes (RFC 5321 section 4.5.3.1.3, erratum 1690).
const WHOLE_MAX: usize = 254;

/// One mailbox, `local@domain`. Two addresses are equal when they differ in case only: no provider of today gives two
/// people addresses that differ in case, and a phone that writes `Anna@example.org` is still Anna's.
#[derive(Debug, Clone)]
pub struct Address {
    local: String,
    domain: String,
}

/// Why a text is not an address that letters can be sent to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// No `@` in it, or nothing on one side of it.
    #[error("an address looks like name@example.org")]
    NoAt,
    /// More than one `@`, or several addresses.
    #[error("this is more than one address")]
    Several,
    /// The part before the `@` has letters outside ASCII, which needs SMTPUTF8 (RFC 6531) all the way.
    #[error("letters outside a-z before the @ are not supported")]
    InternationalLocal,
    /// The part after the `@` has letters outside ASCII; its `xn--` spelling would do.
    #[error("letters outside a-z after the @ are not supported, except in the xn-- spelling")]
    InternationalDomain,
    /// A character that cannot stand before the `@`.
    #[error("the part before the @ is not valid")]
    BadLocal,
    /// A domain that cannot exist.
    #[error("the part after the @ is not valid")]
    BadDomain,
    /// Longer than SMTP can carry.
    #[error("the address is too long")]
    TooLong,
}

impl Address {
    /// Reads exactly one mailbox, `anna@example.org`, also in angle brackets or as a `mailto:` link.
    pub fn parse(typed: &str) -> Result<Address, AddressError> {
        let text = typed.trim();
        let text = text
            .strip_prefix('<')
            .and_then(|t| t.strip_suffix('>'))
            .unwrap_or(text)
            .trim();
        let text = match text.get(..7) {
            Some(head) if head.eq_ignore_ascii_case("mailto:") => text.get(7..).unwrap_or(""),
            _ => text,
        };
        let (local, domain) = text.split_once('@').ok_or(AddressError::NoAt)?;
        if local.is_empty() || domain.is_empty() {
            return Err(AddressError::NoAt);
        }
        if domain.contains('@') || text.contains([',', ';']) {
            return Err(AddressError::Several);
        }
        if text.len() > WHOLE_MAX || local.len() > LOCAL_MAX {
            return Err(AddressError::TooLong);
        }
        if !local.is_ascii() {
            return Err(AddressError::InternationalLocal);
        }
        if !domain.is_ascii() {
            return Err(AddressError::InternationalDomain);
        }
        // Quoted local parts (RFC 5321 section 4.1.2) are refused on purpose: they are hardly ever met and are a
        // classic way to smuggle something into the header of a letter.
        let dot_atom = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~.".contains(&b);
        if !local.bytes().all(dot_atom)
            || local.starts_with('.')
            || local.ends_with('.')
            || local.contains("..")
        {
            return Err(AddressError::BadLocal);
        }
        let label = |l: &str| {
            (1..=63).contains(&l.len())
                && l.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
                && !l.starts_with('-')
                && !l.ends_with('-')
        };
        if !domain.split('.').all(label) {
            return Err(AddressError::BadDomain);
        }
        Ok(Address {
            local: local.to_owned(),
            domain: domain.to_ascii_lowercase(),
        })
    }

    /// The part before the `@`, as written.
    pub fn local(&self) -> &str {
        &self.local
    }

    /// The part after the `@`, in lower case.
    pub fn domain(&self) -> &str {
        &self.domain
    }

    /// The whole address in lower case: the form to look it up by.
    pub fn key(&self) -> String {
        self.to_string().to_ascii_lowercase()
    }

    /// `local+tag@domain` (RFC 5233). A tag that would make the address invalid is refused.
    pub fn plus(&self, tag: &str) -> Result<Address, AddressError> {
        Address::parse(&format!("{}+{}@{}", self.local, tag, self.domain))
    }

    /// The tag of a plus address of this mailbox: `dvonn+X@club.example` gives `X` to `dvonn@club.example`.
    pub fn tag_of<'a>(&self, other: &'a Address) -> Option<&'a str> {
        if self.domain != other.domain {
            return None;
        }
        let head = other.local.get(..self.local.len())?;
        let rest = other.local.get(self.local.len()..)?;
        if head.eq_ignore_ascii_case(&self.local) {
            rest.strip_prefix('+')
        } else {
            None
        }
    }

    /// Whether the other is this mailbox, or a plus address of it.
    pub fn covers(&self, other: &Address) -> bool {
        self == other || self.tag_of(other).is_some()
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.local, self.domain)
    }
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        Address::parse(s)
    }
}

impl PartialEq for Address {
    fn eq(&self, other: &Self) -> bool {
        self.domain == other.domain && self.local.eq_ignore_ascii_case(&other.local)
    }
}

impl Eq for Address {}

impl PartialOrd for Address {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Address {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Hash for Address {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn one_plain_mailbox_is_read_in_the_ways_people_write_it() {
        for text in [
            "anna@example.org",
            " <anna@example.org> ",
            "mailto:anna@example.org",
            "Anna@EXAMPLE.org",
        ] {
            assert_eq!(
                Address::parse(text).unwrap().key(),
                "anna@example.org",
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_not_one_mailbox_is_refused_with_the_reason() {
        use AddressError::*;
        for (text, why) in [
            ("anna", NoAt),
            ("@example.org", NoAt),
            ("anna@", NoAt),
            ("a@b@example.org", Several),
            ("a@example.org, b@example.org", Several),
            ("änna@example.org", InternationalLocal),
            ("anna@exämple.org", InternationalDomain),
            ("an na@example.org", BadLocal),
            ("\"anna\"@example.org", BadLocal),
            ("an\r\nna@example.org", BadLocal),
            ("a..b@example.org", BadLocal),
            ("anna@example..org", BadDomain),
            ("anna@[127.0.0.1]", BadDomain),
            ("anna@-example.org", BadDomain),
        ] {
            assert_eq!(Address::parse(text), Err(why), "{text}");
        }
        assert_eq!(
            Address::parse(&format!("{}@example.org", "a".repeat(65))),
            Err(TooLong)
        );
    }

    #[test]
    fn a_plus_address_is_made_and_taken_apart_whatever_its_case() {
        let club = Address::parse("dvonn@club.example").unwrap();
        let plus = club.plus("12.57.w.abc").unwrap();
        assert_eq!(plus.to_string(), "dvonn+12.57.w.abc@club.example");
        let shouted = Address::parse("DVONN+X@Club.Example").unwrap();
        assert_eq!(club.tag_of(&shouted), Some("X"));
        assert!(
            club.covers(&shouted) && !club.covers(&Address::parse("dvonnx@club.example").unwrap())
        );
        assert!(club.plus("a b").is_err());
    }
}
