//! The author of a mail: the one mailbox of its one From field, read strictly (MAIL-26), because identity hangs on it.
//! Wherever another reader could see another author, there is none. It knows the grammar of RFC 5322 section 3.4;
//! it refuses to know whether the author is who he says.

use crate::mail::address::{Address, AddressError};
use crate::mail::fields::Fields;
use crate::mail::incoming::AuthorError;

/// The author's address and display name, still encoded as in the field.
pub(crate) fn author(fields: &Fields) -> (Result<Address, AuthorError>, Option<String>) {
    let values: Vec<&str> = fields.all("from").collect();
    match values.as_slice() {
        [] => (Err(AuthorError::Missing), None),
        [value] => match mailbox(value) {
            Ok((address, name)) => (Ok(address), name),
            Err(error) => (Err(error), None),
        },
        // RFC 5322 section 3.6 allows one From; of two, a mail server may judge the other.
        _ => (Err(AuthorError::Several), None),
    }
}

fn mailbox(value: &str) -> Result<(Address, Option<String>), AuthorError> {
    let (mut plain, mut angle, mut comment) = (String::new(), None, String::new());
    let (mut quoted, mut inside, mut depth) = (false, false, 0usize);
    let mut spec = String::new();
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        let into = if inside { &mut spec } else { &mut plain };
        match c {
            '\\' if quoted || depth > 0 => {
                if let (Some(next), true) = (chars.next(), quoted) {
                    into.push(next);
                }
            }
            '"' if depth == 0 => {
                quoted = !quoted;
                // Inside the brackets a quoted local part is no address for us: the mark makes it refused.
                if inside {
                    into.push(c);
                }
            }
            _ if quoted => into.push(c),
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            _ if depth > 0 => comment.push(c),
            '<' if !inside => {
                if angle.is_some() {
                    return Err(AuthorError::Several);
                }
                inside = true;
            }
            '>' if inside => {
                inside = false;
                angle = Some(std::mem::take(&mut spec));
            }
            // `Moor, Alice <…>` is a name with a comma that somebody forgot to quote; a second address is a second author.
            ',' if !inside && (angle.is_some() || into.contains('@')) => {
                match chars.as_str().contains(['@', '<', ':']) {
                    true => return Err(AuthorError::Several),
                    false => break,
                }
            }
            // A group.
            ';' | ':' if !inside => return Err(AuthorError::Several),
            c => into.push(c),
        }
    }
    if quoted || inside || depth > 0 {
        return Err(AuthorError::Missing);
    }
    let plain = plain.trim();
    let (spec, name) = match &angle {
        Some(spec) => (spec.as_str(), plain),
        None => (plain, comment.trim()),
    };
    if spec.trim().is_empty() {
        return Err(AuthorError::Missing);
    }
    let address = Address::parse(spec).map_err(|error| match error {
        AddressError::Several => AuthorError::Several,
        error => AuthorError::Address(error),
    })?;
    Ok((address, (!name.is_empty()).then(|| name.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(header: &str) -> Result<(String, Option<String>), AuthorError> {
        let (address, name) = author(&Fields::split(header.as_bytes()).0);
        address.map(|a| (a.to_string(), name))
    }

    #[test]
    fn one_author_is_read_in_every_spelling() {
        for (header, name) in [
            ("From: anna@example.org\n", None),
            ("From: <anna@example.org>\n", None),
            ("FROM : Anna Moor\n <anna@example.org>\n", Some("Anna Moor")),
            (
                "From: \"Moor, Anna <x@y>\" (a, <b@c>) <anna@example.org>\n",
                Some("Moor, Anna <x@y>"),
            ),
            ("From: anna@example.org (Anna)\n", Some("Anna")),
            ("From: Moor, Anna <anna@example.org>\n", Some("Moor, Anna")),
            ("From: anna@example.org,\n", None),
            (
                "From: =?utf-8?q?An=2Cna?= <anna@example.org>\n",
                Some("=?utf-8?q?An=2Cna?="),
            ),
        ] {
            assert_eq!(
                of(header),
                Ok(("anna@example.org".into(), name.map(str::to_owned))),
                "{header}"
            );
        }
    }

    #[test]
    fn no_author_or_more_than_one_is_told_apart_from_a_bad_address() {
        for header in ["To: x\n", "From:\n", "From: <>\n", "From: \"open <a@b>\n"] {
            assert_eq!(of(header), Err(AuthorError::Missing), "{header}");
        }
        for header in [
            "From: a@example.org\nFrom: a@example.org\n",
            "From: a@example.org, b@example.org\n",
            "From: <a@example.org> <b@example.org>\n",
            "From: x, a@example.org, <b@example.org>\n",
            "From: Moor, a@example.org\n",
            "From: friends: a@example.org;\n",
        ] {
            assert_eq!(of(header), Err(AuthorError::Several), "{header}");
        }
        assert_eq!(
            of("From: =?utf-8?q?a@example.org?=\n"),
            Err(AuthorError::Address(AddressError::BadDomain))
        );
        assert_eq!(
            of("From: \"a b\"@example.org\n"),
            Err(AuthorError::Address(AddressError::BadLocal))
        );
        assert_eq!(
            of("From: änna@example.org\n"),
            Err(AuthorError::Address(AddressError::InternationalLocal))
        );
    }
}
