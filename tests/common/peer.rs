//! Scripted IMAP and SMTP servers: they behave up to a point, and then do what the test says.
//!
//! Knows just enough of both protocols to get there; refuses to be used as a model of either.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A server that runs a script for each connection.
pub struct Peer {
    /// Its port on 127.0.0.1.
    pub port: u16,
    connections: Arc<AtomicUsize>,
    heard: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

/// One connection to it.
pub struct Talk {
    /// Which connection this is, from 0.
    pub number: usize,
    stream: BufReader<TcpStream>,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Peer {
    /// Starts one. The connection closes when its script ends.
    pub async fn start<F>(script: impl Fn(Talk) -> F + Send + 'static) -> Peer
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let connections = Arc::new(AtomicUsize::new(0));
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (count, lines) = (connections.clone(), heard.clone());
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let talk = Talk {
                    number: count.fetch_add(1, Ordering::SeqCst),
                    stream: BufReader::new(stream),
                    heard: lines.clone(),
                };
                tokio::spawn(script(talk));
            }
        });
        Peer {
            port,
            connections,
            heard,
            task,
        }
    }

    /// How many connections there have been.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// Every line that was heard, in order, without tags of IMAP commands.
    pub fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Talk {
    /// Says something; the other end may be gone.
    pub async fn say(&mut self, text: impl AsRef<str>) {
        let _ = self
            .stream
            .get_mut()
            .write_all(text.as_ref().as_bytes())
            .await;
    }

    /// The next line without its line break; `None` when the other end is gone.
    pub async fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = self.stream.read_line(&mut line).await.ok()?;
        (read > 0).then(|| line.trim_end().to_owned())
    }

    /// Falls silent for ever, reading nothing.
    pub async fn silence(self) {
        std::future::pending().await
    }

    /// The next IMAP command after its tag; `None` when the other end is gone.
    pub async fn command(&mut self) -> Option<(String, String)> {
        let line = self.line().await?;
        let (tag, command) = line.split_once(' ').unwrap_or(("", &line));
        self.heard.lock().unwrap().push(command.to_owned());
        Some((tag.to_owned(), command.to_owned()))
    }

    /// Behaves as an IMAP server whose inbox holds the mails 1, 2 and 3, until a command begins with `verb`. Returns its
    /// tag, or `None` when the other end has gone before.
    pub async fn imap_until(&mut self, verb: &str, capabilities: &str) -> Option<String> {
        loop {
            let (tag, command) = self.command().await?;
            if command.starts_with(verb) {
                return Some(tag);
            }
            self.imap_answer(&tag, &command, capabilities).await;
        }
    }

    /// Answers one IMAP command properly.
    pub async fn imap_answer(&mut self, tag: &str, command: &str, capabilities: &str) {
        let answer = match command.split(' ').take(2).collect::<Vec<_>>()[..] {
            ["CAPABILITY"] => format!("* CAPABILITY IMAP4rev1 {capabilities}\r\n"),
            ["SELECT" | "EXAMINE", _] => {
                "* 3 EXISTS\r\n* OK [UIDVALIDITY 7] valid\r\n* OK [UIDNEXT 4] next\r\n".to_owned()
            }
            ["UID", "SEARCH"] => "* SEARCH 1 2 3\r\n".to_owned(),
            ["UID", "FETCH"] if command.contains("RFC822.SIZE") => (1..=3)
                .map(|uid| {
                    format!(
                        "* {uid} FETCH (UID {uid} RFC822.SIZE 11 INTERNALDATE \" 1-Dec-2026 12:00:0{uid} +0100\")\r\n"
                    )
                })
                .collect(),
            ["UID", "FETCH"] => (1..=3).map(Talk::mail).collect(),
            ["IDLE"] => {
                self.say("+ idling\r\n").await;
                assert_eq!(self.line().await.as_deref().unwrap_or("DONE"), "DONE");
                String::new()
            }
            _ => String::new(),
        };
        self.say(format!("{answer}{tag} OK done\r\n")).await;
    }

    /// A fetched mail as it comes over the wire.
    pub fn mail(uid: u32) -> String {
        format!(
            "* {uid} FETCH (UID {uid} INTERNALDATE \" 1-Dec-2026 12:00:0{uid} +0100\" BODY[] {{11}}\r\nA: b\r\n\r\nm{uid}.)\r\n"
        )
    }

    /// Behaves as an SMTP server until a command begins with `verb`; the final dot counts as the verb `.`. False when
    /// the other end has gone before.
    pub async fn smtp_until(&mut self, verb: &str) -> bool {
        loop {
            let Some(line) = self.line().await else {
                return false;
            };
            self.heard.lock().unwrap().push(line.clone());
            if line.starts_with(verb) {
                return true;
            }
            match line.split([' ', ':']).next().unwrap() {
                "EHLO" => {
                    self.say("250-peer\r\n250-AUTH PLAIN LOGIN\r\n250 8BITMIME\r\n")
                        .await
                }
                "AUTH" => self.say("235 2.7.0 welcome\r\n").await,
                "DATA" => {
                    self.say("354 go on\r\n").await;
                    loop {
                        match self.line().await.as_deref() {
                            Some(".") => break,
                            Some(_) => {}
                            None => return false,
                        }
                    }
                    if verb == "." {
                        return true;
                    }
                    self.say("250 2.0.0 queued\r\n").await;
                }
                "QUIT" => self.say("221 2.0.0 bye\r\n").await,
                _ => self.say("250 2.0.0 ok\r\n").await,
            }
        }
    }
}
