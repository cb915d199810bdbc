//! The beginning of an IMAP connection: greeting, encryption, login.
//!
//! Knows STARTTLS and how logins fail; refuses to say anything in the open that was to be encrypted.

use async_imap::error::Error;
use async_imap::imap_proto::{Response, Status};
use async_imap::{Authenticator, Client, Session};
use tokio::time::timeout;

use super::connection::{broken, passing, words};
use super::sieve::Sieve;
use crate::wire::error::without_password;
use crate::wire::stream::{Duplex, Stream, dial, place};
use crate::wire::{ImapSettings, Login, Security, WireError, tls};

/// Connects, encrypts and logs in.
pub(super) async fn open(settings: &ImapSettings) -> Result<Session<Sieve>, WireError> {
    let server = &settings.server;
    let limit = settings.timeout;
    let place = place(server);
    let tcp = dial(server, limit).await?;
    let stream = match server.security {
        Security::Tls => tls::encrypt(server, tcp, limit).await?,
        Security::StartTls | Security::None => Stream::Plain(tcp),
    };
    let mut client = Client::new(Sieve::new(stream));
    timeout(limit, greeting(&mut client, &place))
        .await
        .map_err(|_| WireError::timeout(&place, "the connection (no greeting)", limit))??;
    if server.security == Security::StartTls {
        let stream = timeout(limit, starttls(client, &place))
            .await
            .map_err(|_| WireError::timeout(&place, "STARTTLS", limit))??;
        client = Client::new(Sieve::new(tls::encrypt(server, stream, limit).await?));
    }
    timeout(limit, login(client, &settings.login, &place))
        .await
        .map_err(|_| WireError::timeout(&place, "the login", limit))?
}

async fn greeting(client: &mut Client<Sieve>, place: &str) -> Result<(), WireError> {
    const WHAT: &str = "the connection";
    let data = match client.read_response().await {
        Ok(Some(data)) => data,
        Ok(None) => return Err(WireError::lost(place, WHAT, "no greeting")),
        Err(error) => return Err(broken(place, WHAT, &error)),
    };
    match data.parsed() {
        Response::Data {
            status: Status::Ok, ..
        } => Ok(()),
        Response::Data {
            status: Status::Bye,
            outcome,
        } => {
            let text = format!("it turns us away ({}); try again later", words(outcome));
            Err(WireError::temporary(place, text))
        }
        _ => Err(WireError::protocol(
            place,
            WHAT,
            "not an IMAP greeting; check port",
        )),
    }
}

async fn starttls(mut client: Client<Sieve>, place: &str) -> Result<Box<dyn Duplex>, WireError> {
    client
        .run_command_and_check_ok("STARTTLS", None)
        .await
        .map_err(|error| match error {
            Error::No(_) | Error::Bad(_) => {
                let text = format!(
                    "it does not offer STARTTLS ({}), and nothing is sent in the open; set security = \"tls\"",
                    told(&error)
                );
                WireError::tls(place, text)
            }
            error => WireError::lost(place, "STARTTLS", &error.to_string()),
        })?;
    // Whatever a man in the middle sent ahead in the open is thrown away with the old parser's buffer.
    match client.into_inner().into_stream() {
        Stream::Plain(tcp) => Ok(tcp),
        Stream::Tls(_) => Err(WireError::tls(place, "the connection is encrypted already")),
    }
}

async fn login(
    client: Client<Sieve>,
    login: &Login,
    place: &str,
) -> Result<Session<Sieve>, WireError> {
    let (user, password) = (&login.user, &login.password.0);
    let result = if user.is_ascii() && password.is_ascii() {
        client.login(user, password).await
    } else {
        // LOGIN takes no UTF-8 (RFC 3501 4.3), PLAIN does (RFC 4616).
        client.authenticate("PLAIN", Plain(login)).await
    };
    result.map_err(|(error, _)| match error {
        Error::No(_) | Error::Bad(_) => {
            let text = without_password(&told(&error), login);
            if passing(&text) {
                let text = format!("login is not possible at present ({text}); try again later");
                WireError::temporary(place, text)
            } else if text.contains("[PRIVACYREQUIRED]") {
                let text = format!("it wants encryption ({text}); set security = \"tls\"");
                WireError::tls(place, text)
            } else {
                WireError::credentials(place, user, &text)
            }
        }
        Error::Validate(_) => {
            WireError::credentials(place, user, "line breaks in user or password")
        }
        error => {
            let text = without_password(&error.to_string(), login);
            WireError::lost(place, "the login", &text)
        }
    })
}

/// SASL PLAIN.
struct Plain<'a>(&'a Login);

impl Authenticator for Plain<'_> {
    type Response = String;

    fn process(&mut self, _challenge: &[u8]) -> String {
        format!("\0{}\0{}", self.0.user, self.0.password.0)
    }
}

/// The server's words out of an error of the library, which wraps them in its own notation.
fn told(error: &Error) -> String {
    let text = error.to_string();
    match text.split_once("info: Some(\"") {
        Some((_, words)) => words.trim_end_matches("\")").replace("\\\"", "\""),
        None => text,
    }
}
