//! A day at a large mailbox, as its provider counts it.

use std::time::Duration;

use chrono::TimeDelta;

use crate::house::{House, PROMPT, mail, now, office};

const MIB: usize = 1 << 20;

/// B17: providers lock accounts that download too much, or connect too often (IN-10).
#[tokio::test(start_paused = true)]
async fn a_day_at_a_mailbox_of_four_gigabytes_takes_one_connection_and_few_megabytes() {
    let office = office();
    for number in 0..4096 {
        let old = mail(&format!("{number}@elsewhere.test"), "join");
        office.put(MIB, old, now() - TimeDelta::days(30));
    }
    let house = House::open(&office).await;
    let day = Duration::from_secs(24 * 3600);
    let looks = || {
        let state = office.state();
        let heard = state.imap.heard.iter();
        heard.filter(|line| line.starts_with("SELECT")).count()
    };
    // A quiet part of the day costs next to nothing.
    let quiet = house
        .until(day, "a thousand looks", || looks() >= 1000)
        .await;
    let sent = office.state().imap.sent;
    assert!(sent < 5 * MIB, "{sent} bytes");
    for number in 0..50 {
        // Mail of a newcomer, and of a stranger whose mail is none of the club's.
        office.deliver(mail(&format!("new{number}@pbem.test"), "join"));
        let news = mail(&format!("news{number}@elsewhere.test"), "many words");
        office.put(MIB / 4, news, now());
        office.announce();
        tokio::time::sleep((day - quiet) / 50).await;
    }
    {
        let state = office.state();
        assert_eq!((state.imap.connections, state.imap.most), (1, 1));
        assert!(state.imap.sent < 50 * MIB, "{} bytes", state.imap.sent);
        assert_eq!(state.done.len(), 50, "the club's own are put away");
    }
    house.close().await;
}

/// IN-10: the size is looked at first.
#[tokio::test(start_paused = true)]
async fn a_mail_of_thirty_megabytes_is_answered_and_not_downloaded() {
    let office = office();
    let house = House::with(&office, &["Carol"]).await;
    let raw = mail("carol@pbem.test", "list");
    office.put(30 * MIB, raw, now());
    office.announce();
    house
        .until(PROMPT, "it is answered", || {
            office.letters("carol@pbem.test").len() == 1
        })
        .await;
    let letter = office.letters("carol@pbem.test").remove(0);
    assert!(letter.contains("too large"), "{letter}");
    house
        .until(PROMPT, "it is put away", || office.state().done.len() == 1)
        .await;
    let sent = office.state().imap.sent;
    assert!(sent < MIB / 100, "{sent} bytes");
    house.close().await;
}
