//! A mailbox in memory that speaks IMAP over streams in memory, as well or as badly as a test wants.
//!
//! Knows the commands that the daemon uses; refuses to know anything of clubs.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

use chrono::{DateTime, Utc};
use dvonn_post::wire::{Dial, Dialled, Duplex};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex};

use crate::stage::Sky;

#[derive(Clone, Debug)]
pub struct Mail {
    pub uid: u32,
    pub date: DateTime<Utc>,
    pub raw: String,
    pub flagged: bool,
}

#[derive(Default)]
pub struct State {
    pub inbox: Vec<Mail>,
    /// None: there is no such mailbox yet.
    pub done: Option<Vec<Mail>>,
    pub last_uid: u32,
    pub dials: u32,
    pub logins: u32,
    pub has_no_name: bool,
    pub refuses_login: bool,
    pub refuses_append: bool,
    /// COPY is refused, for want of room.
    pub is_full: bool,
    pub has_no_move: bool,
    /// Used and allowed.
    pub quota: Option<(u64, u64)>,
    /// The first connection falls silent at this command.
    pub silent_at: Option<&'static str>,
    pub heard: Vec<String>,
}

#[derive(Clone)]
pub struct Server {
    state: Arc<Mutex<State>>,
    sky: Sky,
}

impl Server {
    pub fn new(sky: &Sky) -> Server {
        Server {
            state: Arc::default(),
            sky: sky.clone(),
        }
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Lets a mail arrive, by this server's clock, which is right.
    pub fn deliver(&self, raw: &str) -> u32 {
        self.deliver_dated(raw, self.sky.right())
    }

    pub fn deliver_dated(&self, raw: &str, date: DateTime<Utc>) -> u32 {
        let mut state = self.state();
        let mail = state.mail(raw, date);
        let uid = mail.uid;
        state.inbox.push(mail);
        uid
    }

    /// Puts a mail into the done mailbox.
    pub fn file(&self, raw: &str, date: DateTime<Utc>) -> u32 {
        let mut state = self.state();
        let mut mail = state.mail(raw, date);
        mail.flagged = true;
        let uid = mail.uid;
        state.done.get_or_insert_default().push(mail);
        uid
    }

    /// The marks in the done mailbox.
    pub fn marks(&self) -> Vec<Mail> {
        let state = self.state();
        let done = state.done.iter().flatten();
        done.filter(|mail| is_mark(mail)).cloned().collect()
    }

    /// The other mails there.
    pub fn done(&self) -> usize {
        let state = self.state();
        let done = state.done.iter().flatten();
        done.filter(|mail| !is_mark(mail)).count()
    }
}

fn is_mark(mail: &Mail) -> bool {
    mail.raw.contains("X-Dvonn-Post-Owner: ")
}

impl Dial for Server {
    fn dial<'a>(&'a self, _host: &'a str, _port: u16) -> Dialled<'a> {
        let number = {
            let mut state = self.state();
            state.dials += 1;
            state.dials
        };
        let nameless = self.state().has_no_name;
        Box::pin(async move {
            if nameless {
                return Err(io::Error::other("no such host"));
            }
            let (ours, theirs) = duplex(1 << 20);
            let server = self.clone();
            tokio::spawn(async move { server.serve(theirs, number).await });
            Ok(Box::new(ours) as Box<dyn Duplex>)
        })
    }
}

impl State {
    fn mail(&mut self, raw: &str, date: DateTime<Utc>) -> Mail {
        self.last_uid += 1;
        Mail {
            uid: self.last_uid,
            date,
            raw: raw.replace("\r\n", "\n").replace('\n', "\r\n"),
            flagged: false,
        }
    }

    fn folder(&mut self, name: &str) -> Option<&mut Vec<Mail>> {
        match name {
            "INBOX" => Some(&mut self.inbox),
            _ => self.done.as_mut(),
        }
    }

    /// The untagged answers to a command, and what follows the tag.
    fn answer(&mut self, open: &mut String, command: &str) -> (String, &'static str) {
        let words: Vec<&str> = command.split(' ').collect();
        let quoted = |at: usize| words[at].trim_matches('"').to_owned();
        let found: Vec<Mail> = match words.get(2) {
            Some(set) if words[0] == "UID" => {
                let all = self.folder(open).map(|mails| mails.clone());
                let all = all.unwrap_or_default().into_iter();
                all.filter(|mail| is_in(set, mail.uid)).collect()
            }
            _ => Vec::new(),
        };
        match (words[0], words.get(1).copied().unwrap_or_default()) {
            ("LOGIN", _) => {
                self.logins += 1;
                if self.refuses_login {
                    return (String::new(), "NO [AUTHENTICATIONFAILED] wrong password");
                }
            }
            ("CAPABILITY", _) => {
                let mut offered = "IMAP4rev1 IDLE UIDPLUS".to_owned();
                if !self.has_no_move {
                    offered.push_str(" MOVE");
                }
                if self.quota.is_some() {
                    offered.push_str(" QUOTA");
                }
                return (format!("* CAPABILITY {offered}\r\n"), "OK done");
            }
            ("SELECT" | "EXAMINE", _) => {
                let Some(count) = self.folder(&quoted(1)).map(|mails| mails.len()) else {
                    return (String::new(), "NO no such mailbox");
                };
                *open = quoted(1);
                let next = self.last_uid + 1;
                let said = format!(
                    "* {count} EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT {next}] ok\r\n"
                );
                return (said, "OK done");
            }
            ("UID", "SEARCH") => {
                let mails = self.folder(open).map(|mails| mails.clone());
                let uids: Vec<String> = mails
                    .unwrap_or_default()
                    .iter()
                    .filter(|mail| match words[2] {
                        "UID" => is_in(words[3], mail.uid),
                        _ => is_mark(mail) && (mail.flagged || words[2] != "FLAGGED"),
                    })
                    .map(|mail| mail.uid.to_string())
                    .collect();
                return (format!("* SEARCH {}\r\n", uids.join(" ")), "OK done");
            }
            ("UID", "FETCH") => {
                let said = found.iter().map(|mail| fetched(mail, command)).collect();
                return (said, "OK done");
            }
            ("UID", "COPY") if self.is_full => return (String::new(), "NO [OVERQUOTA] full"),
            ("UID", "MOVE" | "COPY") => {
                if self.done.is_none() {
                    return (String::new(), "NO [TRYCREATE] no such mailbox");
                }
                for mail in found {
                    if words[1] == "MOVE" {
                        self.inbox.retain(|other| other.uid != mail.uid);
                    }
                    let copy = self.mail(&mail.raw, mail.date);
                    self.done.get_or_insert_default().push(copy);
                }
            }
            ("UID", "EXPUNGE") => {
                if let Some(mails) = self.folder(open) {
                    mails.retain(|mail| !is_in(words[2], mail.uid));
                }
            }
            ("CREATE", _) => {
                self.done.get_or_insert_default();
            }
            ("GETQUOTAROOT", _) => {
                let (used, most) = self.quota.unwrap();
                let said =
                    format!("* QUOTAROOT INBOX \"\"\r\n* QUOTA \"\" (STORAGE {used} {most})\r\n");
                return (said, "OK done");
            }
            _ => {}
        }
        (String::new(), "OK done")
    }
}

fn fetched(mail: &Mail, command: &str) -> String {
    let date = mail.date.format("%d-%b-%Y %H:%M:%S +0000");
    let about = format!("UID {} INTERNALDATE \"{date}\"", mail.uid);
    let (part, raw) = match &mail.raw {
        raw if command.contains("HEADER") => (
            "HEADER",
            raw.split_once("\r\n\r\n")
                .map_or(raw.clone(), |(head, _)| format!("{head}\r\n\r\n")),
        ),
        raw => ("", raw.clone()),
    };
    if command.contains("RFC822.SIZE") {
        return format!("* 1 FETCH ({about} RFC822.SIZE {})\r\n", mail.raw.len());
    }
    format!(
        "* 1 FETCH ({about} BODY[{part}] {{{}}}\r\n{raw})\r\n",
        raw.len()
    )
}

fn is_in(set: &str, uid: u32) -> bool {
    set.split(',').any(|range| match range.split_once(':') {
        Some((first, "*")) => uid >= first.parse().unwrap(),
        Some((first, last)) => (first.parse().unwrap()..=last.parse().unwrap()).contains(&uid),
        None => range.parse() == Ok(uid),
    })
}

impl Server {
    async fn serve(self, stream: DuplexStream, number: u32) {
        let mut stream = BufReader::new(stream);
        let mut open = String::new();
        stream.get_mut().write_all(b"* OK hello\r\n").await.unwrap();
        let mut line = String::new();
        loop {
            line.clear();
            match stream.read_line(&mut line).await {
                Ok(read) if read > 0 => {}
                _ => return,
            }
            let (tag, command) = line
                .trim_end()
                .split_once(' ')
                .unwrap_or((line.trim_end(), ""));
            let (tag, command) = (tag.to_owned(), command.to_owned());
            self.state().heard.push(command.clone());
            let silent_at = self.state().silent_at.filter(|_| number == 1);
            if silent_at.is_some_and(|verb| command.starts_with(verb)) {
                std::future::pending::<()>().await;
            }
            let mut said = String::new();
            let mut end = "OK done";
            if command == "IDLE" {
                stream.get_mut().write_all(b"+ idling\r\n").await.unwrap();
                line.clear();
                if !stream.read_line(&mut line).await.is_ok_and(|read| read > 0) {
                    return;
                }
                if silent_at == Some("DONE") {
                    std::future::pending::<()>().await;
                }
            } else if command.starts_with("APPEND") {
                let size = command.rsplit_once('{').unwrap().1.trim_end_matches('}');
                let there = self.state().done.is_some();
                if self.state().refuses_append {
                    end = "NO [OVERQUOTA] no room";
                } else if !there {
                    end = "NO [TRYCREATE] no such mailbox";
                } else {
                    stream.get_mut().write_all(b"+ go on\r\n").await.unwrap();
                    let mut raw = vec![0; size.parse::<usize>().unwrap() + 2];
                    if stream.read_exact(&mut raw).await.is_err() {
                        return;
                    }
                    let raw = String::from_utf8(raw).unwrap();
                    self.file(raw.trim_end(), self.sky.right());
                }
            } else {
                (said, end) = self.state().answer(&mut open, &command);
            }
            let answer = format!("{said}{tag} {end}\r\n");
            if stream.get_mut().write_all(answer.as_bytes()).await.is_err() {
                return;
            }
        }
    }
}
