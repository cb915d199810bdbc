//! The header fields of a mail or of one of its parts, raw and unfolded, in their order. It knows where a header ends
//! and what a field is (RFC 5322 section 2.2); it refuses to know what a field means.

/// The fields in the order of the mail, topmost first. Names are in lower case; values are unfolded, with bytes that
/// are no UTF-8 replaced.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Takes the header off the mail; gives the fields and the body. Lines that are no field are passed over, as
    /// every mail program does (an mbox `From ` line, garbage of a broken gateway).
    pub(crate) fn split(raw: &[u8]) -> (Fields, &[u8]) {
        let mut fields: Vec<(String, Vec<u8>)> = Vec::new();
        let mut rest = raw;
        let mut folding = false;
        loop {
            let (line, after) = match rest.iter().position(|&b| b == b'\n') {
                Some(at) => (
                    rest.get(..at).unwrap_or(&[]),
                    rest.get(at + 1..).unwrap_or(&[]),
                ),
                None => (rest, &[][..]),
            };
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.is_empty() {
                rest = after;
                break;
            }
            if line.first().is_some_and(|b| matches!(b, b' ' | b'\t')) {
                // A fold is white space: kept as one blank, so that unfolded values hold no line ends.
                if let (true, Some((_, value))) = (folding, fields.last_mut()) {
                    value.push(b' ');
                    value.extend_from_slice(line.trim_ascii_start());
                }
            } else if let Some((name, value)) = field(line) {
                fields.push((name, value.to_vec()));
                folding = true;
            } else {
                folding = false;
            }
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
        let fields = fields
            .into_iter()
            .map(|(name, value)| {
                (
                    name,
                    String::from_utf8_lossy(value.trim_ascii()).into_owned(),
                )
            })
            .collect();
        (Fields(fields), rest)
    }

    /// Every value of the field, topmost first. The name is in lower case.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0
            .iter()
            .filter(move |(n, _)| n == name)
            .map(|(_, v)| v.as_str())
    }

    /// The topmost value of the field.
    pub(crate) fn first(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, v)| v.as_str())
    }

    /// All fields, topmost first, as (name in lower case, value).
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(n, v)| (n.as_str(), v.as_str()))
    }

    /// How many fields there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

/// `Name: value`; the name is printable ASCII without blanks (RFC 5322 section 3.6.8), with blanks before the colon
/// tolerated (section 4.5).
fn field(line: &[u8]) -> Option<(String, &[u8])> {
    let colon = line.iter().position(|&b| b == b':')?;
    let name = line.get(..colon)?.trim_ascii_end();
    if name.is_empty() || !name.iter().all(u8::is_ascii_graphic) {
        return None;
    }
    Some((
        String::from_utf8_lossy(name).to_ascii_lowercase(),
        line.get(colon + 1..)?,
    ))
}
