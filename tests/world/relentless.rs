//! The loop that trusts nothing: one life without faults, lived again with the daemon killed at its first port call,
//! at its second, at its third … until a life ends untouched; then the same with an error in place of the death.
//!
//! Knows how the untouched life ended; refuses any other record, and any letter that is not one of its letters.

use std::collections::BTreeMap;

use super::book::Events;
use super::plan::Plan;
use super::{Lived, disk, live_with, ports, tail};

/// What a life comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Game and serial, kind and what.
    pub events: BTreeMap<(u32, u32), (String, String)>,
    /// How many letters were made for whom.
    pub letters: BTreeMap<String, usize>,
}

impl Record {
    pub fn of(events: &Events, recipients: impl Iterator<Item = String>) -> Record {
        let events = events
            .iter()
            .map(|(key, (_, kind, what))| (*key, (kind.clone(), what.clone())));
        let mut letters = BTreeMap::new();
        for recipient in recipients {
            *letters.entry(recipient).or_default() += 1;
        }
        Record {
            events: events.collect(),
            letters,
        }
    }
}

/// One fault of the loop: what it is called, how it is planned, and how many calls there are that it can strike.
struct Struck {
    what: &'static str,
    plan: fn(u64),
    power: bool,
    points: fn(&Lived) -> u64,
}

/// Lives the steady life with that fault at the n-th call, for every n that is looked at.
fn at_every_call(struck: &Struck) {
    let plan = Plan {
        power: struck.power,
        ..Plan::steady()
    };
    let what = struck.what;
    let untouched = live_with(&plan, || {});
    assert_eq!(untouched.outcome, Ok(()), "{}", untouched.trace.join("\n"));
    let ours = untouched.record.clone().unwrap();
    assert!(
        ours.events.len() > 24,
        "{}\n{} events",
        untouched.trace.join("\n"),
        ours.events.len()
    );
    let points = (struck.points)(&untouched);
    let every = super::number("EVERY").unwrap_or_else(|| (points / POINTS).max(1));
    println!(
        "{what}: {points} points, every {every}th is looked at; calls {:?}",
        untouched.kinds
    );
    let calls: Vec<u64> = (1..=points)
        .step_by(usize::try_from(every).unwrap())
        .collect();
    let broken = super::in_two_threads(&calls, |n| {
        let lived = live_with(&plan, || (struck.plan)(n));
        differs(&lived, &ours).map(|why| {
            let shown = lived.trace.len().saturating_sub(40);
            format!(
                "{}\n{what} at call {n} of {points} ({:?}): {why}",
                lived.trace[shown..].join("\n"),
                lived.met
            )
        })
    });
    assert!(
        broken.is_empty(),
        "{}\n{} of {} lives broke: {}",
        broken[0],
        broken.len(),
        calls.len(),
        broken
            .iter()
            .map(|b| tail(b, 1))
            .collect::<Vec<_>>()
            .join("\n")
    );
}

/// Points that are looked at in every run of the tests; `EVERY=1` looks at all.
const POINTS: u64 = 50;

fn differs(lived: &Lived, ours: &Record) -> Option<String> {
    if let Err(why) = &lived.outcome {
        return Some(why.clone());
    }
    let theirs = lived.record.as_ref()?;
    if theirs.events != ours.events {
        return Some("another record".to_owned());
    }
    if theirs.letters != ours.letters {
        return Some(format!(
            "other letters: {:?} for {:?}",
            theirs.letters, ours.letters
        ));
    }
    // That two copies are the same letter is an invariant of every step.
    (lived.most_copies > 2).then(|| format!("{} copies of a letter", lived.most_copies))
}

#[test]
fn killed_at_every_word_to_a_server_nothing_is_lost_and_nothing_doubled() {
    at_every_call(&Struck {
        what: "a death",
        plan: ports::kill_at,
        power: false,
        points: |lived| lived.calls,
    });
}

#[test]
fn an_error_at_every_word_to_a_server_loses_nothing_and_doubles_nothing() {
    at_every_call(&Struck {
        what: "an error",
        plan: ports::fail_at,
        power: false,
        points: |lived| lived.calls,
    });
}

#[test]
fn without_power_at_every_call_to_the_disk_nothing_is_lost_and_nothing_doubled() {
    at_every_call(&Struck {
        what: "a power cut",
        plan: |at| disk::plan(disk::Plan::Die { at }),
        power: true,
        points: |lived| lived.disk_calls,
    });
}

#[test]
fn an_error_at_every_call_to_the_disk_loses_nothing_and_doubles_nothing() {
    at_every_call(&Struck {
        what: "an error of the disk",
        plan: |at| {
            disk::plan(disk::Plan::Fail {
                at,
                trouble: disk::Trouble::Io,
                lasting: false,
            });
        },
        power: false,
        points: |lived| lived.disk_calls,
    });
}
