//! The frame of every letter: its subject, the order of its parts, and the footer.

use askama::Template;

use super::section::Section;
use super::voice::Voice;
use super::{
    ComposeError, Letter, admin, board, clean, invitation, layout, lists, markup, message, pages,
    puzzled, question, record, report,
};
use crate::club::notice::{About, BoardView, Notice, Part, Waiting};

/// The text part.
#[derive(Template)]
#[template(path = "_frame/text.txt", escape = "none")]
struct TextFrame<'a> {
    sections: &'a [Section],
    footer: &'a [String],
}

/// The HTML part.
#[derive(Template)]
#[template(path = "_frame/page.html")]
struct PageFrame<'a> {
    language: &'a str,
    direction: &'a str,
    subject: &'a str,
    sections: &'a [Section],
    footer: &'a [String],
}

/// The whole letter.
pub(super) fn letter(
    voice: &Voice<'_>,
    notice: &Notice,
    token: Option<&str>,
) -> Result<Letter, ComposeError> {
    let sections = sections(voice, &notice.parts)?;
    if sections.is_empty() {
        return Err(ComposeError::Empty);
    }
    let (subject, footer) = (subject(voice, notice), footer(voice, notice, token));
    let (language, direction) = voice.language();
    let text = TextFrame {
        sections: &sections,
        footer: &footer,
    }
    .render()?;
    let html = PageFrame {
        language,
        direction: &direction,
        subject: &subject,
        sections: &sections,
        footer: &footer,
    }
    .render()?;
    Ok(Letter {
        text: layout::tidy(&text),
        html,
        subject,
    })
}

/// The parts in their order. A board takes the report and the messages in, since both belong at their own place in it:
/// news first, then what failed, the board, how to answer, and what the opponent writes.
fn sections(voice: &Voice<'_>, parts: &[Part]) -> Result<Vec<Section>, ComposeError> {
    let has_board = parts.iter().any(|part| board_of(part).is_some());
    let mut report = None;
    let mut failed = false;
    let mut messages = Vec::new();
    let mut sections = Vec::new();
    for part in parts {
        match part {
            Part::Report(lines) => {
                failed |= report::has_failure(lines);
                report = report::section(voice, lines, parts)?;
            }
            Part::Message { from, text } => {
                messages.push(message::section(voice, from, text, !has_board)?)
            }
            Part::PassedOn { to, text } => messages.push(message::passed_on(voice, to, text)?),
            _ => {}
        }
    }
    if !has_board {
        sections.extend(report.take());
        sections.append(&mut messages);
    }
    for part in parts {
        let section = match part {
            Part::Report(_) | Part::Message { .. } | Part::PassedOn { .. } => continue,
            Part::Board(view) => {
                let still = failed && view.news.is_empty();
                board::section(
                    voice,
                    view,
                    report.take(),
                    std::mem::take(&mut messages),
                    still,
                )?
            }
            Part::Over(view) => {
                record::over(voice, view, report.take(), std::mem::take(&mut messages))?
            }
            Part::NotUnderstood(view) => puzzled::section(voice, view)?,
            Part::Games(view) => lists::games(voice, view)?,
            Part::Players(members) => lists::players(voice, members)?,
            Part::History(view) => record::history(voice, view)?,
            Part::Help(verb) => pages::help(voice, *verb)?,
            Part::Rules => pages::rules(voice)?,
            Part::Welcome { name, taken } => {
                pages::welcome(voice, name, taken.as_deref(), has_board)?
            }
            Part::Invitation(view) => invitation::section(voice, view)?,
            Part::ChallengeClosed { number, with, why } => {
                invitation::closed(voice, *number, with, *why)?
            }
            Part::Question(view) => question::section(voice, view)?,
            Part::Admin(view) => admin::section(voice, view)?,
        };
        sections.push(section);
    }
    Ok(sections)
}

fn board_of(part: &Part) -> Option<&BoardView> {
    match part {
        Part::Board(view) => Some(view),
        Part::Over(view) => Some(&view.board),
        _ => None,
    }
}

/// One subject a game (MAIL-40): nothing in it depends on what the letter says.
fn subject(voice: &Voice<'_>, notice: &Notice) -> String {
    match &notice.about {
        About::Game {
            game, white, black, ..
        } => {
            let facts = [
                ("game", (*game).into()),
                ("white", clean::line(white).into()),
                ("black", clean::line(black).into()),
            ];
            voice.say("subject-game", &facts)
        }
        About::Challenge { number, from, .. } => voice.say(
            "subject-challenge",
            &[
                ("number", (*number).into()),
                ("name", clean::line(from).into()),
            ],
        ),
        About::Question { .. } => {
            voice.say("subject-question", &[("club", voice.club_name().into())])
        }
        About::Club => {
            let key = notice
                .parts
                .iter()
                .find_map(subject_key)
                .unwrap_or("subject-answer");
            voice.say(key, &[("club", voice.club_name().into())])
        }
    }
}

/// The subject that a part gives to a letter about nothing else.
fn subject_key(part: &Part) -> Option<&'static str> {
    match part {
        Part::Report(_)
        | Part::Message { .. }
        | Part::PassedOn { .. }
        | Part::Board(_)
        | Part::Over(_) => None,
        Part::NotUnderstood(_) => Some("subject-not-understood"),
        Part::Games(_) => Some("subject-games"),
        Part::Players(_) => Some("subject-players"),
        Part::History(_) => Some("subject-history"),
        Part::Help(_) => Some("subject-help"),
        Part::Rules => Some("subject-rules"),
        Part::Welcome { .. } => Some("subject-welcome"),
        Part::Invitation(_) | Part::ChallengeClosed { .. } => Some("subject-invitation"),
        Part::Question(_) => Some("subject-question"),
        Part::Admin(news) => Some(admin::subject_key(news)),
    }
}

/// Who writes about what, the token, and which other games wait.
fn footer(voice: &Voice<'_>, notice: &Notice, token: Option<&str>) -> Vec<String> {
    let board = notice.parts.iter().find_map(board_of);
    let club = voice.club_name();
    let mut line = match (&notice.about, board) {
        (About::Game { game, .. }, Some(board)) => voice.say(
            "footer-move",
            &[
                ("club", club.into()),
                ("game", (*game).into()),
                ("ply", board.ply.into()),
            ],
        ),
        (About::Game { game, .. }, None) => voice.say(
            "footer-game",
            &[("club", club.into()), ("game", (*game).into())],
        ),
        _ => voice.say("footer-club", &[("club", club.into())]),
    };
    if let Some(token) = token {
        line.push_str(" ref:");
        line.push_str(token);
    }
    let mut lines = vec![line];
    if let Some(waiting) = board.and_then(|board| board.waiting.as_ref()) {
        lines.push(more(voice, waiting));
    }
    lines
}

fn more(voice: &Voice<'_>, waiting: &Waiting) -> String {
    let facts = [
        ("count", waiting.count.into()),
        ("game", waiting.next.into()),
        ("name", clean::line(&waiting.opponent).into()),
        ("day", voice.day(waiting.since).into()),
    ];
    voice.say("footer-more", &facts)
}
