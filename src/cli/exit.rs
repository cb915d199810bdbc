//! What the program ends with.
//!
//! Knows the exit codes and how a failure is told: one sentence on standard error. Refuses to know what failed.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::config::ConfigError;

/// An exit code, by its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: done; for `status`, well.
    Done,
    /// 1: the answer is no; for `status`, in trouble.
    No,
    /// 2: wrong usage; for `status`, broken.
    Usage,
    /// 75: try again later (EX_TEMPFAIL of sysexits).
    Later,
    /// 78: wrong configuration (EX_CONFIG of sysexits).
    Configuration,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Done => 0,
            Exit::No => 1,
            Exit::Usage => 2,
            Exit::Later => 75,
            Exit::Configuration => 78,
        })
    }
}

/// Why a subcommand could not do its work, and the code that tells it to other programs.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    sentence: String,
}

impl Failure {
    /// The answer is no.
    pub(crate) fn no(sentence: impl Into<String>) -> Failure {
        Failure {
            exit: Exit::No,
            sentence: sentence.into(),
        }
    }

    /// The arguments name something that is not there or cannot be used.
    pub(crate) fn usage(sentence: impl Into<String>) -> Failure {
        Failure {
            exit: Exit::Usage,
            sentence: sentence.into(),
        }
    }

    /// It may work later.
    pub(crate) fn later(sentence: impl Into<String>) -> Failure {
        Failure {
            exit: Exit::Later,
            sentence: sentence.into(),
        }
    }

    /// The same with another sentence behind it.
    pub(crate) fn and(self, more: impl std::fmt::Display) -> Failure {
        Failure {
            sentence: format!("{}; {more}", self.sentence),
            ..self
        }
    }

    /// Says it on standard error and gives the code to end with.
    pub(crate) fn tell(&self) -> Exit {
        // A closed standard error leaves nobody to tell; the code still does.
        let _ = writeln!(io::stderr(), "dvonn-post: {}", self.sentence);
        self.exit
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Failure {
        Failure {
            exit: Exit::Configuration,
            sentence: error.to_string(),
        }
    }
}
