//! Whether a machine wrote the mail (MAIL-20, MAIL-21, IN-13). Such a mail is never executed and never answered; two
//! robots that answer each other never stop. It refuses to know who is a member.

use crate::mail::address::Address;
use crate::mail::fields::Fields;
use crate::mail::incoming::Incoming;
use crate::mail::token::Token;

/// What kind of automatic mail it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Automatic {
    /// An answer of a vacation notice or another robot.
    AutoReply,
    /// A report that a mail could not be delivered, or is late.
    Bounce(Bounce),
    /// Mail of a list or in bulk.
    List,
    /// A read receipt.
    ReadReceipt,
    /// Our own mail come back.
    Own,
    /// A calendar message.
    Calendar,
    /// From an address that nobody reads.
    NoReply,
    /// An emoji sent as a reaction.
    Reaction,
}

impl Automatic {
    /// The name in `explain --json`.
    pub fn name(&self) -> &'static str {
        match self {
            Automatic::AutoReply => "auto-reply",
            Automatic::Bounce(_) => "bounce",
            Automatic::List => "list",
            Automatic::ReadReceipt => "read-receipt",
            Automatic::Own => "own",
            Automatic::Calendar => "calendar",
            Automatic::NoReply => "no-reply",
            Automatic::Reaction => "reaction",
        }
    }
}

/// What a delivery report says, as far as it can be read (RFC 3464). Anybody can write one: believe it only about a
/// mail that was sent to this very address.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bounce {
    /// The address that could not be reached.
    pub recipient: Option<Address>,
    /// Message-ID of the mail that came back, without angle brackets.
    pub message_id: Option<String>,
    /// The status code, such as `5.1.1` (RFC 3463).
    pub status: Option<String>,
    /// Whether delivery has ended without success: action "failed". A report of a delay says something else.
    pub failed: bool,
    /// What the server said, as far as the report tells.
    pub diagnosis: Option<String>,
    /// Tokens of a letter in what came back. Nothing of them is proved.
    pub tokens: Vec<Token>,
}

/// Tells automatic mail. `own` are our own addresses; their plus addresses are ours too.
///
/// An incoming X-Auto-Response-Suppress and `Auto-Submitted: no` say nothing (MAIL-21), nor does a missing author:
/// [`Incoming::from`] tells that apart.
pub fn automatic(mail: &Incoming, own: &[String]) -> Option<Automatic> {
    let fields = &mail.fields;
    if is_own(mail, own) {
        return Some(Automatic::Own);
    }
    // The report says most, so it is asked before the headers that come with it.
    if let Some(report) = &mail.body.report {
        if report.receipt {
            return Some(Automatic::ReadReceipt);
        }
        return Some(Automatic::Bounce(Bounce {
            recipient: report.recipient.clone(),
            message_id: report.message_id.clone(),
            status: report.status.clone(),
            failed: report.action.as_deref() == Some("failed"),
            diagnosis: report.diagnosis.clone(),
            tokens: report.tokens.clone(),
        }));
    }
    let local = mail
        .from
        .as_ref()
        .map(|a| a.local().to_ascii_lowercase())
        .unwrap_or_default();
    let empty_sender = fields
        .all("return-path")
        .any(|v| v.trim() == "<>" || v.trim().is_empty());
    if fields.first("x-failed-recipients").is_some() || is_mailer(&local) {
        let recipient = fields
            .first("x-failed-recipients")
            .and_then(|v| Address::parse(v).ok());
        return Some(Automatic::Bounce(Bounce {
            recipient,
            ..Bounce::default()
        }));
    }
    if mail.body.calendar {
        return Some(Automatic::Calendar);
    }
    if mail.body.reaction {
        return Some(Automatic::Reaction);
    }
    if is_list(fields) {
        return Some(Automatic::List);
    }
    if empty_sender || is_auto_reply(fields) {
        return Some(Automatic::AutoReply);
    }
    is_no_reply(&local).then_some(Automatic::NoReply)
}

/// From one of our addresses, or through our own loop header (MAIL-23).
fn is_own(mail: &Incoming, own: &[String]) -> bool {
    let own: Vec<Address> = own.iter().filter_map(|o| Address::parse(o).ok()).collect();
    let ours = |text: &str| Address::parse(text).is_ok_and(|a| own.iter().any(|o| o.covers(&a)));
    mail.from
        .as_ref()
        .is_ok_and(|from| own.iter().any(|o| o.covers(from)))
        || mail
            .fields
            .all("x-loop")
            .any(|v| v.split_ascii_whitespace().any(ours))
}

/// First word of a value, in lower case, without what follows a semicolon or a comment.
fn word(value: &str) -> String {
    let end = value
        .find(|c: char| c == ';' || c == '(' || c == ',' || c.is_whitespace())
        .unwrap_or(value.len());
    value.get(..end).unwrap_or("").to_ascii_lowercase()
}

fn is_auto_reply(fields: &Fields) -> bool {
    // RFC 3834 section 5; `no` and an empty value are a person's.
    fields.all("auto-submitted").map(word).any(|w| !w.is_empty() && w != "no")
        || fields.all("precedence").map(word).any(|w| w == "auto_reply")
        || fields.iter().any(|(name, _)| {
            matches!(
                name,
                "x-autoreply" | "x-auto-reply" | "x-autorespond" | "x-autoresponder" | "x-autoresponse" | "x-autogenerated"
                    | "x-autoreply-from" | "x-autoreply-domain" | "x-mail-autoreply" | "x-auto-replied" | "x-autosubmitted"
                    | "x-vacation"
            )
        })
        // Vacation notices of old gave themselves away so and in no other field.
        || fields.all("precedence").map(word).any(|w| matches!(w.as_str(), "bulk" | "junk"))
}

fn is_list(fields: &Fields) -> bool {
    fields.all("precedence").map(word).any(|w| w == "list")
        || fields.iter().any(|(name, _)| {
            name.starts_with("list-") || name == "x-mailing-list" || name == "mailing-list"
        })
}

/// Local parts that bounces come from.
fn is_mailer(local: &str) -> bool {
    matches!(
        local,
        "mailer-daemon" | "mailerdaemon" | "mail-daemon" | "postmaster" | "microsoftexchange"
    ) || local.starts_with("mailer-daemon")
        || local.starts_with("microsoftexchange329e71ec88ae4615bbc36ab6ce41109e")
}

/// Local parts that nobody reads, and those of list machines.
fn is_no_reply(local: &str) -> bool {
    let squeezed: String = local
        .chars()
        .filter(|c| !matches!(c, '-' | '_' | '.'))
        .collect();
    squeezed.starts_with("noreply")
        || squeezed.starts_with("donotreply")
        || squeezed.ends_with("noreply")
        || squeezed.ends_with("donotreply")
        || local.ends_with("-bounces")
        || local.contains("-bounces+")
        || local.ends_with("-request")
        || local.starts_with("owner-")
        || local.ends_with("-owner")
        || local.starts_with("bounce+")
        || local.starts_with("bounces+")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn kind(header: &str) -> Option<&'static str> {
        let from = if header.to_lowercase().contains("from:") {
            ""
        } else {
            "From: anna@example.org\n"
        };
        let mail = Incoming::read(format!("{from}{header}\n\nb3-c3\n").as_bytes()).unwrap();
        automatic(&mail, &["dvonn@club.example".to_owned()]).map(|a| a.name())
    }

    #[test]
    fn every_sign_of_a_machine_is_enough() {
        for (header, name) in [
            ("Return-Path: <>", "auto-reply"),
            ("Auto-Submitted: auto-replied (vacation)", "auto-reply"),
            ("Auto-Submitted: auto-generated; x=y", "auto-reply"),
            ("Precedence: bulk", "auto-reply"),
            ("Precedence: junk", "auto-reply"),
            ("Precedence: Auto_Reply", "auto-reply"),
            ("Precedence: list", "list"),
            ("List-Id: <x>", "list"),
            ("List-Unsubscribe: <mailto:x>", "list"),
            ("X-Autoreply: yes", "auto-reply"),
            ("X-Autorespond:", "auto-reply"),
            ("X-AutoReply-From: x", "auto-reply"),
            ("X-Failed-Recipients: ben@example.org", "bounce"),
            ("From: MAILER-DAEMON@example.org", "bounce"),
            ("From: postmaster@example.org", "bounce"),
            ("From: No_Reply@example.org", "no-reply"),
            ("From: chess-bounces@example.org", "no-reply"),
            ("From: shop.donotreply@example.org", "no-reply"),
            ("From: Dvonn+12.3.w.x@Club.example", "own"),
            ("X-Loop: dvonn@club.example", "own"),
            ("Content-Type: text/calendar; method=REPLY", "calendar"),
            ("Content-Type: multipart/report; boundary=x", "bounce"),
            (
                "Content-Type: multipart/report; report-type=disposition-notification; boundary=x",
                "read-receipt",
            ),
        ] {
            assert_eq!(kind(header), Some(name), "{header}");
        }
    }

    #[test]
    fn what_only_looks_like_a_machine_is_a_person() {
        for header in [
            "Auto-Submitted: no",
            "Auto-Submitted: No (really)",
            "X-Auto-Response-Suppress: All",
            "Precedence: first-class",
            "Return-Path: <anna@example.org>",
            "X-Loop: someone@example.org",
            "From: norepa@example.org",
            "Content-Type: text/calendar",
        ] {
            assert_eq!(kind(header), None, "{header}");
        }
    }

    #[test]
    fn a_delayed_mail_is_no_lasting_failure_and_the_failed_recipient_is_named() {
        let report = |groups: &str| {
            let raw = format!(
                "From: MAILER-DAEMON@x.example\nContent-Type: multipart/report; boundary=b\n\n--b\n\ntext\n--b\n\
                 Content-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\n{groups}\n--b--\n"
            );
            match automatic(&Incoming::read(raw.as_bytes()).unwrap(), &[]) {
                Some(Automatic::Bounce(bounce)) => bounce,
                other => panic!("{other:?}"),
            }
        };
        let delayed =
            report("Final-Recipient: rfc822; ben@example.org\nAction: delayed\nStatus: 4.4.1\n");
        assert!(!delayed.failed);
        let failed = report(
            "Final-Recipient: rfc822; a@example.org\nAction: delivered\n\nFinal-Recipient: RFC822;<b@example.org>\n\
             Action: failed\nStatus: 5.1.1 (unknown)\n",
        );
        assert_eq!(
            failed.recipient.map(|a| a.to_string()).as_deref(),
            Some("b@example.org")
        );
        assert_eq!(
            (failed.failed, failed.status.as_deref()),
            (true, Some("5.1.1"))
        );
    }
}
