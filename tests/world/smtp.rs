//! The outgoing server: submission by SMTP as `src/wire/smtp` speaks it, and the many ways to refuse a mail.
//!
//! Knows replies and codes; refuses to carry anything anywhere: what it took over lies in `Servers::posted`.

use super::imap::Answer;
use super::servers::{Posted, Servers};

/// One connection.
#[derive(Debug, Default)]
pub struct Session {
    heard: Vec<u8>,
    to: Option<String>,
    /// The content so far.
    content: Option<Vec<u8>>,
}

fn say(answer: &mut Answer, line: &str) {
    answer.text.extend_from_slice(line.as_bytes());
    answer.text.extend_from_slice(b"\r\n");
}

impl Session {
    pub fn greeting() -> &'static str {
        "220 the world's post office\r\n"
    }

    pub fn hear(&mut self, bytes: &[u8], servers: &mut Servers) -> Answer {
        self.heard.extend_from_slice(bytes);
        let mut answer = Answer::default();
        while let Some(end) = self.heard.windows(2).position(|two| two == b"\r\n") {
            let line: Vec<u8> = self.heard.drain(..end + 2).collect();
            match &mut self.content {
                Some(_) if line == b".\r\n" => self.end(servers, &mut answer),
                Some(content) => {
                    content.extend_from_slice(line.strip_prefix(b".").unwrap_or(&line));
                }
                None => {
                    let line = String::from_utf8_lossy(&line[..end]).into_owned();
                    self.command(&line, servers, &mut answer);
                }
            }
            if answer.hangs_up {
                break;
            }
        }
        answer
    }

    fn command(&mut self, line: &str, servers: &mut Servers, answer: &mut Answer) {
        if servers.chance.happens(servers.mood.closing) {
            say(answer, "421 4.3.2 shutting down");
            answer.hangs_up = true;
            return;
        }
        let upper = line.to_ascii_uppercase();
        if upper.starts_with("EHLO") {
            say(answer, "250-world");
            say(answer, "250-AUTH PLAIN LOGIN");
            say(answer, "250-8BITMIME");
            say(answer, "250 SMTPUTF8");
        } else if upper.starts_with("AUTH") && servers.mood.login_refused {
            say(answer, "535 5.7.8 no");
        } else if upper.starts_with("AUTH") {
            say(answer, "235 2.7.0 welcome");
        } else if upper.starts_with("MAIL FROM") {
            if servers.mood.limit {
                say(answer, "550 5.4.5 Daily sending limit exceeded");
            } else {
                self.to = None;
                say(answer, "250 2.1.0 ok");
            }
        } else if upper.starts_with("RCPT TO") {
            let to = line
                .split_once('<')
                .and_then(|(_, rest)| rest.split_once('>'));
            let to = to.map_or("", |(to, _)| to).to_ascii_lowercase();
            self.recipient(to, servers, answer);
        } else if upper == "DATA" {
            self.content = Some(Vec::new());
            say(answer, "354 go on");
        } else if upper == "RSET" {
            self.to = None;
            say(answer, "250 2.0.0 ok");
        } else if upper == "QUIT" {
            say(answer, "221 2.0.0 bye");
            answer.hangs_up = true;
        } else {
            say(answer, "500 5.5.2 what?");
        }
    }

    fn recipient(&mut self, to: String, servers: &mut Servers, answer: &mut Answer) {
        if servers.mood.greylisting && servers.greylisted.insert(to.clone()) {
            say(answer, "450 4.2.0 greylisted, try again later");
        } else if servers.chance.happens(servers.mood.later) {
            say(answer, "451 4.3.0 not just now");
        } else if servers.chance.happens(servers.mood.refuses) {
            say(answer, "550 5.1.1 no such person here");
        } else {
            self.to = Some(to);
            say(answer, "250 2.1.5 ok");
        }
    }

    fn end(&mut self, servers: &mut Servers, answer: &mut Answer) {
        let content = self.content.take().unwrap_or_default();
        let to = self.to.take().unwrap_or_default();
        let lost = servers.chance.happens(servers.mood.lost_250);
        servers.note(format!(
            "a letter to {to} is taken over{}",
            if lost { ", without a word" } else { "" }
        ));
        servers.posted.push(Posted {
            to,
            raw: content.into(),
        });
        if lost {
            answer.hangs_up = true;
        } else {
            say(answer, "250 2.0.0 taken over");
        }
    }
}
