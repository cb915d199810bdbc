//! Maildirs as a way in and out.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use dvonn_post::wire::{Envelope, Folder, Id, Kind, Mailbox, Part, Postman, Sent, WayIn, WayOut};

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

async fn open(path: &Path) -> Mailbox {
    Mailbox::connect(&WayIn::Maildir(path.to_owned()))
        .await
        .unwrap()
}

#[tokio::test]
async fn what_lies_in_new_is_read_with_its_time_and_moves_to_cur() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("club");
    let mut club = open(&path).await;
    let (new, cur) = (path.join("new"), path.join("cur"));
    for name in ["b", "a:2,F", ".hidden"] {
        fs::write(new.join(name), format!("Subject: {name}\r\n\r\nbody\r\n")).unwrap();
    }
    fs::create_dir(new.join("folder")).unwrap();
    let arrived: DateTime<Utc> = "2025-12-01T10:00:00Z".parse().unwrap();
    let file = fs::File::options().write(true).open(new.join("b")).unwrap();
    file.set_modified(arrived.into()).unwrap();

    assert_eq!(club.folders(), [Folder::Inbox]);
    let listing = club.list(Folder::Inbox, None).await.unwrap();
    let ids: Vec<Id> = listing.mails.iter().map(|mail| mail.id.clone()).collect();
    let file = |name: &str| Id::File(name.to_owned());
    assert_eq!(listing.validity, 0);
    assert!(ids.contains(&file("b")) && ids.contains(&file("a:2,F")) && ids.len() == 2);
    let batch = club.fetch(&listing.mails, Part::Whole).await.unwrap();
    let b = batch
        .mails
        .iter()
        .find(|mail| mail.id == file("b"))
        .unwrap();
    assert_eq!(b.arrived, Some(arrived));
    assert_eq!(b.raw, b"Subject: b\r\n\r\nbody\r\n");
    let head = club.fetch(&listing.mails, Part::Header).await.unwrap();
    let b = head.mails.iter().find(|mail| mail.id == file("b")).unwrap();
    assert_eq!(b.raw, b"Subject: b\r\n\r\n");

    assert_eq!(club.list(Folder::Done, None).await.unwrap().mails, []);
    club.done(&ids).await.unwrap();
    club.done(&ids).await.unwrap();
    assert_eq!(names(&cur), ["a:2,S", "b:2,S"]);
    let listing = club.list(Folder::Done, None).await.unwrap();
    let first = &listing.mails[0];
    assert_eq!(first.id, Id::Done("b:2,S".to_owned()));
    assert_eq!(first.arrived, Some(arrived));
    assert_eq!(listing.mails.len(), 2);
    let batch = club.fetch(&listing.mails, Part::Whole).await.unwrap();
    assert_eq!(batch.mails[0].raw, b"Subject: b\r\n\r\nbody\r\n");
    assert_eq!(club.list(Folder::Inbox, None).await.unwrap().mails, []);
    assert_eq!(names(&new), [".hidden", "folder"]);
}

#[tokio::test]
async fn a_file_that_vanishes_or_cannot_be_read_spoils_nothing_for_the_others() {
    let root = tempfile::tempdir().unwrap();
    let mut club = open(root.path()).await;
    let new = root.path().join("new");
    for name in ["gone", "bad", "good"] {
        fs::write(new.join(name), name).unwrap();
    }
    let listing = club.list(Folder::Inbox, None).await.unwrap();
    fs::remove_file(new.join("gone")).unwrap();
    fs::remove_file(new.join("bad")).unwrap();
    fs::create_dir(new.join("bad")).unwrap();
    let batch = club.fetch(&listing.mails, Part::Whole).await.unwrap();
    assert_eq!(batch.mails.len(), 1);
    assert_eq!(batch.mails[0].raw, b"good");
    assert_eq!(batch.gone, [Id::File("gone".to_owned())]);
    assert_eq!(batch.unreadable.len(), 1);
    assert_eq!(batch.unreadable[0].0, Id::File("bad".to_owned()));
}

#[tokio::test]
async fn a_new_file_ends_the_wait_within_two_seconds_and_an_old_one_does_not() {
    let root = tempfile::tempdir().unwrap();
    let mut club = open(root.path()).await;
    let new = root.path().join("new");
    fs::write(new.join("old"), "left where it lies").unwrap();
    club.list(Folder::Inbox, None).await.unwrap();
    let start = Instant::now();
    club.wait(Duration::from_millis(1200)).await.unwrap();
    assert!(
        start.elapsed() >= Duration::from_millis(1200),
        "woken by an old mail"
    );
    fs::write(new.join("fresh"), "just in").unwrap();
    let start = Instant::now();
    club.wait(Duration::from_secs(60)).await.unwrap();
    assert!(start.elapsed() < Duration::from_secs(2));
}

#[tokio::test]
async fn a_maildir_that_cannot_be_made_is_named() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("file");
    fs::write(&path, "not a directory").unwrap();
    let error = Mailbox::check(&WayIn::Maildir(path.clone()))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), Kind::NoSuchMailbox, "{error}");
    assert!(error.to_string().contains(path.to_str().unwrap()));
    let error = Postman::new(&WayOut::Maildir(path))
        .check()
        .await
        .unwrap_err();
    assert_eq!(error.kind(), Kind::NoSuchMailbox, "{error}");
    let report = Mailbox::check(&WayIn::Maildir(root.path().join("club")))
        .await
        .unwrap();
    assert!(report.well.ends_with("0 mails in new"), "{report:?}");
}

#[tokio::test]
async fn mail_goes_out_whole_into_the_maildir_of_its_recipient_and_only_once() {
    let root = tempfile::tempdir().unwrap();
    let postman = Postman::new(&WayOut::Maildir(root.path().to_owned()));
    postman.check().await.unwrap();
    let envelope = |to: &str, number| Envelope {
        from: None,
        to: to.to_owned(),
        number,
    };
    for number in [9, 10, 9] {
        let raw = format!("Subject: {number}\r\n\r\n");
        let sent = postman
            .send(&envelope("ben@example.org", number), raw.as_bytes())
            .await;
        assert_eq!(sent, Sent::Accepted);
    }
    // Another database's number 9.
    postman
        .send(&envelope("ben@example.org", 9), b"other")
        .await;
    let ben = root.path().join("ben@example.org");
    let new = names(&ben.join("new"));
    assert_eq!(
        new.len(),
        3,
        "the same mail again is the same file: {new:?}"
    );
    assert_eq!(
        fs::read(ben.join("new").join(&new[2])).unwrap(),
        b"Subject: 10\r\n\r\n"
    );
    assert_eq!(names(&ben.join("tmp")), Vec::<String>::new());
    assert!(ben.join("cur").is_dir());

    postman.send(&envelope("../../escape", 1), b"x").await;
    assert_eq!(
        names(root.path()),
        ["%2E.%2F..%2Fescape", "ben@example.org"]
    );
    let sent = postman.send(&envelope(&"a".repeat(300), 1), b"x").await;
    assert!(matches!(sent, Sent::Refused { code: 553, .. }), "{sent:?}");
    fs::remove_dir_all(root.path().join("ben@example.org")).unwrap();
    fs::write(root.path().join("ben@example.org"), "in the way").unwrap();
    let sent = postman.send(&envelope("ben@example.org", 1), b"x").await;
    assert!(matches!(sent, Sent::Down { .. }), "{sent:?}");
}

#[tokio::test]
async fn what_goes_out_can_come_in() {
    let root = tempfile::tempdir().unwrap();
    let postman = Postman::new(&WayOut::Maildir(root.path().to_owned()));
    let envelope = Envelope {
        from: Some("anna@example.org".to_owned()),
        to: "club@example.org".to_owned(),
        number: 1,
    };
    assert_eq!(
        postman.send(&envelope, b"A: b\r\n\r\n").await,
        Sent::Accepted
    );
    let mut club = open(&root.path().join("club@example.org")).await;
    let listing = club.list(Folder::Inbox, None).await.unwrap();
    let batch = club.fetch(&listing.mails, Part::Whole).await.unwrap();
    assert_eq!(batch.mails[0].raw, b"A: b\r\n\r\n");
}
