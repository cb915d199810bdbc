//! Passwords, which live in files of their own.
//!
//! Knows how to find such a file and refuses one that others can read. Refuses to take a secret from the environment,
//! the command line or the configuration itself (SEC-13).

use std::env;
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::config::document::Found;
use crate::config::error::ConfigError;
use crate::wire::Password;

/// No password is longer than this many bytes; a larger file was named by mistake.
const LONGEST: u64 = 4096;

/// Where a password is to be found. It is read when it is used, not with the configuration: whoever looks at games or
/// hands in a mail needs no password and may not be allowed to read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretFile {
    path: PathBuf,
    is_credential: bool,
    config: PathBuf,
    line: usize,
    key: String,
}

impl SecretFile {
    /// The file that a `password_file` key names: one of the credentials that systemd gave this service, if it has one
    /// of that name, else a path relative to `folder`.
    pub(super) fn named(found: &Found<'_, &str>, folder: &Path) -> SecretFile {
        let credentials = env::var_os("CREDENTIALS_DIRECTORY").map(PathBuf::from);
        SecretFile::among(credentials.as_deref(), found, folder)
    }

    fn among(credentials: Option<&Path>, found: &Found<'_, &str>, folder: &Path) -> SecretFile {
        let credential = credentials
            .map(|credentials| credentials.join(found.value))
            .filter(|path| !found.value.contains('/') && path.is_file());
        SecretFile {
            is_credential: credential.is_some(),
            path: credential.unwrap_or_else(|| folder.join(found.value)),
            config: found.file.to_owned(),
            line: found.line,
            key: found.key.clone(),
        }
    }

    /// Reads the password: the file's one line, without its line end.
    ///
    /// # Errors
    /// A file that is missing, cannot be read, can be read by others (mode above 0640; systemd guards its credentials
    /// itself), or does not hold exactly one line of text.
    pub fn read(&self) -> Result<Password, ConfigError> {
        let mut file = fs::File::open(&self.path)
            .map_err(|error| self.wrong(&format!("cannot be read ({error}); create it with the password on one line, readable by this program alone")))?;
        let about = file
            .metadata()
            .map_err(|error| self.wrong(&format!("cannot be read ({error}); check the path")))?;
        if !about.is_file() {
            return Err(self.wrong("is not a file; name the file that holds the password"));
        }
        let mode = about.permissions().mode() & 0o777;
        if !self.is_credential && mode & 0o037 != 0 {
            return Err(self.wrong(&format!(
                "is open to other users (mode {mode:04o}); run chmod 600 on it"
            )));
        }
        if about.len() > LONGEST {
            return Err(self.wrong("is far too long for a password; name the file that holds it"));
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(|error| {
            self.wrong(&format!(
                "cannot be read ({error}); write the password as plain text"
            ))
        })?;
        let password = text.strip_suffix('\n').unwrap_or(&text);
        let password = password.strip_suffix('\r').unwrap_or(password);
        if password.is_empty() {
            return Err(self.wrong("is empty; write the password into it, on one line"));
        }
        if password.contains(char::is_control) {
            return Err(
                self.wrong("holds more than one line; leave nothing but the password in it")
            );
        }
        Ok(Password(password.to_owned()))
    }

    fn wrong(&self, what: &str) -> ConfigError {
        ConfigError::at(
            &self.config,
            self.line,
            format!("{}: {} {what}", self.key, self.path.display()),
        )
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_credential_of_the_service_comes_before_the_file_beside_the_configuration() {
        let (ours, beside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let password_of = |value| {
            let found = Found {
                value,
                file: Path::new("config.toml"),
                line: 7,
                key: "incoming.imap.password_file".to_owned(),
            };
            let file = SecretFile::among(Some(ours.path()), &found, beside.path());
            file.read().map(|password| password.0)
        };
        fs::write(beside.path().join("imap"), "beside").unwrap();
        fs::set_permissions(
            beside.path().join("imap"),
            fs::Permissions::from_mode(0o600),
        )
        .unwrap();
        assert_eq!(password_of("imap").unwrap(), "beside");
        // systemd guards its folder itself; the mode of a file in it says nothing.
        fs::write(ours.path().join("imap"), "ours\n").unwrap();
        fs::set_permissions(ours.path().join("imap"), fs::Permissions::from_mode(0o644)).unwrap();
        assert_eq!(password_of("imap").unwrap(), "ours");
        assert!(password_of("smtp").is_err());
        assert!(password_of("../imap").is_err());
    }
}
