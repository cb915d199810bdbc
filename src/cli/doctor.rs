//! `doctor`: tests everything that the daemon stands on; one line each. It sends no mail and changes nothing.

use std::path::Path;

use crate::cli::exit::{Exit, Failure};
use crate::cli::output;
use crate::config::{Config, ConfigError};
use crate::daemon::{clock, shortage};
use crate::store::{Loop, Room, Store};
use crate::wire::{Mailbox, Postman, Report, WireError};

/// One test and what it found.
struct Check {
    name: &'static str,
    /// What works, or what is wrong and what to do.
    found: Result<Report, String>,
}

/// Runs the subcommand.
pub(crate) fn run(config: Option<&Path>) -> Result<Exit, Failure> {
    let config = Config::load(config)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::no(format!("the runtime does not start: {error}")))?;
    let checks = [
        Check {
            name: "config",
            found: Ok(configuration(&config)),
        },
        Check {
            name: "mailbox",
            found: runtime.block_on(mailbox(&config)),
        },
        Check {
            name: "way out",
            found: runtime.block_on(way_out(&config)),
        },
        Check {
            name: "database",
            found: database(&config),
        },
        Check {
            name: "clock",
            found: wall_clock(&config),
        },
        Check {
            name: "alarm",
            found: Ok(alarm(&config)),
        },
    ];
    output::show(&checks.iter().map(lines).collect::<String>())?;
    let failed = checks.iter().any(|check| check.found.is_err());
    Ok(if failed { Exit::No } else { Exit::Done })
}

fn lines(check: &Check) -> String {
    let name = check.name;
    match &check.found {
        Ok(report) => {
            let mut text = format!("ok    {name}: {}\n", report.well);
            for warning in &report.warnings {
                text.push_str(&format!("warn  {name}: {warning}\n"));
            }
            text
        }
        Err(error) => format!("fail  {name}: {error}\n"),
    }
}

fn configuration(config: &Config) -> Report {
    Report {
        well: format!("{} can be used", config.file.display()),
        warnings: config.warnings.clone(),
    }
}

/// Whether the admin can be reached when mail itself is broken.
fn alarm(config: &Config) -> Report {
    let well = match config.club.alarm_command.first() {
        Some(program) => format!("{program} is run when mail itself is broken"),
        None => "there is no club.alarm_command: when mail itself is broken, only the log and `dvonn-post status` tell"
            .to_owned(),
    };
    Report {
        well,
        warnings: config.club.alarm_trouble().into_iter().collect(),
    }
}

async fn mailbox(config: &Config) -> Result<Report, String> {
    let way = config
        .incoming
        .settings()
        .map_err(|error: ConfigError| error.to_string())?;
    Mailbox::check(&way)
        .await
        .map_err(|error: WireError| error.to_string())
}

async fn way_out(config: &Config) -> Result<Report, String> {
    let way = config
        .outgoing
        .settings()
        .map_err(|error: ConfigError| error.to_string())?;
    Postman::new(&way)
        .check()
        .await
        .map_err(|error: WireError| error.to_string())
}

fn database(config: &Config) -> Result<Report, String> {
    let path = config.store.display();
    if !config.store.exists() {
        let folder = config
            .store
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        return if folder.is_dir() {
            Ok(Report {
                well: format!("{path} will be made at the first start"),
                warnings: Vec::new(),
            })
        } else {
            Err(format!(
                "the folder of {path} does not exist; make it, or correct store.path"
            ))
        };
    }
    let mut store = Store::open_existing(&config.store).map_err(|error| format!("{error:#}"))?;
    let trouble = store
        .read(|tx| tx.quick_check())
        .map_err(|error| format!("{error:#}"))?;
    match trouble {
        None => Ok(Report {
            well: format!("{path} is sound"),
            warnings: Room::of(&config.store)
                .and_then(shortage)
                .into_iter()
                .collect(),
        }),
        Some(trouble) => Err(format!(
            "{path} is damaged ({trouble}); stop the daemon and bring a backup back"
        )),
    }
}

/// A clock that runs behind what the database already saw would judge every mail wrongly.
fn wall_clock(config: &Config) -> Result<Report, String> {
    let now = clock::now();
    let seen = config.store.exists().then(|| {
        let mut store = Store::open_existing(&config.store).ok()?;
        let beat = store.read(|tx| tx.heartbeat(Loop::Poll)).ok().flatten();
        beat.and_then(|beat| beat.at)
    });
    match seen.flatten() {
        Some(at) if at > now + chrono::TimeDelta::minutes(5) => Err(format!(
            "this machine says {}, but the daemon was at work at {} already; set the clock",
            now.to_rfc3339(),
            at.to_rfc3339()
        )),
        _ => Ok(Report {
            well: now.to_rfc3339(),
            warnings: Vec::new(),
        }),
    }
}
