//! Content-Transfer-Encoding undone (RFC 2045 section 6), leniently: what is broken stays as it stands or is left out,
//! and nothing is ever an error. It knows bytes only, no characters.

/// Decodes the body of a part. An unknown encoding leaves the bytes as they are.
pub(crate) fn decode(bytes: &[u8], encoding: &str) -> Vec<u8> {
    match encoding.trim().to_ascii_lowercase().as_str() {
        "base64" => base64(bytes),
        "quoted-printable" => quoted_printable(bytes),
        _ => bytes.to_vec(),
    }
}

/// Everything outside the alphabet is passed over (RFC 2045 section 6.8), padding ends a run, so that pieces encoded
/// one by one and then joined are read too.
fn base64(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0u32);
    for &b in bytes {
        let value = match b {
            b'A'..=b'Z' => b - b'A',
            b'a'..=b'z' => b - b'a' + 26,
            b'0'..=b'9' => b - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => {
                (bits, count) = (0, 0);
                continue;
            }
            _ => continue,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    out
}

fn quoted_printable(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|&b| b == b'\n') {
        let ended = line.ends_with(b"\n");
        // Rule 3: blanks at the end of a line were added on the way.
        let line = line.trim_ascii_end();
        let (line, soft) = match line.strip_suffix(b"=") {
            Some(line) => (line, true),
            None => (line, false),
        };
        let mut rest = line;
        while let Some((&b, after)) = rest.split_first() {
            rest = after;
            let escaped = match (b, after) {
                (b'=', [high, low, ..]) => hex(*high).zip(hex(*low)),
                _ => None,
            };
            match escaped {
                Some((high, low)) => {
                    out.push((high << 4) | low);
                    rest = after.get(2..).unwrap_or(&[]);
                }
                None => out.push(b),
            }
        }
        if ended && !soft {
            out.push(b'\n');
        }
    }
    out
}

fn hex(b: u8) -> Option<u8> {
    (b as char).to_digit(16).map(|d| d as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_printable_with_soft_breaks_padding_and_bad_escapes_is_read() {
        assert_eq!(
            decode(b"b3=2Dc3=\r\n d4 \t\r\n=ZZ=\n==3D", "Quoted-Printable"),
            b"b3-c3 d4\n=ZZ=="
        );
    }

    #[test]
    fn base64_with_junk_joined_pieces_and_a_missing_tail_is_read() {
        assert_eq!(decode(b"YjMt\r\n!YzM=\r\nYjMtYzM", "BASE64"), b"b3-c3b3-c3");
        assert_eq!(decode(b"", "base64"), b"");
        assert_eq!(decode(b"x", "8bit"), b"x");
    }
}
