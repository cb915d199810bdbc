//! One SMTP connection: login, and mails one after the other.
//!
//! Knows phases and gives each its time limit, since the library limits none (B2); refuses to judge a failure.

use std::borrow::Cow;
use std::error::Error as _;
use std::fmt;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use lettre::Address;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::AsyncSmtpConnection;
use lettre::transport::smtp::commands::{Data, Mail, Rcpt, Rset};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter};
use lettre::transport::smtp::response::Response;
use tokio::time::timeout;

use super::opening;
use super::verdict::{Cause, Failure, Phase};
use crate::wire::error::{tame, without_password};
use crate::wire::stream::place;
use crate::wire::{Envelope, Login, SmtpSettings, WireError};

/// How much of a mail is handed over at once, in bytes: a slow line shows progress by it.
const CHUNK: usize = 16 << 10;

/// How long to wait for good-byes.
const PATIENCE: Duration = Duration::from_secs(2);

/// A connection that is ready for a mail.
pub(super) struct Line(AsyncSmtpConnection);

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Line")
    }
}

impl Line {
    /// Connects, encrypts and logs in.
    pub(super) async fn open(settings: &SmtpSettings) -> Result<Line, WireError> {
        let stream = Box::new(opening::open(settings).await?);
        let limit = settings.timeout;
        let place = place(&settings.server);
        let hello = ClientId::default();
        let hello = AsyncSmtpConnection::connect_with_transport(stream, &hello);
        let mut connection = timeout(limit, hello)
            .await
            .map_err(|_| WireError::timeout(&place, "the greeting", limit))?
            .map_err(|error| {
                let text = format!("it turns us away ({}); try again later", words(&error));
                WireError::temporary(&place, text)
            })?;
        if let Some(login) = &settings.login {
            timeout(limit, authenticate(&mut connection, login, &place))
                .await
                .map_err(|_| WireError::timeout(&place, "the login", limit))??;
        }
        Ok(Line(connection))
    }

    /// Sends a mail.
    pub(super) async fn send(
        &mut self,
        settings: &SmtpSettings,
        envelope: &Envelope,
        raw: &[u8],
    ) -> Result<(), Failure> {
        let from = envelope
            .from
            .as_deref()
            .map(|from| address(from, Phase::Mail));
        let from = from.transpose()?;
        let to = address(&envelope.to, Phase::Rcpt)?;
        let mut options = Vec::new();
        let info = self.0.server_info();
        if !envelope.to.is_ascii() || !envelope.from.as_deref().unwrap_or_default().is_ascii() {
            if !info.supports_feature(Extension::SmtpUtfEight) {
                let text = "5.6.7 the outgoing server takes no addresses outside ASCII (RFC 6531)";
                return Err(Failure::refusal(Phase::Rcpt, 553, text));
            }
            options.push(MailParameter::SmtpUtfEight);
        }
        if !raw.is_ascii() && info.supports_feature(Extension::EightBitMime) {
            options.push(MailParameter::Body(MailBodyParameter::EightBitMime));
        }
        let limit = settings.timeout;
        self.say(Phase::Mail, Mail::new(from, options), limit)
            .await?;
        self.say(Phase::Rcpt, Rcpt::new(to, Vec::new()), limit)
            .await?;
        self.say(Phase::Data, Data, limit).await?;
        self.hand_over(&canonical(raw), limit, settings.after_dot)
            .await
    }

    /// Makes the server forget a mail that it refused; false when the line is no good any more.
    pub(super) async fn reset(&mut self, settings: &SmtpSettings) -> bool {
        let reset = self.0.command(Rset);
        matches!(timeout(settings.timeout, reset).await, Ok(Ok(_)))
    }

    /// Says good-bye.
    pub(super) async fn quit(mut self) {
        // The answer matters to nobody.
        let _ = timeout(PATIENCE, self.0.quit()).await;
    }

    async fn say(
        &mut self,
        phase: Phase,
        command: impl fmt::Display,
        limit: Duration,
    ) -> Result<(), Failure> {
        match timeout(limit, self.0.command(command)).await {
            Ok(result) => told(phase, result),
            Err(_) => Err(Failure::new(phase, Cause::Silence(limit))),
        }
    }

    /// Hands over the content. What happens before the final dot has not sent the mail; what happens after it may have
    /// (OUT-02).
    async fn hand_over(
        &mut self,
        content: &[u8],
        limit: Duration,
        after_dot: Duration,
    ) -> Result<(), Failure> {
        const DOT: usize = usize::MAX;
        // The library ends the content with a line break of its own.
        let content = content.strip_suffix(b"\r\n").unwrap_or(content);
        let progress = AtomicUsize::new(0);
        // The library asks for the next chunk when it has written the last, and writes the dot when there is none.
        let chunks = content
            .chunks(CHUNK)
            .inspect(|_| {
                progress.fetch_add(1, Ordering::Relaxed);
            })
            .chain(std::iter::from_fn(|| {
                progress.store(DOT, Ordering::Relaxed);
                None
            }));
        let mut transfer = pin!(self.0.message_iter(chunks));
        loop {
            let before = progress.load(Ordering::Relaxed);
            let (phase, limit) = if before == DOT {
                (Phase::Dot, after_dot)
            } else {
                (Phase::Content, limit)
            };
            match timeout(limit, transfer.as_mut()).await {
                Ok(result) => {
                    let at_dot = progress.load(Ordering::Relaxed) == DOT;
                    let phase = if at_dot { Phase::Dot } else { phase };
                    return told(phase, result);
                }
                Err(_) if before == DOT || progress.load(Ordering::Relaxed) == before => {
                    return Err(Failure::new(phase, Cause::Silence(limit)));
                }
                // Slow, but on its way.
                Err(_) => {}
            }
        }
    }
}

async fn authenticate(
    connection: &mut AsyncSmtpConnection,
    login: &Login,
    place: &str,
) -> Result<(), WireError> {
    let credentials = Credentials::new(login.user.clone(), login.password.0.clone());
    let result = connection
        .auth(&[Mechanism::Plain, Mechanism::Login], &credentials)
        .await;
    let Err(error) = result else { return Ok(()) };
    let text = without_password(&words(&error), login);
    Err(match error.status() {
        // RFC 4954 6: 4yz is the server's trouble, 5yz is ours.
        Some(_) if error.is_permanent() => WireError::credentials(place, &login.user, &text),
        Some(_) => {
            let text = format!("login is not possible at present ({text}); try again later");
            WireError::temporary(place, text)
        }
        None if error.is_client() => {
            let text = "the server offers neither PLAIN nor LOGIN here";
            WireError::credentials(place, &login.user, text)
        }
        None => WireError::lost(place, "the login", &text),
    })
}

fn address(text: &str, phase: Phase) -> Result<Address, Failure> {
    text.parse().map_err(|_| {
        let text = format!("5.1.3 {text:?} is no address");
        Failure::refusal(phase, 553, &text)
    })
}

/// Sorts an outcome into answers and accidents.
fn told(phase: Phase, result: Result<Response, Error>) -> Result<(), Failure> {
    let Err(error) = result else { return Ok(()) };
    let text = words(&error);
    Err(match error.status() {
        Some(code) => Failure::refusal(phase, code.into(), &text),
        None => Failure::new(phase, Cause::Broken(text)),
    })
}

/// What the server said, or what broke, without the library's label.
fn words(error: &Error) -> String {
    let text = error
        .source()
        .map_or_else(|| error.to_string(), ToString::to_string);
    tame(&text)
}

/// The content with CRLF for every line break: a bare LF or CR lets the library overlook a dot, and a text could end the
/// mail and begin another (RUSTSEC-2026-0561).
fn canonical(raw: &[u8]) -> Cow<'_, [u8]> {
    let bare = |pair: &[u8]| {
        matches!(pair, [b'\r', next] if *next != b'\n')
            || matches!(pair, [last, b'\n'] if *last != b'\r')
    };
    if !raw.windows(2).any(bare) && raw.first() != Some(&b'\n') && raw.last() != Some(&b'\r') {
        return Cow::Borrowed(raw);
    }
    let mut clean = Vec::with_capacity(raw.len() + raw.len() / 16);
    let mut last = 0;
    for &byte in raw {
        match byte {
            b'\n' if last == b'\r' => {}
            b'\r' | b'\n' => clean.extend_from_slice(b"\r\n"),
            _ => clean.push(byte),
        }
        last = byte;
    }
    Cow::Owned(clean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_line_breaks_cannot_hide_a_dot() {
        assert!(matches!(canonical(b"a\r\n.\r\nb\r\n"), Cow::Borrowed(_)));
        assert_eq!(*canonical(b"a\n.\nb"), *b"a\r\n.\r\nb");
        assert_eq!(*canonical(b"a\r.\rb\r"), *b"a\r\n.\r\nb\r\n");
        assert_eq!(*canonical(b"\n\r\n\n\r\r\n"), *b"\r\n\r\n\r\n\r\n\r\n");
    }
}
