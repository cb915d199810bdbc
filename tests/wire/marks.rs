//! Marks in the done mailbox of a real Dovecot: found by their header, and no other mail is touched.

use std::time::Duration;

use dvonn_post::wire::{Folder, Id, Mailbox, WayIn};

use crate::common::MailStack;
use crate::imap_settings;

fn note(text: &str) -> String {
    format!("From: <club@pbem.test>\r\nX-Dvonn-Post-Owner: {text}\r\n\r\nA note.\r\n.\r\nThe end.")
}

#[tokio::test]
async fn marks_are_left_found_and_taken_away_among_mails_that_stay() {
    let stack = MailStack::dovecot(&["club"]);
    let way = WayIn::Imap(imap_settings(stack.imap, Duration::from_secs(20)));
    let mut club = Mailbox::connect(&way).await.unwrap();
    // There is no done mailbox yet.
    assert_eq!(club.marks().await.unwrap(), []);
    assert_eq!(club.mark(&note("one alpha 1")).await.unwrap(), None);
    for number in 1..=2 {
        let raw = format!(
            "Subject: {number}\nX-Other: X-Dvonn-Post-Owner: no\n\nX-Dvonn-Post-Owner: no\n"
        );
        stack.deliver("club", raw.as_bytes());
    }
    let listing = club.list(Folder::Inbox, None).await.unwrap();
    let ids: Vec<Id> = listing.mails.iter().map(|mail| mail.id.clone()).collect();
    assert_eq!(ids.len(), 2);
    club.done(&ids).await.unwrap();
    assert_eq!(club.mark(&note("two beta 2")).await.unwrap(), None);

    let mut other = Mailbox::connect(&way).await.unwrap();
    let marks = other.marks().await.unwrap();
    let texts: Vec<&str> = marks.iter().map(|mark| mark.text.as_str()).collect();
    assert_eq!(texts, ["one alpha 1", "two beta 2"]);
    assert!(marks.iter().all(|mark| mark.arrived.is_some()));
    other.unmark(&[&marks[0]]).await.unwrap();
    other.unmark(&[&marks[0]]).await.unwrap();
    let left = club.marks().await.unwrap();
    assert_eq!(left, marks[1..]);
    // The inbox is read on as if nothing had been.
    stack.deliver("club", b"Subject: 3\n\nthree\n");
    tokio::time::timeout(Duration::from_secs(20), club.wait(Duration::from_secs(200)))
        .await
        .unwrap()
        .unwrap();
    let listing = club.list(Folder::Inbox, None).await.unwrap();
    assert_eq!(listing.mails.len(), 1);
    assert_eq!(club.fullness().await.unwrap(), None);
    club.unmark(&[&left[0]]).await.unwrap();
    assert_eq!(club.marks().await.unwrap(), []);
    assert_eq!(stack.mails("club", "Done").len(), 2);
    club.close().await;
}
