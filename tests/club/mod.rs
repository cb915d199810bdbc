//! A club of its own for one test: a folder with a configuration, a database, and Maildirs both ways, served by the
//! program itself.
//!
//! Knows the binary, mail files and how to put members and games into a database. Each test file uses what it needs.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used
)]

mod game;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;

use dvonn_post::club::player::{Player, PlayerId};
use dvonn_post::store::Store;
use mail_parser::MessageParser;

#[allow(unused_imports)]
pub use game::{Chance, game_where, insert_game};

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_dvonn-post");

/// Where players write to.
pub const ADDRESS: &str = "dvonn@club.example";

/// Who is told of trouble.
pub const ADMIN: &str = "admin@admin.example";

/// What a trusted server says of a mail that is its writer's own.
pub const PASS: &str =
    "Authentication-Results: mx.club.example; dmarc=pass header.from=example.org\n";

/// A club that is served from its folder.
pub struct Club {
    folder: tempfile::TempDir,
    arrived: AtomicU32,
}

/// What came of a run of the program.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// A letter as its recipient reads it.
pub struct Letter {
    pub subject: String,
    pub text: String,
    pub raw: Vec<u8>,
}

impl Club {
    /// A club without members.
    pub fn new() -> Club {
        Club::with("")
    }

    /// The same with more lines in its configuration.
    pub fn with(more: &str) -> Club {
        let club = Club {
            folder: tempfile::tempdir().unwrap(),
            arrived: AtomicU32::new(0),
        };
        let config = format!(
            "[club]\nname = \"Test Club\"\naddress = \"{ADDRESS}\"\nadmin = \"{ADMIN}\"\n\
             [incoming.maildir]\npath = \"in\"\n[outgoing.maildir]\npath = \"out\"\n[store]\npath = \"club.sqlite\"\n\
             [proof]\ntrusted_authserv = [\"mx.club.example\"]\n{more}"
        );
        fs::write(club.path("config.toml"), config).unwrap();
        for part in ["in/new", "in/cur", "in/tmp"] {
            fs::create_dir_all(club.path(part)).unwrap();
        }
        club
    }

    /// Changes its configuration.
    pub fn configure(&self, from: &str, to: &str) {
        let text = fs::read_to_string(self.path("config.toml")).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(self.path("config.toml"), text.replacen(from, to, 1)).unwrap();
    }

    /// A club that has a database and nothing in it.
    pub fn new_with_database() -> Club {
        let club = Club::new();
        drop(club.store());
        club
    }

    /// A file in the club's folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Lets a mail arrive in the mailbox.
    pub fn arrive(&self, raw: &[u8]) -> PathBuf {
        let number = self.arrived.fetch_add(1, Ordering::Relaxed);
        let (tmp, new) = (
            self.path(&format!("in/tmp/{number:06}.mail")),
            self.path(&format!("in/new/{number:06}.mail")),
        );
        fs::write(&tmp, raw).unwrap();
        // The arrival is told apart by whole mails, not by what the file system's clock can tell apart.
        let file = fs::File::options().append(true).open(&tmp).unwrap();
        file.set_modified(SystemTime::now()).unwrap();
        fs::rename(&tmp, &new).unwrap();
        new
    }

    /// A mail with proof of a member, and lets it arrive.
    pub fn write(&self, from: &str, body: &str) {
        let number = self.arrived.load(Ordering::Relaxed);
        self.arrive(mail(from, &format!("m{number}@example.org"), body).as_bytes());
    }

    /// How many mails lie in a folder of the mailbox.
    pub fn count(&self, folder: &str) -> usize {
        fs::read_dir(self.path("in").join(folder)).unwrap().count()
    }

    /// Runs the program in the club's folder.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        self.feed(arguments, b"")
    }

    /// Runs the program with something on standard input.
    pub fn feed(&self, arguments: &[&str], input: &[u8]) -> Ran {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that ends before it has read all is no trouble here.
        let _ = child.stdin.take().unwrap().write_all(input);
        child.wait_with_output().unwrap().into()
    }

    /// The program, ready to run in the club's folder.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// One round of the daemon, which must go well.
    pub fn once(&self) -> Ran {
        let ran = self.run(&["serve", "--once"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran
    }

    /// All letters to an address, oldest first.
    pub fn letters(&self, address: &str) -> Vec<Letter> {
        let Ok(folder) = fs::read_dir(self.path("out").join(address).join("new")) else {
            return Vec::new();
        };
        let mut files: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
            .into_iter()
            .map(|file| read(fs::read(file).unwrap()))
            .collect()
    }

    /// The only letter to an address.
    pub fn only_letter(&self, address: &str) -> Letter {
        let mut letters = self.letters(address);
        assert_eq!(letters.len(), 1, "{address}: {letters:#?}");
        letters.remove(0)
    }

    /// Everyone who got letters.
    pub fn recipients(&self) -> Vec<String> {
        let Ok(folder) = fs::read_dir(self.path("out")) else {
            return Vec::new();
        };
        let mut names: Vec<String> = folder
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// The database by way of the program's own code.
    pub fn store(&self) -> Store {
        Store::open(&self.path("club.sqlite")).unwrap()
    }

    /// The database by way of SQL.
    pub fn database(&self) -> rusqlite::Connection {
        let connection = rusqlite::Connection::open(self.path("club.sqlite")).unwrap();
        connection
            .busy_timeout(std::time::Duration::from_secs(10))
            .unwrap();
        connection
    }

    /// What a query of one value gives.
    pub fn value<T: rusqlite::types::FromSql>(&self, sql: &str) -> T {
        self.database()
            .query_row(sql, [], |row| row.get(0))
            .unwrap()
    }

    /// Makes a member.
    pub fn join(&self, name: &str, address: &str) -> PlayerId {
        add_member(&mut self.store(), name, address)
    }

    /// A game's plies, as other programs read them.
    pub fn moves(&self, game: u32) -> Vec<String> {
        let ran = self.run(&["game", &game.to_string(), "--json"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let object: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        object["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|ply| ply.as_str().unwrap().to_owned())
            .collect()
    }
}

impl std::fmt::Debug for Letter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Subject: {}\n\n{}", self.subject, self.text)
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            code: output.status.code().expect("it was ended by a signal"),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// A mail with proof, as a member's program sends it.
pub fn mail(from: &str, id: &str, body: &str) -> String {
    format!(
        "{PASS}Received: from mail.example.org by mx.club.example; Mon, 30 Nov 2026 10:30:00 +0000\n\
         From: <{from}>\nTo: <{ADDRESS}>\nSubject: dvonn\nDate: Mon, 30 Nov 2026 10:30:00 +0000\n\
         Message-ID: <{id}>\n\n{body}\n"
    )
}

/// Makes a member.
pub fn add_member(store: &mut Store, name: &str, address: &str) -> PlayerId {
    let player = Player {
        id: PlayerId(0),
        name: name.to_owned(),
        address: address.to_owned(),
        language: "en".to_owned(),
        timezone: "UTC".to_owned(),
        joined: dvonn_post::daemon::clock::now(),
        stopped: false,
    };
    store.write(|tx| tx.add_player(player)).unwrap().id
}

fn read(raw: Vec<u8>) -> Letter {
    let parsed = MessageParser::default().parse(&raw).unwrap();
    Letter {
        subject: parsed.subject().unwrap().to_owned(),
        text: parsed.body_text(0).unwrap().replace("\r\n", "\n"),
        raw: raw.clone(),
    }
}
