//! A private Dovecot, and Postfix in front of it, on random ports of 127.0.0.1, with all state in a temporary
//! directory. Needs root, `dovecot-imapd`, `dovecot-lmtpd`, `postfix` and `openssl`.
//!
//! Knows how to configure, start and stop them; refuses to leave anything running or lying about.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use tempfile::TempDir;

use super::system::{make_authority, make_certificate, own, set_mode};

/// The domain of every user.
pub const DOMAIN: &str = "pbem.test";

/// Running mail servers. Stopped when dropped.
pub struct MailStack {
    pub(super) root: TempDir,
    /// IMAP, plain and STARTTLS.
    pub imap: u16,
    /// IMAP over TLS.
    pub imaps: u16,
    /// LMTP.
    pub lmtp: u16,
    pub(super) auth: u16,
    /// SMTP for anybody, to users of the domain.
    pub smtp: u16,
    /// Submission with login, plain and STARTTLS.
    pub submission: u16,
    /// Submission with login, over TLS.
    pub smtps: u16,
}

impl MailStack {
    /// Starts Dovecot and Postfix for `users`, whose passwords are [`MailStack::password`].
    pub fn start(users: &[&str]) -> MailStack {
        MailStack::launch(users, true)
    }

    /// Starts Dovecot alone.
    pub fn dovecot(users: &[&str]) -> MailStack {
        MailStack::launch(users, false)
    }

    /// The host that the certificate is made out to.
    pub fn host() -> &'static str {
        "localhost"
    }

    /// A user's password.
    pub fn password(user: &str) -> String {
        format!("{user}-pw")
    }

    /// A user's address.
    pub fn address(user: &str) -> String {
        format!("{user}@{DOMAIN}")
    }

    /// The authority that vouches for the servers.
    pub fn ca_file(&self) -> PathBuf {
        self.path("tls/ca.pem")
    }

    /// An authority that vouches for nobody.
    pub fn foreign_ca_file(&self) -> PathBuf {
        let tls = self.path("tls");
        make_authority(&tls, "foreign");
        tls.join("foreign.pem")
    }

    /// Puts a mail into a user's mailbox (LMTP, RFC 2033).
    pub fn deliver(&self, user: &str, raw: &[u8]) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.lmtp)).unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut expect = |code: &str| loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            assert!(line.starts_with(code), "LMTP: {line:?}");
            if line.as_bytes()[3] == b' ' {
                break;
            }
        };
        expect("220");
        let text = String::from_utf8_lossy(raw).replace("\r\n", "\n");
        let text = text.replace("\n.", "\n..").replace('\n', "\r\n");
        for (say, code) in [
            ("LHLO test\r\n".to_owned(), "250"),
            ("MAIL FROM:<sender@elsewhere.test>\r\n".to_owned(), "250"),
            (format!("RCPT TO:<{user}@{DOMAIN}>\r\n"), "250"),
            ("DATA\r\n".to_owned(), "354"),
            (format!("{text}\r\n.\r\n"), "250"),
            ("QUIT\r\n".to_owned(), "221"),
        ] {
            stream.write_all(say.as_bytes()).unwrap();
            expect(code);
        }
    }

    /// Puts mails into a user's inbox without a server.
    pub fn seed(&self, user: &str, mails: impl IntoIterator<Item = Vec<u8>>) {
        self.seed_at(user, mails, SystemTime::now());
    }

    /// Puts mails that arrived at some time into a user's inbox without a server.
    pub fn seed_at(
        &self,
        user: &str,
        mails: impl IntoIterator<Item = Vec<u8>>,
        arrived: SystemTime,
    ) {
        let new = self.path(&format!("home/{user}/Maildir/new"));
        fs::create_dir_all(&new).unwrap();
        for (number, raw) in mails.into_iter().enumerate() {
            let path = new.join(format!("1.{number}.seed"));
            fs::write(&path, raw).unwrap();
            let file = fs::File::options().write(true).open(&path).unwrap();
            file.set_modified(arrived).unwrap();
        }
        own("mail:mail", &self.path(&format!("home/{user}")));
    }

    /// The mails in a user's folder (`INBOX`, `Done` …), by file name, read from disk; daemons' marks are no mails.
    pub fn mails(&self, user: &str, folder: &str) -> Vec<(String, Vec<u8>)> {
        self.mails_but(user, folder, &BTreeSet::new())
    }

    /// The same without the files that were `seen` before.
    pub fn mails_but(
        &self,
        user: &str,
        folder: &str,
        seen: &BTreeSet<String>,
    ) -> Vec<(String, Vec<u8>)> {
        let maildir = self.path(&format!("home/{user}/Maildir"));
        let maildir = match folder {
            "INBOX" => maildir,
            folder => maildir.join(format!(".{folder}")),
        };
        let mut mails = Vec::new();
        for room in ["new", "cur"] {
            for entry in fs::read_dir(maildir.join(room)).into_iter().flatten() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                if seen.contains(&name) {
                    continue;
                }
                // Dovecot may rename a file while we look.
                if let Ok(raw) = fs::read(&path)
                    && !is_mark(&raw)
                {
                    mails.push((name, raw));
                }
            }
        }
        mails.sort();
        mails
    }

    pub(super) fn doveadm(&self, arguments: &[&str]) -> String {
        let output = Command::new("doveadm")
            .arg("-c")
            .arg(self.path("dovecot.conf"))
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(output.status.success(), "doveadm {arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    pub(super) fn path(&self, below: &str) -> PathBuf {
        self.root.path().join(below)
    }

    fn launch(users: &[&str], postfix: bool) -> MailStack {
        let mut trouble = String::new();
        // A port that was free may be taken by the time the server binds it.
        for _ in 0..3 {
            let stack = MailStack::prepare(users, postfix);
            match stack.run(postfix) {
                Ok(()) => return stack,
                Err(text) => trouble = text,
            }
        }
        panic!(
            "mail servers do not start (as root, with Dovecot and Postfix installed?): {trouble}"
        );
    }

    fn prepare(users: &[&str], postfix: bool) -> MailStack {
        // Short, since paths of sockets are limited; below a directory that the servers' users may enter.
        let root = tempfile::Builder::new()
            .prefix("ms")
            .tempdir_in("/tmp")
            .unwrap();
        set_mode(root.path(), 0o755);
        let listeners: Vec<TcpListener> = (0..7)
            .map(|_| TcpListener::bind("127.0.0.1:0").unwrap())
            .collect();
        let port = |at: usize| listeners[at].local_addr().unwrap().port();
        let stack = MailStack {
            root,
            imap: port(0),
            imaps: port(1),
            lmtp: port(2),
            auth: port(3),
            smtp: port(4),
            submission: port(5),
            smtps: port(6),
        };
        for folder in ["log", "run", "state", "home", "tls"] {
            fs::create_dir(stack.path(folder)).unwrap();
        }
        make_certificate(&stack.path("tls"));
        stack.configure_dovecot(users);
        if postfix {
            stack.configure_postfix(users);
        }
        stack
    }

    fn run(&self, postfix: bool) -> Result<(), String> {
        self.run_dovecot()?;
        if postfix {
            self.run_postfix()?;
        }
        Ok(())
    }

    pub(super) fn run_dovecot(&self) -> Result<(), String> {
        self.spawn(
            Command::new("dovecot")
                .arg("-c")
                .arg(self.path("dovecot.conf")),
        )?;
        self.banner(self.imap, "* OK")?;
        self.banner(self.lmtp, "220")
    }

    pub(super) fn run_postfix(&self) -> Result<(), String> {
        // The master itself: it skips the slow checks of the wrapper, and -w waits until it is ready.
        let etc = self.path("pf/etc");
        self.spawn(
            Command::new("/usr/lib/postfix/sbin/master")
                .env("MAIL_CONFIG", &etc)
                .arg("-c")
                .arg(&etc)
                .arg("-w"),
        )?;
        self.banner(self.smtp, "220")
    }

    /// Runs a command that puts itself into the background.
    fn spawn(&self, command: &mut Command) -> Result<(), String> {
        // Not a pipe: the daemon would hold it open, and whoever reads it would wait for ever.
        let log = fs::File::create(self.path("log/start.log")).unwrap();
        let status = command
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .status()
            .map_err(|error| format!("{command:?}: {error}"))?;
        if status.success() {
            Ok(())
        } else {
            Err(self.logs())
        }
    }

    fn logs(&self) -> String {
        fs::read_dir(self.path("log"))
            .unwrap()
            .filter_map(|entry| fs::read_to_string(entry.unwrap().path()).ok())
            .collect()
    }

    fn banner(&self, port: u16, prefix: &str) -> Result<(), String> {
        let start = Instant::now();
        while start.elapsed() < super::PATIENCE {
            if let Ok(stream) = TcpStream::connect(("127.0.0.1", port)) {
                stream
                    .set_read_timeout(Some(Duration::from_secs(2)))
                    .unwrap();
                let mut line = String::new();
                if BufReader::new(stream).read_line(&mut line).is_ok() && line.starts_with(prefix) {
                    return Ok(());
                }
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Err(format!("no {prefix:?} on port {port}\n{}", self.logs()))
    }
}

impl Drop for MailStack {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.logs());
        }
        self.end(&["pf/spool/pid/master.pid", "run/master.pid"]);
    }
}

/// Whether it is the note by which a daemon shows that it reads the mailbox.
fn is_mark(raw: &[u8]) -> bool {
    let text = String::from_utf8_lossy(raw).replace("\r\n", "\n");
    let (header, _) = text.split_once("\n\n").unwrap_or((&text, ""));
    header.contains("\nX-Dvonn-Post-Owner: ")
}
