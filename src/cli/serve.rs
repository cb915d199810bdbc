//! `serve`: the daemon.

use std::path::Path;

use tokio::signal::unix::{SignalKind, signal};

use crate::cli::club::settings;
use crate::cli::exit::{Exit, Failure};
use crate::config::Config;
use crate::daemon::{self, Alarm, Daemon, Outside, Rival, Taken};
use crate::store;

/// How to run it.
#[derive(Debug, clap::Args)]
pub(crate) struct Serve {
    /// Take in all that waits, act, send, and end
    #[arg(long)]
    once: bool,
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Serve, config: Option<&Path>) -> Result<Exit, Failure> {
    let config = Config::load(config)?;
    for warning in &config.warnings {
        tracing::warn!("{warning}");
    }
    if let Some(warning) = config.club.alarm_trouble() {
        tracing::warn!("{warning}");
    }
    let (way_in, way_out) = (config.incoming.settings()?, config.outgoing.settings()?);
    let outside = Outside::system().with_alarm(alarm(&config));
    let daemon = Daemon::open(
        settings(&config),
        outside.clone(),
        &config.store,
        way_in,
        &way_out,
    )
    .map_err(|error| {
        if !error.is::<Taken>() {
            daemon::unopened(&settings(&config), &outside, &error);
        }
        unopened(error)
    })?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Failure::later(format!("the runtime does not start: {error}")))?;
    if arguments.once {
        return match runtime.block_on(daemon.once()) {
            Ok(true) => Ok(Exit::Done),
            Ok(false) => Err(Failure::later(
                "not all mail could be taken in or sent; the log and `dvonn-post outbox` say what, the next round tries again",
            )),
            Err(error) => Err(Failure::later(format!("{error:#}"))),
        };
    }
    let ended = runtime.block_on(async {
        let stop = stop()
            .map_err(|error| Failure::later(format!("signals cannot be watched: {error}")))?;
        let ready = || {
            // Outside systemd there is nobody to tell, and no error.
            let _ = sd_notify::notify(&[sd_notify::NotifyState::Ready]);
        };
        daemon.run(stop, ready).await.map_err(ended_early)
    });
    // A name server that does not answer must not hold up the end.
    runtime.shutdown_background();
    ended.map(|()| Exit::Done)
}

/// The second way to reach the admin.
fn alarm(config: &Config) -> Alarm {
    if config.club.alarm_command.is_empty() {
        Alarm::none()
    } else {
        Alarm::command(config.club.alarm_command.clone())
    }
}

/// Why the daemon cannot be opened; another owner and a full disk are passing troubles.
fn unopened(error: anyhow::Error) -> Failure {
    let sentence = format!("{error:#}");
    if store::is_lasting(&error) {
        Failure::no(sentence)
    } else {
        Failure::later(sentence)
    }
}

/// Why the loops ended by themselves; that another daemon is at work may pass.
fn ended_early(error: anyhow::Error) -> Failure {
    let sentence = format!("{error:#}");
    if error.is::<Taken>() || error.is::<Rival>() {
        Failure::later(sentence)
    } else {
        Failure::no(sentence)
    }
}

fn stop() -> std::io::Result<impl Future<Output = ()>> {
    let (mut terminate, mut interrupt) = (
        signal(SignalKind::terminate())?,
        signal(SignalKind::interrupt())?,
    );
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
