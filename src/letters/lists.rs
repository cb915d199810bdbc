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
        state: match &line.commitment {
            Some(number) => format!(
                "{} {}",
                voice.say(key, &facts),
                voice.say("games-lots", &[("number", number.as_str().into())])
            ),
            None => voice.say(key, &facts),
        },
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

/// The widest name that the others are brought in line with.
const WIDEST_NAME: usize = 16;

/// Groups below their titles, numbers and names in columns.
fn table(groups: &[(String, Vec<Row>)]) -> String {
    let rows = || groups.iter().flat_map(|(_, rows)| rows);
    let number_width = rows().map(|row| row.number.len()).max().unwrap_or(0);
    let name_width = rows()
        .map(|row| layout::columns(&row.name))
        .filter(|width| *width <= WIDEST_NAME)
        .max()
        .unwrap_or(0);
    let row = |row: &Row| {
        let name = layout::pad(&row.name, name_width);
        layout::hang(
            &format!("  {:>number_width$}  {name}  {}", row.number, row.state),
            number_width + 4,
        )
    };
    let group = |(title, rows): &(String, Vec<Row>)| {
        let rows: Vec<String> = rows.iter().map(row).collect();
        format!("{title}\n{}", rows.join("\n"))
    };
    groups
        .iter()
        .filter(|(_, rows)| !rows.is_empty())
        .map(group)
        .collect::<Vec<_>>()
        .join("\n\n")
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
