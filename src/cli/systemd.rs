//! `systemd`: prints a unit file that runs this very program.
//!
//! Knows where the program and its configuration are and how a unit file quotes them. Refuses to install anything.

use std::env;
use std::path::{Path, PathBuf};

use askama::Template;

use crate::cli::exit::{Exit, Failure};
use crate::cli::output;
use crate::config::PLACES;

#[derive(Template)]
#[template(path = "unit/dvonn-post.service", escape = "none")]
struct Unit {
    program: String,
    config: String,
}

/// Prints the unit. Without `--config` it names the file of the system, since a service has no folder of its own.
pub(crate) fn run(config: Option<&Path>) -> Result<Exit, Failure> {
    let program = env::current_exe().map_err(|error| {
        Failure::no(format!("the path of this program cannot be found: {error}"))
    })?;
    let [_, system] = PLACES;
    let config = match config {
        Some(file) => std::path::absolute(file)
            .map_err(|error| Failure::usage(format!("{}: {error}", file.display())))?,
        None => PathBuf::from(system),
    };
    let unit = Unit {
        program: quoted(&program)?,
        config: quoted(&config)?,
    }
    .render()
    .map_err(|error| Failure::no(format!("the unit cannot be written: {error}")))?;
    output::show(&unit)?;
    Ok(Exit::Done)
}

/// A path as one word of a command line in a unit file (systemd.service(5), "COMMAND LINES").
fn quoted(path: &Path) -> Result<String, Failure> {
    let text = path
        .to_str()
        .filter(|text| !text.contains(char::is_control))
        .ok_or_else(|| {
            Failure::usage(format!(
                "{} cannot stand in a unit file; move it to a plain path",
                path.display()
            ))
        })?;
    let mut word = String::new();
    for letter in text.chars() {
        match letter {
            '\\' | '"' => word.extend(['\\', letter]),
            '%' | '$' => word.extend([letter, letter]),
            _ => word.push(letter),
        }
    }
    if word.contains(|letter: char| letter.is_whitespace() || matches!(letter, '\\' | '\'' | ';')) {
        word = format!("\"{word}\"");
    }
    Ok(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_paths_stay_one_word() {
        for (path, word) in [
            ("/usr/bin/dvonn-post", "/usr/bin/dvonn-post"),
            ("/srv/my club/c.toml", "\"/srv/my club/c.toml\""),
            ("/srv/100%/$x", "/srv/100%%/$$x"),
            ("/srv/a\"b", "\"/srv/a\\\"b\""),
        ] {
            assert_eq!(quoted(Path::new(path)).ok().as_deref(), Some(word));
        }
        assert!(quoted(Path::new("/srv/a\nb")).is_err());
    }
}
