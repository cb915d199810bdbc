//! The second way out: a command of the admin's, run when mail itself is broken (OPS-11).
//!
//! It is told in plain words on its standard input, at most once in six hours for each class, and never holds anything
//! up. What it did is remembered here too, since the database may be what is broken.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{JoinHandle, sleep};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use chrono::{DateTime, Utc};
use rustix::process::{Pid, Signal, kill_process_group};

use super::notices::{self, PEACE};
use super::settings::Settings;
use crate::club::notice::{AdminNotice, Class};
use crate::letters;
use crate::store::Tx;

/// How often it is looked whether the command has ended, and how often at most: half a minute in all.
const LOOK: Duration = Duration::from_millis(100);
const LOOKS: u32 = 300;

/// What of our own environment is none of its business: the passwords, and speaking to systemd in our name.
const OURS: [&str; 4] = [
    "CREDENTIALS_DIRECTORY",
    "NOTIFY_SOCKET",
    "WATCHDOG_PID",
    "WATCHDOG_USEC",
];

type Bell = Box<dyn Fn(String) -> Option<JoinHandle<()>> + Send + Sync>;

/// A way to reach the admin other than mail, and what it was used for.
pub struct Alarm {
    bell: Option<Bell>,
    memory: Mutex<Memory>,
}

#[derive(Default)]
struct Memory {
    rung: BTreeMap<Class, DateTime<Utc>>,
    /// Since when the database cannot be used, and what it said last.
    unusable: Option<(DateTime<Utc>, String)>,
    runs: Vec<JoinHandle<()>>,
}

impl Alarm {
    /// There is none.
    #[must_use]
    pub fn none() -> Alarm {
        Alarm::with(None)
    }

    /// Whatever is to happen with the text.
    pub fn new(bell: impl Fn(String) + Send + Sync + 'static) -> Alarm {
        Alarm::with(Some(Box::new(move |text| {
            bell(text);
            None
        })))
    }

    /// A program and its arguments.
    #[must_use]
    pub fn command(words: Vec<String>) -> Alarm {
        let failed = Arc::new(AtomicBool::new(false));
        Alarm::with(Some(Box::new(move |text| {
            let (words, failed) = (words.clone(), failed.clone());
            Some(std::thread::spawn(move || match run(&words, &text) {
                Ok(()) => failed.store(false, Ordering::Relaxed),
                Err(why) if !failed.swap(true, Ordering::Relaxed) => {
                    tracing::error!("The alarm command does not work: {why:#}");
                }
                Err(_) => {}
            }))
        })))
    }

    fn with(bell: Option<Bell>) -> Alarm {
        Alarm {
            bell,
            memory: Mutex::default(),
        }
    }

    /// Rings, unless it did for that class within six hours. Without a database only this program's memory says so.
    ///
    /// # Errors
    /// The database, or words that cannot be found.
    pub(super) fn ring(
        &self,
        tx: Option<&Tx<'_>>,
        settings: &Settings,
        what: AdminNotice,
        now: DateTime<Utc>,
    ) -> Result<()> {
        let Some(bell) = &self.bell else {
            return Ok(());
        };
        let class = what.class();
        let is_recent = |at: DateTime<Utc>| (now - at).abs() < PEACE;
        let before = tx.map(|tx| tx.alarmed(class)).transpose()?.flatten();
        let mut memory = self.memory();
        if before.is_some_and(is_recent) || memory.rung.get(&class).copied().is_some_and(is_recent)
        {
            return Ok(());
        }
        let mut notice = notices::letter(settings, vec![what]);
        notice.to.language.clone_from(&settings.language);
        notice.to.timezone.clone_from(&settings.timezone);
        let letter = letters::compose(&notice, &settings.facts(), None)?;
        if let Some(tx) = tx {
            tx.set_alarmed(class, now)?;
        }
        memory.rung.insert(class, now);
        memory.runs.retain(|run| !run.is_finished());
        let run = bell(format!("{}\n\n{}", letter.subject, letter.text));
        memory.runs.extend(run);
        Ok(())
    }

    /// Notes that the database cannot be used; gives since when that is so.
    pub(super) fn unusable(&self, reason: &str, now: DateTime<Utc>) -> DateTime<Utc> {
        let mut memory = self.memory();
        let since = memory.unusable.as_ref().map_or(now, |(since, _)| *since);
        memory.unusable = Some((since, reason.to_owned()));
        since
    }

    /// Since when the database could not be used, and why, as long as nobody said that it works again.
    pub(super) fn was_unusable(&self) -> Option<(DateTime<Utc>, String)> {
        self.memory().unusable.clone()
    }

    /// Notes that the database works.
    pub(super) fn usable(&self) {
        self.memory().unusable = None;
    }

    /// Waits until every command that was started has ended, for a program that is about to end.
    pub fn finish(&self) {
        let runs = std::mem::take(&mut self.memory().runs);
        for run in runs {
            // It logs its own failures, and a panic of it is nobody's loss.
            let _ = run.join();
        }
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Alarm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Alarm")
    }
}

/// Runs the command with the text on its standard input, and ends it after half a minute with all that it started.
fn run(words: &[String], text: &str) -> Result<()> {
    let (program, arguments) = words.split_first().context("it names no program")?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0);
    for name in OURS {
        command.env_remove(name);
    }
    let mut child = command
        .spawn()
        .with_context(|| format!("{program} cannot be run"))?;
    if let Some(mut input) = child.stdin.take() {
        // A program that reads nothing, or ends before it has read all, is no failure.
        let _ = input.write_all(text.as_bytes());
    }
    for _ in 0..LOOKS {
        match child.try_wait().context("it cannot be waited for")? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => bail!("{program} ended with {status}"),
            None => sleep(LOOK),
        }
    }
    let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
    let _ = child.wait();
    bail!("{program} did not end within 30 s and was killed");
}
