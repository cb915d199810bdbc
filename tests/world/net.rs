//! The network: lines between the daemon and the two servers, in memory, with every fault that a byte can meet.
//!
//! Knows bytes, directions and where a line breaks; refuses to know what is said. A server answers in the moment in
//! which it hears, so nothing here ever runs beside the daemon.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use dvonn_post::wire::{Dial, Dialled, Duplex};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

use super::imap::Answer;
use super::ports::{self, Call};
use super::servers::Servers;
use super::{imap, smtp};

/// The host name of the mailbox; any other host is the outgoing server.
pub const IMAP: &str = "imap.world.example";
pub const SMTP: &str = "smtp.world.example";

#[derive(Debug)]
enum Peer {
    Imap(imap::Session),
    Smtp(smtp::Session),
}

/// Where a line breaks, and how.
#[derive(Clone, Copy, Debug)]
struct Break {
    /// In what the daemon says, rather than in what it hears.
    said: bool,
    /// After so many bytes.
    after: usize,
    /// The line falls silent for ever; otherwise it is cut.
    silent: bool,
}

#[derive(Debug)]
struct Line {
    peer: Peer,
    /// On its way to the daemon.
    answers: VecDeque<u8>,
    hung_up: bool,
    silent: bool,
    broken: Option<Break>,
    /// How long an answer takes, and when the next one is there.
    takes: Duration,
    there_at: Option<Instant>,
    reader: Option<Waker>,
}

/// The lines and the servers behind them.
#[derive(Debug)]
pub struct Outer {
    pub servers: Servers,
    lines: BTreeMap<u64, Line>,
    dialled: u64,
}

/// The network.
#[derive(Clone, Debug)]
pub struct Net(Arc<Mutex<Outer>>);

impl Net {
    pub fn new(servers: Servers) -> Net {
        Net(Arc::new(Mutex::new(Outer {
            servers,
            lines: BTreeMap::new(),
            dialled: 0,
        })))
    }

    pub fn lock(&self) -> MutexGuard<'_, Outer> {
        self.0.lock().unwrap()
    }

    /// Tells those who idle that mail has come.
    pub fn announce(&self) {
        let mut outer = self.lock();
        let Outer { servers, lines, .. } = &mut *outer;
        for line in lines.values_mut() {
            if let Peer::Imap(session) = &line.peer
                && let Some(news) = session.news(servers)
            {
                line.answers.extend(news.as_bytes());
                line.wake();
            }
        }
    }

    /// Lines that stand are sound and fast from now on.
    pub fn soothe(&self) {
        let mut outer = self.lock();
        for line in outer.lines.values_mut() {
            (line.broken, line.takes) = (None, Duration::ZERO);
        }
    }

    fn connect(&self, host: &str) -> io::Result<Box<dyn Duplex>> {
        let mut outer = self.lock();
        let Outer {
            servers,
            lines,
            dialled,
        } = &mut *outer;
        if servers.chance.happens(servers.mood.refused) {
            servers.note(format_args!("{host} refuses a connection"));
            return Err(io::ErrorKind::ConnectionRefused.into());
        }
        *dialled += 1;
        let (peer, greeting) = if host == IMAP {
            (
                Peer::Imap(imap::Session::default()),
                imap::Session::greeting(),
            )
        } else {
            (
                Peer::Smtp(smtp::Session::default()),
                smtp::Session::greeting(),
            )
        };
        let chance = &mut servers.chance;
        let broken = chance.happens(servers.mood.broken).then(|| Break {
            said: chance.happens(500),
            // Somewhere in the dialogue, or in a mail that goes over the line.
            after: usize::try_from(match chance.below(3) {
                0 => chance.below(80),
                1 => chance.below(600),
                _ => chance.below(8000),
            })
            .unwrap(),
            silent: chance.happens(400),
        });
        let slow = chance.happens(servers.mood.slow);
        let takes = Duration::from_secs(if slow { chance.within(1, 25) } else { 0 });
        lines.insert(
            *dialled,
            Line {
                peer,
                answers: greeting.bytes().collect(),
                hung_up: false,
                silent: false,
                broken,
                takes,
                there_at: None,
                reader: None,
            },
        );
        Ok(Box::new(Wire {
            net: self.clone(),
            number: *dialled,
            waits: None,
        }))
    }
}

impl Dial for Net {
    fn dial<'a>(&'a self, host: &'a str, _port: u16) -> Dialled<'a> {
        Box::pin(async move {
            match ports::call("dial") {
                Call::Done => self.connect(host),
                Call::Fails => Err(io::ErrorKind::ConnectionRefused.into()),
                Call::Dead => std::future::pending().await,
            }
        })
    }
}

impl Line {
    fn wake(&mut self) {
        if let Some(reader) = self.reader.take() {
            reader.wake();
        }
    }

    fn cut(&mut self) {
        self.hung_up = true;
        self.wake();
    }

    /// How many of `bytes` get through in that direction, before the line breaks.
    fn passes(&mut self, said: bool, bytes: usize) -> usize {
        match &mut self.broken {
            Some(broken) if broken.said == said => {
                let passed = bytes.min(broken.after);
                broken.after -= passed;
                passed
            }
            _ => bytes,
        }
    }

    /// The line breaks here.
    fn breaks(&mut self) {
        match self.broken {
            Some(Break { silent: true, .. }) => self.silent = true,
            _ => {
                self.answers.clear();
                self.cut();
            }
        }
    }
}

/// The daemon's end of a line.
struct Wire {
    net: Net,
    number: u64,
    waits: Option<Pin<Box<Sleep>>>,
}

impl fmt::Debug for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.number)
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        if let Ok(mut outer) = self.net.0.lock() {
            outer.lines.remove(&self.number);
        }
    }
}

fn reset<T>() -> Poll<io::Result<T>> {
    Poll::Ready(Err(io::ErrorKind::ConnectionReset.into()))
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let net = self.net.clone();
        let mut outer = net.lock();
        let line = outer.lines.get_mut(&self.number).unwrap();
        line.reader = Some(cx.waker().clone());
        if line.silent || ports::is_dead() || (line.answers.is_empty() && !line.hung_up) {
            return Poll::Pending;
        }
        if let Some(there_at) = line.there_at {
            let waits = self
                .waits
                .get_or_insert_with(|| Box::pin(sleep_until(there_at)));
            if waits.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
            self.waits = None;
            line.there_at = None;
        }
        match ports::call("read") {
            Call::Done => {}
            Call::Fails => {
                line.cut();
                line.answers.clear();
                return reset();
            }
            Call::Dead => return Poll::Pending,
        }
        let wanted = line.answers.len().min(buf.remaining());
        let passed = line.passes(false, wanted);
        for byte in line.answers.drain(..passed) {
            buf.put_slice(&[byte]);
        }
        if passed < wanted {
            line.breaks();
            if line.silent && passed == 0 {
                return Poll::Pending;
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        self: Pin<&mut Self>,
        _cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let net = self.net.clone();
        let mut outer = net.lock();
        let Outer { servers, lines, .. } = &mut *outer;
        let line = lines.get_mut(&self.number).unwrap();
        match ports::call("write") {
            Call::Done => {}
            Call::Fails => {
                line.cut();
                line.answers.clear();
                return reset();
            }
            Call::Dead => return Poll::Pending,
        }
        if line.hung_up {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        if line.silent {
            return Poll::Ready(Ok(bytes.len()));
        }
        let passed = line.passes(true, bytes.len());
        let Answer { text, hangs_up } = match &mut line.peer {
            Peer::Imap(session) => session.hear(&bytes[..passed], servers),
            Peer::Smtp(session) => session.hear(&bytes[..passed], servers),
        };
        if !text.is_empty() && !line.takes.is_zero() {
            line.there_at = Some(Instant::now() + line.takes);
        }
        line.answers.extend(text);
        line.hung_up |= hangs_up;
        if passed < bytes.len() {
            line.breaks();
        }
        line.wake();
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
