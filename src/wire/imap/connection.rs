//! One connection to an IMAP server: commands, one after the other.
//!
//! Knows tags, time limits and the ways a connection ends; refuses to know folders and mails.
//!
//! The library parses, we keep the dialogue: its own commands take the end of a stream for the end of an answer, and a
//! tagged NO to FETCH for success. Here an answer is whole only when its tagged line has come.

use std::collections::BTreeSet;
use std::time::Duration;

use async_imap::Session;
use async_imap::imap_proto::{
    Capability, MailboxDatum, Outcome, RequestId, Response, ResponseCode, Status,
};
use tokio::time::timeout;

use super::opening;
use super::sieve::Sieve;
use crate::wire::stream::place;
use crate::wire::{ImapSettings, WireError};

/// A logged-in connection.
#[derive(Debug)]
pub(super) struct Connection {
    session: Session<Sieve>,
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
        (ended == tag).then_some(match status {
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
pub(super) fn passing(text: &str) -> bool {
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
    /// Connects, encrypts, logs in, and asks what the server offers.
    pub(super) async fn open(settings: &ImapSettings) -> Result<Connection, WireError> {
        let mut connection = Connection {
            session: opening::open(settings).await?,
            place: place(&settings.server),
            limit: settings.timeout,
            capabilities: BTreeSet::new(),
            usable: true,
            news: false,
        };
        connection.learn().await?;
        Ok(connection)
    }

    /// Asks what the server offers: after the login, since much is offered only then.
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
        let end = timeout(limit, self.exchange(command, &what, each))
            .await
            .map_err(|_| WireError::timeout(&self.place, &what, limit))??;
        let tagged = end.map_err(|text| WireError::protocol(&self.place, &what, text))?;
        self.usable = true;
        Ok(tagged)
    }

    /// Runs a command that the server may not know: none where it answers BAD.
    ///
    /// # Errors
    /// The end of the connection, no end of the answer within `limit`.
    pub(super) async fn ask(
        &mut self,
        command: &str,
        limit: Duration,
        each: impl FnMut(&Response<'_>),
    ) -> Result<Option<Tagged>, WireError> {
        let what = verb(command);
        self.begin(&what)?;
        let end = timeout(limit, self.exchange(command, &what, each))
            .await
            .map_err(|_| WireError::timeout(&self.place, &what, limit))??;
        self.usable = true;
        Ok(end.ok())
    }

    /// Appends a mail to a mailbox (RFC 3501 6.3.11), as seen and flagged. Gives the server's words where it does not take it.
    pub(super) async fn append(
        &mut self,
        target: &str,
        mail: &str,
    ) -> Result<Option<String>, WireError> {
        const WHAT: &str = "APPEND";
        self.begin(WHAT)?;
        let (limit, place) = (self.limit, self.place.clone());
        let command = format!("APPEND {target} (\\Seen \\Flagged) {{{}}}", mail.len());
        let whole = async {
            let lost =
                |error: async_imap::error::Error| WireError::lost(&place, WHAT, &error.to_string());
            let tag = self.session.run_command(&command).await.map_err(lost)?;
            loop {
                // The server asks for the mail, or refuses before it has seen it.
                let look = |response: &Response<'_>| match response {
                    Response::Continue(_) => None,
                    _ => Some(Tagged::of(response, &tag)),
                };
                match self.read(WHAT, look).await? {
                    None => self
                        .session
                        .run_command_untagged(mail)
                        .await
                        .map_err(lost)?,
                    Some(Some(end)) => return Ok(end),
                    Some(None) => {}
                }
            }
        };
        let end = timeout(limit, whole)
            .await
            .map_err(|_| WireError::timeout(&place, WHAT, limit))?;
        self.usable = end.is_ok();
        Ok(match end? {
            Ok(tagged) if tagged.ok => None,
            Ok(tagged) => Some(tagged.text),
            Err(text) => Some(text),
        })
    }

    async fn exchange(
        &mut self,
        command: &str,
        what: &str,
        mut each: impl FnMut(&Response<'_>),
    ) -> Result<Result<Tagged, String>, WireError> {
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
                return Ok(end);
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

    /// Ends IDLE. A peer that died in silence is found out here, and soon: a mail may lie there since the wait began.
    pub(super) async fn idle_done(&mut self, tag: &RequestId) -> Result<(), WireError> {
        const LONGEST: Duration = Duration::from_secs(20);
        let (limit, place) = (self.limit.min(LONGEST), self.place.clone());
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
pub(super) fn words<'a>(outcome: &'a Outcome<'_>) -> &'a str {
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
pub(super) fn broken(place: &str, what: &str, error: &std::io::Error) -> WireError {
    // The parser's errors are of kind Other and hold all that it had read.
    if error.kind() == std::io::ErrorKind::Other {
        WireError::protocol(place, what, error)
    } else {
        WireError::lost(place, what, &error.to_string())
    }
}
