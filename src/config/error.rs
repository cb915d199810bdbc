//! What is wrong with a configuration, in one sentence for the person who wrote it.
//!
//! Knows the file, the line and the sentence. Refuses to know what any key means, and never holds a secret.

use std::fmt;
use std::path::{Path, PathBuf};

/// A configuration that cannot be used. Shown as `file:line: what is wrong; what to do`; the program ends with code 78.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    file: PathBuf,
    line: Option<usize>,
    sentence: String,
}

impl ConfigError {
    /// An error at a line of the file, counted from 1.
    pub(super) fn at(file: &Path, line: usize, sentence: impl Into<String>) -> ConfigError {
        ConfigError {
            file: file.to_owned(),
            line: Some(line),
            sentence: sentence.into(),
        }
    }

    /// An error of the file as a whole.
    pub(super) fn whole(file: &Path, sentence: impl Into<String>) -> ConfigError {
        ConfigError {
            file: file.to_owned(),
            line: None,
            sentence: sentence.into(),
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        write!(f, " {}", self.sentence)
    }
}

impl std::error::Error for ConfigError {}
