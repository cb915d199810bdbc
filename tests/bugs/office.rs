//! A provider within the test: a mailbox and a way out, reached without sockets, on the clock of the test.
//!
//! Knows which mails lie where, what was said and how much; refuses to speak either protocol (`imap`, `smtp`).

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

use chrono::{DateTime, Utc};
use dvonn_post::wire::{Dial, Dialled, Duplex};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::sync::watch;

use crate::{imap, smtp};

/// The port of the mailbox; all others are the way out's.
pub const IMAP: u16 = 143;

/// How much a line holds that nobody reads from, in bytes: less than a letter.
const PIPE: usize = 2048;

/// What a server does instead of going on well, once.
#[derive(Clone, Debug)]
pub enum Act {
    /// Says nothing more, and reads nothing; the connection stays.
    Silence,
    /// Hangs up.
    HangUp,
    /// Says this and hangs up.
    Bye(&'static str),
    /// Says this first.
    Say(&'static str),
    /// Gives half of its answer, and falls silent.
    Half,
    /// Gives half of its answer, and hangs up.
    Cut,
    /// A mail arrives just now, and is announced or not.
    Arrival { raw: Vec<u8>, announced: bool },
}

/// A mail in the mailbox.
pub struct Mail {
    pub raw: Vec<u8>,
    /// The size that is listed; what is missing in `raw` is made up when it is asked for.
    pub size: usize,
    pub arrived: DateTime<Utc>,
}

/// What one server has to do with its clients.
#[derive(Default)]
pub struct Traffic {
    pub connections: usize,
    pub open: usize,
    /// The most connections that were open at once.
    pub most: usize,
    /// Bytes that the server sent.
    pub sent: usize,
    /// Each command, without its tag.
    pub heard: Vec<String>,
}

/// All that the provider holds.
pub struct State {
    pub validity: u32,
    pub mails: BTreeMap<u32, Mail>,
    pub next: u32,
    pub capabilities: &'static str,
    pub done: Vec<Vec<u8>>,
    /// Letters that the way out has taken, with their recipients.
    pub taken: Vec<(String, Vec<u8>)>,
    pub imap: Traffic,
    pub smtp: Traffic,
    traps: Vec<(&'static str, usize, Act)>,
}

/// The provider.
#[derive(Clone)]
pub struct Office {
    state: Arc<Mutex<State>>,
    /// The number of mails that idle clients are told of.
    pub announced: watch::Sender<usize>,
    now: fn() -> DateTime<Utc>,
}

impl Office {
    pub fn open(now: fn() -> DateTime<Utc>) -> Office {
        let state = State {
            validity: 7,
            mails: BTreeMap::new(),
            next: 1,
            capabilities: "IDLE MOVE UIDPLUS",
            done: Vec::new(),
            taken: Vec::new(),
            imap: Traffic::default(),
            smtp: Traffic::default(),
            traps: Vec::new(),
        };
        Office {
            state: Arc::new(Mutex::new(state)),
            announced: watch::channel(0).0,
            now,
        }
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// A mail arrives, and whoever idles is told.
    pub fn deliver(&self, raw: impl Into<Vec<u8>>) {
        let raw = raw.into();
        self.put(raw.len(), raw, (self.now)());
        self.announce();
    }

    pub fn announce(&self) {
        let count = self.state().mails.len();
        self.announced.send_replace(count);
    }

    /// Puts a mail of that size there, which arrived then. Nobody is told.
    pub fn put(&self, size: usize, raw: Vec<u8>, arrived: DateTime<Utc>) {
        let mut state = self.state();
        let uid = state.next;
        state.next += 1;
        state.mails.insert(uid, Mail { raw, size, arrived });
    }

    pub fn now(&self) -> DateTime<Utc> {
        (self.now)()
    }

    /// The next so many commands that hold this word meet that act.
    pub fn trap(&self, word: &'static str, times: usize, act: Act) {
        self.state().traps.push((word, times, act));
    }

    /// How many traps nobody has met.
    pub fn traps(&self) -> usize {
        self.state().traps.iter().map(|(_, times, _)| times).sum()
    }

    /// What a command meets.
    pub fn caught(&self, command: &str) -> Option<Act> {
        let mut state = self.state();
        let at = state
            .traps
            .iter()
            .position(|(word, times, _)| *times > 0 && command.contains(word))?;
        let (_, times, act) = &mut state.traps[at];
        *times -= 1;
        Some(act.clone())
    }

    /// The letters to somebody that were taken.
    pub fn letters(&self, to: &str) -> Vec<String> {
        let state = self.state();
        let to_them = state.taken.iter().filter(|(recipient, _)| recipient == to);
        to_them
            .map(|(_, raw)| String::from_utf8(raw.clone()).unwrap())
            .collect()
    }
}

impl State {
    fn traffic(&mut self, port: u16) -> &mut Traffic {
        if port == IMAP {
            &mut self.imap
        } else {
            &mut self.smtp
        }
    }
}

impl Dial for Office {
    fn dial<'a>(&'a self, _: &'a str, port: u16) -> Dialled<'a> {
        let (ours, theirs) = tokio::io::duplex(PIPE);
        let office = self.clone();
        {
            let mut state = office.state();
            let traffic = state.traffic(port);
            traffic.connections += 1;
            traffic.open += 1;
            traffic.most = traffic.most.max(traffic.open);
        }
        tokio::spawn(async move {
            let line = Line {
                stream: theirs,
                read: Vec::new(),
                office: office.clone(),
                port,
            };
            // The end of a connection is how each of them ends.
            let _ = if port == IMAP {
                imap::serve(line).await
            } else {
                smtp::serve(line).await
            };
            office.state().traffic(port).open -= 1;
        });
        Box::pin(async move {
            let stream: Box<dyn Duplex> = Box::new(ours);
            Ok(stream)
        })
    }
}

/// The server's end of a connection.
pub struct Line {
    stream: DuplexStream,
    read: Vec<u8>,
    pub office: Office,
    port: u16,
}

impl Line {
    /// The next line, without its end.
    pub async fn line(&mut self) -> io::Result<String> {
        loop {
            if let Some(end) = self.read.windows(2).position(|two| two == b"\r\n") {
                let line: Vec<u8> = self.read.drain(..end + 2).collect();
                return Ok(String::from_utf8_lossy(&line[..end]).into_owned());
            }
            let mut bytes = [0; 1024];
            let count = self.stream.read(&mut bytes).await?;
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.read.extend_from_slice(&bytes[..count]);
        }
    }

    pub async fn say(&mut self, text: impl AsRef<[u8]>) -> io::Result<()> {
        let bytes = text.as_ref();
        self.office.state().traffic(self.port).sent += bytes.len();
        self.stream.write_all(bytes).await
    }

    pub fn note(&self, command: &str) {
        let mut state = self.office.state();
        state.traffic(self.port).heard.push(command.to_owned());
    }

    /// Says nothing more until the other end is gone, and reads nothing: an end that is cut off behaves so.
    pub async fn silence(self) -> io::Result<()> {
        let office = self.office.clone();
        office.state().traffic(self.port).open -= 1;
        std::future::pending::<()>().await;
        Ok(())
    }

    /// Does what a trap says about an answer. Gives the line back where the dialogue goes on, with the answer said.
    pub async fn meet(mut self, act: Option<Act>, answer: &[u8]) -> io::Result<Line> {
        match act {
            None => self.say(answer).await?,
            Some(Act::Say(first)) => {
                self.say(first).await?;
                self.say(answer).await?;
            }
            Some(Act::Arrival { raw, announced }) => {
                let now = self.office.now();
                self.office.put(raw.len(), raw, now);
                if announced {
                    let count = self.office.state().mails.len();
                    self.say(format!("* {count} EXISTS\r\n")).await?;
                }
                self.say(answer).await?;
            }
            Some(Act::Bye(words)) => {
                self.say(words).await?;
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
            Some(Act::Cut) => {
                self.say(&answer[..answer.len() / 2]).await?;
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
            Some(Act::HangUp) => return Err(io::ErrorKind::ConnectionAborted.into()),
            Some(Act::Half) => {
                self.say(&answer[..answer.len() / 2]).await?;
                self.silence().await?;
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
            Some(Act::Silence) => {
                self.silence().await?;
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
        }
        Ok(self)
    }
}
