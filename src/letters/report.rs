//! What became of the lines of a mail: one entry a line, with the fact and what to do next.
//!
//! What the rest of the letter tells anyway is left out: a move stands in the news, a page that was asked for follows.

use chrono::{DateTime, Utc};

use super::section::{Section, templates};
use super::voice::Voice;
use super::{ComposeError, clean, markup, message, refused, unread};
use crate::club::game::EndedBy;
use crate::club::notice::{Done, Part, ReportLine, ReportResult};
use crate::command::{Command, Who};
use crate::dvonn::Ply;

/// What became of a mail.
struct Sheet {
    entries: Vec<Entry>,
}
templates!(Sheet, "report/text.txt", "report/page.html");

/// What became of one line.
struct Entry {
    /// The line, perhaps with carets below it; only where it is needed to know what is meant.
    quoted: Option<String>,
    sentences: Vec<String>,
    /// What goes on to the opponent, and whether it had to be cut.
    passed_on: Vec<String>,
    cut: Option<String>,
}

/// The entries that tell something new; `None` if none does.
pub(super) fn section(
    voice: &Voice<'_>,
    lines: &[ReportLine],
    parts: &[Part],
) -> Result<Option<Section>, ComposeError> {
    let told: Vec<&ReportLine> = lines
        .iter()
        .filter(|line| !is_told(&line.result, parts))
        .collect();
    if told.is_empty() {
        return Ok(None);
    }
    let entries = told
        .iter()
        .map(|line| entry(voice, line, told.len() > 1))
        .collect();
    Sheet { entries }.section().map(Some)
}

/// Whether a command failed, so that the turn is still what it was.
pub(super) fn has_failure(lines: &[ReportLine]) -> bool {
    lines.iter().any(|line| {
        matches!(
            line.result,
            ReportResult::Refused(_) | ReportResult::Unread(_)
        )
    })
}

/// Whether the other parts of the letter say it.
fn is_told(result: &ReportResult, parts: &[Part]) -> bool {
    let ReportResult::Done(done) = result else {
        return false;
    };
    parts.iter().any(|part| match (done, part) {
        (Done::Played { game, ply, .. }, Part::Board(board)) => {
            board.game == *game && has_news(&board.news, *ply)
        }
        (Done::Played { game, ply, .. }, Part::Over(over)) => {
            over.board.game == *game && has_news(&over.board.news, *ply)
        }
        (Done::Resigned { game, .. }, Part::Over(over)) => {
            over.board.game == *game && over.by == EndedBy::Resignation
        }
        (Done::Accepted { game, .. }, Part::Board(board)) => {
            board.game == *game && board.begun.is_some()
        }
        (Done::Shown(_), part) => !matches!(
            part,
            Part::Report(_) | Part::Message { .. } | Part::PassedOn { .. }
        ),
        _ => false,
    })
}

fn has_news(news: &[crate::club::notice::PlyNews], ply: Ply) -> bool {
    news.iter().any(|news| news.ply == ply)
}

fn entry(voice: &Voice<'_>, line: &ReportLine, several: bool) -> Entry {
    let quoted = clean::line(&line.line);
    let several = several || line.result == ReportResult::NotTried;
    let mut entry = Entry {
        quoted: None,
        sentences: Vec::new(),
        passed_on: Vec::new(),
        cut: None,
    };
    if several && !quoted.is_empty() {
        // As a quote: whatever comes back of it is no command (MAIL-01).
        entry.quoted = Some(format!("> {quoted}"));
    }
    match &line.result {
        ReportResult::Done(done) => {
            entry.sentences = self::done(voice, done);
            if let Done::Said { text, .. } = done {
                let (lines, cut) = clean::lines(text);
                entry.passed_on = message::barred(&lines);
                entry.cut = cut.then(|| voice.word("message-cut"));
            }
        }
        ReportResult::Refused(refusal) => {
            entry.sentences = refused::sentences(voice, refusal, &quoted)
        }
        ReportResult::Unread(error) => {
            entry.quoted = Some(unread::pointed(&line.line, error));
            entry.sentences = unread::sentences(voice, error);
        }
        ReportResult::Held => entry.sentences = vec![voice.word("report-held")],
        ReportResult::Beyond { lines } => {
            entry.sentences = vec![voice.say("report-beyond", &[("lines", (*lines).into())])];
        }
        ReportResult::NotTried => entry.sentences = vec![voice.word("report-not-tried")],
    }
    entry
}

/// Until when a challenge stands, and the club's word for its lots, so that they can be checked later.
fn until_and_lots(
    voice: &Voice<'_>,
    number: u32,
    until: DateTime<Utc>,
    commitment: Option<&str>,
) -> Vec<String> {
    let facts = [
        ("time", voice.time(until).into()),
        ("number", number.into()),
    ];
    let lots = commitment.map(|number| voice.say("done-lots", &[("number", number.into())]));
    std::iter::once(voice.say("done-until", &facts))
        .chain(lots)
        .collect()
}

/// What was done, and what comes of it.
fn done(voice: &Voice<'_>, done: &Done) -> Vec<String> {
    let say = |key: &str, facts: &super::voice::Facts<'_>| vec![voice.say(key, facts)];
    match done {
        Done::Played {
            game,
            opponent,
            ply,
        } => say(
            "done-played",
            &[
                ("game", (*game).into()),
                ("name", clean::line(opponent).into()),
                ("ply", ply.to_string().into()),
            ],
        ),
        Done::Resigned { game, opponent } => say(
            "done-resigned",
            &[
                ("game", (*game).into()),
                ("name", clean::line(opponent).into()),
            ],
        ),
        Done::Challenged {
            number,
            who,
            until,
            commitment,
        } => {
            let facts = [
                ("name", clean::line(who).into()),
                ("number", (*number).into()),
            ];
            let mut sentences = vec![voice.say("done-challenged", &facts)];
            sentences.extend(until_and_lots(
                voice,
                *number,
                *until,
                commitment.as_deref(),
            ));
            sentences
        }
        Done::Opened {
            number,
            until,
            commitment,
        } => {
            let mut sentences = vec![voice.say("done-opened", &[("number", (*number).into())])];
            sentences.extend(until_and_lots(
                voice,
                *number,
                *until,
                commitment.as_deref(),
            ));
            sentences
        }
        Done::Accepted { game, opponent } => say(
            "done-accepted",
            &[
                ("game", (*game).into()),
                ("name", clean::line(opponent).into()),
            ],
        ),
        Done::Declined { number, from } => say(
            "done-declined",
            &[
                ("number", (*number).into()),
                ("name", clean::line(from).into()),
            ],
        ),
        Done::Withdrawn { number } => say("done-withdrawn", &[("number", (*number).into())]),
        Done::Said { game, opponent, .. } => say(
            "done-said",
            &[
                ("game", (*game).into()),
                ("name", clean::line(opponent).into()),
            ],
        ),
        Done::Named { name, taken } => named(voice, "done-named", name, taken.as_deref()),
        Done::MemberAlready { name } => {
            say("done-member-already", &[("name", clean::line(name).into())])
        }
        Done::Stopped { resigned } => {
            let mut sentences = vec![voice.word("done-stopped")];
            if !resigned.is_empty() {
                let facts = [
                    ("count", resigned.len().into()),
                    ("games", voice.list(resigned).into()),
                ];
                sentences.push(voice.say("done-stopped-games", &facts));
            }
            sentences
        }
        Done::Dropped => say("done-dropped", &[]),
        Done::PlayedAlready { game, ply } => say(
            "done-played-already",
            &[("game", (*game).into()), ("ply", ply.to_string().into())],
        ),
        Done::Shown(command) => say("done-shown", &[("command", shown(command).into())]),
        Done::AddressLearned { address } => say(
            "done-address-learned",
            &[("address", clean::line(address).into())],
        ),
    }
}

/// A new name, and the one that was wished for where another member has it.
pub(super) fn named(voice: &Voice<'_>, key: &str, name: &str, taken: Option<&str>) -> Vec<String> {
    let name = clean::line(name);
    let mut sentences = Vec::new();
    if let Some(taken) = taken {
        sentences.push(voice.say("done-name-taken", &[("taken", clean::line(taken).into())]));
    }
    let facts = [("name", name.into()), ("club", voice.club_name().into())];
    sentences.push(voice.say(key, &facts));
    sentences
}

/// A command in its canonical spelling, clean.
fn shown(command: &Command) -> String {
    clean::line(&command.to_string())
}

/// The command that invites somebody, with a name in quotes where it needs them.
pub(super) fn invite(name: &str) -> String {
    let who = Who::Name(clean::line(name));
    Command::Challenge {
        who,
        terms: crate::command::Terms::default(),
    }
    .to_string()
}
