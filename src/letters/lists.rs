//! Lists: the reader's games and invitations, and the members.

use super::section::{Section, templates};
use super::voice::Voice;
use super::{ComposeError, clean, layout, markup};
use crate::club::game::EndedBy;
use crate::club::notice::{ChallengeLine, GameLine, GamesView, OverLine, PlayerLine};

/// The reader's games.
struct GamesSheet {
    list: String,
    how: String,
}
templates!(GamesSheet, "games/text.txt", "games/page.html");

/// The members.
struct PlayersSheet {
    title: String,
    list: String,
    how: String,
}
templates!(PlayersSheet, "players/text.txt", "players/page.html");

/// A line of a list: number, name, and how it stands.
struct Row {
    number: String,
    name: String,
    state: String,
}

/// The reader's games and invitations.
pub(super) fn games(voice: &Voice<'_>, view: &GamesView) -> Result<Section, ComposeError> {
    let groups = [
        (
            voice.word("games-for-you"),
            view.for_you
                .iter()
                .map(|line| waits_for_you(voice, line))
                .collect::<Vec<_>>(),
        ),
        (
            voice.word("games-for-them"),
            view.for_them
                .iter()
                .map(|line| waits_for_them(voice, line))
                .collect(),
        ),
        (
            voice.word("games-invitations"),
            view.invitations
                .iter()
                .map(|line| invitation(voice, line))
                .collect(),
        ),
        (
            voice.word("games-challenges"),
            view.challenges
                .iter()
                .map(|line| challenge(voice, line))
                .collect(),
        ),
        (
            voice.word("games-over"),
            view.over.iter().map(|line| over(voice, line)).collect(),
        ),
    ];
    let example = view
        .for_you
        .iter()
        .chain(&view.for_them)
        .map(|line| line.game)
        .next();
    let how = match example {
        Some(game) => voice.say("games-how", &[("game", game.into())]),
        None => voice.word("games-none"),
    };
    GamesSheet {
        list: table(&groups),
        how,
    }
    .section()
}

fn waits_for_you(voice: &Voice<'_>, line: &GameLine) -> Row {
    let placing = if line.placing { "yes" } else { "no" };
    let state = voice.say(
        "games-your-move",
        &[
            ("placing", placing.into()),
            ("day", voice.day(line.since).into()),
        ],
    );
    Row {
        number: line.game.to_string(),
        name: clean::line(&line.opponent),
        state,
    }
}

fn waits_for_them(voice: &Voice<'_>, line: &GameLine) -> Row {
    let state = voice.say("games-their-move", &[("day", voice.day(line.since).into())]);
    Row {
        number: line.game.to_string(),
        name: clean::line(&line.opponent),
        state,
    }
}

fn invitation(voice: &Voice<'_>, line: &ChallengeLine) -> Row {
    let key = if line.open {
        "games-open-to-anyone"
    } else {
        "games-invited"
    };
    let facts = [
        ("number", line.number.into()),
        ("day", voice.day(line.until).into()),
    ];
    Row {
        number: line.number.to_string(),
        name: with(voice, line),
        state: voice.say(key, &facts),
    }
}

fn challenge(voice: &Voice<'_>, line: &ChallengeLine) -> Row {
    let facts = [
        ("number", line.number.into()),
        ("day", voice.day(line.until).into()),
    ];
    Row {
        number: line.number.to_string(),
        name: with(voice, line),
        state: voice.say("games-challenged", &facts),
    }
}

fn with(voice: &Voice<'_>, line: &ChallengeLine) -> String {
    line.with
        .as_deref()
        .map_or_else(|| voice.word("games-anyone"), clean::line)
}

fn over(voice: &Voice<'_>, line: &OverLine) -> Row {
    let result = match line.won {
        Some(true) => "won",
        Some(false) => "lost",
        None => "draw",
    };
    let by = match line.by {
        EndedBy::Score => "score",
        EndedBy::Resignation => "resignation",
    };
    let facts = [
        ("result", result.into()),
        ("by", by.into()),
        ("mine", line.score.0.into()),
        ("theirs", line.score.1.into()),
    ];
    Row {
        number: line.game.to_string(),
        name: clean::line(&line.opponent),
        state: voice.say("games-ended", &facts),
    }
}

/// Groups with their titles on the left, numbers and names in columns.
fn table(groups: &[(String, Vec<Row>)]) -> String {
    let groups: Vec<_> = groups.iter().filter(|(_, rows)| !rows.is_empty()).collect();
    let widest = |columns: &dyn Fn(&Row) -> usize| {
        groups
            .iter()
            .flat_map(|(_, rows)| rows)
            .map(columns)
            .max()
            .unwrap_or(0)
    };
    let title_width = groups
        .iter()
        .map(|(title, _)| layout::columns(title))
        .max()
        .unwrap_or(0)
        + 1;
    let number_width = widest(&|row| row.number.len());
    let name_width = widest(&|row| layout::columns(&row.name));
    let mut lines = Vec::new();
    for (title, rows) in groups {
        let mut title = title.as_str();
        for row in rows {
            let line = format!(
                "{} {:>number_width$}  {}  {}",
                layout::pad(title, title_width),
                row.number,
                layout::pad(&row.name, name_width),
                row.state
            );
            lines.push(layout::hang(&line, title_width + number_width + 3));
            title = "";
        }
    }
    lines.join("\n")
}

/// All members.
pub(super) fn players(voice: &Voice<'_>, members: &[PlayerLine]) -> Result<Section, ComposeError> {
    let width = members
        .iter()
        .map(|member| layout::columns(&clean::line(&member.name)))
        .max()
        .unwrap_or(0);
    let line = |member: &PlayerLine| {
        let facts = [
            ("running", member.running.into()),
            ("finished", member.finished.into()),
        ];
        format!(
            "  {}  {}",
            layout::pad(&clean::line(&member.name), width),
            voice.say("players-games", &facts)
        )
    };
    PlayersSheet {
        title: voice.say(
            "players-title",
            &[
                ("count", members.len().into()),
                ("club", voice.club_name().into()),
            ],
        ),
        list: members.iter().map(line).collect::<Vec<_>>().join("\n"),
        how: voice.word("players-how"),
    }
    .section()
}
