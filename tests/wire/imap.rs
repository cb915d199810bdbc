//! Reading a mailbox of a real Dovecot.

use std::time::Duration;

use dvonn_post::wire::{
    Cursor, Folder, Id, ImapSettings, Kind, Listed, Listing, Mailbox, Part, Password, Security,
    WayIn,
};

use crate::common::MailStack;
use crate::{imap_settings, server};

const LONG: Duration = Duration::from_secs(20);

fn settings(stack: &MailStack) -> ImapSettings {
    imap_settings(stack.imap, LONG)
}

async fn connect(settings: &ImapSettings) -> Mailbox {
    Mailbox::connect(&WayIn::Imap(settings.clone()))
        .await
        .unwrap()
}

async fn refusal(settings: &ImapSettings) -> (Kind, String) {
    let error = Mailbox::connect(&WayIn::Imap(settings.clone()))
        .await
        .expect_err("no connection should be possible");
    (error.kind(), error.to_string())
}

fn mail(number: usize) -> Vec<u8> {
    format!("Subject: {number}\n\nline\n.dot\nmail {number}\n").into_bytes()
}

fn subjects(raws: impl IntoIterator<Item = Vec<u8>>) -> Vec<String> {
    let mut subjects: Vec<String> = raws
        .into_iter()
        .map(|raw| {
            let text = String::from_utf8(raw).unwrap();
            let at = text.find("Subject: ").unwrap() + "Subject: ".len();
            text[at..].lines().next().unwrap().to_owned()
        })
        .collect();
    subjects.sort();
    subjects
}

fn ids(mails: &[Listed]) -> Vec<Id> {
    mails.iter().map(|mail| mail.id.clone()).collect()
}

fn uid(id: &Id) -> u32 {
    match id {
        Id::Uid { uid, .. } => *uid,
        other => panic!("{other}"),
    }
}

fn cursor(listing: &Listing, last: &Id) -> Option<Cursor> {
    Some(Cursor {
        validity: listing.validity,
        uid: uid(last),
    })
}

#[tokio::test]
async fn mails_are_listed_fetched_unmarked_and_put_away() {
    let stack = MailStack::dovecot(&["club"]);
    let mut club = connect(&settings(&stack)).await;
    let empty = club.list(Folder::Inbox, None).await.unwrap();
    assert_eq!(empty.mails, []);
    for number in 1..=3 {
        stack.deliver("club", &mail(number));
    }
    let listing = club.list(Folder::Inbox, None).await.unwrap();
    assert_eq!(listing.validity, empty.validity);
    assert_eq!(listing.mails.len(), 3);
    assert!(listing.mails.is_sorted_by_key(|mail| uid(&mail.id)));

    let batch = club.fetch(&listing.mails, Part::Whole).await.unwrap();
    assert_eq!((batch.gone.len(), batch.unreadable.len()), (0, 0));
    for (mail, listed) in batch.mails.iter().zip(&listing.mails) {
        assert_eq!(mail.id, listed.id);
        assert_eq!(mail.raw.len() as u64, listed.size);
        assert_eq!(mail.arrived, listed.arrived);
        assert!(mail.arrived.is_some());
        assert!(mail.raw.windows(6).any(|bytes| bytes == b"\n.dot\r"));
    }
    assert!(
        stack
            .mails("club", "INBOX")
            .iter()
            .all(|(name, _)| name.ends_with(":2,")),
        "nothing may be marked as seen"
    );
    let header = club.fetch(&listing.mails[..1], Part::Header).await.unwrap();
    let header = String::from_utf8(header.mails[0].raw.clone()).unwrap();
    assert!(
        header.contains("Subject: 1\r\n") && !header.contains("dot"),
        "{header}"
    );

    let later = club
        .list(Folder::Inbox, cursor(&listing, &listing.mails[0].id))
        .await
        .unwrap();
    assert_eq!(later.mails, listing.mails[1..]);

    club.done(&ids(&listing.mails[..2])).await.unwrap();
    club.done(&ids(&listing.mails[..2])).await.unwrap();
    let raws = |folder| stack.mails("club", folder).into_iter().map(|(_, raw)| raw);
    assert_eq!(subjects(raws("Done")), ["1", "2"]);
    assert_eq!(subjects(raws("INBOX")), ["3"]);
    let batch = club.fetch(&listing.mails, Part::Whole).await.unwrap();
    assert_eq!((batch.mails.len(), batch.gone.len()), (1, 2));
    club.close().await;
}

#[tokio::test]
async fn a_mail_that_comes_ends_the_wait_and_so_does_one_that_came_unnoticed() {
    let stack = MailStack::dovecot(&["club"]);
    let mut club = connect(&settings(&stack)).await;
    let listing = club.list(Folder::Inbox, None).await.unwrap();
    assert_eq!(listing.mails, []);
    // Between the list and the wait.
    stack.deliver("club", &mail(1));
    tokio::time::timeout(LONG, club.wait(LONG * 10))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(club.list(Folder::Inbox, None).await.unwrap().mails.len(), 1);
    // In the wait, or so shortly before that it makes no difference.
    let (waited, stack) = tokio::join!(
        tokio::time::timeout(LONG, club.wait(LONG * 10)),
        tokio::task::spawn_blocking(move || {
            stack.deliver("club", &mail(2));
            stack
        })
    );
    let _stack = stack.unwrap();
    waited.unwrap().unwrap();
    assert_eq!(club.list(Folder::Inbox, None).await.unwrap().mails.len(), 2);
    // Nothing comes: the wait ends by itself, and the connection is still good.
    club.wait(Duration::from_millis(50)).await.unwrap();
    assert_eq!(club.list(Folder::Inbox, None).await.unwrap().mails.len(), 2);
}

#[tokio::test]
async fn without_idle_the_wait_is_time_alone() {
    let stack = MailStack::dovecot(&["club"]);
    let mut settings = settings(&stack);
    settings.idle = false;
    let mut club = connect(&settings).await;
    club.list(Folder::Inbox, None).await.unwrap();
    stack.deliver("club", &mail(1));
    club.wait(Duration::from_millis(50)).await.unwrap();
    assert_eq!(club.list(Folder::Inbox, None).await.unwrap().mails.len(), 1);
}

/// B7.
#[tokio::test]
async fn a_new_uidvalidity_lists_everything_and_makes_old_ids_harmless() {
    let stack = MailStack::dovecot(&["club"]);
    stack.deliver("club", &mail(1));
    let mut club = connect(&settings(&stack)).await;
    let old = club.list(Folder::Inbox, None).await.unwrap();
    let cursor = cursor(&old, &old.mails[0].id);
    assert_eq!(club.list(Folder::Inbox, cursor).await.unwrap().mails, []);
    drop(club);
    stack.renumber("club", old.validity + 77);
    stack.deliver("club", &mail(2));
    let mut club = connect(&settings(&stack)).await;
    let new = club.list(Folder::Inbox, cursor).await.unwrap();
    assert_eq!((new.validity, new.mails.len()), (old.validity + 77, 2));
    club.done(&ids(&old.mails)).await.unwrap();
    assert_eq!(
        stack.mails("club", "INBOX").len(),
        2,
        "old ids must move nothing"
    );
    let error = club.fetch(&old.mails, Part::Whole).await.unwrap_err();
    assert_eq!(error.kind(), Kind::Temporary);
}

#[tokio::test]
async fn mails_that_another_client_takes_away_are_gone_and_no_error() {
    let stack = MailStack::dovecot(&["club"]);
    stack.deliver("club", &mail(1));
    stack.deliver("club", &mail(2));
    let mut club = connect(&settings(&stack)).await;
    let listing = club.list(Folder::Inbox, None).await.unwrap();
    stack.expunge("club");
    stack.deliver("club", &mail(3));
    let batch = club.fetch(&listing.mails, Part::Whole).await.unwrap();
    assert_eq!(batch.gone, ids(&listing.mails));
    club.done(&ids(&listing.mails)).await.unwrap();
    let left = club.list(Folder::Inbox, None).await.unwrap();
    assert_eq!(left.mails.len(), 1, "the new mail was touched");
}

/// IN-12: sequence numbers shift when somebody else removes a mail; UIDs do not.
#[tokio::test]
async fn when_another_client_removes_mails_in_between_no_wrong_mail_is_touched() {
    let stack = MailStack::dovecot(&["club"]);
    for number in 1..=5 {
        stack.deliver("club", &mail(number));
    }
    let mut club = connect(&settings(&stack)).await;
    let listing = club.list(Folder::Inbox, None).await.unwrap();
    stack.expunge_subject("club", "1");
    let batch = club.fetch(&listing.mails[2..3], Part::Whole).await.unwrap();
    assert_eq!(subjects([batch.mails[0].raw.clone()]), ["3"]);
    stack.expunge_subject("club", "2");
    club.done(&ids(&listing.mails[2..3])).await.unwrap();
    let raws = |folder| stack.mails("club", folder).into_iter().map(|(_, raw)| raw);
    assert_eq!(subjects(raws("Done")), ["3"]);
    assert_eq!(subjects(raws("INBOX")), ["4", "5"]);
}

#[tokio::test]
async fn junk_is_read_beside_the_inbox_and_moved_only_when_done() {
    let stack = MailStack::dovecot(&["club"]);
    stack.create("club", "Nevyžádaná pošta");
    stack.deliver("club", &mail(1));
    stack.sort_into("club", "Nevyžádaná pošta");
    stack.deliver("club", &mail(2));
    let mut settings = settings(&stack);
    settings.junk_mailbox = Some("Nevyžádaná pošta".to_owned());
    let mut club = connect(&settings).await;
    assert_eq!(club.folders(), [Folder::Inbox, Folder::Junk]);
    let mut found = Vec::new();
    for &folder in club.folders() {
        found.extend(club.list(folder, None).await.unwrap().mails);
    }
    let batch = club.fetch(&found, Part::Whole).await.unwrap();
    assert_eq!(
        subjects(batch.mails.into_iter().map(|mail| mail.raw)),
        ["1", "2"]
    );
    club.done(&ids(&found)).await.unwrap();
    assert_eq!(stack.mails("club", "Done").len(), 2);
    // Another folder was open last; news of the inbox must not get lost over it.
    club.list(Folder::Inbox, None).await.unwrap();
    club.list(Folder::Junk, None).await.unwrap();
    stack.deliver("club", &mail(3));
    tokio::time::timeout(LONG, club.wait(LONG * 10))
        .await
        .unwrap()
        .unwrap();
}

#[tokio::test]
async fn a_thousand_mails_come_in_batches_and_go_in_one_command() {
    let stack = MailStack::dovecot(&["club"]);
    // Written by hand: a thousand deliveries would take longer than the test.
    stack.deliver("club", &mail(1));
    let (_, raw) = stack.mails("club", "INBOX").remove(0);
    stack.seed("club", (0..999).map(|_| raw.clone()));
    let mut club = connect(&settings(&stack)).await;
    let listing = club.list(Folder::Inbox, None).await.unwrap();
    assert_eq!(listing.mails.len(), 1000);
    let mut count = 0;
    for batch in dvonn_post::wire::batches(&listing.mails, 64 << 10) {
        count += club.fetch(batch, Part::Whole).await.unwrap().mails.len();
    }
    assert_eq!(count, 1000);
    club.done(&ids(&listing.mails)).await.unwrap();
    assert_eq!(stack.mails("club", "Done").len(), 1000);
}

#[tokio::test]
async fn encryption_by_both_ways_and_only_with_proof() {
    let stack = MailStack::dovecot(&["club"]);
    for (port, security) in [
        (stack.imaps, Security::Tls),
        (stack.imap, Security::StartTls),
    ] {
        let mut settings = settings(&stack);
        settings.server = server(port, security);
        settings.server.ca_file = Some(stack.ca_file());
        let mut club = connect(&settings).await;
        club.list(Folder::Inbox, None).await.unwrap();

        settings.server.ca_file = Some(stack.foreign_ca_file());
        let (kind, text) = refusal(&settings).await;
        assert_eq!(kind, Kind::Tls, "{text}");
        assert!(text.contains("ca_file"), "{text}");

        settings.server.ca_file = None;
        assert_eq!(refusal(&settings).await.0, Kind::Tls, "system trust");

        settings.server.ca_file = Some("/nonexistent.pem".into());
        let (kind, text) = refusal(&settings).await;
        assert_eq!(kind, Kind::Tls);
        assert!(text.contains("/nonexistent.pem"), "{text}");

        settings.server.ca_file = Some(stack.ca_file());
        settings.server.host = "127.0.0.1".to_owned();
        let (kind, text) = refusal(&settings).await;
        assert_eq!(kind, Kind::Tls);
        assert!(text.contains("another name"), "{text}");
    }
    let mut settings = settings(&stack);
    settings.server = server(stack.imap, Security::Tls);
    settings.server.ca_file = Some(stack.ca_file());
    let (kind, text) = refusal(&settings).await;
    assert_eq!(kind, Kind::Tls);
    assert!(text.contains("starttls"), "{text}");
}

#[tokio::test]
async fn errors_are_one_clear_sentence_of_the_right_kind() {
    let stack = MailStack::dovecot(&["club"]);
    let mut wrong = settings(&stack);
    wrong.login.password = Password("secret-guess".to_owned());
    let (kind, text) = refusal(&wrong).await;
    assert_eq!(kind, Kind::Credentials);
    assert_eq!(
        text,
        format!(
            "localhost:{}: login as club was refused ([AUTHENTICATIONFAILED] Authentication failed.); \
             check user and password_file",
            stack.imap
        )
    );
    assert!(!format!("{wrong:?}").contains("secret-guess"));

    let mut missing = settings(&stack);
    missing.mailbox = "Clubpost".to_owned();
    let mut club = connect(&missing).await;
    let error = club.list(Folder::Inbox, None).await.unwrap_err();
    assert_eq!(error.kind(), Kind::NoSuchMailbox);
    assert!(error.to_string().contains("\"Clubpost\""), "{error}");
    let error = Mailbox::check(&WayIn::Imap(missing)).await.unwrap_err();
    assert_eq!(error.kind(), Kind::NoSuchMailbox);

    let mut open = settings(&stack);
    open.server.host = "192.0.2.1".to_owned();
    let (kind, text) = refusal(&open).await;
    assert_eq!(kind, Kind::Tls);
    assert!(text.contains("this machine only"), "{text}");

    let mut nowhere = settings(&stack);
    nowhere.server.host = "mail.invalid".to_owned();
    nowhere.server.security = Security::Tls;
    assert_eq!(refusal(&nowhere).await.0, Kind::Temporary);

    let report = Mailbox::check(&WayIn::Imap(settings(&stack)))
        .await
        .unwrap();
    assert_eq!(
        report.well,
        format!("localhost:{}, 0 mails in INBOX", stack.imap)
    );
    assert_eq!(report.warnings, Vec::<String>::new());
}

#[tokio::test]
async fn a_password_outside_ascii_logs_in() {
    let stack = MailStack::dovecot(&["žofie"]);
    let mut settings = settings(&stack);
    settings.login = crate::login("žofie");
    connect(&settings).await;
}

#[tokio::test]
async fn a_server_that_stops_in_idle_is_a_lost_connection() {
    let stack = MailStack::dovecot(&["club"]);
    let mut club = connect(&settings(&stack)).await;
    club.list(Folder::Inbox, None).await.unwrap();
    let stop = tokio::task::spawn_blocking(move || drop(stack));
    let error = tokio::time::timeout(LONG, club.wait(LONG * 10))
        .await
        .unwrap()
        .expect_err("the server is gone");
    assert_eq!(error.kind(), Kind::Temporary);
    let again = club.list(Folder::Inbox, None).await.unwrap_err();
    assert_eq!(
        again.kind(),
        Kind::Temporary,
        "a broken connection stays broken"
    );
    stop.await.unwrap();
}
