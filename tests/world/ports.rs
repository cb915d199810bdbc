//! The ports: every single thing that the daemon does to the world outside goes through one of them and is counted,
//! those to servers here, those to the disk there.
//!
//! Knows at which call the daemon is to die, or an error is to happen; refuses to know what a call does.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::Notify;

use super::disk;

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// It is done.
    Done,
    /// It fails, once.
    Fails,
    /// The daemon is dead: nothing comes of it, ever.
    Dead,
}

#[derive(Debug, Default)]
struct State {
    count: u64,
    kill_at: Option<u64>,
    fail_at: Option<u64>,
    dead: bool,
    killed: Arc<Notify>,
    kinds: BTreeMap<&'static str, u64>,
    met: &'static str,
}

thread_local! {
    // A world lives in one thread, and so does the disk of its daemon, which has no other way to ask.
    static PORTS: RefCell<State> = RefCell::default();
}

/// All ports are new, and nothing is planned.
pub fn reset() {
    disk::install();
    disk::reset();
    PORTS.with_borrow_mut(|ports| *ports = State::default());
}

/// Counts a call, and says what becomes of it.
pub fn call(kind: &'static str) -> Call {
    PORTS.with_borrow_mut(|ports| {
        if ports.dead || disk::is_dead() {
            ports.dead = true;
            ports.killed.notify_one();
            return Call::Dead;
        }
        ports.count += 1;
        *ports.kinds.entry(kind).or_default() += 1;
        if ports.kill_at == Some(ports.count) {
            ports.dead = true;
            ports.met = kind;
            ports.killed.notify_one();
            disk::plan(disk::Plan::Die { at: 1 });
            return Call::Dead;
        }
        if ports.fail_at == Some(ports.count) {
            ports.met = kind;
            return Call::Fails;
        }
        Call::Done
    })
}

/// How many calls there were.
pub fn count() -> u64 {
    PORTS.with_borrow(|ports| ports.count)
}

/// The calls, by kind.
pub fn kinds() -> BTreeMap<&'static str, u64> {
    PORTS.with_borrow(|ports| ports.kinds.clone())
}

/// The kind of call that a plan met, if it met one.
pub fn met() -> Option<&'static str> {
    PORTS.with_borrow(|ports| Some(ports.met).filter(|met| !met.is_empty()))
}

/// The daemon dies at the n-th call, counted from the start of the world.
pub fn kill_at(n: u64) {
    PORTS.with_borrow_mut(|ports| ports.kill_at = Some(n));
}

/// The n-th call fails.
pub fn fail_at(n: u64) {
    PORTS.with_borrow_mut(|ports| ports.fail_at = Some(n));
}

pub fn is_dead() -> bool {
    PORTS.with_borrow(|ports| ports.dead) || disk::is_dead()
}

/// The daemon dies here and now.
pub fn kill() {
    PORTS.with_borrow_mut(|ports| ports.dead = true);
    disk::plan(disk::Plan::Die { at: 1 });
}

/// Another daemon begins to live.
pub fn revive() {
    disk::revive();
    PORTS.with_borrow_mut(|ports| {
        ports.dead = false;
        ports.kill_at = None;
    });
}

/// What is planned and has not struck will not.
pub fn well() {
    disk::plan(disk::Plan::Well);
    PORTS.with_borrow_mut(|ports| (ports.kill_at, ports.fail_at) = (None, None));
}

/// Rings when the daemon dies at a port.
pub fn killed() -> Arc<Notify> {
    PORTS.with_borrow(|ports| ports.killed.clone())
}
