//! Servers after whose answer nothing more is tried for now.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use dvonn_post::wire::{Network, Security, Server, SmtpSettings, WayOut};
use tokio::sync::Notify;

use crate::World;
use crate::peer::Peer;

/// No test waits for its end.
const LONG: Duration = Duration::from_secs(20);

/// A server that answers every command of that verb so, and does all else well.
async fn server(verb: &'static str, words: &'static str) -> Peer {
    Peer::start(move |mut talk| async move {
        talk.say("220 hello\r\n").await;
        while talk.smtp_until(verb).await {
            talk.say(format!("{words}\r\n")).await;
        }
    })
    .await
}

fn way(peer: &Peer) -> WayOut {
    WayOut::Smtp(SmtpSettings {
        server: Server {
            host: "127.0.0.1".to_owned(),
            port: peer.port,
            security: Security::None,
            ca_file: None,
            network: Network::Tcp,
        },
        login: None,
        timeout: LONG,
        after_dot: LONG,
        connections: 1,
    })
}

fn count(peer: &Peer, verb: &str) -> usize {
    let heard = peer.heard();
    heard.iter().filter(|line| line.starts_with(verb)).count()
}

#[tokio::test]
async fn a_limit_of_the_server_is_waited_out_however_the_wall_clock_steps() {
    let world = World::new();
    for _ in 0..3 {
        world.post("anna@a.example", Some(1), false);
    }
    let peer = server("RCPT", "550 5.4.5 Daily sending limit exceeded").await;
    let mut daemon = world.daemon(&way(&peer));
    daemon.round().await.unwrap();
    assert_eq!(count(&peer, "MAIL"), 1);
    for step in [
        TimeDelta::minutes(30),
        TimeDelta::days(3),
        TimeDelta::days(-10),
    ] {
        world.step(step);
        daemon.round().await.unwrap();
        assert_eq!(count(&peer, "MAIL"), 1, "{step}");
    }
    // No try of these letters was used up; one to the admin, about the clock, waits with them.
    let waiting = world.recipients("waiting");
    assert_eq!(waiting[..3], ["anna@a.example"; 3]);
    assert_eq!(waiting[3..], ["admin@club.example"]);
    assert_eq!(world.row(1).attempts, 0);
}

#[tokio::test]
async fn after_the_first_letter_comes_back_no_other_goes_to_that_mailbox() {
    let world = World::new();
    for _ in 0..3 {
        world.post("anna@a.example", Some(1), false);
    }
    let peer = server("RCPT", "550 5.1.1 User unknown").await;
    let mut daemon = world.daemon(&way(&peer));
    daemon.round().await.unwrap();
    assert_eq!(count(&peer, "RCPT"), 1);
    world.post("anna@a.example", Some(2), false);
    world.pass(TimeDelta::days(1)).await;
    daemon.round().await.unwrap();
    assert_eq!(count(&peer, "RCPT"), 1);
    assert_eq!(world.recipients("held").len(), 3);
    assert_eq!(world.recipients("superseded").len(), 1);
}

#[tokio::test]
async fn one_mailbox_that_is_refused_holds_up_nobody_else() {
    let world = World::new();
    world.post("anna@a.example", Some(1), false);
    world.post("ben@b.example", Some(1), false);
    let peer = Peer::start(|mut talk| async move {
        talk.say("220 hello\r\n").await;
        while talk.smtp_until("RCPT TO:<anna@a.example>").await {
            talk.say("450 4.2.0 Greylisted\r\n").await;
        }
    })
    .await;
    let mut daemon = world.daemon(&way(&peer));
    daemon.round().await.unwrap();
    assert_eq!(world.recipients("sent"), ["ben@b.example"]);
    assert_eq!(world.recipients("waiting"), ["anna@a.example"]);
}

/// The kill falls between an answer and its commit for one letter at most, however many wait for the same person.
#[tokio::test]
async fn a_kill_in_the_middle_of_many_letters_to_one_person_repeats_only_the_one_on_its_way() {
    let world = World::new();
    for game in 1..=3 {
        world.post("anna@a.example", Some(game), false);
    }
    let third = Arc::new(Notify::new());
    let reached = third.clone();
    let peer = Peer::start(move |mut talk| {
        let reached = reached.clone();
        async move {
            talk.say("220 hello\r\n").await;
            for _ in 0..2 {
                talk.smtp_until("MAIL").await;
                talk.say("250 ok\r\n").await;
            }
            talk.smtp_until("MAIL").await;
            reached.notify_one();
            talk.silence().await;
        }
    })
    .await;
    let mut daemon = world.daemon(&way(&peer));
    tokio::select! {
        _ = daemon.round() => panic!("the third letter was taken"),
        () = third.notified() => {}
    }
    drop(daemon);
    let states = [1, 2, 3].map(|letter| world.row(letter).word());
    assert_eq!(states, ["sent", "sent", "waiting"]);
}
