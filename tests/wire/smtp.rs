//! Sending mail to a real Postfix.

use std::sync::Arc;
use std::time::Duration;

use dvonn_post::wire::{Envelope, Kind, Password, Postman, Security, Sent, SmtpSettings, WayOut};

use crate::common::{DOMAIN, MailStack, eventually};
use crate::{server, smtp_settings};

const LONG: Duration = Duration::from_secs(20);

fn settings(stack: &MailStack) -> SmtpSettings {
    smtp_settings(stack.submission, LONG)
}

fn postman(settings: &SmtpSettings) -> Postman {
    Postman::new(&WayOut::Smtp(settings.clone()))
}

fn envelope(to: &str) -> Envelope {
    Envelope {
        from: Some(MailStack::address("club")),
        to: to.to_owned(),
        number: 1,
    }
}

fn mail(text: &str) -> Vec<u8> {
    format!("Subject: a board\r\nMessage-ID: <1@{DOMAIN}>\r\n\r\n{text}\r\n").into_bytes()
}

#[tokio::test]
async fn mail_arrives_byte_for_byte_by_every_kind_of_encryption() {
    let stack = MailStack::start(&["club", "anna"]);
    let anna = MailStack::address("anna");
    let ways = [
        (stack.submission, Security::None),
        (stack.submission, Security::StartTls),
        (stack.smtps, Security::Tls),
    ];
    for (count, (port, security)) in ways.into_iter().enumerate() {
        let mut settings = settings(&stack);
        settings.server = server(port, security);
        settings.server.ca_file = Some(stack.ca_file());
        let postman = postman(&settings);
        let report = postman.check().await.unwrap();
        assert_eq!(report.well, format!("localhost:{port}, logged in as club"));
        let text = "first\r\n.\r\n..dots\r\n.end";
        assert_eq!(
            postman.send(&envelope(&anna), &mail(text)).await,
            Sent::Accepted
        );
        postman.close().await;
        let mails = eventually("the mail", || {
            Some(stack.mails("anna", "INBOX")).filter(|mails| mails.len() == count + 1)
        });
        for (_, raw) in mails {
            let text = String::from_utf8(raw).unwrap().replace("\r\n", "\n");
            assert!(text.ends_with("\n\nfirst\n.\n..dots\n.end\n"), "{text}");
        }
    }
}

#[tokio::test]
async fn without_proof_of_the_server_no_password_leaves() {
    let stack = MailStack::start(&["club"]);
    for (port, security) in [
        (stack.submission, Security::StartTls),
        (stack.smtps, Security::Tls),
    ] {
        let mut settings = settings(&stack);
        settings.server = server(port, security);
        settings.server.ca_file = Some(stack.foreign_ca_file());
        let error = postman(&settings).check().await.unwrap_err();
        assert_eq!(error.kind(), Kind::Tls, "{error}");
        let sent = postman(&settings)
            .send(&envelope("x@y.test"), &mail(""))
            .await;
        assert!(
            matches!(&sent, Sent::Down { text } if text.contains("ca_file")),
            "{sent:?}"
        );
    }
    let mut settings = settings(&stack);
    settings.server.host = "192.0.2.1".to_owned();
    let error = postman(&settings).check().await.unwrap_err();
    assert_eq!(error.kind(), Kind::Tls);
}

#[tokio::test]
async fn each_refusal_means_what_it_should_and_the_next_mail_goes_out() {
    let stack = MailStack::start(&["club", "anna"]);
    let anna = MailStack::address("anna");
    let postman = postman(&settings(&stack));
    let body = mail("hello");

    stack.refuse(&anna, "450 4.2.1 try later");
    let sent = postman.send(&envelope(&anna), &body).await;
    assert!(
        matches!(&sent, Sent::Temporary { text } if text.starts_with("450 4.2.1")),
        "{sent:?}"
    );
    // The map is read by the process of each connection: begin a new one.
    postman.close().await;
    stack.refuse(&anna, "550 5.1.1 no such user");
    let sent = postman.send(&envelope(&anna), &body).await;
    assert!(matches!(sent, Sent::Refused { code: 550, .. }), "{sent:?}");
    postman.close().await;
    stack.refuse(&anna, "550 5.7.1 not for you");
    let sent = postman.send(&envelope(&anna), &body).await;
    assert!(matches!(sent, Sent::Doubtful { code: 550, .. }), "{sent:?}");
    postman.close().await;
    stack.refuse(&anna, "");
    let nobody = MailStack::address("nobody");
    let sent = postman.send(&envelope(&nobody), &body).await;
    assert!(matches!(sent, Sent::Refused { code: 550, .. }), "{sent:?}");
    let huge = vec![b'x'; 1 << 21];
    let sent = postman.send(&envelope(&anna), &huge).await;
    assert!(matches!(sent, Sent::TooLarge { .. }), "{sent:?}");
    for nonsense in ["", "no address", "a@b\r\nRCPT TO:<c@d>"] {
        let sent = postman.send(&envelope(nonsense), &body).await;
        assert!(matches!(sent, Sent::Refused { code: 553, .. }), "{sent:?}");
    }
    let mut null = envelope(&anna);
    null.from = None;
    assert_eq!(postman.send(&null, &body).await, Sent::Accepted);
    eventually("the mail", || {
        (stack.mails("anna", "INBOX").len() == 1).then_some(())
    });
}

#[tokio::test]
async fn a_wrong_password_rests_all_mail() {
    let stack = MailStack::start(&["club"]);
    let mut settings = settings(&stack);
    settings.login.as_mut().unwrap().password = Password("guess".to_owned());
    let postman = postman(&settings);
    let sent = postman.send(&envelope("x@y.test"), &mail("")).await;
    assert!(
        matches!(&sent, Sent::Credentials { text } if text.contains("as club was refused")),
        "{sent:?}"
    );
    assert_eq!(postman.check().await.unwrap_err().kind(), Kind::Credentials);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_mails_share_a_few_connections_and_none_is_lost() {
    const MAILS: usize = 200;
    let stack = MailStack::start(&["club", "anna"]);
    let postman = Arc::new(postman(&settings(&stack)));
    let anna = MailStack::address("anna");
    let tasks: Vec<_> = (0..MAILS)
        .map(|number| {
            let (postman, envelope) = (postman.clone(), envelope(&anna));
            let raw = mail(&format!("number {number}."));
            tokio::spawn(async move { postman.send(&envelope, &raw).await })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.unwrap(), Sent::Accepted);
    }
    postman.close().await;
    let mails = eventually("all mails", || {
        Some(stack.mails("anna", "INBOX")).filter(|mails| mails.len() >= MAILS)
    });
    assert_eq!(mails.len(), MAILS);
    for number in 0..MAILS {
        let text = format!("number {number}.");
        let has = |raw: &[u8]| raw.windows(text.len()).any(|part| part == text.as_bytes());
        assert_eq!(
            mails.iter().filter(|(_, raw)| has(raw)).count(),
            1,
            "{text}"
        );
    }
}
