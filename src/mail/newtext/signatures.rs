//! What stands below or beside a person's words without being theirs: signatures (MAIL-08), the line that a phone adds,
//! the armour of OpenPGP. It refuses to know quotes.

use crate::mail::newtext::Rule;
use crate::mail::newtext::lines::{Lines, bare};
use crate::mail::newtext::words::PHONE;

/// Longest line, in bytes, that a phone adds.
const PHONE_MAX: usize = 120;

/// Whether the line starts a signature: `-- `, `--`, `--  `, `*-- *` and nothing else. Rows of dashes do not (MAIL-08).
pub(super) fn starts_signature(text: &str) -> bool {
    bare(text) == "--"
}

/// Whether it is the line that a phone adds; the mail may go on below it.
pub(super) fn from_phone(text: &str) -> bool {
    let lower = bare(text).trim_start_matches(['(', '[']).to_lowercase();
    let begins = PHONE.iter().any(|p| lower.starts_with(p));
    begins && lower.len() <= PHONE_MAX
}

/// Cuts the armour of inline OpenPGP; gives back whether the text itself is encrypted.
pub(super) fn cut_armour(lines: &mut Lines) -> bool {
    let starts = |lines: &Lines, at: usize, with: &str| {
        lines.plain(at).is_some_and(|l| l.trim().starts_with(with))
    };
    let Some(begin) = (0..lines.len()).find(|&at| starts(lines, at, "-----BEGIN PGP ")) else {
        return false;
    };
    if starts(lines, begin, "-----BEGIN PGP MESSAGE-----") {
        lines.cut(begin..lines.len(), Rule::Armour);
        return true;
    }
    if !starts(lines, begin, "-----BEGIN PGP SIGNED MESSAGE-----") {
        return false;
    }
    // RFC 9580 section 7: armour headers end with a blank line, and lines that begin with a dash were escaped.
    let text =
        (begin..lines.len()).find(|&at| lines.get(at).is_some_and(|l| l.text.trim().is_empty()));
    let text = text.unwrap_or(lines.len());
    lines.cut(begin..text, Rule::Armour);
    let end = (text..lines.len())
        .find(|&at| starts(lines, at, "-----BEGIN PGP SIGNATURE-----"))
        .unwrap_or(lines.len());
    for at in text..end {
        if let Some(plain) = lines
            .plain(at)
            .and_then(|l| l.strip_prefix("- "))
            .map(str::to_owned)
        {
            lines.replace(at, plain);
        }
    }
    let last = (end..lines.len())
        .find(|&at| starts(lines, at, "-----END PGP SIGNATURE-----"))
        .unwrap_or(lines.len());
    lines.cut(end..last + 1, Rule::Armour);
    false
}
