//! What the mail server in front of us thinks of the author: the verdict of the Authentication-Results on top of the
//! mail (RFC 8601, MAIL-25). It knows which headers can be believed; it refuses to know players and tokens.
//!
//! Everything below the Received of the border was written by the sender or can have been. So the block that is believed
//! starts at the top, passes hand-overs inside our own mail system (`hops`), and ends at the border, or at the first
//! Received below a result that is believed. All results of trusted servers in it are merged (Fastmail spreads one
//! verdict over four fields).
//!
//! Some servers write their results *below* their own border Received, where a sender could have written them too
//! (Gmail; Postfix with some milters). Those are not believed there. Gmail repeats them as ARC-Authentication-Results
//! (RFC 8617 section 4.1.1) above it, and these are believed like the others.

mod hops;
mod lexer;

use crate::mail::incoming::Incoming;
use lexer::{Method, Results};

/// The verdict about the From address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// A trusted server says that the domain of From stands behind this mail.
    Pass,
    /// A trusted server says `dmarc=fail`.
    Fail,
    /// Nobody we trust says anything that proves the author.
    None,
}

impl Proof {
    /// The name in `explain --json`.
    pub fn name(self) -> &'static str {
        match self {
            Proof::Pass => "pass",
            Proof::Fail => "fail",
            Proof::None => "none",
        }
    }
}

/// Judges a mail. `trusted` are authserv-ids, exact or as `*.domain`.
///
/// An explicit `dmarc=fail` wins over everything. Else `dmarc=pass` for the domain of From, or `dkim=pass` of that
/// domain or one above it, passes. A field that looks as if somebody's text had broken out of a comment can only fail.
pub fn judge(mail: &Incoming, trusted: &[String]) -> Proof {
    let mut block: Vec<Results> = Vec::new();
    for (name, value) in mail.fields.iter() {
        match name {
            "received" if !block.is_empty() || !hops::inside(value) => break,
            "authentication-results" => block.extend(Results::read(value)),
            // RFC 8617: `i=1; authserv-id; results`.
            "arc-authentication-results" => {
                let rest = value
                    .trim_start()
                    .strip_prefix("i=")
                    .and_then(|v| v.split_once(';'));
                block.extend(rest.and_then(|(_, v)| Results::read(v)));
            }
            _ => continue,
        }
        block.retain(|r| trusted.iter().any(|t| matches_id(t, &r.authserv)));
    }
    let all = || block.iter().flat_map(|r| &r.results);
    if all().any(|m| m.method == "dmarc" && m.result == "fail") {
        return Proof::Fail;
    }
    let Ok(from) = &mail.from else {
        return Proof::None;
    };
    if block.iter().any(|r| r.suspicious) {
        return Proof::None;
    }
    let dmarc: Vec<&Method> = all().filter(|m| m.method == "dmarc").collect();
    let dmarc_pass = !dmarc.is_empty()
        && dmarc
            .iter()
            .all(|m| m.result == "pass" && is_for(m, from.domain()));
    let dkim_pass =
        all().any(|m| m.method == "dkim" && m.result == "pass" && aligned(m, from.domain()));
    if dmarc_pass || dkim_pass {
        Proof::Pass
    } else {
        Proof::None
    }
}

fn matches_id(trusted: &str, authserv: &str) -> bool {
    let trusted = trusted.trim().to_ascii_lowercase();
    match trusted.strip_prefix("*.") {
        Some(domain) => authserv
            .strip_suffix(domain)
            .is_some_and(|host| host.len() > 1 && host.ends_with('.')),
        None => trusted == authserv,
    }
}

fn property<'a>(method: &'a Method, name: &str) -> Vec<&'a str> {
    method
        .properties
        .iter()
        .filter(|(n, _)| n == name)
        .map(|(_, v)| v.as_str())
        .collect()
}

/// A verdict of DMARC names the domain of From; one about another From (of another reading of the field) is not about
/// our author. Without the name it is believed.
fn is_for(method: &Method, domain: &str) -> bool {
    let named = property(method, "header.from");
    named.iter().all(|v| {
        v.rsplit('@')
            .next()
            .unwrap_or(v)
            .trim_end_matches('.')
            .eq_ignore_ascii_case(domain)
    })
}

/// The signing domain is that of From or one above it: who signs for example.org may speak for team.example.org. The
/// other way, which DMARC allows too, needs the list of public suffixes to be safe, and is not needed by any provider.
fn aligned(method: &Method, domain: &str) -> bool {
    // Gmail names the signing identity alone; its domain is the signing domain or below it (RFC 6376 section 3.5).
    let mut signers = property(method, "header.d");
    if signers.is_empty() {
        signers = property(method, "header.i");
    }
    let [signer] = signers.as_slice() else {
        return false;
    };
    let signer = signer.rsplit('@').next().unwrap_or(signer);
    let signer = signer.trim_end_matches('.').to_ascii_lowercase();
    let above = domain
        .strip_suffix(signer.as_str())
        .is_some_and(|host| host.ends_with('.'));
    signer == domain || (above && signer.contains('.'))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const BORDER: &str = "Received: from mail.example.org (mail.example.org [192.0.2.25]) by mx.club.example with ESMTPS; Mon\n";
    const PASS: &str =
        "Authentication-Results: mx.club.example; dmarc=pass header.from=example.org\n";

    fn of(header: &str) -> Proof {
        let from = if header.contains("From:") {
            ""
        } else {
            "From: Anna <anna@example.org>\n"
        };
        let mail = Incoming::read(format!("{header}{from}\nb3-c3\n").as_bytes()).unwrap();
        judge(
            &mail,
            &["mx.club.example".to_owned(), "*.mail.example".to_owned()],
        )
    }

    #[test]
    fn a_trusted_verdict_on_top_passes() {
        assert_eq!(of(PASS), Proof::Pass);
        assert_eq!(of(&format!("{PASS}{BORDER}")), Proof::Pass);
        assert_eq!(
            of("Authentication-Results: MX4.Mail.example 1; dkim=pass header.d=Example.org\n"),
            Proof::Pass
        );
        assert_eq!(
            of(
                "Authentication-Results: mx.club.example; dkim=fail header.d=example.org; dkim=pass header.d=example.org\n"
            ),
            Proof::Pass
        );
    }

    #[test]
    fn a_signing_identity_alone_is_enough() {
        assert_eq!(
            of(
                "Authentication-Results: mx.club.example; dkim=pass header.i=@example.org header.s=a\n"
            ),
            Proof::Pass
        );
    }

    #[test]
    fn a_verdict_spread_over_several_fields_is_merged() {
        let fields = "Authentication-Results: mx.club.example; bimi=none\nAuthentication-Results: mx.club.example; x-tls=pass\n";
        assert_eq!(of(&format!("{fields}{PASS}{BORDER}")), Proof::Pass);
        let fail = "Authentication-Results: mx.club.example; dmarc=fail\n";
        assert_eq!(of(&format!("{PASS}{fail}{BORDER}")), Proof::Fail);
        assert_eq!(of(&format!("{fail}{PASS}{BORDER}")), Proof::Fail);
    }

    #[test]
    fn below_the_border_nobody_is_believed() {
        assert_eq!(of(&format!("{BORDER}{PASS}")), Proof::None);
        let nothing = "Authentication-Results: mx.club.example; dkim=none; dmarc=none\n";
        assert_eq!(of(&format!("{nothing}{BORDER}{PASS}")), Proof::None);
        let hand_over = "Received: from localhost (localhost [127.0.0.1]) by mx.club.example\n";
        assert_eq!(of(&format!("{hand_over}{PASS}{BORDER}")), Proof::Pass);
        assert_eq!(of(&format!("{nothing}{hand_over}{PASS}")), Proof::None);
    }

    #[test]
    fn gmail_is_believed_by_its_arc_field_above_its_border_and_not_below() {
        let top = "Received: by 2002:a05:1 with SMTP id 1; Mon\nX-Received: by 2002:a05:2; Mon\n";
        let border = "Received: from mail.example.org (mail.example.org. [192.0.2.25]) by mx.mail.example with ESMTPS; Mon\n";
        let arc = "ARC-Authentication-Results: i=1; mx.mail.example; dkim=pass header.i=@example.org header.s=s1; dmarc=pass (p=NONE) header.from=example.org\n";
        let below = "Authentication-Results: mx.mail.example; dmarc=pass header.from=example.org\n";
        assert_eq!(of(&format!("{top}{arc}{border}{below}")), Proof::Pass);
        assert_eq!(of(&format!("{top}{border}{arc}{below}")), Proof::None);
    }

    #[test]
    fn another_server_another_domain_or_another_author_proves_nothing() {
        for results in [
            "mx.evil.example; dmarc=pass header.from=example.org",
            "mail.example; dmarc=pass header.from=example.org",
            "evilmail.example; dmarc=pass header.from=example.org",
            "xmx.club.example; dmarc=pass header.from=example.org",
            "mx.club.example; dmarc=pass header.from=evil.example",
            "mx.club.example; dkim=pass header.d=evil.example",
            "mx.club.example; dkim=pass header.d=org",
            "mx.club.example; dkim=pass header.d=le.org",
            "mx.club.example; dkim=pass header.d=sub.example.org",
            "mx.club.example; dkim=pass",
            "mx.club.example; dkim=pass header.i=@evil.example",
            "mx.club.example; dkim=pass header.d=evil.example header.i=@example.org",
            "mx.club.example; dkim=pass header.d=evil.example header.d=example.org",
            "mx.club.example; spf=pass smtp.mailfrom=example.org",
            "mx.club.example; dmarc=pass header.from=example.org; dmarc=none",
        ] {
            assert_eq!(
                of(&format!("Authentication-Results: {results}\n")),
                Proof::None,
                "{results}"
            );
        }
        assert_eq!(
            of(&format!("{PASS}From: a@example.org, b@example.org\n")),
            Proof::None
        );
    }

    #[test]
    fn text_of_the_sender_inside_comments_and_quotes_proves_nothing() {
        for results in [
            "mx.club.example; spf=pass (of dmarc=pass) smtp.mailfrom=x",
            "mx.club.example; spf=pass smtp.mailfrom=\"x; dmarc=pass\"@evil.example",
            "mx.club.example; spf=pass (of \"a) ; dmarc=pass (b\"@evil.example) smtp.mailfrom=x",
            "mx.club.example; spf=pass (of \"x\\\"a) ; dmarc=pass (b\\\"y\"@evil.example) smtp.mailfrom=x",
            "mx.club.example; spf=pass (open; dmarc=pass",
            "mx.club.example (x; dmarc=pass",
        ] {
            assert_eq!(
                of(&format!("Authentication-Results: {results}\n")),
                Proof::None,
                "{results}"
            );
        }
    }
}
