//! Scripts of dated mails: what one says, line by line.
//!
//! ```text
//! # The trouble, in words.
//! club plus_addressing                     a setting: plus_addressing, games_per_player N, answers_per_hour N,
//!                                          strangers_per_day N, created DATE TIME
//! member Anna <anna@a.example>             is a member from the start
//! game Anna - Ben                          begins by mail: Anna, white, challenges Ben
//! game Anna - Ben on POSITION              begins on a drawn board, without a letter
//! plays 1: c3 d4                           whoever is to move answers the latest letter of the game; `pass` is skipped
//! 2026-12-01 09:00 Anna <anna@a.example> pass    a mail: dmarc=pass, fail, or neither
//! re: latest                               answers a letter: LETTER, see below
//! raw: TEXT                                these bytes alone, and no header
//! subject: / to: / header: / id: / quote: no / threads: no / junk: yes / again: yes | traced / feed: LETTER
//! | b3-c3                                  a line of its body
//! = done                                   verdict: done, ignored, left, shunted, known; REASON may follow
//! * anna@a.example                         a letter goes out; every letter is named, in order
//! + text                                   it says so, blanks and line ends aside
//! - text                                   it does not
//! ~ name                                   its text is that of a snapshot
//! 2026-12-15 09:00 time passes             what is due happens
//! ! game 1: c3 d4                          the moves so far; ! game 1 over: white resignation; ! games 1;
//!                                          ! members Anna, Ben; ! challenge 1 waiting; ! writes x@y.example: Anna
//! ```
//! LETTER is `latest`, `first`, or a number from 1, of those to the writer; ` of ADDRESS` and ` about GAME` choose
//! others. `{token LETTER}`, `{plus LETTER}` and `{id LETTER}` in a mail stand for what that letter carried.

use chrono::{DateTime, NaiveDateTime, Utc};

/// A step and the line that it begins on.
pub type Numbered = (usize, Step);

#[derive(Debug, Clone)]
pub enum Step {
    Setting(String),
    Member(Person),
    Game {
        white: String,
        black: String,
        start: Option<String>,
    },
    Plays(u32, Vec<String>),
    Mail(Box<Mail>),
    Passes(DateTime<Utc>, Vec<Expected>),
    State(String),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Person {
    pub name: String,
    pub address: String,
}

#[derive(Debug, Clone)]
pub struct Mail {
    pub at: DateTime<Utc>,
    pub from: Person,
    /// `pass`, `fail` or nothing.
    pub dmarc: String,
    /// The `key: value` lines.
    pub options: Vec<(String, String)>,
    pub body: Vec<String>,
    pub verdict: String,
    pub letters: Vec<Expected>,
}

impl Mail {
    pub fn option(&self, key: &str) -> Option<&str> {
        let mut all = self.options.iter();
        all.find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }

    pub fn says(&self, key: &str, value: &str) -> bool {
        self.option(key) == Some(value)
    }
}

/// A letter that must go out.
#[derive(Debug, Clone, Default)]
pub struct Expected {
    pub to: String,
    pub contains: Vec<(usize, String)>,
    pub lacks: Vec<(usize, String)>,
    pub snapshot: Option<String>,
}

const KEYS: [&str; 12] = [
    "re", "subject", "to", "header", "id", "quote", "threads", "junk", "again", "feed", "html",
    "raw",
];

/// Reads a script.
pub fn parse(text: &str) -> Result<Vec<Numbered>, String> {
    let mut steps: Vec<Numbered> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let number = at + 1;
        let line = line.trim_end();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let fault = |what: &str| format!("{number}: {what}: {line}");
        if let Some(step) = begins(line).map_err(|why| fault(&why))? {
            steps.push((number, step));
            continue;
        }
        let last = steps.last_mut().map(|(_, step)| step);
        continues(number, line, last).map_err(|why| fault(&why))?;
    }
    for (number, step) in &steps {
        if let Step::Mail(mail) = step
            && mail.verdict.is_empty()
        {
            return Err(format!("{number}: the mail has no verdict"));
        }
    }
    Ok(steps)
}

/// The step that a line begins, if it begins one.
fn begins(line: &str) -> Result<Option<Step>, String> {
    if let Some(setting) = line.strip_prefix("club ") {
        return Ok(Some(Step::Setting(setting.to_owned())));
    }
    if let Some(state) = line.strip_prefix("! ") {
        return Ok(Some(Step::State(state.to_owned())));
    }
    if let Some(who) = line.strip_prefix("member ") {
        let (person, rest) = person(who)?;
        return if rest.is_empty() {
            Ok(Some(Step::Member(person)))
        } else {
            Err("too much".to_owned())
        };
    }
    if let Some(rest) = line.strip_prefix("game ") {
        let (names, start) = match rest.split_once(" on ") {
            Some((names, start)) => (names, Some(start.trim().to_owned())),
            None => (rest, None),
        };
        let (white, black) = names.split_once(" - ").ok_or("two names")?;
        return Ok(Some(Step::Game {
            white: white.to_owned(),
            black: black.to_owned(),
            start,
        }));
    }
    if let Some(rest) = line.strip_prefix("plays ") {
        let (number, plies) = rest.split_once(':').ok_or("no colon")?;
        let number = number.parse().map_err(|_| "no number")?;
        let plies = plies.split_whitespace().map(str::to_owned).collect();
        return Ok(Some(Step::Plays(number, plies)));
    }
    let Some((at, rest)) = line
        .split_at_checked(16)
        .and_then(|(at, rest)| Some((moment(at)?, rest.trim())))
    else {
        return Ok(None);
    };
    if rest == "time passes" {
        return Ok(Some(Step::Passes(at, Vec::new())));
    }
    let (from, dmarc) = person(rest)?;
    if !["", "pass", "fail"].contains(&dmarc.as_str()) {
        return Err("no verdict of a server".to_owned());
    }
    Ok(Some(Step::Mail(Box::new(Mail {
        at,
        from,
        dmarc,
        options: Vec::new(),
        body: Vec::new(),
        verdict: String::new(),
        letters: Vec::new(),
    }))))
}

/// Takes a line that belongs to the step above it.
fn continues(number: usize, line: &str, step: Option<&mut Step>) -> Result<(), String> {
    let (sign, rest) = line.split_at_checked(1).ok_or("an odd line")?;
    let rest = rest.strip_prefix(' ').unwrap_or(rest);
    let letters = match step {
        Some(Step::Passes(_, letters)) => letters,
        Some(Step::Mail(mail)) => {
            if sign == "|" {
                mail.body.push(rest.to_owned());
                return Ok(());
            }
            if sign == "=" {
                mail.verdict = rest.to_owned();
                return Ok(());
            }
            if let Some((key, value)) = line.split_once(':')
                && KEYS.contains(&key)
            {
                mail.options.push((key.to_owned(), value.trim().to_owned()));
                return Ok(());
            }
            &mut mail.letters
        }
        _ => return Err("belongs to no mail".to_owned()),
    };
    if sign == "*" {
        letters.push(Expected {
            to: rest.to_owned(),
            ..Expected::default()
        });
        return Ok(());
    }
    let letter = letters.last_mut().ok_or("belongs to no letter")?;
    match sign {
        "+" => letter.contains.push((number, rest.to_owned())),
        "-" => letter.lacks.push((number, rest.to_owned())),
        "~" => letter.snapshot = Some(rest.to_owned()),
        _ => return Err("not understood".to_owned()),
    }
    Ok(())
}

fn person(text: &str) -> Result<(Person, String), String> {
    let (name, rest) = text.split_once('<').ok_or("no address")?;
    let (address, rest) = rest.split_once('>').ok_or("no address")?;
    Ok((
        Person {
            name: name.trim().to_owned(),
            address: address.to_owned(),
        },
        rest.trim().to_owned(),
    ))
}

pub fn moment(text: &str) -> Option<DateTime<Utc>> {
    NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M")
        .ok()
        .map(|naive| naive.and_utc())
}
