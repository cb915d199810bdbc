//! Submission by SMTP (RFC 5321) over a few connections that are kept for a while.
//!
//! Knows when a connection may be used again; refuses to try a mail again, but for a resting connection that turns out
//! dead before anything of the mail was handed over (B13).

mod line;
mod opening;
mod verdict;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::AbortHandle;

use self::line::Line;
use crate::wire::stream::place;
use crate::wire::{Envelope, Kind, Report, Sent, SmtpSettings, WireError};

/// How long a connection may rest before it is closed (OUT-06).
const REST: Duration = Duration::from_secs(30);

/// A submission server and the connections to it.
#[derive(Debug)]
pub struct Smtp {
    settings: SmtpSettings,
    pool: Arc<Mutex<Pool>>,
    /// One for each mail that may be on its way.
    permits: Semaphore,
    /// How long a connection may rest.
    rest: Duration,
}

#[derive(Debug, Default)]
struct Pool {
    resting: Vec<Resting>,
    /// Tells resting connections apart.
    count: u64,
}

#[derive(Debug)]
struct Resting {
    number: u64,
    line: Line,
    /// Closes the line when it has rested long enough.
    reaper: AbortHandle,
}

impl Smtp {
    pub(in crate::wire) fn new(settings: SmtpSettings) -> Smtp {
        Smtp {
            permits: Semaphore::new(settings.connections.max(1)),
            settings,
            pool: Arc::default(),
            rest: REST,
        }
    }

    pub(in crate::wire) async fn send(&self, envelope: &Envelope, raw: &[u8]) -> Sent {
        // The semaphore is never closed; were it, more connections than allowed would be the whole damage.
        let _permit = self.permits.acquire().await.ok();
        if let Some(mut line) = self.take() {
            match line.send(&self.settings, envelope, raw).await {
                Err(failure) if failure.stale() => {}
                result => return self.conclude(line, result).await,
            }
        }
        match Line::open(&self.settings).await {
            Ok(mut line) => {
                let result = line.send(&self.settings, envelope, raw).await;
                self.conclude(line, result).await
            }
            Err(error) if error.kind() == Kind::Credentials => Sent::Credentials {
                text: error.to_string(),
            },
            Err(error) => Sent::Down {
                text: error.to_string(),
            },
        }
    }

    pub(in crate::wire) async fn check(&self) -> Result<Report, WireError> {
        let line = Line::open(&self.settings).await?;
        line.quit().await;
        let place = place(&self.settings.server);
        let well = match &self.settings.login {
            Some(login) => format!("{place}, logged in as {}", login.user),
            None => format!("{place}, without a login"),
        };
        Ok(Report {
            well,
            warnings: Vec::new(),
        })
    }

    pub(in crate::wire) async fn close(&self) {
        while let Some(line) = self.take() {
            line.quit().await;
        }
    }

    /// Keeps the line if it is in order, and tells what became of the mail.
    async fn conclude(&self, mut line: Line, result: Result<(), verdict::Failure>) -> Sent {
        match result {
            Ok(()) => {
                self.put(line);
                Sent::Accepted
            }
            Err(failure) => {
                // After a refusal the server still holds half a mail (B19). Anything worse than a refusal ends the line.
                if failure.civil() && line.reset(&self.settings).await {
                    self.put(line);
                }
                failure.verdict(&place(&self.settings.server))
            }
        }
    }

    fn take(&self) -> Option<Line> {
        let Resting { line, reaper, .. } = lock(&self.pool).resting.pop()?;
        reaper.abort();
        Some(line)
    }

    fn put(&self, line: Line) {
        let mut pool = lock(&self.pool);
        pool.count += 1;
        let number = pool.count;
        let reaper =
            tokio::spawn(reap(Arc::downgrade(&self.pool), number, self.rest)).abort_handle();
        pool.resting.push(Resting {
            number,
            line,
            reaper,
        });
    }
}

/// Closes a line that has rested long enough.
async fn reap(pool: Weak<Mutex<Pool>>, number: u64, rest: Duration) {
    tokio::time::sleep(rest).await;
    let Some(pool) = pool.upgrade() else { return };
    let line = {
        let mut pool = lock(&pool);
        let at = pool.resting.iter().position(|one| one.number == number);
        at.map(|at| pool.resting.remove(at).line)
    };
    if let Some(line) = line {
        line.quit().await;
    }
}

/// The pool is whole between any two statements, so a panic elsewhere has not spoilt it.
fn lock(pool: &Mutex<Pool>) -> MutexGuard<'_, Pool> {
    pool.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[path = "rest_tests.rs"]
mod tests;
