//! What a server says besides: answers that nobody asked for and that the parser cannot read are left out.
//!
//! Knows lines, literals and the answers that the dialogue lives on; refuses to leave out any of those, readable or not.
//!
//! One answer that does not parse ends a connection, and a server that gives it each time would keep the club from its
//! mail for ever (IN-06). So whatever is no status, mailbox size, FETCH, SEARCH or the like is weighed whole before the
//! parser sees it (RFC 3501 7: a client must be prepared to accept any response at all times).

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use async_imap::imap_proto::Response;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::wire::stream::Stream;

/// Answers that are never left out: what we ask for comes in them, or the connection ends by them.
const NEEDED: [&str; 10] = [
    "OK",
    "NO",
    "BAD",
    "BYE",
    "PREAUTH",
    "CAPABILITY",
    "SEARCH",
    "EXISTS",
    "EXPUNGE",
    "FETCH",
];

/// The longest answer that is weighed, in bytes; a longer one is left out.
const LONGEST: usize = 64 << 10;

/// How many bytes at the end of a line may announce a literal.
const TAIL: usize = 24;

/// A connection to an IMAP server, without the answers that are left out.
#[derive(Debug)]
pub(super) struct Sieve {
    stream: Stream,
    /// Bytes that wait to be read.
    passed: Vec<u8>,
    /// How many of them have been read.
    read: usize,
    /// The beginning of an answer, until it is decided what becomes of it.
    held: Vec<u8>,
    fate: Fate,
    /// How much is left of a literal.
    literal: usize,
    /// The end of the line so far.
    tail: Vec<u8>,
}

/// What becomes of the answer that is coming in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    Undecided,
    Passed,
    /// It is kept until it is whole.
    Weighed,
    LeftOut,
}

impl Sieve {
    pub(super) fn new(stream: Stream) -> Sieve {
        Sieve {
            stream,
            passed: Vec::new(),
            read: 0,
            held: Vec::new(),
            fate: Fate::Undecided,
            literal: 0,
            tail: Vec::new(),
        }
    }

    /// The connection itself; whatever was said on it is forgotten.
    pub(super) fn into_stream(self) -> Stream {
        self.stream
    }

    fn take(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let in_literal = self.literal > 0;
            let size = match bytes.iter().position(|byte| *byte == b'\n') {
                _ if in_literal => self.literal.min(bytes.len()),
                Some(end) => end + 1,
                None => bytes.len(),
            };
            let (part, rest) = bytes.split_at(size);
            bytes = rest;
            self.put(part);
            if in_literal {
                self.literal -= size;
                continue;
            }
            self.tail.extend_from_slice(part);
            let start = self.tail.len().saturating_sub(TAIL);
            self.tail.drain(..start);
            if part.ends_with(b"\n") {
                self.literal = announced(&self.tail).unwrap_or(0);
                self.tail.clear();
                if self.literal == 0 {
                    self.end();
                }
            }
        }
    }

    fn put(&mut self, part: &[u8]) {
        match self.fate {
            Fate::Passed => self.passed.extend_from_slice(part),
            Fate::LeftOut => {}
            Fate::Undecided => {
                self.held.extend_from_slice(part);
                self.fate = fate(&self.held);
                if self.fate == Fate::Passed {
                    self.passed.append(&mut self.held);
                }
            }
            Fate::Weighed if self.held.len() + part.len() > LONGEST => self.fate = Fate::LeftOut,
            Fate::Weighed => self.held.extend_from_slice(part),
        }
    }

    /// An answer is whole.
    fn end(&mut self) {
        let is_readable =
            || matches!(Response::parse(&self.held), Ok((rest, _)) if rest.is_empty());
        if self.fate != Fate::LeftOut && (self.fate != Fate::Weighed || is_readable()) {
            self.passed.append(&mut self.held);
        } else {
            tracing::debug!(
                "An answer of the mailbox is left out: {} bytes",
                self.held.len()
            );
        }
        self.held.clear();
        self.fate = Fate::Undecided;
    }
}

/// What becomes of an answer that begins like this.
fn fate(held: &[u8]) -> Fate {
    let Some(rest) = held.strip_prefix(b"* ") else {
        // Tagged lines, and `+`.
        return if b"* ".starts_with(held) {
            Fate::Undecided
        } else {
            Fate::Passed
        };
    };
    let mut words = rest.split_inclusive(|byte| byte.is_ascii_whitespace());
    let mut word = words.next().unwrap_or_default();
    if word.first().is_some_and(u8::is_ascii_digit) && word.ends_with(b" ") {
        word = words.next().unwrap_or_default();
    }
    match word.split_last() {
        Some((end, _)) if end.is_ascii_whitespace() => {
            let word = word.trim_ascii_end();
            let is_needed = NEEDED
                .iter()
                .any(|name| word.eq_ignore_ascii_case(name.as_bytes()));
            if is_needed {
                Fate::Passed
            } else {
                Fate::Weighed
            }
        }
        _ => Fate::Undecided,
    }
}

/// The size of the literal that the end of a line announces (RFC 3501 4.3).
fn announced(tail: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(tail.trim_ascii_end()).ok()?;
    let (_, size) = text.strip_suffix('}')?.rsplit_once('{')?;
    size.parse().ok()
}

impl AsyncRead for Sieve {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        while this.read == this.passed.len() {
            this.passed.clear();
            this.read = 0;
            let mut bytes = [0; 16 << 10];
            let mut taken = ReadBuf::new(&mut bytes);
            ready!(Pin::new(&mut this.stream).poll_read(cx, &mut taken))?;
            if taken.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
            this.take(taken.filled());
        }
        let waiting = this.passed.get(this.read..).unwrap_or_default();
        let (now, _) = waiting.split_at(waiting.len().min(buf.remaining()));
        buf.put_slice(now);
        this.read += now.len();
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Sieve {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
#[path = "sieve_tests.rs"]
mod tests;
