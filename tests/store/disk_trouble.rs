//! The first, second, third … call that reaches the disk goes wrong, in every step of a scene of forty mails: after it the
//! database is as before the step or as after it, never between; what was promised is there; and the club goes on to the
//! same end as one that never had trouble.
//!
//! Every step is tried at every n-th call until a run of it ends untouched. `EVERY=1` in the environment takes each call,
//! where otherwise a stride keeps the whole file within seconds; strides and the number of points are printed.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::disk::{self, Plan, Trouble};
use crate::disk_scene::{Daemon, Moment, Scene, Step, scene};
use crate::dump::assert_same;

/// The scene, played once for all tests.
fn played() -> &'static Scene {
    static SCENE: OnceLock<Scene> = OnceLock::new();
    SCENE.get_or_init(|| {
        disk::install();
        scene()
    })
}

/// Every how many calls there is trouble: a prime, so that it wanders through what every commit does alike.
pub(crate) fn stride(wanted: u64) -> u64 {
    if std::env::var_os("EVERY").is_some() {
        1
    } else {
        wanted
    }
}

/// One piece of trouble: in that step, so planned, and after death perhaps with a power cut.
struct Point<'a> {
    scene: &'a Scene,
    index: usize,
    plan: Plan,
    cut: Option<u64>,
}

impl Point<'_> {
    fn name(&self) -> String {
        format!(
            "step {} ({:.60?}), {:?}, power cut {:?}",
            self.index, self.scene.steps[self.index], self.plan, self.cut
        )
    }

    fn before(&self) -> &Moment {
        &self.scene.moments[self.index]
    }

    fn after(&self) -> &Moment {
        &self.scene.moments[self.index + 1]
    }

    /// Tries the step with the trouble and again without it; gives the daemon that went through it, or nothing where the
    /// step ended before the trouble came.
    fn go(&self) -> Option<Daemon> {
        disk::reset();
        let mut daemon = Daemon::at(self.before());
        disk::plan(self.plan);
        let outcome = daemon.act(&self.scene.steps, self.index, false);
        if !disk::struck() {
            outcome.unwrap();
            self.check_same(&daemon, self.after());
            return None;
        }
        if disk::is_dead() {
            daemon.end();
            if let Some(seed) = self.cut {
                disk::power_cut(seed);
            }
            disk::revive();
            daemon.begin().unwrap();
        }
        disk::heal();
        self.check_between(&daemon, outcome.is_ok());
        daemon.act(&self.scene.steps, self.index, true).unwrap();
        self.check_same(&daemon, self.after());
        self.check_letters(&daemon);
        Some(daemon)
    }

    /// The database right after the trouble.
    fn check_between(&self, daemon: &Daemon, promised: bool) {
        let database = daemon.database();
        let check: String = database
            .query_row("PRAGMA integrity_check", [], |row| row.get(0))
            .unwrap();
        assert_eq!(check, "ok", "{}", self.name());
        let (found, after) = (daemon.print(), &self.after().print);
        if promised || found == *after {
            self.check_same(daemon, self.after());
        } else if let Step::Deliver(_) = self.scene.steps[self.index] {
            // The mail may be kept, waiting.
            let without = |print: &BTreeMap<String, u64>| {
                let mut print = print.clone();
                print.remove("inbox");
                print
            };
            if without(&found) != without(&self.before().print) {
                self.check_same(daemon, self.before());
            }
        } else {
            self.check_same(daemon, self.before());
        }
        self.check_letters(daemon);
    }

    fn check_same(&self, daemon: &Daemon, moment: &Moment) {
        if daemon.print() != moment.print {
            assert_same(&daemon.dump(), &moment.dump, &self.name());
            panic!("two databases differ and do not: {}", self.name());
        }
    }

    /// A letter's try is counted before it is handed over, and what the database was told of it is kept.
    fn check_letters(&self, daemon: &Daemon) {
        let database = daemon.database();
        let mut statement = database
            .prepare("SELECT attempts, state FROM outbox WHERE id = ?1")
            .unwrap();
        for (id, (times, _)) in &daemon.server.seen {
            let (attempts, state): (u32, String) = statement
                .query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))
                .unwrap();
            assert!(attempts >= *times, "letter {id}: {}", self.name());
            if daemon.server.noted.contains(id) {
                assert_eq!(state, "sent", "letter {id}: {}", self.name());
            }
        }
    }

    /// Goes on from here to the end of the scene.
    fn finish(&self, mut daemon: Daemon) {
        for index in self.index + 1..self.scene.steps.len() {
            daemon.act(&self.scene.steps, index, false).unwrap();
        }
        self.check_same(&daemon, self.scene.moments.last().unwrap());
        check_end(&daemon, &self.name());
    }
}

/// All letters are sent, and no mail was set aside because of the disk.
fn check_end(daemon: &Daemon, name: &str) {
    let count = |sql: &str| -> i64 {
        daemon
            .database()
            .query_row(sql, [], |row| row.get(0))
            .unwrap()
    };
    let letters = count("SELECT count(*) FROM outbox");
    assert_eq!(
        count("SELECT count(*) FROM outbox WHERE state = 'sent'"),
        letters,
        "{name}"
    );
    assert_eq!(
        i64::try_from(daemon.server.seen.len()).unwrap(),
        letters,
        "{name}"
    );
    assert_eq!(
        count("SELECT count(*) FROM inbox WHERE state IN ('waiting', 'shunted')"),
        0,
        "{name}"
    );
}

/// Goes through all steps; `plan` says what happens at a call, if anything, and `cut` with which power cut. Every so many
/// points the scene is played to its end.
fn everywhere(
    what: &str,
    (every, to_the_end): (u64, u64),
    plan: impl Fn(u64) -> Plan,
    cut: impl Fn(u64) -> Option<u64>,
) -> u64 {
    let scene = played();
    let every = stride(every);
    let (points, offset) = (Cell::new(0_u64), Cell::new(0_u64));
    for index in 0..scene.steps.len() {
        // Steps are shorter than some strides: what is left of one carries over to the next.
        let mut at = 1 + offset.get();
        loop {
            let point = Point {
                scene,
                index,
                plan: plan(at),
                cut: cut(at),
            };
            let Some(daemon) = point.go() else { break };
            points.set(points.get() + 1);
            if points.get() % to_the_end == 0 {
                point.finish(daemon);
            }
            at += every;
        }
        offset.set((offset.get() + 1) % every);
    }
    eprintln!(
        "{what}: {} points, every {every} calls of each step",
        points.get()
    );
    points.get()
}

fn fails(at: u64, trouble: Trouble) -> Plan {
    Plan::Fail {
        at,
        trouble,
        lasting: at.is_multiple_of(2),
    }
}

#[test]
fn the_scene_is_a_club_in_full_swing() {
    let scene = played();
    let mails = scene
        .steps
        .iter()
        .filter(|step| matches!(step, Step::Mail(_) | Step::Deliver(_)))
        .count();
    assert_eq!(mails, 40);
    let end = Daemon::at(scene.moments.last().unwrap());
    check_end(&end, "the scene");
    let dump = end.dump();
    let rows = |table: &str| dump.lines().filter(|line| line.starts_with(table)).count();
    assert_eq!(rows("players "), 3);
    assert!(rows("games ") >= 3, "{}", rows("games "));
    assert!(rows("outbox ") >= 60, "{}", rows("outbox "));
}

#[test]
fn wherever_the_disk_is_full_no_mail_is_half_done_and_the_daemon_goes_on() {
    let points = everywhere("full", (47, 20), |at| fails(at, Trouble::Full), |_| None);
    assert!(points > 50, "{points}");
}

#[test]
fn wherever_the_disk_fails_no_mail_is_half_done_and_the_daemon_goes_on() {
    let points = everywhere("fails", (47, 20), |at| fails(at, Trouble::Io), |_| None);
    assert!(points > 50, "{points}");
}

#[test]
fn wherever_the_disk_takes_no_writes_no_mail_is_half_done_and_the_daemon_goes_on() {
    let points = everywhere(
        "read-only",
        (47, 20),
        |at| fails(at, Trouble::ReadOnly),
        |_| None,
    );
    assert!(points > 50, "{points}");
}

#[test]
fn wherever_the_daemon_is_killed_what_was_committed_is_there_and_it_goes_on() {
    let points = everywhere("killed", (29, 40), |at| Plan::Die { at }, |_| None);
    assert!(points > 50, "{points}");
}

#[test]
fn wherever_the_power_is_cut_what_was_committed_is_there_and_it_goes_on() {
    let mut points = 0;
    for seed in 1..=4 {
        points += everywhere(
            "power cut",
            (83, 20),
            |at| Plan::Die { at },
            |at| Some(seed * 1000 + at),
        );
    }
    assert!(points > 50, "{points}");
}
