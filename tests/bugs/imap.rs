//! The mailbox of the provider: just enough IMAP for the club, and a trap before every answer.

use std::fmt::Write;
use std::io;

use crate::office::{Line, State};

/// Serves one connection.
pub async fn serve(mut line: Line) -> io::Result<()> {
    let act = line.office.caught("GREETING");
    line = line.meet(act, b"* OK hello\r\n").await?;
    let mut inbox = true;
    loop {
        let text = line.line().await?;
        let (tag, command) = text.split_once(' ').unwrap_or(("*", &text));
        line.note(command);
        let act = line.office.caught(command);
        if command == "IDLE" {
            line = idle(line, act, tag).await?;
            continue;
        }
        let mut command = command.to_owned();
        if command.starts_with("SELECT") || command.starts_with("EXAMINE") {
            inbox = command.ends_with("\"INBOX\"");
        }
        // A literal (RFC 3501 4.3): the rest of the command comes when it is asked for.
        while let Some(size) = literal(&command) {
            line.say("+ go on\r\n").await?;
            let mut taken = 0;
            while taken < size {
                taken += line.line().await?.len() + 2;
            }
            command.truncate(command.rfind('{').unwrap());
            if taken == size {
                command += &line.line().await?;
            }
        }
        let body = answer(&mut line.office.state(), &command, inbox);
        let ended = format!("{tag} OK done\r\n");
        line = line.meet(act, &[body, ended.into_bytes()].concat()).await?;
        if command == "LOGOUT" {
            return Ok(());
        }
    }
}

fn literal(command: &str) -> Option<usize> {
    let (_, size) = command.strip_suffix('}')?.rsplit_once('{')?;
    size.trim_end_matches('+').parse().ok()
}

/// IDLE (RFC 2177), with traps before it, within it and at its end.
async fn idle(mut line: Line, act: Option<crate::office::Act>, tag: &str) -> io::Result<Line> {
    let mut news = line.office.announced.subscribe();
    line = line.meet(act, b"+ idling\r\n").await?;
    if let Some(act) = line.office.caught("idling") {
        line = line.meet(Some(act), b"").await?;
    }
    loop {
        tokio::select! {
            said = line.line() => {
                assert_eq!(said?, "DONE");
                let act = line.office.caught("DONE");
                let ended = format!("{tag} OK done\r\n");
                return line.meet(act, ended.as_bytes()).await;
            }
            changed = news.changed() => {
                changed.unwrap();
                let count = *news.borrow_and_update();
                line.say(format!("* {count} EXISTS\r\n")).await?;
            }
        }
    }
}

fn answer(state: &mut State, command: &str, inbox: bool) -> Vec<u8> {
    let words: Vec<&str> = command.split(' ').collect();
    let mut text = String::new();
    match words[..] {
        ["CAPABILITY"] => {
            let _ = write!(text, "* CAPABILITY IMAP4rev1 {}\r\n", state.capabilities);
        }
        ["SELECT" | "EXAMINE", ..] => {
            let (count, next) = (if inbox { state.mails.len() } else { 0 }, state.next);
            let _ = write!(
                text,
                "* {count} EXISTS\r\n* OK [UIDVALIDITY {}] valid\r\n* OK [UIDNEXT {next}] next\r\n",
                state.validity
            );
        }
        ["UID", "SEARCH", "UID", set] if inbox => {
            text = "* SEARCH".to_owned();
            for uid in members(state, set) {
                let _ = write!(text, " {uid}");
            }
            text += "\r\n";
        }
        ["UID", "FETCH", set, ..] if inbox => return fetch(state, command, set),
        ["UID", "MOVE", set, ..] => {
            for uid in members(state, set) {
                let mail = state.mails.remove(&uid).unwrap();
                state.done.push(mail.raw);
            }
        }
        ["UID", "COPY", set, ..] => {
            for uid in members(state, set) {
                let raw = state.mails[&uid].raw.clone();
                state.done.push(raw);
            }
        }
        ["UID", "EXPUNGE", set] => {
            for uid in members(state, set) {
                state.mails.remove(&uid);
            }
        }
        _ => {}
    }
    text.into_bytes()
}

fn fetch(state: &State, command: &str, set: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for uid in members(state, set) {
        let mail = &state.mails[&uid];
        let sequence = state.mails.range(..=uid).count();
        let date = mail.arrived.format("%d-%b-%Y %H:%M:%S +0000");
        let head = format!("* {sequence} FETCH (UID {uid} INTERNALDATE \"{date}\" ");
        bytes.extend_from_slice(head.as_bytes());
        if command.contains("RFC822.SIZE") {
            bytes.extend_from_slice(format!("RFC822.SIZE {})\r\n", mail.size).as_bytes());
            continue;
        }
        let mut raw = mail.raw.clone();
        let section = if command.contains("HEADER") {
            let end = raw.windows(4).position(|four| four == b"\r\n\r\n");
            raw.truncate(end.map_or(raw.len(), |end| end + 4));
            "HEADER"
        } else {
            raw.resize(mail.size, b'x');
            ""
        };
        bytes.extend_from_slice(format!("BODY[{section}] {{{}}}\r\n", raw.len()).as_bytes());
        bytes.extend_from_slice(&raw);
        bytes.extend_from_slice(b")\r\n");
    }
    bytes
}

/// The UIDs of a set that there are.
fn members(state: &State, set: &str) -> Vec<u32> {
    let last = state.mails.keys().last().copied().unwrap_or(0);
    let number = |text: &str| text.parse().unwrap_or(last);
    let mut found: Vec<u32> = set
        .split(',')
        .flat_map(|part| {
            let (from, to) = part.split_once(':').unwrap_or((part, part));
            let (from, to) = (number(from), number(to));
            state.mails.range(from.min(to)..=from.max(to))
        })
        .map(|(uid, _)| *uid)
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}
