//! The IMAP server: what `src/wire/imap` uses of RFC 3501, IDLE, MOVE and UIDPLUS, line by line.
//!
//! Knows the protocol; refuses to know who delivers mail. A session never waits: it answers what it heard.

use super::boxes::{INBOX, Stored};
use super::servers::{PASSWORD, Servers, USER};

/// One connection.
#[derive(Debug, Default)]
pub struct Session {
    heard: Vec<u8>,
    in_session: bool,
    open: Option<String>,
    /// The tag of a running IDLE.
    idle: Option<String>,
    /// A mail that is being appended: tag, mailbox and length.
    appends: Option<(String, String, usize)>,
}

/// What comes of hearing something.
#[derive(Debug, Default)]
pub struct Answer {
    pub text: Vec<u8>,
    pub hangs_up: bool,
}

impl Answer {
    fn say(&mut self, line: &str) {
        self.text.extend_from_slice(line.as_bytes());
        self.text.extend_from_slice(b"\r\n");
    }
}

impl Session {
    pub fn greeting() -> &'static str {
        "* OK the world's mailbox\r\n"
    }

    /// News of the inbox for somebody who idles.
    pub fn news(&self, servers: &Servers) -> Option<String> {
        let idles = self.idle.is_some() && self.open.as_deref() == Some(INBOX);
        let count = servers.boxes.get(INBOX)?.mails.len();
        idles.then(|| format!("* {count} EXISTS\r\n"))
    }

    pub fn hear(&mut self, bytes: &[u8], servers: &mut Servers) -> Answer {
        self.heard.extend_from_slice(bytes);
        let mut answer = Answer::default();
        if self.appends.is_some() && !self.appended(servers, &mut answer) {
            return answer;
        }
        while let Some(end) = self.heard.windows(2).position(|two| two == b"\r\n") {
            let line: Vec<u8> = self.heard.drain(..end + 2).collect();
            let line = String::from_utf8_lossy(&line[..end]).into_owned();
            self.command(&line, servers, &mut answer);
            if answer.hangs_up || (self.appends.is_some() && !self.appended(servers, &mut answer)) {
                break;
            }
        }
        answer
    }

    /// Puts the mail that is being appended where it belongs, once all of it was heard.
    fn appended(&mut self, servers: &mut Servers, answer: &mut Answer) -> bool {
        let Some((tag, name, length)) = &self.appends else {
            return true;
        };
        if self.heard.len() < *length + 2 {
            return false;
        }
        let raw: Vec<u8> = self.heard.drain(..*length).collect();
        self.heard.drain(..2);
        let now = servers.clock.now();
        servers.boxes.put(name, raw.into(), now);
        answer.say(&format!("{tag} OK appended"));
        self.appends = None;
        true
    }

    fn append(&mut self, tag: &str, args: &str, servers: &Servers, answer: &mut Answer) {
        let name = args.split('"').nth(1).unwrap_or_default();
        let length = args
            .rsplit_once('{')
            .map(|(_, rest)| rest.trim_end_matches('}'));
        if servers.boxes.get(name).is_none() {
            answer.say(&format!("{tag} NO [TRYCREATE] no such mailbox"));
            return;
        }
        let length = length.unwrap().parse().unwrap();
        self.appends = Some((tag.to_owned(), name.to_owned(), length));
        answer.say("+ go on");
    }

    fn command(&mut self, line: &str, servers: &mut Servers, answer: &mut Answer) {
        if line == "DONE" {
            if let Some(tag) = self.idle.take() {
                answer.say(&format!("{tag} OK idled"));
            }
            return;
        }
        let (tag, rest) = line.split_once(' ').unwrap_or((line, ""));
        let mut words = rest.splitn(2, ' ');
        let mut verb = words.next().unwrap_or_default().to_owned();
        let mut args = words.next().unwrap_or_default().to_owned();
        if verb == "UID" {
            let (second, more) = args.split_once(' ').unwrap_or((&args, ""));
            verb = format!("UID {second}");
            args = more.to_owned();
        }
        if servers.chance.happens(servers.mood.bye) {
            answer.say("* BYE going down");
            answer.hangs_up = true;
            return;
        }
        if verb != "LOGIN" && servers.chance.happens(servers.mood.no) {
            let code = if servers.chance.happens(500) {
                "UNAVAILABLE"
            } else {
                "OVERQUOTA"
            };
            answer.say(&format!("{tag} NO [{code}] not just now"));
            return;
        }
        match verb.as_str() {
            "LOGIN" => self.login(tag, &args, servers, answer),
            "CAPABILITY" => {
                answer.say(&format!("* CAPABILITY IMAP4rev1 {}", servers.offers));
                answer.say(&format!("{tag} OK"));
            }
            "NOOP" | "SUBSCRIBE" => answer.say(&format!("{tag} OK")),
            "LOGOUT" => {
                answer.say("* BYE bye");
                answer.say(&format!("{tag} OK bye"));
                answer.hangs_up = true;
            }
            _ if !self.in_session => answer.say(&format!("{tag} BAD log in first")),
            "SELECT" | "EXAMINE" => self.select(tag, &args, servers, answer),
            "CREATE" => {
                let made = servers.boxes.create(unquoted(&args), 1);
                let word = if made { "OK" } else { "NO [ALREADYEXISTS]" };
                answer.say(&format!("{tag} {word} create"));
            }
            "APPEND" => self.append(tag, &args, servers, answer),
            "IDLE" => {
                answer.say("+ idling");
                self.idle = Some(tag.to_owned());
            }
            _ => self.in_folder(tag, &verb, &args, servers, answer),
        }
    }

    fn login(&mut self, tag: &str, args: &str, servers: &mut Servers, answer: &mut Answer) {
        servers.logins += 1;
        self.in_session =
            !servers.mood.login_refused && args == format!("\"{USER}\" \"{PASSWORD}\"");
        let word = if self.in_session {
            "OK"
        } else {
            "NO [AUTHENTICATIONFAILED]"
        };
        answer.say(&format!("{tag} {word} login"));
    }

    fn select(&mut self, tag: &str, args: &str, servers: &mut Servers, answer: &mut Answer) {
        let name = unquoted(args);
        let Some(folder) = servers.boxes.get(name) else {
            answer.say(&format!("{tag} NO no such mailbox"));
            return;
        };
        self.open = Some(name.to_owned());
        answer.say(&format!("* {} EXISTS", folder.mails.len()));
        answer.say(&format!("* OK [UIDVALIDITY {}] valid", folder.validity));
        answer.say(&format!("* OK [UIDNEXT {}] next", folder.next));
        answer.say(&format!("{tag} OK [READ-WRITE] open"));
    }

    fn in_folder(
        &mut self,
        tag: &str,
        verb: &str,
        args: &str,
        servers: &mut Servers,
        answer: &mut Answer,
    ) {
        let Some(open) = self.open.clone() else {
            answer.say(&format!("{tag} BAD no mailbox is open"));
            return;
        };
        let set = args.split(' ').next().unwrap_or_default();
        match verb {
            "UID SEARCH" => {
                let found = match args.strip_prefix("UID ") {
                    Some(set) => found(servers, &open, set),
                    None => with_header(servers, &open, args),
                };
                let uids: Vec<String> =
                    found.iter().map(|(_, mail)| mail.uid.to_string()).collect();
                answer.say(format!("* SEARCH {}", uids.join(" ")).trim_end());
            }
            "UID FETCH" => {
                for (number, mail) in found(servers, &open, set) {
                    fetch(number, &mail, args, answer);
                }
            }
            "UID MOVE" | "UID COPY" => {
                let uids: Vec<u32> = found(servers, &open, set).iter().map(|m| m.1.uid).collect();
                let target = unquoted(args.split_once(' ').map_or("", |(_, name)| name));
                if !servers.boxes.copy(&open, &uids, target) {
                    answer.say(&format!("{tag} NO [TRYCREATE] no such mailbox"));
                    return;
                }
                if verb == "UID MOVE" {
                    for number in servers
                        .boxes
                        .expunge(&open, |mail| uids.contains(&mail.uid))
                    {
                        answer.say(&format!("* {number} EXPUNGE"));
                    }
                }
            }
            "UID STORE" => {
                let uids: Vec<u32> = found(servers, &open, set).iter().map(|m| m.1.uid).collect();
                for mail in &mut servers.boxes.get_mut(&open).unwrap().mails {
                    mail.deleted |= uids.contains(&mail.uid);
                }
            }
            "UID EXPUNGE" => {
                let uids: Vec<u32> = found(servers, &open, set).iter().map(|m| m.1.uid).collect();
                let is_gone = |mail: &Stored| mail.deleted && uids.contains(&mail.uid);
                for number in servers.boxes.expunge(&open, is_gone) {
                    answer.say(&format!("* {number} EXPUNGE"));
                }
            }
            _ => {
                answer.say(&format!("{tag} BAD what is {verb}?"));
                return;
            }
        }
        answer.say(&format!("{tag} OK"));
    }
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches('"')
}

/// The mails of a set, with their sequence numbers.
fn found(servers: &Servers, folder: &str, set: &str) -> Vec<(usize, Stored)> {
    let Some(folder) = servers.boxes.get(folder) else {
        return Vec::new();
    };
    let last = folder.mails.last().map_or(0, |mail| mail.uid);
    let number = |text: &str| match text {
        "*" => last,
        text => text.parse().unwrap(),
    };
    let ranges: Vec<(u32, u32)> = set
        .split(',')
        .map(|range| {
            let (from, to) = range.split_once(':').unwrap_or((range, range));
            let (from, to) = (number(from), number(to));
            (from.min(to), from.max(to))
        })
        .collect();
    let is_in = |uid: u32| ranges.iter().any(|(from, to)| (*from..=*to).contains(&uid));
    folder
        .mails
        .iter()
        .enumerate()
        .filter(|(_, mail)| is_in(mail.uid))
        .map(|(at, mail)| (at + 1, mail.clone()))
        .collect()
}

/// What `FLAGGED UNDELETED HEADER name ""` asks for; nobody forges a mark in this world.
fn with_header(servers: &Servers, folder: &str, args: &str) -> Vec<(usize, Stored)> {
    let name = args.split_whitespace().nth(3).unwrap();
    let header = format!("\r\n{name}: ").into_bytes();
    let mut all = found(servers, folder, "1:*");
    all.retain(|(_, mail)| {
        !mail.deleted && mail.raw.windows(header.len()).any(|part| part == header)
    });
    all
}

fn fetch(number: usize, mail: &Stored, wants: &str, answer: &mut Answer) {
    let date = mail.arrived.format("%d-%b-%Y %H:%M:%S +0000");
    let head = format!("* {number} FETCH (UID {} INTERNALDATE \"{date}\"", mail.uid);
    answer.text.extend_from_slice(head.as_bytes());
    if wants.contains("RFC822.SIZE") {
        let size = format!(" RFC822.SIZE {}", mail.raw.len());
        answer.text.extend_from_slice(size.as_bytes());
    }
    let end = mail.raw.windows(4).position(|four| four == b"\r\n\r\n");
    for (section, bytes) in [
        ("BODY[]", &mail.raw[..]),
        (
            "BODY[HEADER]",
            &mail.raw[..end.map_or(mail.raw.len(), |end| end + 4)],
        ),
    ] {
        if wants.contains(&section.replace("BODY", "BODY.PEEK")) {
            let literal = format!(" {section} {{{}}}\r\n", bytes.len());
            answer.text.extend_from_slice(literal.as_bytes());
            answer.text.extend_from_slice(bytes);
        }
    }
    answer.say(")");
}
