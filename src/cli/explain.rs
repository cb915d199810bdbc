//! `explain`: what the server reads in a mail. Changes nothing, and needs neither configuration nor database.
//!
//! Knows the order in which a mail is read: who wrote it, what it answers, what is new in it, which commands that holds.
//! Refuses to carry anything out, and to say what a player would be answered.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::cli::exit::{Exit, Failure};
use crate::cli::output;
use crate::command::Heard;
use crate::config::Config;
use crate::daemon::hear;
use crate::mail::body::{Part, Sealed};
use crate::mail::thread::{self, Clues};
use crate::mail::token::TokenKind;
use crate::mail::{Address, Cut, Incoming, SentText, automatic, proof};

/// Which mail, and what is known beside it.
#[derive(Debug, clap::Args)]
pub(crate) struct Explain {
    /// The mail, as a file
    #[arg(value_name = "FILE")]
    mail: PathBuf,
    /// The mail of the club that it answers
    #[arg(long, value_name = "FILE")]
    answering: Option<PathBuf>,
    /// A server whose Authentication-Results are believed; may be given several times
    #[arg(long, value_name = "HOST")]
    trusted_authserv: Vec<String>,
    /// Print JSON for other programs
    #[arg(long)]
    json: bool,
}

/// What was read. The fields in JSON are those that other programs rely on.
#[derive(Debug, Default, Serialize)]
struct Explained {
    from: Option<String>,
    proof: &'static str,
    token: Option<String>,
    automatic: Option<&'static str>,
    game: Option<u32>,
    new_text: String,
    commands: Vec<String>,
    chat: String,
    problems: Vec<String>,
    #[serde(skip)]
    part: Part,
    #[serde(skip)]
    cuts: Vec<Cut>,
}

/// What the server knows when a mail arrives.
#[derive(Default)]
struct Known {
    club: Option<Address>,
    sent: Option<Incoming>,
    trusted: Vec<String>,
}

/// Explains the mail: exit code 1 when it cannot be read at all.
pub(crate) fn run(arguments: &Explain, config: Option<&Path>) -> Result<Exit, Failure> {
    let mut known = Known {
        trusted: arguments.trusted_authserv.clone(),
        ..Known::default()
    };
    if let Some(file) = config {
        let config = Config::load(Some(file))?;
        known.club = Some(config.club.address);
        known.trusted.extend(config.proof.trusted_authserv);
    }
    if let Some(file) = &arguments.answering {
        let sent = Incoming::read(&bytes(file)?)
            .map_err(|why| Failure::usage(format!("{}: {why}", file.display())))?;
        known.club = sent.from.clone().ok().or(known.club);
        known.sent = Some(sent);
    }
    let (explained, exit) = match Incoming::read(&bytes(&arguments.mail)?) {
        Ok(mail) => (explain(&mail, &known), Exit::Done),
        Err(why) => {
            let nothing = Explained {
                proof: proof::Proof::None.name(),
                problems: vec![why.to_string()],
                ..Explained::default()
            };
            (nothing, Exit::No)
        }
    };
    if arguments.json {
        output::show_json(&explained)?;
    } else {
        output::show(&explained.to_text())?;
    }
    Ok(exit)
}

fn bytes(file: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(file)
        .map_err(|error| Failure::usage(format!("{} cannot be read: {error}", file.display())))
}

fn explain(mail: &Incoming, known: &Known) -> Explained {
    let sent: Vec<_> = known
        .sent
        .iter()
        .map(|sent| SentText {
            text: sent.body.text.clone(),
        })
        .collect();
    let (new, heard) = hear(mail, &sent);
    let own: Vec<_> = known.club.iter().map(Address::to_string).collect();
    let automatic = automatic(mail, &own);
    let clues = clues(mail, known);
    let heard = match automatic {
        Some(_) => Heard::default(),
        None => heard,
    };
    let mut problems = Vec::new();
    if let Err(why) = &mail.from {
        problems.push(why.to_string());
    }
    match (&automatic, new.sealed) {
        (Some(_), _) => {}
        (None, Some(sealed)) => problems.push(sealed_as(sealed).to_owned()),
        (None, None) => problems.extend(misunderstood(&heard)),
    }
    Explained {
        from: mail.from.as_ref().ok().map(Address::to_string),
        proof: proof::judge(mail, &known.trusted).name(),
        token: clues.tokens.first().map(|(token, _)| token.to_string()),
        automatic: automatic.map(|automatic| automatic.name()),
        game: game(&clues, &heard, known),
        new_text: new.text,
        commands: heard
            .readings
            .iter()
            .filter_map(|reading| reading.result.as_ref().ok())
            .map(ToString::to_string)
            .collect(),
        chat: heard.chat,
        problems,
        part: new.part,
        cuts: new.cuts,
    }
}

fn clues(mail: &Incoming, known: &Known) -> Clues {
    // Without the club's address a token in a plus address cannot be told from somebody else's; one in a header can.
    let nobody = || Address::parse("nobody@invalid").ok();
    match known.club.clone().or_else(nobody) {
        Some(club) => thread::clues(mail, &club),
        None => Clues::default(),
    }
}

/// First the token, then a game that the text names, then the tag in the subject, here or in the mail that was answered.
fn game(clues: &Clues, heard: &Heard, known: &Known) -> Option<u32> {
    let of_token = clues
        .tokens
        .iter()
        .find(|(token, _)| matches!(token.kind, TokenKind::White | TokenKind::Black))
        .map(|(token, _)| token.number);
    let answered = || thread::tag(&known.sent.as_ref()?.subject);
    of_token
        .or_else(|| heard.readings.iter().find_map(|reading| reading.game))
        .or(clues.tag)
        .or_else(answered)
}

fn misunderstood(heard: &Heard) -> Vec<String> {
    let mut problems: Vec<_> = heard
        .readings
        .iter()
        .filter_map(|reading| {
            let error = reading.result.as_ref().err()?;
            Some(format!("{}: {error}", reading.line))
        })
        .collect();
    if heard.beyond > 0 {
        problems.push(format!("{} more commands were not read", heard.beyond));
    }
    if heard.readings.is_empty() {
        problems.push("no line is a command".to_owned());
        problems.extend(
            heard
                .mentions
                .iter()
                .map(|mention| match &mention.suggestion {
                    Some(suggestion) => format!(
                        "{}: not a command by itself, perhaps {suggestion} was meant",
                        mention.line
                    ),
                    None => format!("{}: not a command by itself", mention.line),
                }),
        );
    }
    problems
}

fn sealed_as(sealed: Sealed) -> &'static str {
    match sealed {
        Sealed::OpaqueSigned => "the text is sealed inside an S/MIME signature",
        Sealed::Encrypted => "the text is encrypted",
        Sealed::Winmail => "the text is sealed in a winmail.dat of Outlook",
    }
}

impl Explained {
    fn to_text(&self) -> String {
        let none = || "none".to_owned();
        let part = match self.part {
            Part::Plain => "the plain text",
            Part::Html => "the HTML, turned into text",
            Part::Nothing => "nothing",
        };
        let game = self.game.map_or_else(none, |number| number.to_string());
        let mut text = format!(
            "From:      {}\nProof:     {}\nToken:     {}\nGame:      {game}\nAutomatic: {}\nRead:      {part}\n",
            self.from.clone().unwrap_or_else(none),
            self.proof,
            self.token.clone().unwrap_or_else(none),
            self.automatic.unwrap_or("no"),
        );
        let is_seen = |cut: &&Cut| cut.lines.iter().any(|line| !line.trim().is_empty());
        for cut in self.cuts.iter().filter(is_seen) {
            section(&mut text, &format!("Cut ({})", cut.rule.name()), &cut.lines);
        }
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        section(&mut text, "New text", &lines(&self.new_text));
        section(&mut text, "Commands", &self.commands);
        section(&mut text, "Chat", &lines(&self.chat));
        section(&mut text, "Problems", &self.problems);
        text
    }
}

fn section(text: &mut String, title: &str, lines: &[String]) {
    // Writing to a String cannot fail.
    let _ = write!(text, "\n{title}:");
    match lines {
        [] => text.push_str(" none\n"),
        lines => {
            text.push('\n');
            for line in lines {
                let _ = writeln!(text, "{}", format!("  | {line}").trim_end());
            }
        }
    }
}
