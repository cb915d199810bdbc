//! The log on standard error.
//!
//! Knows how much is told and to whom. Refuses to know what happens; whoever does it says so through `tracing`.

use std::env;
use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

/// Starts the log. `RUST_LOG` may ask for more or less than `level`.
pub(crate) fn start(level: LevelFilter) {
    let filter = EnvFilter::builder()
        .with_default_directive(level.into())
        .from_env_lossy();
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_target(false);
    // The journal has a clock of its own (systemd.exec(5), JOURNAL_STREAM).
    if env::var_os("JOURNAL_STREAM").is_some() {
        log.without_time().init();
    } else {
        log.init();
    }
}
