//! Answers of servers, and what becomes of the letter (OUT-02, OUT-03, OUT-04, OUT-07).

use chrono::TimeDelta;
use dvonn_post::daemon::answered;
use dvonn_post::mail::bounce::Score;
use dvonn_post::store::{Claimed, Reach, Tx};
use dvonn_post::wire::Sent;

use crate::World;

const EVA: &str = "eva@e.example";

/// One try, and its answer; gives the letters to the admin that it causes.
fn one_try(world: &World, letter: i64, attempt: u32, uncertain: u32, sent: Sent) -> usize {
    let claimed = Claimed {
        id: letter,
        sender: None,
        recipient: EVA.to_owned(),
        bytes: Vec::new(),
        attempt,
        uncertain,
        made: world.row(letter).made,
    };
    let (club, now) = (world.club(), world.now());
    // The claim counts the try.
    let claim = |tx: &Tx<'_>| tx.claim(now, &[], 9, 9, false, |_| now);
    world.store().write(claim).unwrap();
    let before = world.recipients("waiting").len();
    world
        .store()
        .write(|tx| answered(tx, &club, &claimed, sent, now))
        .unwrap();
    let admin = |world: &World| {
        let to = world.recipients("waiting");
        to.iter().filter(|to| *to == "admin@club.example").count()
    };
    assert!(world.recipients("waiting").len() <= before + 1);
    admin(world)
}

fn refused(text: &str) -> Sent {
    let (code, text) = (text[..3].parse().unwrap(), text.to_owned());
    Sent::Refused { code, text }
}

fn doubtful(text: &str) -> Sent {
    let (code, text) = (text[..3].parse().unwrap(), text.to_owned());
    Sent::Doubtful { code, text }
}

fn temporary(text: &str) -> Sent {
    let text = text.to_owned();
    Sent::Temporary { text }
}

#[test]
fn every_answer_has_one_meaning() {
    // What was said at which try, how many days after the letter was made; how the letter stands then, in how many
    // minutes it is tried again, how often the admin is told, and the score of the address in half points.
    let table = [
        (Sent::Accepted, 1, 0, "sent", None, 0, 0),
        // Gmail's.
        (
            temporary("450 4.2.1 receiving mail at a rate that"),
            1,
            0,
            "waiting",
            Some(1),
            0,
            0,
        ),
        (
            temporary("452 4.2.2 out of storage space"),
            9,
            4,
            "waiting",
            Some(960),
            0,
            0,
        ),
        (
            temporary("452 4.2.2 out of storage space"),
            10,
            4,
            "waiting",
            Some(1440),
            0,
            0,
        ),
        (
            temporary("452 4.2.2 out of storage space"),
            10,
            6,
            "failed",
            None,
            1,
            1,
        ),
        (
            temporary("452 4.2.2 out of storage space"),
            2,
            20,
            "waiting",
            Some(5),
            0,
            0,
        ),
        (
            refused("550 5.1.1 The email account does not exist."),
            1,
            0,
            "held",
            None,
            0,
            2,
        ),
        (
            refused("550 5.2.1 The email account is disabled."),
            1,
            0,
            "held",
            None,
            0,
            2,
        ),
        (
            doubtful("550 5.7.1 likely unsolicited mail"),
            1,
            0,
            "waiting",
            Some(720),
            0,
            0,
        ),
        (
            doubtful("550 5.7.1 likely unsolicited mail"),
            2,
            0,
            "waiting",
            Some(720),
            0,
            0,
        ),
        (
            doubtful("550 5.7.1 likely unsolicited mail"),
            3,
            1,
            "failed",
            None,
            1,
            0,
        ),
        (
            doubtful("552 5.2.2 out of storage space"),
            3,
            1,
            "failed",
            None,
            1,
            1,
        ),
        (
            Sent::TooLarge {
                text: "552 5.2.3 exceeded size limits".to_owned(),
            },
            1,
            0,
            "failed",
            None,
            1,
            0,
        ),
        (
            Sent::Limit {
                text: "550 5.4.5 Daily limit exceeded".to_owned(),
            },
            1,
            0,
            "waiting",
            Some(0),
            0,
            0,
        ),
        (
            Sent::Credentials {
                text: "535 5.7.8 not accepted".to_owned(),
            },
            1,
            0,
            "waiting",
            Some(0),
            0,
            0,
        ),
        (
            Sent::Down {
                text: "421 4.7.0 closing connection".to_owned(),
            },
            50,
            20,
            "waiting",
            Some(0),
            0,
            0,
        ),
        // Others'.
        (refused("550 No such user here"), 1, 0, "held", None, 0, 2),
        (
            refused("550 Mailbox unavailable"),
            1,
            0,
            "failed",
            None,
            1,
            2,
        ),
        (
            refused("550 blocked by a spam list"),
            1,
            0,
            "waiting",
            Some(720),
            0,
            0,
        ),
        (
            refused("550 blocked by a spam list"),
            3,
            1,
            "failed",
            None,
            1,
            0,
        ),
        (
            doubtful("554 Transaction failed"),
            3,
            1,
            "failed",
            None,
            1,
            0,
        ),
        (doubtful("599 what?"), 2, 0, "waiting", Some(720), 0, 0),
    ];
    for (sent, attempt, days, state, minutes, told, halves) in table {
        let world = World::new();
        let letter = world.post(EVA, Some(1), false);
        world.step(TimeDelta::days(days));
        let what = format!("{sent:?} at try {attempt}");
        assert_eq!(one_try(&world, letter, attempt, 0, sent), told, "{what}");
        let row = world.row(letter);
        assert_eq!(row.word(), state, "{what}");
        if let Some(minutes) = minutes {
            // Half a percent of chance is left in every wait.
            let wait = (row.next - world.now()).num_seconds();
            let off = (wait - minutes * 60).abs();
            assert!(off * 100 <= minutes * 60, "{what}: {wait} s");
        }
        let reach = world.store().read(|tx| tx.reach(EVA)).unwrap();
        assert_eq!(
            reach.map_or(0, |reach| reach.score.halves),
            halves,
            "{what}"
        );
    }
}

#[test]
fn no_answer_to_the_final_dot_twice_ends_the_tries_and_the_admin_is_told() {
    let world = World::new();
    let letter = world.post(EVA, Some(1), false);
    let uncertain = || Sent::Uncertain {
        text: "no answer to the end of the content".to_owned(),
    };
    assert_eq!(one_try(&world, letter, 1, 0, uncertain()), 0);
    assert_eq!((world.row(letter).next - world.now()).num_minutes(), 10);
    assert_eq!(one_try(&world, letter, 2, 1, uncertain()), 1);
    let row = world.row(letter);
    assert_eq!(row.word(), "failed");
    assert!(
        row.result.starts_with("may have arrived: no answer"),
        "{}",
        row.result
    );
    // The provider counts both.
    let handed = world
        .store()
        .read(|tx| tx.handed_since(world.now() - TimeDelta::days(1)));
    assert_eq!(handed.unwrap(), 2);
}

/// A report about an older letter came while it was on its way.
#[test]
fn a_letter_that_got_through_while_its_recipient_was_given_up_waits_no_more() {
    let world = World::new();
    let letter = world.post(EVA, Some(1), false);
    world.store().write(|tx| tx.hold_letters(EVA)).unwrap();
    assert_eq!(world.row(letter).word(), "held");
    one_try(&world, letter, 1, 0, Sent::Accepted);
    assert_eq!(world.row(letter).word(), "sent");
    let held = |tx: &Tx<'_>| Ok((tx.count_held()?, tx.held_letters(EVA)?));
    assert_eq!(world.store().read(held).unwrap(), (0, Vec::new()));
}

#[test]
fn what_others_were_told_by_a_clock_that_ran_ahead_is_told_again() {
    let world = World::new();
    let letter = world.post(EVA, Some(1), false);
    let ahead = Reach {
        score: Score::default(),
        held: None,
        told: Some(world.now() + TimeDelta::days(365)),
        reason: String::new(),
    };
    world.store().write(|tx| tx.set_reach(EVA, &ahead)).unwrap();
    one_try(&world, letter, 1, 0, refused("550 5.1.1 no such user"));
    let reach = world.store().read(|tx| tx.reach(EVA)).unwrap().unwrap();
    assert_eq!(reach.told, Some(world.now()));
}
