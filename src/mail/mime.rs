//! The parts of a mail (RFC 2045, RFC 2046), found within limits (SEC-10, MAIL-16): a tree taken apart line by line,
//! lenient where real programs are sloppy. It knows where a part begins and ends and what it calls itself; it refuses
//! to choose or decode any.

use mail_parser::{ContentType, HeaderName, MessageParser};

use crate::mail::fields::Fields;
use crate::mail::incoming::Unreadable;

/// Deepest nesting of multiparts (SEC-10).
const DEPTH_MAX: usize = 10;
/// Most parts in one mail (SEC-10).
const PARTS_MAX: usize = 50;

/// One part, still encoded.
#[derive(Debug)]
pub(crate) struct PartBytes<'a> {
    /// `text/plain` and so on, in lower case.
    pub(crate) kind: String,
    /// Parameters of the Content-Type, names in lower case.
    pub(crate) params: Vec<(String, String)>,
    /// Content-Transfer-Encoding.
    pub(crate) encoding: String,
    /// It is to be shown beside the text, not in it.
    pub(crate) attachment: bool,
    /// The name of the file it would be saved as.
    pub(crate) filename: Option<String>,
    /// Its bytes; for a multipart everything inside it.
    pub(crate) bytes: &'a [u8],
}

impl PartBytes<'_> {
    /// The parameter of the Content-Type with this name.
    pub(crate) fn param(&self, name: &str) -> Option<&str> {
        self.params
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, v)| v.as_str())
    }
}

/// All parts, depth first; a multipart stands before what is in it.
pub(crate) fn parts<'a>(fields: &Fields, body: &'a [u8]) -> Result<Vec<PartBytes<'a>>, Unreadable> {
    let mut found = Vec::new();
    walk(fields, body, 0, "text/plain", &mut found)?;
    Ok(found)
}

fn walk<'a>(
    fields: &Fields,
    body: &'a [u8],
    depth: usize,
    default: &str,
    found: &mut Vec<PartBytes<'a>>,
) -> Result<(), Unreadable> {
    if depth > DEPTH_MAX {
        return Err(Unreadable::Depth);
    }
    if found.len() >= PARTS_MAX {
        return Err(Unreadable::Parts);
    }
    let part = describe(fields, body, default);
    let boundary = part.param("boundary").unwrap_or("").trim_end().to_owned();
    let multipart = part.kind.starts_with("multipart/");
    let mut pieces = match multipart && !boundary.is_empty() {
        true => split(body, boundary.as_bytes()),
        false => Vec::new(),
    };
    if multipart
        && pieces.is_empty()
        && let Some(boundary) = guess(body)
    {
        pieces = split(body, boundary);
    }
    // A multipart without its boundary: its text is all there is to read.
    let lost = (pieces.is_empty() && multipart).then(|| PartBytes {
        kind: "text/plain".to_owned(),
        params: Vec::new(),
        encoding: part.encoding.clone(),
        attachment: false,
        filename: None,
        bytes: body,
    });
    // RFC 2046 section 5.1.5: in a digest a part is a mail unless it says otherwise.
    let default = if part.kind == "multipart/digest" {
        "message/rfc822"
    } else {
        "text/plain"
    };
    found.push(part);
    found.extend(lost);
    for piece in pieces {
        let (fields, body) = Fields::split(piece);
        walk(&fields, body, depth + 1, default, found)?;
    }
    Ok(())
}

fn describe<'a>(fields: &Fields, bytes: &'a [u8], default: &str) -> PartBytes<'a> {
    let content_type = structured("content-type", fields.first("content-type").unwrap_or(""));
    let disposition = structured(
        "content-disposition",
        fields.first("content-disposition").unwrap_or(""),
    );
    let (kind, params) = match content_type {
        Some(ct) if !ct.ctype().is_empty() => (
            format!("{}/{}", ct.ctype(), ct.subtype().unwrap_or("")).to_ascii_lowercase(),
            params(&ct),
        ),
        _ => (default.to_owned(), Vec::new()),
    };
    let attachment = disposition
        .as_ref()
        .is_some_and(|d| d.ctype().eq_ignore_ascii_case("attachment"));
    let filename = disposition
        .and_then(|d| d.attribute("filename").map(str::to_owned))
        .or_else(|| {
            params
                .iter()
                .find(|(n, _)| n == "name")
                .map(|(_, v)| v.clone())
        });
    let encoding = fields
        .first("content-transfer-encoding")
        .unwrap_or("")
        .to_owned();
    PartBytes {
        kind,
        params,
        encoding,
        attachment,
        filename,
        bytes,
    }
}

fn params(ct: &ContentType<'_>) -> Vec<(String, String)> {
    let all = ct.attributes().unwrap_or(&[]);
    all.iter()
        .map(|a| (a.name.to_ascii_lowercase(), a.value.to_string()))
        .collect()
}

/// A Content-Type or Content-Disposition with its parameters (RFC 2231).
fn structured(name: &str, value: &str) -> Option<ContentType<'static>> {
    if value.is_empty() {
        return None;
    }
    let line = format!("{name}: {value}\r\n\r\n");
    let message = MessageParser::default()
        .parse_headers(line.as_bytes())?
        .into_owned();
    let header = HeaderName::parse(name.to_owned())?;
    message
        .parts
        .into_iter()
        .next()?
        .headers
        .into_iter()
        .find(|h| h.name == header)?
        .value
        .into_content_type()
}

/// The boundary of a multipart that names a wrong one or none: a line of two dashes and more, right above a field of a
/// part.
fn guess(body: &[u8]) -> Option<&[u8]> {
    let mut lines = body
        .split(|&b| b == b'\n')
        .map(<[u8]>::trim_ascii_end)
        .peekable();
    while let Some(line) = lines.next() {
        let field = lines
            .peek()
            .and_then(|l| l.get(..8))
            .is_some_and(|l| l.eq_ignore_ascii_case(b"content-"));
        if let Some(boundary) = line.strip_prefix(b"--").filter(|b| field && b.len() > 1) {
            return Some(boundary);
        }
    }
    None
}

/// The pieces between the boundary lines. What stands before the first and after the last is nobody's (RFC 2046
/// section 5.1.1). A missing last boundary ends with the mail.
fn split<'a>(body: &'a [u8], boundary: &[u8]) -> Vec<&'a [u8]> {
    let mut pieces = Vec::new();
    let mut start = None;
    let mut at = 0;
    for line in body.split_inclusive(|&b| b == b'\n') {
        let next = at + line.len();
        if let Some(rest) = line
            .strip_prefix(b"--")
            .and_then(|l| l.strip_prefix(boundary))
        {
            let rest = rest.trim_ascii_end();
            if rest.is_empty() || rest == b"--" {
                if let Some(from) = start {
                    // The line end before a boundary belongs to the boundary.
                    let piece = body.get(from..at).unwrap_or(&[]);
                    let piece = piece.strip_suffix(b"\n").unwrap_or(piece);
                    pieces.push(piece.strip_suffix(b"\r").unwrap_or(piece));
                }
                start = Some(next);
                if rest == b"--" {
                    return pieces;
                }
            }
        }
        // One more than are allowed is enough to know.
        if pieces.len() > PARTS_MAX {
            return pieces;
        }
        at = next;
    }
    if let Some(piece) = start.and_then(|from| body.get(from..)) {
        pieces.push(piece);
    }
    pieces
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]
    use super::*;

    fn kinds(raw: &str) -> Result<Vec<String>, Unreadable> {
        let (fields, body) = Fields::split(raw.as_bytes());
        Ok(parts(&fields, body)?
            .iter()
            .map(|p| format!("{}:{}", p.kind, String::from_utf8_lossy(p.bytes)))
            .collect())
    }

    #[test]
    fn parts_are_found_though_the_last_boundary_is_missing() {
        let raw = "Content-Type: multipart/mixed; boundary=\"a b\"\n\npre\n--a b \n\none\n--a bc\n--a b\nContent-Type: IMAGE/png; name=x\n\ntwo";
        assert_eq!(
            kinds(raw).unwrap()[1..],
            ["text/plain:one\n--a bc", "image/png:two"]
        );
    }

    #[test]
    fn a_multipart_without_its_boundary_is_read_as_text() {
        for kind in [
            "multipart/mixed",
            "multipart/mixed; boundary=\"\"",
            "multipart/mixed; boundary=x",
        ] {
            assert_eq!(
                kinds(&format!("Content-Type: {kind}\n\nb3-c3")).unwrap()[1..],
                ["text/plain:b3-c3"]
            );
        }
    }

    #[test]
    fn a_wrong_boundary_is_guessed_from_the_body() {
        let raw = "Content-Type: multipart/mixed; boundary=right\n\n--wrong\nContent-Type: text/html\n\nx\n--wrong--\n";
        assert_eq!(kinds(raw).unwrap()[1..], ["text/html:x"]);
    }

    #[test]
    fn many_levels_and_many_parts_are_refused() {
        let mut raw = String::new();
        for level in 0..120 {
            raw += &format!("Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n");
        }
        assert_eq!(kinds(&raw), Err(Unreadable::Depth));
        let wide = format!(
            "Content-Type: multipart/mixed; boundary=b\n\n{}",
            "--b\n\nx\n".repeat(100_000)
        );
        assert_eq!(kinds(&wide), Err(Unreadable::Parts));
    }
}
