//! What servers say, as they say it, and what we make of it.

use super::*;

fn kind(sent: &Sent) -> &'static str {
    match sent {
        Sent::Accepted => "accepted",
        Sent::Refused { .. } => "refused",
        Sent::Doubtful { .. } => "doubtful",
        Sent::Temporary { .. } => "temporary",
        Sent::Down { .. } => "down",
        Sent::Limit { .. } => "limit",
        Sent::Credentials { .. } => "credentials",
        Sent::Uncertain { .. } => "uncertain",
        Sent::TooLarge { .. } => "too large",
    }
}

#[test]
fn refusals_of_real_servers() {
    let table = [
        // Gmail.
        (
            Phase::Mail,
            421,
            "4.7.0 Try again later, closing connection.",
            "down",
        ),
        (
            Phase::Rcpt,
            450,
            "4.2.1 The user you are trying to contact is receiving mail at a rate that …",
            "temporary",
        ),
        (
            Phase::Dot,
            452,
            "4.2.2 The recipient's inbox is out of storage space.",
            "temporary",
        ),
        (
            Phase::Mail,
            452,
            "4.3.1 Insufficient system storage",
            "down",
        ),
        (
            Phase::Mail,
            530,
            "5.7.0 Authentication Required.",
            "credentials",
        ),
        (
            Phase::Mail,
            535,
            "5.7.8 Username and Password not accepted.",
            "credentials",
        ),
        (
            Phase::Dot,
            550,
            "5.4.5 Daily SMTP relay limit exceeded for user.",
            "limit",
        ),
        (
            Phase::Rcpt,
            550,
            "5.1.1 The email account that you tried to reach does not exist.",
            "refused",
        ),
        (
            Phase::Rcpt,
            550,
            "5.2.1 The email account that you tried to reach is disabled.",
            "refused",
        ),
        (Phase::Rcpt, 550, "5.7.1 Email quota exceeded.", "doubtful"),
        (
            Phase::Dot,
            550,
            "5.7.1 Our system has detected that this message is likely unsolicited mail.",
            "doubtful",
        ),
        (
            Phase::Dot,
            552,
            "5.2.2 The recipient's inbox is out of storage space.",
            "doubtful",
        ),
        (
            Phase::Dot,
            552,
            "5.2.3 Your message exceeded Google's message size limits.",
            "too large",
        ),
        (
            Phase::Dot,
            552,
            "5.7.0 This message was blocked because its content presents a potential security issue.",
            "doubtful",
        ),
        // Postfix.
        (
            Phase::Mail,
            552,
            "5.3.4 Message size exceeds fixed limit",
            "too large",
        ),
        (
            Phase::Rcpt,
            550,
            "5.1.1 <x@y.z>: Recipient address rejected: User unknown in virtual mailbox table",
            "refused",
        ),
        (
            Phase::Rcpt,
            553,
            "5.7.1 <a@b.c>: Sender address rejected: not owned by user d",
            "doubtful",
        ),
        (
            Phase::Rcpt,
            554,
            "5.7.1 <x@y.z>: Relay access denied",
            "doubtful",
        ),
        (
            Phase::Rcpt,
            450,
            "4.2.0 <x@y.z>: Recipient address rejected: Greylisted",
            "temporary",
        ),
        // Others.
        (Phase::Rcpt, 550, "No such user here", "refused"),
        (
            Phase::Rcpt,
            550,
            "5.1.8 Bad sender's system address",
            "doubtful",
        ),
        (Phase::Mail, 550, "5.1.0 Address rejected.", "doubtful"),
        (
            Phase::Dot,
            550,
            "Rejected by our unlimited and separate content filter",
            "doubtful",
        ),
        (Phase::Dot, 554, "5.7.0 Sending rate exceeded", "limit"),
        (Phase::Dot, 554, "5.5.0 Transaction failed", "limit"),
        (
            Phase::Dot,
            552,
            "Message too big: the limit is 10 MB",
            "too large",
        ),
        (Phase::Dot, 554, "Transaction failed", "doubtful"),
        (Phase::Rcpt, 421, "Service shutting down", "down"),
        (Phase::Dot, 599, "", "doubtful"),
    ];
    for (phase, code, text, expected) in table {
        let sent = Failure::refusal(phase, code, text).verdict("host:25");
        assert_eq!(kind(&sent), expected, "{phase:?} {code} {text}");
    }
}

#[test]
fn only_after_the_final_dot_is_a_mail_uncertain() {
    for phase in [
        Phase::Mail,
        Phase::Rcpt,
        Phase::Data,
        Phase::Content,
        Phase::Dot,
    ] {
        let expected = if phase == Phase::Dot {
            "uncertain"
        } else {
            "down"
        };
        for cause in [
            Cause::Silence(Duration::from_secs(1)),
            Cause::Broken("reset".to_owned()),
        ] {
            let sent = Failure::new(phase, cause).verdict("host:25");
            assert_eq!(kind(&sent), expected, "{phase:?}");
        }
    }
}

#[test]
fn a_resting_connection_is_replaced_only_before_the_content() {
    let broken = |phase| Failure::new(phase, Cause::Broken(String::new())).stale();
    assert!(broken(Phase::Mail) && broken(Phase::Rcpt) && broken(Phase::Data));
    assert!(!broken(Phase::Content) && !broken(Phase::Dot));
    assert!(Failure::refusal(Phase::Mail, 503, "5.5.1 nested MAIL command").stale());
    assert!(Failure::refusal(Phase::Rcpt, 421, "").stale());
    assert!(!Failure::refusal(Phase::Rcpt, 450, "").stale());
    assert!(!Failure::refusal(Phase::Dot, 421, "").stale());
}
