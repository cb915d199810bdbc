//! `status`: whether the daemon is well.

use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;

use crate::cli::club::moment;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output;
use crate::config::Config;
use crate::daemon::{Lease, clock, shortage};
use crate::store::{self, Beat, Loop, Room, Store};

/// A running daemon that has not looked at the mailbox for longer is in trouble.
const SILENT: TimeDelta = TimeDelta::minutes(30);

/// A club that cron serves counts as up for this long after a round.
const CRON: TimeDelta = TimeDelta::hours(2);

/// How to tell it.
#[derive(Debug, clap::Args)]
pub(crate) struct Status {
    /// Print JSON for other programs
    #[arg(long)]
    json: bool,
}

/// How the club is.
#[derive(Debug, Serialize)]
struct Report {
    state: &'static str,
    running: bool,
    last_poll: Option<String>,
    last_send: Option<String>,
    waiting_letters: u32,
    failed_letters: u32,
    shunted_mails: u32,
    trouble: Vec<String>,
    version: &'static str,
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Status, config: Option<&Path>) -> Result<Exit, Failure> {
    let config = Config::load(config)?;
    let report = match report(&config) {
        Ok(report) => report,
        Err(error) => broken(format!("{error:#}")),
    };
    if arguments.json {
        output::show_json(&report)?;
    } else {
        output::show(&text(&report))?;
    }
    Ok(match report.state {
        "well" => Exit::Done,
        "trouble" => Exit::No,
        _ => Exit::Usage,
    })
}

fn broken(why: String) -> Report {
    Report {
        state: "broken",
        running: false,
        last_poll: None,
        last_send: None,
        waiting_letters: 0,
        failed_letters: 0,
        shunted_mails: 0,
        trouble: vec![why],
        version: env!("CARGO_PKG_VERSION"),
    }
}

fn report(config: &Config) -> anyhow::Result<Report> {
    let mut store = Store::open_existing(&config.store)?;
    let running = Lease::is_taken(&config.store)?;
    let now = clock::now();
    // What the daemon could not write down itself.
    let of_the_disk = match store.probe() {
        Err(fault) if store::is_unusable(&fault) => Some(format!("{fault:#}")),
        _ => Room::of(&config.store).and_then(shortage),
    };
    store.read(|tx| {
        let (poll, send, once) = (
            tx.heartbeat(Loop::Poll)?,
            tx.heartbeat(Loop::Send)?,
            tx.heartbeat(Loop::Once)?,
        );
        let (waiting, failed, oldest) = tx.queue()?;
        let shunted = tx.count_shunted()?;
        let by_cron = is_fresh(once.as_ref(), now, CRON);
        let mut trouble: Vec<String> = [&poll, &send]
            .into_iter()
            .flatten()
            .map(|beat| beat.trouble.clone())
            .filter(|text| !text.is_empty())
            .collect();
        if let Some(shortage) = of_the_disk.filter(|text| !trouble.contains(text)) {
            trouble.push(shortage);
        }
        let has_polled = poll.as_ref().is_some_and(|beat| beat.at.is_some());
        if running && has_polled && !is_fresh(poll.as_ref(), now, SILENT) {
            trouble.push("the mailbox was not looked at for long; see the log".to_owned());
        }
        if let Some(oldest) = oldest.filter(|oldest| now - *oldest > SILENT) {
            trouble.push(format!(
                "a letter waits since {}; see `dvonn-post outbox`",
                moment(oldest)
            ));
        }
        if shunted > 0 {
            trouble.push(format!(
                "{shunted} mails are set aside; `dvonn-post shunted` lists them"
            ));
        }
        let up = running || by_cron;
        if !up {
            trouble.insert(
                0,
                "the daemon does not run; start it with `dvonn-post serve`".to_owned(),
            );
        }
        Ok(Report {
            state: if !up {
                "broken"
            } else if trouble.is_empty() {
                "well"
            } else {
                "trouble"
            },
            running,
            last_poll: last(poll),
            last_send: last(send),
            waiting_letters: waiting,
            failed_letters: failed,
            shunted_mails: shunted,
            trouble,
            version: env!("CARGO_PKG_VERSION"),
        })
    })
}

fn is_fresh(beat: Option<&Beat>, now: DateTime<Utc>, span: TimeDelta) -> bool {
    beat.and_then(|beat| beat.at)
        .is_some_and(|at| now - at < span)
}

fn last(beat: Option<Beat>) -> Option<String> {
    beat.and_then(|beat| beat.at).map(|at| at.to_rfc3339())
}

fn text(report: &Report) -> String {
    let never = || "never".to_owned();
    let mut text = format!(
        "{}\nthe daemon runs: {}\nlast look at the mailbox: {}\nlast letter sent: {}\nletters waiting: {}, given up: {}; mails set aside: {}\n",
        report.state,
        if report.running { "yes" } else { "no" },
        report.last_poll.clone().unwrap_or_else(never),
        report.last_send.clone().unwrap_or_else(never),
        report.waiting_letters,
        report.failed_letters,
        report.shunted_mails
    );
    for trouble in &report.trouble {
        text.push_str(trouble);
        text.push('\n');
    }
    text
}
