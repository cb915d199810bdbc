//! The letters that went out, as their readers have them, and what holds for every one of them.

use dvonn_post::mail::Incoming;
use dvonn_post::mail::token::Token;

/// The club's address in all scripts.
pub const CLUB: &str = "dvonn@club.example";

pub struct Letter {
    pub to: String,
    pub raw: Vec<u8>,
    pub subject: String,
    /// The text part.
    pub text: String,
    pub id: String,
    pub token: String,
    /// Its own number.
    pub number: i64,
    /// Number of the game or challenge in the tag of the subject.
    pub about: Option<u32>,
}

impl Letter {
    pub fn read(to: &str, raw: Vec<u8>) -> Result<Letter, String> {
        let mail = Incoming::read(&raw).map_err(|why| why.to_string())?;
        let id = mail.message_id.clone().ok_or("a letter without an id")?;
        let (local, _) = id.split_once('@').ok_or("an id without a domain")?;
        let (token, number) = local.rsplit_once(".L").ok_or("an id without a number")?;
        Ok(Letter {
            to: to.to_owned(),
            subject: mail.subject.clone(),
            text: mail.body.text.clone(),
            about: dvonn_post::mail::thread::tag(&mail.subject),
            token: token.to_owned(),
            number: number.parse().map_err(|_| "an id without a number")?,
            id,
            raw,
        })
    }

    pub fn plus(&self) -> String {
        CLUB.replace('@', &format!("+{}@", self.token))
    }

    /// The words of the HTML part, near enough to look for what must not be there.
    pub fn html(&self) -> String {
        let raw = String::from_utf8_lossy(&self.raw).replace("=\r\n", "");
        let html = raw.split_once("<body").map_or("", |(_, html)| html);
        let html = html.split("</body").next().unwrap_or("");
        let words = html.split('<').filter_map(|piece| piece.split_once('>'));
        folded(&words.map(|(_, text)| text).collect::<Vec<_>>().join(" "))
    }

    /// What the reader sees, blanks and line ends folded.
    pub fn folded(&self) -> String {
        folded(&format!("Subject: {} {}", self.subject, self.text))
    }
}

pub fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What holds for every letter: it is from the club to one person, says that a machine wrote it, and holds no token but
/// its own and older ones of the same reader.
pub fn lint(letter: &Letter, before: &[Letter]) -> Result<(), String> {
    let mail = Incoming::read(&letter.raw).map_err(|why| why.to_string())?;
    let raw = String::from_utf8(letter.raw.clone()).map_err(|_| "not ASCII")?;
    let (header, _) = raw.split_once("\r\n\r\n").ok_or("no body")?;
    let wrong = |what: &str| Err(format!("a letter to {}: {what}", letter.to));
    if mail.from.as_ref().map(|from| from.key()) != Ok(CLUB.to_owned()) {
        return wrong("not from the club");
    }
    if mail.recipients != [letter.to.as_str()] {
        return wrong("not to its one reader");
    }
    if !header.contains("\r\nAuto-Submitted: auto-") {
        return wrong("without Auto-Submitted");
    }
    if raw
        .lines()
        .any(|line| line.len() > 76 && !line.contains('<'))
    {
        return wrong("a line longer than 76 characters");
    }
    if letter.text.lines().any(|line| line.chars().count() > 72) && !letter.text.contains("://") {
        return wrong("a text line longer than 72 columns");
    }
    if before.iter().any(|other| other.id == letter.id) {
        return wrong("its Message-ID was used before");
    }
    let kind = letter.token.split('.').nth(2);
    if kind != Some("i")
        && before
            .iter()
            .any(|other| other.to != letter.to && other.token == letter.token)
    {
        return wrong("it carries the token of another reader");
    }
    let ours = |token: &str| {
        token == letter.token
            || before
                .iter()
                .any(|other| other.to == letter.to && other.token == token)
    };
    let joined = raw.replace("=\r\n", "");
    for word in joined.split(|c: char| !c.is_ascii_alphanumeric() && c != '.') {
        let fields: Vec<&str> = word.trim_matches('.').split('.').collect();
        for four in fields.windows(4) {
            let text = four.join(".");
            if text.parse::<Token>().is_ok() && !ours(&text) {
                return wrong(&format!("it holds {text}, which is not its reader's"));
            }
        }
    }
    Ok(())
}
