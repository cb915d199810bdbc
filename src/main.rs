//! The program: hands its arguments to the command line floor.

use std::process::ExitCode;

fn main() -> ExitCode {
    dvonn_post::cli::run()
}
