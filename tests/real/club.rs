//! A club of its own for one test: a folder with configuration, passwords and database, and the program run on it.
//!
//! Knows the keys of the configuration and how to start, kill and stop a process; refuses to know what it does.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::common::{DOMAIN, MailStack, eventually, signal, within};

const PROGRAM: &str = env!("CARGO_BIN_EXE_dvonn-post");

/// Where the club's mail comes from and goes to.
#[derive(Clone)]
pub struct Ways {
    pub imap: (u16, &'static str),
    pub smtp: (u16, &'static str),
    pub ca_file: Option<PathBuf>,
    pub mailbox: &'static str,
    pub junk: Option<&'static str>,
    /// Where the database lies, if not in the club's folder.
    pub store: Option<PathBuf>,
    pub poll_seconds: u32,
    pub idle: bool,
    pub imap_password: String,
    pub smtp_password: String,
}

impl Ways {
    /// IMAP over TLS and submission by STARTTLS, told of mail by IDLE alone.
    pub fn of(stack: &MailStack) -> Ways {
        Ways {
            imap: (stack.imaps, "tls"),
            smtp: (stack.submission, "starttls"),
            ca_file: Some(stack.ca_file()),
            ..Ways::open(stack.imap, stack.submission)
        }
    }

    /// Without encryption.
    pub fn open(imap: u16, smtp: u16) -> Ways {
        Ways {
            imap: (imap, "none"),
            smtp: (smtp, "none"),
            ca_file: None,
            mailbox: "INBOX",
            junk: None,
            store: None,
            poll_seconds: 3600,
            idle: true,
            imap_password: MailStack::password("club"),
            smtp_password: MailStack::password("club"),
        }
    }
}

/// The club's folder.
pub struct Club {
    folder: TempDir,
}

/// What came of a run of the program.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Club {
    pub fn new(ways: &Ways) -> Club {
        let club = Club {
            folder: tempfile::tempdir().unwrap(),
        };
        club.configure(ways);
        club
    }

    /// Writes the configuration anew.
    pub fn configure(&self, ways: &Ways) {
        for (name, password) in [
            ("imap-password", &ways.imap_password),
            ("smtp-password", &ways.smtp_password),
        ] {
            let file = self.path(name);
            fs::write(&file, format!("{password}\n")).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        }
        let ca = ways
            .ca_file
            .as_ref()
            .map(|file| format!("ca_file = \"{}\"\n", file.display()))
            .unwrap_or_default();
        let junk = ways
            .junk
            .map(|name| format!("junk_mailbox = \"{name}\"\n"))
            .unwrap_or_default();
        let store = ways.store.as_deref().unwrap_or(Path::new("club.sqlite"));
        let store = store.display();
        let host = MailStack::host();
        let Ways {
            imap: (imap, imap_security),
            smtp: (smtp, smtp_security),
            mailbox,
            poll_seconds,
            idle,
            ..
        } = ways;
        let text = format!(
            "[club]\nname = \"Test Club\"\naddress = \"club@{DOMAIN}\"\nadmin = \"admin@{DOMAIN}\"\n\
             [incoming.imap]\nhost = \"{host}\"\nport = {imap}\nsecurity = \"{imap_security}\"\nuser = \"club\"\n\
             password_file = \"imap-password\"\n{ca}mailbox = \"{mailbox}\"\n{junk}poll_seconds = {poll_seconds}\n\
             idle = {idle}\n\
             [outgoing.smtp]\nhost = \"{host}\"\nport = {smtp}\nsecurity = \"{smtp_security}\"\nuser = \"club\"\n\
             password_file = \"smtp-password\"\n{ca}\
             [store]\npath = \"{store}\"\n"
        );
        fs::write(self.path("config.toml"), text).unwrap();
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command
            .arg("--config")
            .arg(self.path("config.toml"))
            .args(arguments)
            .env_remove("NOTIFY_SOCKET")
            .current_dir("/");
        command
    }

    /// Runs the program to its end.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        Ran::from(self.command(arguments).stdin(Stdio::null()).output())
    }

    /// Runs the program to its end with a file as its standard input.
    pub fn run_with(&self, arguments: &[&str], input: &[u8]) -> Ran {
        let file = self.path("input");
        fs::write(&file, input).unwrap();
        let input = File::open(&file).unwrap();
        Ran::from(self.command(arguments).stdin(input).output())
    }

    /// What the program prints as JSON; it must have been content.
    pub fn json(&self, arguments: &[&str]) -> serde_json::Value {
        let ran = self.run(arguments);
        assert_eq!(ran.code, 0, "{arguments:?}: {ran:?}");
        serde_json::from_str(&ran.out).unwrap()
    }

    /// Starts the daemon.
    pub fn serve(&self) -> Serve {
        self.start(&["serve"], None)
    }

    /// Starts the daemon as systemd does, with a socket for its news.
    pub fn serve_notifying(&self, socket: &Path) -> Serve {
        self.start(&["serve"], Some(socket))
    }

    /// Starts the program beside the test.
    pub fn start(&self, arguments: &[&str], notify: Option<&Path>) -> Serve {
        let log = self.path(&format!(
            "log-{}",
            fs::read_dir(self.folder.path()).unwrap().count()
        ));
        let mut command = self.command(arguments);
        if let Some(socket) = notify {
            command.env("NOTIFY_SOCKET", socket);
        }
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&log).unwrap())
            .spawn()
            .unwrap();
        Serve { child, log }
    }
}

impl From<std::io::Result<Output>> for Ran {
    fn from(output: std::io::Result<Output>) -> Ran {
        let output = output.unwrap();
        Ran {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// The program at work. It is killed when it is dropped.
pub struct Serve {
    child: Child,
    log: PathBuf,
}

impl Serve {
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }

    /// Waits until the log says it.
    pub fn says(&mut self, text: &str) {
        let log = self.log.clone();
        eventually(&format!("the log says {text:?}"), || {
            let log = fs::read_to_string(&log).unwrap();
            let ended = self.child.try_wait().unwrap();
            assert!(ended.is_none(), "it ended ({ended:?}): {log}");
            log.contains(text).then_some(())
        });
    }

    /// The lines of the log that say it.
    pub fn lines(&self, text: &str) -> Vec<String> {
        self.log()
            .lines()
            .filter(|line| line.contains(text))
            .map(str::to_owned)
            .collect()
    }

    /// SIGKILL, at once.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        let status = self.child.wait().unwrap();
        assert_eq!(status.signal(), Some(9), "{}", self.log());
    }

    /// SIGTERM. The daemon must end well, and soon enough for systemd.
    pub fn stop(mut self) {
        signal("-TERM", self.pid());
        let soon = Duration::from_secs(10);
        let status = within(soon, "the daemon ends", || self.child.try_wait().unwrap());
        assert_eq!(status.code(), Some(0), "{}", self.log());
    }
}

impl Drop for Serve {
    fn drop(&mut self) {
        // It may have ended; then there is nothing to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
