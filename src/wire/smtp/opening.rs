//! The beginning of an SMTP connection, up to the point where the library takes over.
//!
//! Knows greeting and STARTTLS (RFC 3207); refuses to know what comes after. The dialogue in the open is our own, so
//! that encryption is ours too, with its one way of proving names, and so that nothing said in the open outlives it.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use lettre::transport::smtp::client::AsyncTokioStream;
use lettre::transport::smtp::extension::ClientId;
use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader, ReadBuf,
};
use tokio::time::timeout;

use crate::wire::stream::{Duplex, Stream, dial, place};
use crate::wire::{Security, SmtpSettings, WireError, tls};

/// A stream that has a greeting of the server to be read: after STARTTLS the server sends none (RFC 3207 4.2), but the
/// library begins with one.
#[derive(Debug)]
pub(super) struct Greeted {
    greeting: &'static [u8],
    stream: Stream,
}

/// Connects and encrypts.
pub(super) async fn open(settings: &SmtpSettings) -> Result<Greeted, WireError> {
    let (server, limit) = (&settings.server, settings.timeout);
    let place = place(server);
    let tcp = dial(server, limit).await?;
    Ok(match server.security {
        Security::None => Greeted {
            greeting: b"",
            stream: Stream::Plain(tcp),
        },
        Security::Tls => Greeted {
            greeting: b"",
            stream: tls::encrypt(server, tcp, limit).await?,
        },
        Security::StartTls => {
            let tcp = timeout(limit, starttls(tcp, &place))
                .await
                .map_err(|_| WireError::timeout(&place, "STARTTLS", limit))??;
            Greeted {
                greeting: b"220 encrypted\r\n",
                stream: tls::encrypt(server, tcp, limit).await?,
            }
        }
    })
}

async fn starttls(tcp: Box<dyn Duplex>, place: &str) -> Result<Box<dyn Duplex>, WireError> {
    let lost = |error: io::Error| WireError::lost(place, "STARTTLS", &error.to_string());
    let mut reader = BufReader::new(tcp);
    let greeting = reply(&mut reader).await.map_err(lost)?;
    if !greeting.starts_with("220") {
        let text = format!("it turns us away ({greeting}); try again later");
        return Err(WireError::temporary(place, text));
    }
    let hello = format!("EHLO {}\r\n", ClientId::default());
    reader
        .get_mut()
        .write_all(hello.as_bytes())
        .await
        .map_err(lost)?;
    let offers = reply(&mut reader).await.map_err(lost)?;
    let offered = offers.lines().any(|line| {
        line.get(4..)
            .is_some_and(|word| word.trim().eq_ignore_ascii_case("STARTTLS"))
    });
    let answer = if offered {
        reader
            .get_mut()
            .write_all(b"STARTTLS\r\n")
            .await
            .map_err(lost)?;
        reply(&mut reader).await.map_err(lost)?
    } else {
        String::new()
    };
    // A man in the middle may take the offer out, or put commands in ahead of the encryption.
    if !answer.starts_with("220") || !reader.buffer().is_empty() {
        return Err(WireError::tls(
            place,
            "it does not offer STARTTLS, and nothing is sent in the open; set security = \"tls\"",
        ));
    }
    Ok(reader.into_inner())
}

/// A reply with all its lines (RFC 5321 4.2.1).
async fn reply(reader: &mut BufReader<Box<dyn Duplex>>) -> io::Result<String> {
    const LONGEST: u64 = 16 << 10;
    let mut reader = reader.take(LONGEST);
    let mut text = String::new();
    loop {
        let start = text.len();
        if reader.read_line(&mut text).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let line = text.get(start..).unwrap_or_default();
        if line.get(3..4) != Some("-") {
            return Ok(text);
        }
    }
}

impl AsyncTokioStream for Greeted {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        // The library shows it in a log line that is switched off, and asks for nothing else.
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl AsyncRead for Greeted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.greeting.is_empty() {
            return Pin::new(&mut self.stream).poll_read(cx, buf);
        }
        let (now, later) = self
            .greeting
            .split_at(self.greeting.len().min(buf.remaining()));
        buf.put_slice(now);
        self.greeting = later;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Greeted {
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
