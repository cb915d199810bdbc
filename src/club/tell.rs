//! Telling: from what was decided about the lines of one mail to the letters that it causes.
//!
//! One letter to the writer that answers every line, and one a game to each opponent. It knows who is told what, and
//! no words.

use std::collections::BTreeMap;

use crate::club::decision::{Addressee, Decision, GameNews, Show, Told};
use crate::club::game::Game;
use crate::club::notice::{
    About, Done, NotUnderstood, Notice, Part, Reader, ReportLine, ReportResult,
};
use crate::club::player::{Player, PlayerId};
use crate::club::refusal::Refusal;
use crate::club::view::{about, board_part};
use crate::command::CommandError;

/// A line of the mail and what it came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// As its writer typed it.
    pub text: String,
    /// The game that was refused something, so that its board is shown.
    pub game: Option<Box<Game>>,
    /// What it came to.
    pub came_to: CameTo,
}

/// What a line came to.
#[derive(Clone, Debug, PartialEq)]
pub enum CameTo {
    /// It was carried out.
    Decided(Box<Decision>),
    /// It may not be.
    Refused(Refusal),
    /// It cannot be read.
    Unread(CommandError),
    /// It waits for the writer's `yes`.
    Held,
    /// It was not tried.
    NotTried,
    /// So many lines were not even read.
    Beyond(usize),
}

/// A member and their running games, looked up for a letter.
#[derive(Clone, Debug)]
pub struct Sitting {
    /// The member.
    pub player: Player,
    /// Running games after all changes, oldest first.
    pub running: Vec<Game>,
}

/// What the letters of one mail are made from.
pub struct Mail<'a> {
    /// Who wrote it, or on whose behalf it was carried out.
    pub author: PlayerId,
    /// Its lines.
    pub lines: Vec<Line>,
    /// The text around the commands.
    pub chat: &'a str,
    /// Parts that come before everything else, such as the welcome.
    pub first: Vec<Part>,
    /// Nothing in it was a command.
    pub not_understood: Option<NotUnderstood>,
    /// The game whose board answers a mail in which nothing was understood.
    pub answered: Option<Box<Game>>,
}

/// The letters that a mail causes, the writer's first. `look` finds a member and their running games.
///
/// # Errors
/// Those of `look`.
pub fn tell<E>(
    mail: Mail<'_>,
    mut look: impl FnMut(PlayerId) -> Result<Sitting, E>,
) -> Result<Vec<Notice>, E> {
    let author = look(mail.author)?;
    let mut games = touched(&mail.lines);
    let chat = mail.chat.trim();
    let mut whose = None;
    match games.as_mut_slice() {
        _ if chat.is_empty() => {}
        [] => {}
        [one] => one.say(chat),
        _ => {
            whose = Some(Line {
                text: first_line(chat),
                game: None,
                came_to: CameTo::Refused(Refusal::WhoseMessage),
            })
        }
    }
    let mut notices = Vec::new();
    let shown = board_for(&mail, &games);
    notices.extend(answer(&mail, whose, &author, &games, shown.as_ref()));
    // Who leaves is promised one last letter.
    let further = if author.player.stopped {
        Vec::new()
    } else {
        further(&mail, &games, shown.as_ref())
    };
    for show in further {
        let news = games
            .iter()
            .find(|news| news.after.number == show.game.number);
        notices.push(Notice {
            to: author.player.reader(),
            about: about(&show.game, author.player.id),
            answers: true,
            parts: vec![board_part(&show, news, &author)],
        });
    }
    for news in &games {
        let opponent = look(news.after.opponent_of(author.player.id).player)?;
        if !opponent.player.stopped {
            notices.push(to_opponent(news, &author.player.name, &opponent));
        }
    }
    for line in &mail.lines {
        if let CameTo::Decided(decision) = &line.came_to {
            for told in &decision.told {
                notices.extend(to_other(told, &mut look)?);
            }
        }
    }
    Ok(notices)
}

/// A letter to somebody else about a challenge; none to a member who wants no mail.
///
/// # Errors
/// Those of `look`.
pub fn to_other<E>(
    told: &Told,
    look: &mut impl FnMut(PlayerId) -> Result<Sitting, E>,
) -> Result<Option<Notice>, E> {
    let to = match &told.to {
        Addressee::Member(id) => {
            let sitting = look(*id)?;
            if sitting.player.stopped {
                return Ok(None);
            }
            sitting.player.reader()
        }
        Addressee::Address(address) => Reader::stranger(address),
    };
    let about = About::Challenge {
        number: told.challenge,
        from: told.from.clone(),
        invited: told.invited,
    };
    Ok(Some(Notice {
        to,
        about,
        answers: false,
        parts: vec![told.part.clone()],
    }))
}

/// News of the games that the lines touched, one entry a game, in order.
fn touched(lines: &[Line]) -> Vec<GameNews> {
    let mut order = Vec::new();
    let mut games: BTreeMap<u32, GameNews> = BTreeMap::new();
    for line in lines {
        let CameTo::Decided(decision) = &line.came_to else {
            continue;
        };
        let Some(news) = &decision.game else { continue };
        match games.get_mut(&news.after.number) {
            Some(known) => {
                known.plies.extend(news.plies.iter().cloned());
                known.begun |= news.begun;
                known.after = news.after.clone();
                if let Some(text) = &news.message {
                    known.say(text);
                }
            }
            None => {
                order.push(news.after.number);
                games.insert(news.after.number, news.clone());
            }
        }
    }
    order
        .into_iter()
        .filter_map(|number| games.remove(&number))
        .collect()
}

impl GameNews {
    fn say(&mut self, text: &str) {
        let message = self.message.get_or_insert_default();
        if !message.is_empty() {
            message.push('\n');
        }
        message.push_str(text);
    }
}

fn answer(
    mail: &Mail<'_>,
    whose: Option<Line>,
    author: &Sitting,
    games: &[GameNews],
    shown: Option<&Show>,
) -> Option<Notice> {
    let news = games
        .iter()
        .find(|news| shown.is_some_and(|show| show.game.number == news.after.number));
    let report: Vec<ReportLine> = mail
        .lines
        .iter()
        .chain(&whose)
        .filter_map(|line| report(line, news, mail.lines.len()))
        .collect();
    let mut parts = mail.first.clone();
    if !report.is_empty() {
        parts.push(Part::Report(report));
    }
    parts.extend(mail.not_understood.clone().map(Part::NotUnderstood));
    parts.extend(shown.map(|show| board_part(show, news, author)));
    for game in games {
        if let Some(text) = &game.message {
            let to = game.after.opponent_of(author.player.id).name.clone();
            parts.push(Part::PassedOn {
                to,
                text: text.clone(),
            });
        }
    }
    for line in &mail.lines {
        if let CameTo::Decided(decision) = &line.came_to {
            parts.extend(decision.pages.iter().cloned());
        }
    }
    let about = shown.map_or(About::Club, |show| about(&show.game, author.player.id));
    (!parts.is_empty()).then(|| Notice {
        to: author.player.reader(),
        about,
        answers: true,
        parts,
    })
}

/// The one board of the answer: of the first game that something happened in, else the first that was shown or
/// refused something, else the one whose letter was answered.
fn board_for(mail: &Mail<'_>, games: &[GameNews]) -> Option<Show> {
    let plain = |game: &Game| Show {
        game: game.clone(),
        all_moves: false,
    };
    if let Some(news) = games.first() {
        return Some(plain(&news.after));
    }
    let shown = mail.lines.iter().find_map(|line| match &line.came_to {
        CameTo::Decided(decision) => decision.show.clone(),
        _ => line.game.as_deref().map(plain),
    });
    shown.or_else(|| mail.answered.as_deref().map(plain))
}

/// Boards beside that of the answer: of every other game that something happened in or that was shown, a letter each,
/// since each game has a thread and a token of its own.
fn further(mail: &Mail<'_>, games: &[GameNews], shown: Option<&Show>) -> Vec<Show> {
    let mut told: Vec<u32> = shown.iter().map(|show| show.game.number).collect();
    let touched = games.iter().map(|news| Show {
        game: news.after.clone(),
        all_moves: false,
    });
    let asked = mail.lines.iter().filter_map(|line| match &line.came_to {
        CameTo::Decided(decision) => decision.show.clone(),
        _ => None,
    });
    let mut further = Vec::new();
    for show in touched.chain(asked) {
        if !told.contains(&show.game.number) {
            told.push(show.game.number);
            further.push(show);
        }
    }
    further
}

/// The report of a line; none where the board or the page below says the same.
fn report(line: &Line, news: Option<&GameNews>, lines: usize) -> Option<ReportLine> {
    let result = match &line.came_to {
        CameTo::Decided(decision) => {
            let told_by_board = match &decision.done {
                Done::Played { game, .. }
                | Done::Resigned { game, .. }
                | Done::Accepted { game, .. } => {
                    news.is_some_and(|news| news.after.number == *game)
                }
                Done::Shown(_) => lines == 1,
                _ => false,
            };
            if told_by_board {
                return None;
            }
            ReportResult::Done(decision.done.clone())
        }
        CameTo::Refused(refusal) => ReportResult::Refused(refusal.clone()),
        CameTo::Unread(error) => ReportResult::Unread(error.clone()),
        CameTo::Held => ReportResult::Held,
        CameTo::NotTried => ReportResult::NotTried,
        CameTo::Beyond(lines) => ReportResult::Beyond { lines: *lines },
    };
    Some(ReportLine {
        line: line.text.clone(),
        result,
    })
}

fn to_opponent(news: &GameNews, author: &str, opponent: &Sitting) -> Notice {
    let show = Show {
        game: news.after.clone(),
        all_moves: false,
    };
    let mut parts = vec![board_part(&show, Some(news), opponent)];
    if let Some(text) = &news.message {
        let message = Part::Message {
            from: author.to_owned(),
            text: text.clone(),
        };
        if news.plies.is_empty() && !news.begun && news.after.ended.is_none() {
            parts.insert(0, message);
        } else {
            parts.push(message);
        }
    }
    Notice {
        to: opponent.player.reader(),
        about: about(&news.after, opponent.player.id),
        answers: false,
        parts,
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}
