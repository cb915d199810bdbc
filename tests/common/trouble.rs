//! What happens to mail servers: they stop, refuse, lose a mailbox, show a certificate that has expired; and what other
//! mail programs do at the same mailbox.
//!
//! Knows how to make each of these happen; refuses to know what the club should do about it.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

use super::stack::MailStack;
use super::system::{certify, signal, state};

/// The process numbers of the servers' masters.
const DOVECOT: &str = "run/master.pid";
const POSTFIX: &str = "pf/spool/pid/master.pid";

impl MailStack {
    /// Makes Postfix answer RCPT for an address of ours with a code and words; empty words lift it.
    pub fn refuse(&self, address: &str, answer: &str) {
        let map = self.path("pf/etc/rcpt_access");
        let mut lines: Vec<String> = fs::read_to_string(&map)
            .unwrap()
            .lines()
            .filter(|line| line.split(' ').next() != Some(address))
            .map(str::to_owned)
            .collect();
        if !answer.is_empty() {
            lines.push(format!("{address} {answer}"));
        }
        fs::write(&map, lines.join("\n") + "\n").unwrap();
    }

    /// Gives a user's inbox another UIDVALIDITY.
    pub fn renumber(&self, user: &str, validity: u32) {
        self.doveadm(&[
            "mailbox",
            "update",
            "-u",
            user,
            "--uid-validity",
            &validity.to_string(),
            "INBOX",
        ]);
    }

    /// Removes every mail of a user's inbox behind everybody's back.
    pub fn expunge(&self, user: &str) {
        self.doveadm(&["expunge", "-u", user, "mailbox", "INBOX", "all"]);
    }

    /// Removes the mails of a user's inbox whose subject holds this.
    pub fn expunge_subject(&self, user: &str, subject: &str) {
        self.doveadm(&[
            "expunge", "-u", user, "mailbox", "INBOX", "subject", subject,
        ]);
    }

    /// Makes a folder.
    pub fn create(&self, user: &str, folder: &str) {
        self.doveadm(&["mailbox", "create", "-u", user, folder]);
    }

    /// Moves every mail of a user's inbox to a folder.
    pub fn sort_into(&self, user: &str, folder: &str) {
        self.doveadm(&["move", "-u", user, folder, "mailbox", "INBOX", "all"]);
    }

    /// Stops Dovecot: no IMAP, no delivery, no login for submission.
    pub fn stop_dovecot(&self) {
        self.end(&[DOVECOT]);
    }

    /// Starts Dovecot again.
    pub fn start_dovecot(&self) {
        self.run_dovecot().unwrap();
    }

    /// Stops Postfix. What it has queued stays queued.
    pub fn stop_postfix(&self) {
        self.end(&[POSTFIX]);
    }

    /// Starts Postfix again.
    pub fn start_postfix(&self) {
        self.run_postfix().unwrap();
    }

    /// Gives all servers a certificate that is valid for so many days from now, and starts them anew.
    pub fn renew_certificate(&self, days: i32) {
        self.end(&[POSTFIX, DOVECOT]);
        certify(&self.path("tls"), days);
        self.run_dovecot().unwrap();
        self.run_postfix().unwrap();
    }

    /// The UIDVALIDITY of a user's inbox.
    pub fn validity(&self, user: &str) -> u32 {
        let said = self.doveadm(&["mailbox", "status", "-u", user, "uidvalidity", "INBOX"]);
        let (_, number) = said.trim().rsplit_once('=').unwrap();
        number.parse().unwrap()
    }

    /// Deletes all mail of a user and makes the account anew, with these mails in its inbox.
    pub fn make_anew(&self, user: &str, mails: Vec<Vec<u8>>) {
        let maildir = self.path(&format!("home/{user}/Maildir"));
        let before = self.validity(user);
        fs::rename(&maildir, self.path(&format!("home/{user}/gone"))).unwrap();
        self.seed_at(user, mails, SystemTime::now());
        assert_ne!(
            self.validity(user),
            before,
            "the new mailbox has the old number"
        );
    }

    /// Marks every mail of a user's inbox as read, as a mail program does that shows them.
    pub fn mark_seen(&self, user: &str) {
        self.doveadm(&[
            "flags", "add", "-u", user, "\\Seen", "mailbox", "INBOX", "all",
        ]);
    }

    /// Ends servers by the files with their process numbers.
    pub(super) fn end(&self, files: &[&str]) {
        let pids: Vec<u32> = files
            .iter()
            .filter_map(|file| {
                let pid = fs::read_to_string(self.path(file)).ok()?;
                let pid = pid.trim().parse().ok()?;
                // The number may belong to somebody else by now.
                let name = if *file == DOVECOT {
                    "dovecot"
                } else {
                    "master"
                };
                (state(pid)?.0 == name).then_some(pid)
            })
            .collect();
        for pid in &pids {
            signal("-TERM", *pid);
        }
        let start = Instant::now();
        for pid in pids {
            while state(pid).is_some_and(|(_, state)| state != 'Z') {
                if start.elapsed() > Duration::from_secs(8) {
                    signal("-KILL", pid);
                    break;
                }
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    }
}

/// A small disk of its own, for as long as it is kept.
pub struct SmallDisk {
    folder: tempfile::TempDir,
}

impl SmallDisk {
    /// Mounts one of so many mebibytes. Needs root.
    pub fn of(mebibytes: u32) -> SmallDisk {
        let folder = tempfile::tempdir().unwrap();
        let status = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={mebibytes}m"), "tmpfs"])
            .arg(folder.path())
            .status();
        assert!(status.unwrap().success(), "mount: are we root?");
        SmallDisk { folder }
    }

    /// A file on it.
    pub fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    /// Fills it to the last byte.
    pub fn fill(&self) {
        let mut file = fs::File::create(self.path("ballast")).unwrap();
        for size in [1 << 16, 1 << 8, 1] {
            while std::io::Write::write_all(&mut file, &vec![0; size]).is_ok() {}
        }
    }

    /// Makes room again.
    pub fn free(&self) {
        fs::remove_file(self.path("ballast")).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: a process that is just being killed may hold a file open.
        let _ = Command::new("umount")
            .arg("-l")
            .arg(self.folder.path())
            .status();
    }
}
