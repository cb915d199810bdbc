//! Where our own mail system ends in a header: every Received is one hop, and the first that took the mail from outside
//! is the border. It knows the shapes of Received (RFC 5321 section 4.4); it refuses to know verdicts.

use std::net::IpAddr;

/// Whether this hop stayed inside our mail system.
///
/// The name in `by` proves nothing, since the border writes it too, and the name after `from` is whatever the sender
/// greeted with. So a hop counts as inside only when
/// - it has no `from` at all (Gmail's and qmail's inner hand-overs): a mail from outside always has one; or
/// - every network address in its `from` part is a loopback or private one, and there is one; or
/// - it came by LMTP, the protocol of local delivery, without any public address;
///
/// and never when the sender had logged in (ESMTPA, ESMTPSA): that is a user, who may forge what he likes.
/// Everything else is the border. In doubt the block of headers that is believed ends early, and the player is asked.
pub(super) fn inside(received: &str) -> bool {
    let lower = received.trim().to_ascii_lowercase();
    let protocol = word_after(&lower, "with");
    if matches!(
        protocol,
        "esmtpa" | "esmtpsa" | "lmtpa" | "lmtpsa" | "utf8smtpa" | "utf8smtpsa"
    ) {
        return false;
    }
    let Some(from) = lower.strip_prefix("from ") else {
        // `by …`, or qmail's `(qmail 123 invoked by uid 1)`.
        return !lower.contains(" from ") && (lower.starts_with("by ") || lower.starts_with('('));
    };
    let from = from.split_once(" by ").map_or(from, |(part, _)| part);
    let addresses: Vec<IpAddr> = from
        .split(|c: char| {
            c.is_whitespace()
                || matches!(c, '[' | ']' | '(' | ')' | '=' | ',' | ';' | '<' | '>' | '@')
        })
        .filter_map(|w| w.trim_start_matches("ipv6:").parse().ok())
        .collect();
    match addresses.is_empty() {
        true => matches!(protocol, "lmtp" | "lmtps"),
        false => addresses.iter().all(private),
    }
}

fn word_after<'a>(text: &'a str, word: &str) -> &'a str {
    let mut words = text.split_ascii_whitespace();
    words.by_ref().find(|w| *w == word);
    words.next().unwrap_or("")
}

fn private(address: &IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => v4.is_loopback() || v4.is_private() || v4.is_link_local(),
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => private(&IpAddr::V4(v4)),
            None => v6.is_loopback() || v6.is_unique_local() || v6.is_unicast_link_local(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_overs_inside_a_mail_system_are_told_from_its_border() {
        for hop in [
            "by 2002:a05:6402:350a:b0:5d0:c697:1f02 with SMTP id b10csp1; Mon, 30 Nov 2026",
            "from mx4 ([10.202.2.203]) by compute4.internal (LMTPProxy); Mon",
            "from localhost (localhost [127.0.0.1]) by mx.club.example (Postfix)",
            "from mx.club.example by mail.club.example with LMTP id x; Mon",
            "from mx (unknown [IPv6:fd00::1]) by mail with ESMTP",
            "(qmail 123 invoked by uid 89); Mon",
        ] {
            assert!(inside(hop), "{hop}");
        }
        for hop in [
            "from mail.example.org (mail.example.org [192.0.2.25]) by mx.club.example with ESMTPS; Mon",
            "from mx.club.example (evil.example [198.51.100.7]) by mx.club.example with ESMTP",
            "from [127.0.0.1] (evil.example [198.51.100.7]) by mx.club.example with ESMTP",
            "from unknown (HELO 127.0.0.1) (198.51.100.7) by mx.club.example",
            "from mx.club.example by mx.club.example with ESMTP",
            "from laptop (laptop [192.168.1.5]) by mx.club.example with ESMTPSA",
            "from x (2603:10a6:20b::1) by y (2603:10a6::2) with Microsoft SMTP Server",
            "",
        ] {
            assert!(!inside(hop), "{hop}");
        }
    }
}
