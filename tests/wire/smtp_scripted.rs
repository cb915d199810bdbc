//! Sending mail to servers that stall, lie and hang up (B2, B3, B13, B19).

use std::time::{Duration, Instant};

use dvonn_post::wire::{Envelope, Kind, Postman, Security, Sent, WayOut};

use crate::common::{Peer, Talk};
use crate::smtp_settings;

/// For servers that are silent.
const SHORT: Duration = Duration::from_millis(500);
/// For all others: no test waits for its end.
const LONG: Duration = Duration::from_secs(20);
const MAIL: &[u8] = b"Subject: x\r\n\r\nbody\r\n";

fn postman(peer: &Peer) -> Postman {
    Postman::new(&WayOut::Smtp(smtp_settings(peer.port, LONG)))
}

fn hasty(peer: &Peer) -> Postman {
    Postman::new(&WayOut::Smtp(smtp_settings(peer.port, SHORT)))
}

fn envelope() -> Envelope {
    Envelope {
        from: Some("club@pbem.test".to_owned()),
        to: "anna@pbem.test".to_owned(),
        number: 1,
    }
}

/// A server that behaves until a command begins with `verb`.
async fn well_until<F>(
    verb: &'static str,
    then: impl Fn(Talk) -> F + Clone + Send + Sync + 'static,
) -> Peer
where
    F: Future<Output = ()> + Send + 'static,
{
    Peer::start(move |mut talk| {
        let then = then.clone();
        async move {
            talk.say("220 hello\r\n").await;
            if talk.smtp_until(verb).await {
                then(talk).await;
            }
        }
    })
    .await
}

fn count(peer: &Peer, verb: &str) -> usize {
    let heard = peer.heard();
    heard.iter().filter(|line| line.starts_with(verb)).count()
}

/// B2.
#[tokio::test]
async fn silence_in_any_phase_ends_in_time_and_only_after_the_dot_is_uncertain() {
    for verb in ["EHLO", "AUTH", "MAIL", "RCPT", "DATA", "."] {
        let peer = well_until(verb, Talk::silence).await;
        let start = Instant::now();
        let sent = hasty(&peer).send(&envelope(), MAIL).await;
        assert!(start.elapsed() < SHORT * 6, "{verb}: too long");
        match verb {
            "." => assert!(matches!(sent, Sent::Uncertain { .. }), "{sent:?}"),
            _ => assert!(matches!(sent, Sent::Down { .. }), "{verb}: {sent:?}"),
        }
    }
    let peer = Peer::start(Talk::silence).await;
    for security in [Security::None, Security::StartTls, Security::Tls] {
        let mut settings = smtp_settings(peer.port, SHORT);
        settings.server.security = security;
        let postman = Postman::new(&WayOut::Smtp(settings));
        let sent = postman.send(&envelope(), MAIL).await;
        assert!(matches!(sent, Sent::Down { .. }), "{sent:?}");
    }
}

#[tokio::test]
async fn a_server_that_stops_reading_has_not_got_the_mail() {
    let peer = well_until("DATA", |mut talk| async move {
        talk.say("354 go on\r\n").await;
        talk.silence().await;
    })
    .await;
    // More than sockets buffer.
    let huge = vec![b'x'; 32 << 20];
    let sent = hasty(&peer).send(&envelope(), &huge).await;
    assert!(matches!(sent, Sent::Down { .. }), "{sent:?}");
}

#[tokio::test]
async fn a_slow_answer_after_the_dot_is_waited_for() {
    let peer = well_until(".", |mut talk| async move {
        tokio::time::sleep(SHORT * 2).await;
        talk.say("250 2.0.0 at last\r\n").await;
        talk.smtp_until("QUIT").await;
    })
    .await;
    let mut settings = smtp_settings(peer.port, SHORT);
    settings.after_dot = LONG;
    let postman = Postman::new(&WayOut::Smtp(settings));
    assert_eq!(postman.send(&envelope(), MAIL).await, Sent::Accepted);
}

/// B3.
#[tokio::test]
async fn an_answer_that_is_lost_after_the_dot_is_uncertain_and_not_tried_again() {
    for words in ["", "250-2.0.0 half an ans", "250"] {
        let peer = well_until(".", move |mut talk| async move { talk.say(words).await }).await;
        let sent = postman(&peer).send(&envelope(), MAIL).await;
        assert!(matches!(sent, Sent::Uncertain { .. }), "{words}: {sent:?}");
        assert_eq!(count(&peer, "MAIL"), 1);
    }
}

#[tokio::test]
async fn a_refusal_after_the_dot_is_certain() {
    for (words, expected) in [
        ("451 4.3.0 try later", "Temporary"),
        ("421 4.3.2 going down", "Down"),
        ("550 5.4.5 daily limit exceeded", "Limit"),
        ("554 5.7.1 spam", "Doubtful"),
    ] {
        let peer = well_until(".", move |mut talk| async move {
            talk.say(format!("{words}\r\n")).await;
            talk.smtp_until("QUIT").await;
        })
        .await;
        let sent = postman(&peer).send(&envelope(), MAIL).await;
        assert!(
            format!("{sent:?}").starts_with(expected),
            "{words}: {sent:?}"
        );
    }
}

/// B13.
#[tokio::test]
async fn a_connection_that_died_at_rest_is_replaced_and_costs_no_try() {
    for farewell in ["", "421 4.4.2 idle timeout\r\n", "503 5.5.1 what?\r\n"] {
        let peer = Peer::start(move |mut talk| async move {
            talk.say("220 hello\r\n").await;
            if talk.number == 0 {
                talk.smtp_until(".").await;
                talk.say("250 2.0.0 queued\r\n").await;
                talk.say(farewell).await;
            } else {
                talk.smtp_until("QUIT").await;
            }
        })
        .await;
        let postman = postman(&peer);
        for number in 0..3 {
            let sent = postman.send(&envelope(), MAIL).await;
            assert_eq!(sent, Sent::Accepted, "mail {number} after {farewell:?}");
        }
        assert_eq!(peer.connections(), 2);
        assert_eq!(count(&peer, "AUTH"), 2);
    }
}

#[tokio::test]
async fn a_dead_server_is_not_dialled_for_ever() {
    let peer = well_until("MAIL", |_| async {}).await;
    let sent = postman(&peer).send(&envelope(), MAIL).await;
    assert!(matches!(sent, Sent::Down { .. }), "{sent:?}");
    assert_eq!(peer.connections(), 1);
}

/// B19.
#[tokio::test]
async fn after_a_refused_recipient_the_connection_is_reset_and_used_again() {
    let peer = well_until("RCPT", |mut talk| async move {
        talk.say("450 4.2.1 try later\r\n").await;
        talk.smtp_until("QUIT").await;
    })
    .await;
    let postman = postman(&peer);
    let sent = postman.send(&envelope(), MAIL).await;
    assert!(matches!(sent, Sent::Temporary { .. }), "{sent:?}");
    assert_eq!(postman.send(&envelope(), MAIL).await, Sent::Accepted);
    assert_eq!((peer.connections(), count(&peer, "RSET")), (1, 1));
}

#[tokio::test]
async fn no_more_connections_than_allowed() {
    let peer = well_until("QUIT", |_| async {}).await;
    let postman = postman(&peer);
    let envelope = envelope();
    let mails: Vec<_> = (0..40).map(|_| postman.send(&envelope, MAIL)).collect();
    let sent = futures_util::future::join_all(mails).await;
    assert!(sent.iter().all(|sent| *sent == Sent::Accepted), "{sent:?}");
    assert!(peer.connections() <= 4, "{}", peer.connections());
}

#[tokio::test]
async fn without_starttls_or_with_words_slipped_in_no_password_is_sent() {
    for offer in ["250 8BITMIME\r\n", "250-STARTTLS\r\n250 8BITMIME\r\n"] {
        let peer = Peer::start(move |mut talk| async move {
            talk.say("220 hello\r\n").await;
            talk.smtp_until("EHLO").await;
            talk.say(offer).await;
            if talk.smtp_until("STARTTLS").await {
                // The second line would be taken for the server's, once encrypted.
                talk.say("220 go\r\n250 trust me\r\n").await;
            }
            talk.smtp_until("never").await;
        })
        .await;
        let mut settings = smtp_settings(peer.port, LONG);
        settings.server.security = Security::StartTls;
        let error = Postman::new(&WayOut::Smtp(settings))
            .check()
            .await
            .unwrap_err();
        assert_eq!(error.kind(), Kind::Tls, "{error}");
        assert_eq!(count(&peer, "AUTH"), 0);
    }
}

#[tokio::test]
async fn a_login_that_fails_for_now_is_no_wrong_password() {
    for (words, kind) in [
        ("454 4.7.0 temporary failure", Kind::Temporary),
        ("535 5.7.8 wrong", Kind::Credentials),
        ("534 5.7.9 application password required", Kind::Credentials),
    ] {
        let peer = well_until("AUTH", move |mut talk| async move {
            talk.say(format!("{words}\r\n")).await;
            talk.smtp_until("QUIT").await;
        })
        .await;
        let error = postman(&peer).check().await.unwrap_err();
        assert_eq!(error.kind(), kind, "{words}: {error}");
        assert_eq!(count(&peer, "MAIL"), 0, "a check sends nothing");
    }
}

#[tokio::test]
async fn a_server_that_turns_us_away_is_down() {
    for greeting in [
        "554 5.7.1 not you\r\n",
        "421 too many connections\r\n",
        "SSH-2.0\r\n",
    ] {
        let peer = Peer::start(move |mut talk| async move {
            talk.say(greeting).await;
            talk.smtp_until("QUIT").await;
        })
        .await;
        let sent = postman(&peer).send(&envelope(), MAIL).await;
        assert!(matches!(sent, Sent::Down { .. }), "{sent:?}");
    }
    let peer = Peer::start(Talk::silence).await;
    let port = peer.port;
    drop(peer);
    let settings = smtp_settings(port, LONG);
    let sent = Postman::new(&WayOut::Smtp(settings))
        .send(&envelope(), MAIL)
        .await;
    assert!(
        matches!(&sent, Sent::Down { text } if text.contains("check host, port")),
        "{sent:?}"
    );
}
