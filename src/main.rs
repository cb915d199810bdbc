//! The program: hands its arguments to the command line floor.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    dvonn_post::cli::run()
}
