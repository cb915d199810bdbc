//! One connection to an IMAP server: greeting, encryption, login, and commands one after the other.
//!
//! Knows tags, time limits and the ways a connection ends; refuses to know folders and mails.
//!
//! The library parses, we keep the dialogue: its own commands take the end of a stream for the end of an answer, and a
//! tagged NO to FETCH for success. Here an answer is whole only when its tagged line has come.

use std::collections::BTreeSet;
use std::time::Duration;

use async_imap::imap_proto::{
    Capability, MailboxDatum, Outcome, RequestId, Response, ResponseCode, Status,
};
use async_imap::{Authenticator, Client, Session};
use tokio::time::timeout;

use crate::wire::stream::{Stream, dial, place};
use crate::wire::{ImapSettings, Login, Security, WireError, tls};

/// A logged-in connection.
#[derive(Debug)]
pub(super) struct Connection {
    session: Session<Stream>,
    /// The server, as errors name it.
    pub(super) place: String,
    /// Time limit for a command that downloads nothing.
    pub(super) limit: Duration,
    /// What the server offers, in capitals.
    capabilities: BTreeSet<String>,
    /// False while a command runs, and for ever once one failed or was cancelled: answers would be mistaken for
    /// those of another command.
    usable: bool,
    /// The server has announced mails since this was last set to false.
    pub(super) news: bool,
}

/// The tagged line that ends an answer.
#[derive(Debug)]
pub(super) struct Tagged {
    /// OK, rather than NO.
    pub(super) ok: bool,
    /// The target mailbox is missing and may be created (RFC 3501 7.1).
    pub(super) try_create: bool,
    /// What the server said, with response codes that the parser does not know.
    pub(super) text: String,
}

impl Tagged {
    /// Reads the tagged line of `tag`; an error holds the words of a BAD.
    fn of(response: &Response<'_>, tag: &RequestId) -> Option<Result<Tagged, String>> {
        let Response::Done {
            tag: ended,
            status,
            outcome,
        } = response
        else {
            return None;
        };
        let text = words(outcome).to_owned();
        (ended == tag).then(|| match status {
            Status::Ok | Status::No => Ok(Tagged {
                ok: matches!(status, Status::Ok),
                try_create: matches!(outcome.code, Some(ResponseCode::TryCreate)),
                text,
            }),
            _ => Err(text),
        })
    }

    /// The refusal is about the server's state, not about what was asked (RFC 5530).
    pub(super) fn passing(&self) -> bool {
        passing(&self.text)
    }

    /// Some of the mails that were asked for are gone (RFC 5530); the others were served.
    pub(super) fn expunged(&self) -> bool {
        self.text.contains("[EXPUNGEISSUED]")
    }
}

/// Response codes that mean "not now" (RFC 5530), and those that Gmail and Yahoo add.
fn passing(text: &str) -> bool {
    const CODES: [&str; 7] = [
        "[UNAVAILABLE]",
        "[INUSE]",
        "[LIMIT]",
        "[SERVERBUG]",
        "[CONTACTADMIN]",
        "[THROTTLED]",
        "[OVERQUOTA]",
    ];
    CODES.iter().any(|code| text.contains(code))
}

impl Connection {
    /// Connects, encrypts and logs in.
    pub(super) async fn open(settings: &ImapSettings) -> Result<Connection, WireError> {
        let server = &settings.server;
        let limit = settings.timeout;
        let place = place(server);
        let tcp = dial(server, limit).await?;
        let stream = match server.security {
            Security::Tls => tls::encrypt(server, tcp, limit).await?,
            Security::StartTls | Security::None => Stream::Plain(tcp),
        };
        let mut client = Client::new(stream);
        timeout(limit, greeting(&mut client, &place))
            .await
            .map_err(|_| WireError::timeout(&place, "the connection (no greeting)", limit))??;
        if server.security == Security::StartTls {
            let stream = timeout(limit, starttls(client, &place))
                .await
                .map_err(|_| WireError::timeout(&place, "STARTTLS", limit))??;
            client = Client::new(tls::encrypt(server, stream, limit).await?);
        }
        let session = timeout(limit, login(client, &settings.login, &place))
            .await
            .map_err(|_| WireError::timeout(&place, "the login", limit))??;
        let mut connection = Connection {
            session,
            place,
            limit,
            capabilities: BTreeSet::new(),
            usable: true,
            news: false,
        };
        connection.learn().await?;
        Ok(connection)
    }

    /// Asks what the server offers: after the login, since much is only offered then.
    async fn learn(&mut self) -> Result<(), WireError> {
        let mut offered = BTreeSet::new();
        self.run("CAPABILITY", self.limit, |response| {
            if let Response::Capabilities(list) = response {
                offered.extend(list.iter().filter_map(|capability| match capability {
                    Capability::Atom(name) => Some(name.to_ascii_uppercase()),
                    Capability::Auth(_) | Capability::Imap4rev1 => None,
                }));
            }
        })
        .await?;
        self.capabilities = offered;
        Ok(())
    }

    /// Whether the server offers `capability` (in capitals).
    pub(super) fn offers(&self, capability: &str) -> bool {
        self.capabilities.contains(capability)
    }

    /// Runs a command to its tagged line, showing every untagged answer to `each`.
    ///
    /// # Errors
    /// BAD, the end of the connection, no end of the answer within `limit`.
    pub(super) async fn run(
        &mut self,
        command: &str,
        limit: Duration,
        each: impl FnMut(&Response<'_>),
    ) -> Result<Tagged, WireError> {
        let what = verb(command);
        self.begin(&what)?;
        let tagged = timeout(limit, self.exchange(command, &what, each))
            .await
            .map_err(|_| WireError::timeout(&self.place, &what, limit))??;
        self.usable = true;
        Ok(tagged)
    }

    async fn exchange(
        &mut self,
        command: &str,
        what: &str,
        mut each: impl FnMut(&Response<'_>),
    ) -> Result<Tagged, WireError> {
        let tag = self
            .session
            .run_command(command)
            .await
            .map_err(|error| WireError::lost(&self.place, what, &error.to_string()))?;
        loop {
            let end = |response: &Response<'_>| {
                let end = Tagged::of(response, &tag);
                if end.is_none() {
                    each(response);
                }
                end
            };
            if let Some(end) = self.read(what, end).await? {
                return end.map_err(|text| WireError::protocol(&self.place, what, text));
            }
        }
    }

    /// Starts IDLE (RFC 2177): its tag once the server idles, `None` when it will not.
    pub(super) async fn idle(&mut self) -> Result<Option<RequestId>, WireError> {
        self.begin("IDLE")?;
        let (limit, place) = (self.limit, self.place.clone());
        let start = async {
            let tag = self
                .session
                .run_command("IDLE")
                .await
                .map_err(|error| WireError::lost(&self.place, "IDLE", &error.to_string()))?;
            loop {
                let answer = |response: &Response<'_>| match response {
                    Response::Continue(_) => Some(true),
                    // NO or BAD, though it offered IDLE.
                    _ => ends(response, &tag).then_some(false),
                };
                if let Some(idles) = self.read("IDLE", answer).await? {
                    return Ok(idles.then_some(tag));
                }
            }
        };
        let tag = timeout(limit, start)
            .await
            .map_err(|_| WireError::timeout(&place, "IDLE", limit))??;
        self.usable = tag.is_none();
        Ok(tag)
    }

    /// Waits in IDLE for news; false when the server has ended IDLE by itself.
    pub(super) async fn idled(&mut self, tag: &RequestId) -> Result<bool, WireError> {
        while !self.news {
            // `* OK Still here` is no news, and lengthens nothing: the caller's time limit is for the whole wait.
            if self.read("IDLE", |response| ends(response, tag)).await? {
                self.usable = true;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Ends IDLE. A peer that died in silence is found out here.
    pub(super) async fn idle_done(&mut self, tag: &RequestId) -> Result<(), WireError> {
        let (limit, place) = (self.limit, self.place.clone());
        let end = async {
            self.session
                .run_command_untagged("DONE")
                .await
                .map_err(|error| WireError::lost(&self.place, "IDLE", &error.to_string()))?;
            while !self.read("DONE", |response| ends(response, tag)).await? {}
            Ok(())
        };
        timeout(limit, end)
            .await
            .map_err(|_| WireError::timeout(&place, "the end of IDLE", limit))??;
        self.usable = true;
        Ok(())
    }

    /// Says good-bye; the answer matters to nobody.
    pub(super) async fn logout(mut self) {
        const PATIENCE: Duration = Duration::from_secs(2);
        if self.usable {
            let _ = timeout(PATIENCE, self.session.run_command_and_check_ok("LOGOUT")).await;
        }
    }

    fn begin(&mut self, what: &str) -> Result<(), WireError> {
        if !self.usable {
            return Err(WireError::lost(
                &self.place,
                what,
                "an earlier command was not finished",
            ));
        }
        self.usable = false;
        Ok(())
    }

    /// Looks at the next answer. The end of the stream and BYE both mean that the connection is lost.
    async fn read<T>(
        &mut self,
        what: &str,
        look: impl FnOnce(&Response<'_>) -> T,
    ) -> Result<T, WireError> {
        let data = match self.session.read_response().await {
            Ok(Some(data)) => data,
            Ok(None) => return Err(WireError::lost(&self.place, what, "")),
            Err(error) => return Err(broken(&self.place, what, &error)),
        };
        match data.parsed() {
            Response::Data {
                status: Status::Bye,
                outcome,
            } => return Err(WireError::lost(&self.place, what, words(outcome))),
            Response::MailboxData(MailboxDatum::Exists(_)) => self.news = true,
            _ => {}
        }
        Ok(look(data.parsed()))
    }
}

/// Whether this is the tagged line of `tag`, whatever it says.
fn ends(response: &Response<'_>, tag: &RequestId) -> bool {
    matches!(response, Response::Done { tag: ended, .. } if ended == tag)
}

/// The server's words.
fn words<'a>(outcome: &'a Outcome<'_>) -> &'a str {
    outcome.information.as_deref().unwrap_or_default()
}

/// The words of a command that errors may show: no mailbox, no password.
fn verb(command: &str) -> String {
    let mut words = command.split(' ');
    match (words.next(), words.next()) {
        (Some("UID"), Some(verb)) => format!("UID {verb}"),
        (Some(verb), _) => verb.to_owned(),
        (None, _) => String::new(),
    }
}

/// A read failed: either the network, or the parser.
fn broken(place: &str, what: &str, error: &std::io::Error) -> WireError {
    // The parser's errors are of kind Other and hold all that it had read.
    if error.kind() == std::io::ErrorKind::Other {
        WireError::protocol(place, what, error)
    } else {
        WireError::lost(place, what, &error.to_string())
    }
}

async fn greeting(client: &mut Client<Stream>, place: &str) -> Result<(), WireError> {
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

async fn starttls(
    mut client: Client<Stream>,
    place: &str,
) -> Result<tokio::net::TcpStream, WireError> {
    client
        .run_command_and_check_ok("STARTTLS", None)
        .await
        .map_err(|error| match error {
            async_imap::error::Error::No(_) | async_imap::error::Error::Bad(_) => {
                let text = format!(
                    "it does not offer STARTTLS ({}), and nothing is sent in the open; set security = \"tls\"",
                    told(&error)
                );
                WireError::tls(place, text)
            }
            error => WireError::lost(place, "STARTTLS", &error.to_string()),
        })?;
    // Whatever a man in the middle sent ahead in the open is thrown away with the old parser's buffer.
    match client.into_inner() {
        Stream::Plain(tcp) => Ok(tcp),
        Stream::Tls(_) => Err(WireError::tls(place, "the connection is encrypted already")),
    }
}

async fn login(
    client: Client<Stream>,
    login: &Login,
    place: &str,
) -> Result<Session<Stream>, WireError> {
    let (user, password) = (&login.user, &login.password.0);
    let result = if user.is_ascii() && password.is_ascii() {
        client.login(user, password).await
    } else {
        // LOGIN takes no UTF-8 (RFC 3501 4.3), PLAIN does (RFC 4616).
        client.authenticate("PLAIN", Plain(login)).await
    };
    result.map_err(|(error, _)| match error {
        async_imap::error::Error::No(_) | async_imap::error::Error::Bad(_) => {
            let text = told(&error);
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
        async_imap::error::Error::Validate(_) => {
            WireError::credentials(place, user, "line breaks in user or password")
        }
        error => WireError::lost(place, "the login", &error.to_string()),
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
fn told(error: &async_imap::error::Error) -> String {
    let text = error.to_string();
    match text.split_once("info: Some(\"") {
        Some((_, words)) => words.trim_end_matches("\")").replace("\\\"", "\""),
        None => text,
    }
}
