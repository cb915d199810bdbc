//! Names of members: unique without regard to case and accents, and never taken for the club or an address.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::club::refusal::BadName;

/// Longest name, in characters.
pub const LONGEST: usize = 32;

/// Names that a reader would take for the club itself.
const RESERVED: [&str; 6] = [
    "admin",
    "club",
    "dvonn",
    "dvonn-post",
    "postmaster",
    "server",
];

/// What makes two names the same: no case, no accents, blanks folded.
#[must_use]
pub fn key(name: &str) -> String {
    let plain: String = name.nfkd().filter(|c| !is_combining_mark(*c)).collect();
    plain
        .to_lowercase()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// A name as it may be shown: control, direction and zero-width characters out, blanks folded, composed.
#[must_use]
pub fn clean(name: &str) -> String {
    let visible: String = name
        .nfc()
        .map(|c| if c.is_control() { ' ' } else { c })
        .filter(|c| !is_hidden(*c))
        .collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks a name that a member wishes for.
///
/// # Errors
/// Why it cannot be used.
pub fn check(name: &str) -> Result<String, BadName> {
    let name = clean(name);
    if !name.chars().any(char::is_alphanumeric) {
        return Err(BadName::Empty);
    }
    if name.chars().count() > LONGEST {
        return Err(BadName::TooLong);
    }
    if name.contains('@') {
        return Err(BadName::Address);
    }
    if RESERVED.contains(&key(&name).as_str()) {
        return Err(BadName::Reserved);
    }
    Ok(name)
}

/// A usable name for a newcomer from what stood in From: the display name, else the local part of the address.
#[must_use]
pub fn for_newcomer(display: &str, address: &str) -> String {
    let local = address.split('@').next().unwrap_or_default();
    let short = |name: &str| {
        clean(name)
            .chars()
            .take(LONGEST - 3)
            .collect::<String>()
            .trim()
            .to_owned()
    };
    [short(display), short(local)]
        .into_iter()
        .find_map(|name| check(&name).ok())
        .unwrap_or_else(|| "Player".to_owned())
}

/// What all names begin with that [`free`] may choose for a wish; `taken` holds the keys that begin so.
#[must_use]
pub fn stem(wish: &str) -> String {
    let stem: String = wish.chars().take(LONGEST - 6).collect();
    stem.trim_end().to_owned()
}

/// The wished name, or the first of `Anna 2`, `Anna 3` … whose key is free.
#[must_use]
pub fn free(wish: &str, taken: &[String]) -> String {
    let is_free = |name: &str| !taken.contains(&key(name));
    if is_free(wish) {
        return wish.to_owned();
    }
    let stem = stem(wish);
    (2u32..)
        .map(|n| format!("{stem} {n}"))
        .find(|name| is_free(name))
        .unwrap_or_else(|| wish.to_owned())
}

fn is_hidden(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_accents_make_no_difference() {
        assert_eq!(key("Žofie  NOVÁ"), key("zofie nova"));
        assert_ne!(key("Anna"), key("Ana"));
    }

    #[test]
    fn a_taken_name_gets_a_number() {
        let taken = vec![key("Anna"), key("Anna 2")];
        assert_eq!(free("ánna", &taken), "ánna 3");
        assert_eq!(free("Ben", &taken), "Ben");
    }

    #[test]
    fn a_long_taken_name_stays_short_enough() {
        let long = "x".repeat(LONGEST);
        let name = free(&long, &[key(&long)]);
        assert!(name.chars().count() <= LONGEST && name.ends_with(" 2"));
    }

    #[test]
    fn direction_tricks_and_line_breaks_leave_a_name() {
        assert_eq!(
            check("Anna\u{202e}\r\nBcc: x").as_deref(),
            Ok("Anna Bcc: x")
        );
        assert_eq!(check("\u{200b}"), Err(BadName::Empty));
        assert_eq!(check("Club"), Err(BadName::Reserved));
        assert_eq!(check("a@b.example"), Err(BadName::Address));
    }

    #[test]
    fn a_newcomer_without_a_display_name_is_called_after_the_address() {
        assert_eq!(for_newcomer("", "ben.hale@example.org"), "ben.hale");
        assert_eq!(for_newcomer("Ben Hale", "b@example.org"), "Ben Hale");
        assert_eq!(
            for_newcomer("ben@example.org", "admin@example.org"),
            "Player"
        );
    }
}
