//! Which part of a mail is read, and what stands in its way. The first text part with visible characters at any depth,
//! else HTML (MAIL-12); attachments and forwarded mails never. It refuses to know which of the text is new.

use crate::mail::charset;
use crate::mail::flowed;
use crate::mail::html;
use crate::mail::mime::PartBytes;
use crate::mail::newtext::Cut;
use crate::mail::report::Report;
use crate::mail::transfer;

/// Most bytes of text that are looked at; what is behind is not read (MAIL-16).
const TEXT_MAX: usize = 1024 * 1024;

/// What is to be read of a mail.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Body {
    /// The chosen part as text, lines ended by LF; format=flowed undone (MAIL-14), HTML turned into text, invisible
    /// characters and odd blanks cleaned away.
    pub text: String,
    /// Where the text comes from.
    pub part: Part,
    /// Why there is no text, if something sealed is in its place (MAIL-17).
    pub sealed: Option<Sealed>,
    /// What was cut already while HTML became text (MAIL-13).
    pub(crate) cuts: Vec<Cut>,
    /// The machine-readable part of a report, where the mail is one.
    pub(crate) report: Option<Report>,
    /// The mail carries a calendar message (RFC 5546).
    pub(crate) calendar: bool,
    /// The mail is a bare reaction, an emoji sent in answer to a letter.
    pub(crate) reaction: bool,
}

/// The part that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Part {
    /// text/plain.
    Plain,
    /// text/html.
    Html,
    /// There is nothing to read.
    #[default]
    Nothing,
}

impl Part {
    /// A name for `explain`.
    pub fn name(self) -> &'static str {
        match self {
            Part::Plain => "text/plain",
            Part::Html => "text/html",
            Part::Nothing => "nothing",
        }
    }
}

/// A body that cannot be looked into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sealed {
    /// S/MIME with the text inside the signature.
    OpaqueSigned,
    /// Encrypted, by S/MIME or OpenPGP.
    Encrypted,
    /// Outlook's winmail.dat.
    Winmail,
}

impl Sealed {
    /// A name for `explain` and for looking up the sentence that says it.
    pub fn name(self) -> &'static str {
        match self {
            Sealed::OpaqueSigned => "opaque-signed",
            Sealed::Encrypted => "encrypted",
            Sealed::Winmail => "winmail",
        }
    }
}

impl Body {
    /// Chooses among the parts, given depth first.
    pub(crate) fn choose(parts: &[PartBytes<'_>]) -> Body {
        let mut body = Body {
            sealed: parts.iter().find_map(sealed),
            report: Report::find(parts),
            calendar: parts.iter().any(calendar),
            reaction: parts
                .iter()
                .any(|p| p.kind == "text/vnd.google.email-reaction+json"),
            ..Body::default()
        };
        // MAIL-12: visible characters count, not presence; of several text parts the first.
        for part in parts
            .iter()
            .filter(|p| p.kind == "text/plain" && to_read(p, parts.len()))
        {
            let text = characters(part);
            let flowed = part
                .param("format")
                .is_some_and(|f| f.eq_ignore_ascii_case("flowed"));
            let delsp = part
                .param("delsp")
                .is_some_and(|d| d.eq_ignore_ascii_case("yes"));
            // MAIL-14: before anybody looks for quotes.
            let text = charset::clean(&if flowed {
                flowed::unflow(&text, delsp)
            } else {
                text
            });
            if charset::visible(&text) {
                (body.text, body.part, body.sealed) = (text, Part::Plain, None);
                return body;
            }
        }
        for part in parts
            .iter()
            .filter(|p| p.kind == "text/html" && to_read(p, parts.len()))
        {
            let (text, cuts) = html::to_text(&characters(part));
            let text = charset::clean(&text);
            if charset::visible(&text) || !cuts.is_empty() {
                (body.text, body.part, body.cuts, body.sealed) = (text, Part::Html, cuts, None);
                return body;
            }
        }
        body
    }
}

/// Attachments are not read; a text with a file name is one too, unless it is all there is.
fn to_read(part: &PartBytes<'_>, parts: usize) -> bool {
    !part.attachment && (part.filename.is_none() || parts == 1)
}

fn characters(part: &PartBytes<'_>) -> String {
    // Encodings make text longer, by three at most: limit the work first, then the result.
    let bytes = transfer::decode(
        part.bytes.get(..3 * TEXT_MAX).unwrap_or(part.bytes),
        &part.encoding,
    );
    charset::decode(
        bytes.get(..TEXT_MAX).unwrap_or(&bytes),
        part.param("charset"),
    )
}

fn sealed(part: &PartBytes<'_>) -> Option<Sealed> {
    match part.kind.as_str() {
        "multipart/encrypted" | "application/pgp-encrypted" => Some(Sealed::Encrypted),
        "application/pkcs7-mime" | "application/x-pkcs7-mime" => match part.param("smime-type") {
            Some(t) if t.eq_ignore_ascii_case("signed-data") => Some(Sealed::OpaqueSigned),
            _ => Some(Sealed::Encrypted),
        },
        "application/ms-tnef" | "application/vnd.ms-tnef" => Some(Sealed::Winmail),
        _ if part
            .filename
            .as_deref()
            .is_some_and(|f| f.eq_ignore_ascii_case("winmail.dat")) =>
        {
            Some(Sealed::Winmail)
        }
        _ => None,
    }
}

/// A calendar message has a method (RFC 5546 section 3.2); a calendar file sent along has none of our business.
fn calendar(part: &PartBytes<'_>) -> bool {
    part.kind == "text/calendar" && part.param("method").is_some() && !part.attachment
}
