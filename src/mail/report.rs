//! The machine-readable part of delivery reports and read receipts (RFC 3464, RFC 8098): whom it is about, which mail,
//! how final. It refuses to know what is done about it.

use crate::mail::address::Address;
use crate::mail::charset;
use crate::mail::fields::Fields;
use crate::mail::mime::PartBytes;
use crate::mail::thread;
use crate::mail::token::Token;
use crate::mail::transfer;

/// Most of a report that is looked at, in bytes.
const REPORT_MAX: usize = 64 * 1024;

/// What a multipart/report says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Report {
    /// It is a read receipt (RFC 8098), not a delivery report.
    pub(crate) receipt: bool,
    /// Final-Recipient of the first recipient that failed, else of the first.
    pub(crate) recipient: Option<Address>,
    /// Message-ID of the mail it is about, without angle brackets.
    pub(crate) message_id: Option<String>,
    /// Status code.
    pub(crate) status: Option<String>,
    /// Action, in lower case.
    pub(crate) action: Option<String>,
    /// Diagnostic-Code: what the server said.
    pub(crate) diagnosis: Option<String>,
    /// Tokens of a letter in what comes back with it. Nothing of them is proved.
    pub(crate) tokens: Vec<Token>,
}

impl Report {
    /// Reads the report out of the parts of a mail, if there is one in them.
    pub(crate) fn find(parts: &[PartBytes<'_>]) -> Option<Report> {
        let root = parts.first()?;
        let mut report = Report::default();
        let mut found = root.kind == "multipart/report";
        report.receipt = root
            .param("report-type")
            .is_some_and(|t| t.eq_ignore_ascii_case("disposition-notification"));
        for part in parts {
            let kind = part.kind.as_str();
            match kind {
                "message/delivery-status" | "message/global-delivery-status" => {
                    found = true;
                    report.delivery(&text(part));
                }
                "message/disposition-notification" | "message/global-disposition-notification" => {
                    found = true;
                    report.receipt = true;
                    let (fields, _) = Fields::split(text(part).as_bytes());
                    report.message_id = fields
                        .first("original-message-id")
                        .and_then(|v| ids(v).into_iter().next());
                }
                // Only inside a report: elsewhere such a part is a forwarded mail.
                "message/rfc822"
                | "message/global"
                | "text/rfc822-headers"
                | "message/rfc822-headers"
                    if found =>
                {
                    let text = text(part);
                    report.tokens.extend(thread::tokens_in(&text));
                    let (fields, _) = Fields::split(text.as_bytes());
                    if report.message_id.is_none() {
                        report.message_id = fields
                            .first("message-id")
                            .and_then(|v| ids(v).into_iter().next());
                    }
                }
                _ => {}
            }
        }
        found.then_some(report)
    }

    /// RFC 3464 section 2: groups of fields, one for the mail and one for each recipient, blank lines between.
    fn delivery(&mut self, text: &str) {
        for group in text.replace("\r\n", "\n").split("\n\n") {
            let (fields, _) = Fields::split(group.trim_start().as_bytes());
            let Some(recipient) = fields
                .first("final-recipient")
                .or(fields.first("original-recipient"))
            else {
                continue;
            };
            let action = fields
                .first("action")
                .map(|a| a.trim().to_ascii_lowercase());
            let failed = action.as_deref() == Some("failed");
            if self.recipient.is_some() && !(failed && self.action.as_deref() != Some("failed")) {
                continue;
            }
            let typed = |value: &str| Address::parse(value.rsplit(';').next().unwrap_or("")).ok();
            // The original recipient is the address that we wrote to; the final one may be an alias behind it.
            self.recipient = fields
                .first("original-recipient")
                .and_then(typed)
                .or_else(|| typed(recipient));
            self.action = action;
            let status = |s: &str| s.split_ascii_whitespace().next().map(str::to_owned);
            self.status = fields.first("status").and_then(status);
            self.diagnosis = fields.first("diagnostic-code").map(str::to_owned);
        }
    }
}

fn text(part: &PartBytes<'_>) -> String {
    let bytes = part.bytes.get(..REPORT_MAX).unwrap_or(part.bytes);
    charset::decode(&transfer::decode(bytes, &part.encoding), None)
}

/// The ids `<…>` in a field, without their brackets. Ids that are no plain ASCII or absurdly long are nobody's.
pub(crate) fn ids(value: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for piece in value.split('<').skip(1).take(200) {
        if let Some((id, _)) = piece.split_once('>') {
            // Some programs fold inside an id.
            let id: String = id.split_ascii_whitespace().collect();
            if !id.is_empty() && id.len() <= 900 && id.bytes().all(|b| b.is_ascii_graphic()) {
                found.push(id);
            }
        }
    }
    found
}
