//! The mail world: the real daemon on a paused clock, with everything outside it simulated from a seed: mailbox,
//! outgoing server, network, clock, disk, and people who answer late, twice, wrongly or never.
//!
//! `SEED=n cargo test --test world one_seed` lives one world and shows it when it breaks;
//! `SEEDS=20000 cargo test --release --test world three_hundred_seeds` lives many.

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::expect_used,
    clippy::string_slice,
    unreachable_pub,
    missing_docs
)]

#[path = "world/birth.rs"]
mod birth;
#[path = "world/book.rs"]
mod book;
#[path = "world/boxes.rs"]
mod boxes;
#[path = "world/chance.rs"]
mod chance;
#[path = "world/clock.rs"]
mod clock;
#[path = "world/disk.rs"]
mod disk;
#[path = "world/ending.rs"]
mod ending;
#[path = "world/faults.rs"]
mod faults;
#[path = "world/games.rs"]
mod games;
#[path = "world/imap.rs"]
mod imap;
#[path = "world/invariants.rs"]
mod invariants;
#[path = "world/letters.rs"]
mod letters;
#[path = "world/log.rs"]
mod log;
#[path = "world/machine.rs"]
mod machine;
#[path = "world/net.rs"]
mod net;
#[path = "world/people.rs"]
mod people;
#[path = "world/plan.rs"]
mod plan;
#[path = "world/ports.rs"]
mod ports;
#[path = "world/relentless.rs"]
mod relentless;
#[path = "world/servers.rs"]
mod servers;
#[path = "world/smtp.rs"]
mod smtp;
#[path = "world/world.rs"]
mod world;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use plan::Plan;
use relentless::Record;
use world::World;

/// Lines of a broken world that are shown.
const SHOWN: usize = 60;

/// How a world ended.
struct Lived {
    trace: Vec<String>,
    outcome: Result<(), String>,
    record: Option<Record>,
    /// Most copies of one letter.
    most_copies: usize,
    /// Port calls, all of them and by kind, and the kind that a plan met.
    calls: u64,
    disk_calls: u64,
    kinds: BTreeMap<&'static str, u64>,
    met: Option<&'static str>,
}

/// Lives one world from beginning to end.
fn live(plan: &Plan) -> Lived {
    live_with(plan, || {})
}

/// The same, with a plan for the ports made at its beginning.
fn live_with(plan: &Plan, ports_plan: impl FnOnce()) -> Lived {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    let (mut trace, mut record, mut most_copies, mut disk_calls) = (Vec::new(), None, 0, 0);
    let life = async {
        let mut world = World::new(plan.clone());
        disk::plan(disk::Plan::Well);
        ports_plan();
        let mut outcome = world.live().await;
        disk_calls = disk::calls();
        let recipients = world.book.letters().into_iter().map(|l| l.recipient);
        record = Some(Record::of(&world.book.events(), recipients));
        most_copies = world.most_copies();
        if outcome.is_ok() {
            outcome = world.a_backup_catches_up().await;
        }
        trace = std::mem::take(&mut world.net.lock().servers.trace);
        if outcome.is_err() {
            trace.push(format!("THE LOG'S END\n{}", tail(&world.log.text(), 30)));
        }
        outcome
    };
    let outcome = catch_unwind(AssertUnwindSafe(|| runtime.block_on(life)));
    let outcome = outcome.unwrap_or_else(|_| Err("a panic; see above".to_owned()));
    Lived {
        trace,
        outcome,
        record,
        most_copies,
        calls: ports::count(),
        disk_calls,
        kinds: ports::kinds(),
        met: ports::met(),
    }
}

/// Does the same for all these numbers; gives what is said of those that broke.
fn in_two_threads(numbers: &[u64], work: impl Fn(u64) -> Option<String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let broken = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let said = work(*number);
                    broken.lock().unwrap().extend(said);
                }
            });
        }
    });
    broken.into_inner().unwrap()
}

fn tail(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text.lines().collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}

fn show(seed: u64, lived: &Lived) -> Option<String> {
    let why = lived.outcome.as_ref().err()?;
    let shown = lived.trace.len().saturating_sub(SHOWN);
    Some(format!(
        "{}\n{why}\nSEED={seed} cargo test --test world one_seed",
        lived.trace[shown..].join("\n")
    ))
}

/// Seeds that broke a world once.
fn kept() -> Vec<u64> {
    include_str!("seeds.txt")
        .lines()
        .filter_map(|line| line.split('#').next()?.trim().parse().ok())
        .collect()
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn one_seed() {
    let seed = number("SEED").unwrap_or(1);
    let lived = live(&Plan::of(seed));
    if std::env::var("SEED").is_ok() {
        println!("{}", lived.trace.join("\n"));
    }
    if let Some(shown) = show(seed, &lived) {
        panic!("{shown}");
    }
}

#[test]
fn three_hundred_seeds() {
    let seeds: Vec<u64> = (1..=number("SEEDS").unwrap_or(300)).chain(kept()).collect();
    let broken = in_two_threads(&seeds, |seed| show(seed, &live(&Plan::of(seed))));
    assert!(
        broken.is_empty(),
        "{}\n{} of {} worlds broke:\n{}",
        broken.first().unwrap(),
        broken.len(),
        seeds.len(),
        broken
            .iter()
            .map(|b| tail(b, 2))
            .collect::<Vec<_>>()
            .join("\n")
    );
}

#[test]
fn the_same_seed_lives_the_same_life() {
    let [first, second] = [(); 2].map(|()| live(&Plan::of(7)).trace);
    assert!(first.len() > 50, "{} lines", first.len());
    assert_eq!(first, second);
}
