//! The disk below SQLite, as a test wants it: it fills up, fails, is switched off, and forgets what was never synced.
//!
//! Knows calls that write, truncate, sync or delete, and what of them is not yet safe. Refuses to know what is kept on
//! it. All of it is the calling thread's own: each test has a disk to itself, however many run in one process.
//!
//! In use: [`install`] once; [`reset`]; open the database; [`plan`] the trouble; work; then [`heal`], or drop every
//! connection, perhaps [`power_cut`], and [`revive`]. A loop raises N until a run ends that was never [`struck`].
//!
//! A power cut is as SQLite fears it. Of each file, what was written since its last sync is undone, kept or torn in
//! sectors, write by write and in no order; a file that is new may be gone, and one that was deleted may be back. The
//! shared memory of the log (`-shm`) never outlives the machine. A plain kill loses nothing that was written.

#![allow(dead_code)]

#[path = "disk_vfs.rs"]
mod vfs;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The smallest piece that a disk writes as a whole.
const SECTOR: u64 = 512;

/// What a call that fails says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// There is no room; what fits of a write is written.
    Full,
    /// The device fails.
    Io,
    /// Nothing may be written.
    ReadOnly,
}

/// What is to happen; calls are counted from 1, beginning with the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// All goes well.
    Well,
    /// That call fails; `lasting`: and all after it, until [`heal`].
    Fail {
        at: u64,
        trouble: Trouble,
        lasting: bool,
    },
    /// The program ends in the middle of that call: nothing after it reaches the disk, until [`revive`].
    Die { at: u64 },
}

/// Kinds of call that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    Write,
    Truncate,
    Sync,
    Delete,
}

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Well,
    Fails(Trouble),
    /// The program is no more.
    Dead,
    /// It ends now.
    Dies,
}

/// A change that is not yet safe: `old` lay from `at` to the end of the file or of `new`, which lies there now. Where the
/// file was cut, `new` is nothing.
#[derive(Debug)]
struct Change {
    at: u64,
    old: Vec<u8>,
    new: Option<Vec<u8>>,
    size_before: u64,
}

/// What a power cut would undo of one file.
#[derive(Debug, Default)]
struct Unsafe {
    changes: Vec<Change>,
    /// The name is new, and its folder was not synced.
    is_new: bool,
    /// The file that had this name and was deleted, its folder not being synced.
    deleted: Option<Vec<u8>>,
}

#[derive(Debug)]
struct Disk {
    plan: Plan,
    calls: u64,
    struck: bool,
    dead: bool,
    files: BTreeMap<PathBuf, Unsafe>,
}

impl Disk {
    const SOUND: Disk = Disk {
        plan: Plan::Well,
        calls: 0,
        struck: false,
        dead: false,
        files: BTreeMap::new(),
    };
}

thread_local! {
    static DISK: RefCell<Disk> = const { RefCell::new(Disk::SOUND) };
}

/// Puts this disk below all databases that the process opens from now on.
pub(crate) fn install() {
    vfs::register();
}

/// A sound disk: nothing planned, counted or unsafe.
pub(crate) fn reset() {
    with(|disk| *disk = Disk::SOUND);
}

/// Plans trouble; the count of calls starts anew.
pub(crate) fn plan(plan: Plan) {
    with(|disk| (disk.plan, disk.calls, disk.struck) = (plan, 0, false));
}

/// No more trouble; the count goes on.
pub(crate) fn heal() {
    with(|disk| disk.plan = Plan::Well);
}

/// Calls since [`reset`] or [`plan`].
pub(crate) fn calls() -> u64 {
    with(|disk| disk.calls)
}

/// Whether the plan came true.
pub(crate) fn struck() -> bool {
    with(|disk| disk.struck)
}

/// Whether the program that used this disk is to be taken for dead.
pub(crate) fn is_dead() -> bool {
    with(|disk| disk.dead)
}

/// The next program begins. Nothing of the last one may be open still.
pub(crate) fn revive() {
    with(|disk| (disk.dead, disk.plan) = (false, Plan::Well));
}

/// The machine loses its power; which writes survive depends on `seed`. No database may be open. Gives the number of files
/// that are not as the program left them.
pub(crate) fn power_cut(seed: u64) -> usize {
    let files = with(|disk| std::mem::take(&mut disk.files));
    let mut chance = Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut changed = 0;
    for (path, file) in files {
        if !path.parent().is_some_and(Path::is_dir) {
            continue;
        }
        let name = path.to_string_lossy();
        let database = name.trim_end_matches("-wal").trim_end_matches("-journal");
        let _ = fs::remove_file(format!("{database}-shm"));
        let found = fs::read(&path).ok();
        let left = after_power_cut(found.clone(), file, &mut chance);
        changed += usize::from(found != left);
        match left {
            Some(bytes) => fs::write(&path, bytes).unwrap(),
            None => drop(fs::remove_file(&path)),
        }
    }
    changed
}

fn after_power_cut(found: Option<Vec<u8>>, file: Unsafe, chance: &mut Chance) -> Option<Vec<u8>> {
    let Some(mut bytes) = found else {
        return file.deleted.filter(|_| chance.below(2) == 0);
    };
    for change in file.changes.iter().rev() {
        change.undo(&mut bytes);
    }
    // Now and then all or nothing survives, which of many writes would else never be seen.
    let mood = chance.below(4);
    for change in &file.changes {
        match (mood, chance.below(3)) {
            (0, _) | (2.., 0) => {}
            (1, _) | (2.., 1) => change.redo(&mut bytes, |_| true),
            _ => change.redo(&mut bytes, |_| chance.below(2) == 0),
        }
    }
    if file.is_new && chance.below(4) == 0 {
        return file.deleted;
    }
    Some(bytes)
}

impl Change {
    fn undo(&self, bytes: &mut Vec<u8>) {
        bytes.resize(index(self.size_before), 0);
        if !self.old.is_empty() {
            let at = index(self.at);
            bytes[at..at + self.old.len()].copy_from_slice(&self.old);
        }
    }

    /// Does it again, sector by sector as `survives` says.
    fn redo(&self, bytes: &mut Vec<u8>, mut survives: impl FnMut(u64) -> bool) {
        let Some(new) = &self.new else {
            if survives(self.at) {
                bytes.truncate(index(self.at));
            }
            return;
        };
        let end = self.at + length(new);
        let mut from = self.at;
        while from < end {
            let to = end.min((from / SECTOR + 1) * SECTOR);
            if survives(from) {
                if bytes.len() < index(to) {
                    bytes.resize(index(to), 0);
                }
                let piece = &new[index(from - self.at)..index(to - self.at)];
                bytes[index(from)..index(to)].copy_from_slice(piece);
            }
            from = to;
        }
    }
}

/// Counts a call and says what becomes of it.
fn fate() -> Fate {
    with(|disk| {
        disk.calls += 1;
        if disk.dead {
            return Fate::Dead;
        }
        let (calls, plan) = (disk.calls, disk.plan);
        match plan {
            Plan::Fail {
                at,
                trouble,
                lasting,
            } if calls == at || (lasting && calls > at) => {
                disk.struck = true;
                Fate::Fails(trouble)
            }
            Plan::Die { at } if calls == at => {
                (disk.struck, disk.dead) = (true, true);
                Fate::Dies
            }
            _ => Fate::Well,
        }
    })
}

/// A file is opened that was not there before.
fn note_new(path: &Path) {
    with(|disk| disk.files.entry(path.to_owned()).or_default().is_new = true);
}

fn note_change(path: &Path, change: Change) {
    with(|disk| {
        let file = disk.files.entry(path.to_owned()).or_default();
        file.changes.push(change);
    });
}

/// All that was written to a file is safe. With a new log or journal its folder is, too: SQLite syncs it then.
fn note_sync(path: &Path) {
    let is_new = with(|disk| {
        let file = disk.files.entry(path.to_owned()).or_default();
        file.changes.clear();
        file.is_new
    });
    let name = path.to_string_lossy();
    if is_new && (name.ends_with("-wal") || name.ends_with("-journal")) {
        note_folder_sync(path);
    }
}

/// The folder of a file is synced: names are as they are.
fn note_folder_sync(path: &Path) {
    with(|disk| {
        for (other, file) in &mut disk.files {
            if other.parent() == path.parent() {
                (file.is_new, file.deleted) = (false, None);
            }
        }
    });
}

fn note_delete(path: &Path, was: Option<Vec<u8>>) {
    with(|disk| {
        let file = disk.files.entry(path.to_owned()).or_default();
        // Of a new file that is deleted at once nothing may be back, but for what had the name before.
        let deleted = if file.is_new {
            file.deleted.take()
        } else {
            was
        };
        *file = Unsafe {
            deleted,
            ..Unsafe::default()
        };
    });
}

/// At the end of a thread, when its disk is gone already, a sound one stands in.
fn with<T>(work: impl FnOnce(&mut Disk) -> T) -> T {
    let mut work = Some(work);
    let mut once = |disk: &mut Disk| work.take().unwrap()(disk);
    match DISK.try_with(|disk| once(&mut disk.borrow_mut())) {
        Ok(value) => value,
        Err(_) => {
            let mut sound = Disk::SOUND;
            once(&mut sound)
        }
    }
}

fn index(place: u64) -> usize {
    usize::try_from(place).unwrap()
}

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap()
}

/// Numbers that only look like chance.
#[derive(Debug)]
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}
