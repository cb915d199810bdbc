//! Reaching a server: name, address, TCP, and the stream that is plain or encrypted.
//!
//! Knows hosts and sockets; refuses to know what is spoken over them.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::client::TlsStream;

use super::{Security, Server, WireError};

/// Both directions of a connection that is not encrypted.
pub trait Duplex: AsyncRead + AsyncWrite + fmt::Debug + Send + Sync + Unpin {}
impl<T: AsyncRead + AsyncWrite + fmt::Debug + Send + Sync + Unpin> Duplex for T {}

/// A network other than that of this machine: the mail world of the tests.
pub trait Dial: Send + Sync {
    /// Connects to a server.
    fn dial<'a>(&'a self, host: &'a str, port: u16) -> Dialled<'a>;
}

/// What dialling comes to.
pub type Dialled<'a> = Pin<Box<dyn Future<Output = io::Result<Box<dyn Duplex>>> + Send + 'a>>;

/// How servers are reached.
#[derive(Clone, Default)]
pub enum Network {
    /// By TCP.
    #[default]
    Tcp,
    /// Some other way.
    Other(Arc<dyn Dial>),
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Network::Tcp => "Tcp",
            Network::Other(_) => "Other",
        })
    }
}

/// A connected stream.
pub(super) enum Stream {
    /// Readable by anyone on the way.
    Plain(Box<dyn Duplex>),
    /// Encrypted, with the server's name proven.
    Tls(Box<TlsStream<Box<dyn Duplex>>>),
}

/// Where a server is, as errors name it.
pub(super) fn place(server: &Server) -> String {
    format!("{}:{}", server.host, server.port)
}

/// Connects.
pub(super) async fn dial(server: &Server, limit: Duration) -> Result<Box<dyn Duplex>, WireError> {
    match &server.network {
        Network::Tcp => Ok(Box::new(dial_tcp(server, limit).await?)),
        Network::Other(network) => {
            let place = place(server);
            match timeout(limit, network.dial(&server.host, server.port)).await {
                Ok(Ok(stream)) => Ok(stream),
                Ok(Err(error)) => Err(no_connection(&place, &error)),
                Err(_) => Err(WireError::timeout(&place, "the connection request", limit)),
            }
        }
    }
}

fn no_connection(place: &str, error: &io::Error) -> WireError {
    let text = format!("no connection ({error}); check host, port and the network");
    WireError::temporary(place, text)
}

/// Connects by TCP, each address of the host in turn, each with its own time limit.
async fn dial_tcp(server: &Server, limit: Duration) -> Result<TcpStream, WireError> {
    let place = place(server);
    let lookup = tokio::net::lookup_host((server.host.as_str(), server.port));
    let addresses: Vec<SocketAddr> = timeout(limit, lookup)
        .await
        .map_err(|_| WireError::timeout(&place, "the look-up of its name", limit))?
        .map_err(|error| {
            let text = format!("its name has no address ({error}); check host and the network");
            WireError::temporary(&place, text)
        })?
        .collect();
    if server.security == Security::None && !addresses.iter().all(|a| a.ip().is_loopback()) {
        return Err(WireError::tls(
            &place,
            "security = \"none\" would show the password to everyone on the way and is for this machine only; \
             use \"tls\" or \"starttls\"",
        ));
    }
    let mut trouble = WireError::temporary(&place, "its name has no address; check host");
    for address in addresses {
        match timeout(limit, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => {
                // Commands are small and answered one by one: without this the final dot of a mail waits 40 ms for an
                // acknowledgement.
                stream
                    .set_nodelay(true)
                    .map_err(|error| WireError::temporary(&place, error))?;
                return Ok(stream);
            }
            Ok(Err(error)) => trouble = no_connection(&place, &error),
            Err(_) => trouble = WireError::timeout(&place, "the connection request", limit),
        }
    }
    Err(trouble)
}

impl Stream {
    fn inner(self: Pin<&mut Self>) -> Pin<&mut dyn Duplex> {
        match self.get_mut() {
            Stream::Plain(stream) => Pin::new(stream),
            Stream::Tls(stream) => Pin::new(stream.as_mut()),
        }
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stream::Plain(_) => "Stream::Plain",
            Stream::Tls(_) => "Stream::Tls",
        })
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.inner().poll_read(cx, buf)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.inner().poll_write(cx, buf)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.inner().poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.inner().poll_shutdown(cx)
    }
}
