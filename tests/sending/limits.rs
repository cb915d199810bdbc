//! Limits of sending: what is counted, and who goes first (OUT-05).

use chrono::TimeDelta;
use dvonn_post::daemon::answered;
use dvonn_post::store::Claimed;
use dvonn_post::wire::{Sent, WayOut};

use crate::World;

fn out(world: &World) -> WayOut {
    WayOut::Maildir(world.path("out"))
}

#[tokio::test]
async fn letters_about_games_go_before_answers_to_unproven_mail_and_notices() {
    let mut world = World::new();
    world.limits.mails_per_hour = Some(3);
    world.post("stranger@s.example", None, true);
    world.post("member@m.example", Some(9), true);
    world.post("notice@n.example", None, false);
    // The same person's page was made before the board.
    world.post("anna@a.example", None, false);
    for player in [
        "anna@a.example",
        "ben@b.example",
        "cy@c.example",
        "dan@d.example",
    ] {
        world.post(player, Some(1), false);
    }
    let mut daemon = world.daemon(&out(&world));
    daemon.round().await.unwrap();
    assert_eq!(
        world.recipients("sent"),
        ["anna@a.example", "ben@b.example", "cy@c.example"]
    );
    world.pass(TimeDelta::minutes(59)).await;
    daemon.round().await.unwrap();
    assert_eq!(world.recipients("sent").len(), 3);
    world.pass(TimeDelta::minutes(2)).await;
    daemon.round().await.unwrap();
    let sent = world.recipients("sent");
    assert_eq!(sent.len(), 6);
    assert!(sent.contains(&"dan@d.example".to_owned()), "{sent:?}");
}

#[tokio::test]
async fn letters_that_are_on_their_way_count_against_the_limit() {
    let mut world = World::new();
    world.limits.mails_per_day = Some(1);
    for n in 0..8 {
        world.post(&format!("player{n}@p.example"), Some(n), false);
    }
    let mut daemon = world.daemon(&out(&world));
    daemon.round().await.unwrap();
    assert_eq!(world.recipients("sent").len(), 1);
    world.pass(TimeDelta::hours(23)).await;
    daemon.round().await.unwrap();
    assert_eq!(world.recipients("sent").len(), 1);
    world.pass(TimeDelta::hours(2)).await;
    daemon.round().await.unwrap();
    assert_eq!(world.recipients("sent").len(), 2);
}

#[tokio::test]
async fn a_letter_that_may_have_arrived_counts_against_the_limit() {
    let mut world = World::new();
    world.limits.mails_per_hour = Some(1);
    let letter = world.post("eva@e.example", Some(1), false);
    let claimed = Claimed {
        id: letter,
        sender: None,
        recipient: "eva@e.example".to_owned(),
        bytes: Vec::new(),
        attempt: 1,
        uncertain: 0,
        made: world.now(),
    };
    let (club, now) = (world.club(), world.now());
    let sent = Sent::Uncertain {
        text: "lost".to_owned(),
    };
    world
        .store()
        .write(|tx| answered(tx, &club, &claimed, sent, now))
        .unwrap();
    world.post("ben@b.example", Some(2), false);
    let mut daemon = world.daemon(&out(&world));
    daemon.round().await.unwrap();
    assert_eq!(world.recipients("sent").len(), 0);
    world.pass(TimeDelta::minutes(61)).await;
    daemon.round().await.unwrap();
    assert_eq!(world.recipients("sent").len(), 1);
}

/// A clock that ran a year ahead would let a limit bite for a year.
#[test]
fn letters_handed_over_by_a_clock_that_ran_ahead_count_for_no_longer_than_others() {
    let world = World::new();
    let (now, ahead) = (world.now(), world.now() + TimeDelta::days(365));
    let counted = |at| {
        let since = at - TimeDelta::hours(1);
        world.store().read(|tx| tx.handed_since(since)).unwrap()
    };
    let mut store = world.store();
    store.write(|tx| tx.handed_over(ahead)).unwrap();
    store.write(|tx| tx.mend_future(now)).unwrap();
    assert_eq!(counted(now), 1);
    assert_eq!(counted(now + TimeDelta::hours(2)), 0);
}
