//! Letters of the club as their readers find them, and mails that people write.
//!
//! Knows headers and how a reply is made; refuses to decide what anybody writes.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use dvonn_post::dvonn::diagram::{self, Diagram};
use dvonn_post::mail::thread::read_message_id;
use dvonn_post::mail::{Incoming, Token};
use mail_parser::MessageParser;

pub const CLUB: &str = "dvonn@club.example";
pub const ADMIN: &str = "admin@club.example";

/// A letter that came to somebody.
#[derive(Clone, Debug)]
pub struct Letter {
    pub to: String,
    pub raw: Arc<[u8]>,
    pub id: String,
    pub token: Option<Token>,
    pub subject: String,
    pub text: String,
}

impl Letter {
    pub fn read(to: &str, raw: Arc<[u8]>) -> Letter {
        let mail = Incoming::read(&raw).unwrap();
        let id = mail.message_id.unwrap();
        let text = MessageParser::default()
            .parse(&raw[..])
            .and_then(|message| message.body_text(0).map(|text| text.replace("\r\n", "\n")));
        Letter {
            to: to.to_owned(),
            raw: raw.clone(),
            token: read_message_id(&id).map(|(token, _)| token),
            id,
            subject: mail.subject,
            text: text.unwrap(),
        }
    }

    /// The board that it draws.
    pub fn board(&self) -> Option<Diagram> {
        let lines: Vec<&str> = self.text.lines().collect();
        let columns = lines
            .iter()
            .position(|line| line.trim().starts_with("a   b   c"))?;
        let rows = &lines[columns.checked_sub(9)?..columns];
        diagram::read(&rows.join("\n")).ok()
    }

    /// Whether it asks its reader for a move.
    pub fn asks_for_a_move(&self) -> bool {
        self.text.contains("your move, ") || self.text.contains("your move again, ")
    }
}

/// Somebody with a mail program.
#[derive(Clone, Debug)]
pub struct Person {
    pub name: &'static str,
    pub address: String,
}

impl Person {
    pub fn new(name: &'static str) -> Person {
        Person {
            name,
            address: format!("{0}@{0}.example", name.to_lowercase()),
        }
    }

    /// The first lines of a mail of theirs; `id` makes it this one.
    fn head(&self, id: usize, subject: &str, at: DateTime<Utc>) -> String {
        format!(
            "From: {name} <{address}>\r\nTo: <{CLUB}>\r\nSubject: {subject}\r\nDate: {date}\r\n\
             Message-ID: <mail.{id}@{lower}.example>\r\nContent-Type: text/plain; charset=utf-8\r\n",
            name = self.name,
            address = self.address,
            date = at.to_rfc2822(),
            lower = self.name.to_lowercase(),
        )
    }

    pub fn fresh(&self, id: usize, subject: &str, body: &str, at: DateTime<Utc>) -> String {
        format!("{}\r\n{body}\r\n", self.head(id, subject, at))
    }

    pub fn reply(&self, id: usize, letter: &Letter, body: &str, at: DateTime<Utc>) -> String {
        let quoted: Vec<String> = letter.text.lines().map(|l| format!("> {l}")).collect();
        format!(
            "{head}In-Reply-To: <{to}>\r\nReferences: <{to}>\r\n\r\n{body}\r\n\r\n\
             On Tuesday, the club wrote:\r\n{quoted}\r\n",
            head = self.head(id, &format!("Re: {}", letter.subject), at),
            to = letter.id,
            quoted = quoted.join("\r\n"),
        )
    }

    /// What a vacation responder answers.
    pub fn away(&self, id: usize, letter: &Letter, at: DateTime<Utc>) -> String {
        format!(
            "{head}In-Reply-To: <{to}>\r\nAuto-Submitted: auto-replied\r\n\r\nI am away until Monday.\r\n",
            head = self.head(id, &format!("Away: {}", letter.subject), at),
            to = letter.id,
        )
    }
}

/// A report that a letter could not be delivered (RFC 3464).
pub fn bounce(id: usize, letter: &Letter, at: DateTime<Utc>) -> String {
    format!(
        "Return-Path: <>\r\nFrom: Mail Delivery System <MAILER-DAEMON@mx.world.example>\r\nTo: <{CLUB}>\r\n\
         Subject: Undelivered Mail Returned to Sender\r\nDate: {date}\r\nMessage-ID: <dsn.{id}@mx.world.example>\r\n\
         MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=\"b\"\r\n\r\n\
         --b\r\nContent-Type: text/plain\r\n\r\nI am sorry.\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n\
         Reporting-MTA: dns; mx.world.example\r\n\r\nFinal-Recipient: rfc822; {to}\r\nAction: failed\r\n\
         Status: 5.1.1\r\n\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <{mid}>\r\nTo: <{to}>\r\n\r\n\
         --b--\r\n",
        date = at.to_rfc2822(),
        to = letter.to,
        mid = letter.id,
    )
}

/// A mail as it lies in the mailbox: with what the servers on its way wrote on top.
pub fn delivered(mail: &str, verdict: Option<&str>, hop: u64) -> Arc<[u8]> {
    let domain = mail
        .split_once("From: ")
        .and_then(|(_, rest)| rest.split_once('@'))
        .and_then(|(_, rest)| rest.split_once('>'))
        .map_or("nowhere.example", |(domain, _)| domain);
    let vouched = verdict.map_or(String::new(), |verdict| {
        format!("Authentication-Results: mx.club.example; dmarc={verdict} header.from={domain}\r\n")
    });
    format!("{vouched}Received: from hop{hop}.example by mx.club.example; {hop}\r\n{mail}")
        .into_bytes()
        .into()
}
