//! Pages that a member asks for: list, board, moves, record, members, help and rules. Nothing here changes anything.

use crate::club::challenge::{Challenge, Invitee};
use crate::club::decision::{Decision, Show};
use crate::club::desk::Desk;
use crate::club::game::Game;
use crate::club::notice::{ChallengeLine, Done, GameLine, GamesView, HistoryView, OverLine, Part};
use crate::club::refusal::Refusal;
use crate::club::which::{self, Context};
use crate::command::{Command, Verb};
use crate::dvonn::{Colour, Outcome, Phase};

/// The writer's games and invitations.
#[must_use]
pub(super) fn list(desk: &Desk, context: &Context) -> Decision {
    let me = desk.me.id;
    let line = |game: &Game| GameLine {
        game: game.number,
        opponent: game.opponent_of(me).name.clone(),
        placing: game.position.phase() == Phase::Placing,
        since: game.turn_since(),
    };
    let challenge = |c: &Challenge| ChallengeLine {
        number: c.number,
        with: c.other_side(me),
        open: c.to == Invitee::Anyone,
        until: c.until,
        commitment: c.commitment().filter(|_| c.to == Invitee::Anyone),
    };
    let view = GamesView {
        for_you: desk.waiting_for_me().into_iter().map(line).collect(),
        for_them: desk
            .running()
            .filter(|game| !game.is_turn_of(me))
            .map(line)
            .collect(),
        invitations: desk.offers(context.arrived).map(challenge).collect(),
        challenges: desk
            .own_challenges(context.arrived)
            .map(challenge)
            .collect(),
        over: desk
            .over
            .iter()
            .filter_map(|game| over_line(game, desk))
            .collect(),
    };
    page(Command::List, Part::Games(view))
}

/// A game's board.
///
/// # Errors
/// No such game, or several.
pub(super) fn show(
    desk: &Desk,
    context: &Context,
    line: Option<u32>,
    number: Option<u32>,
) -> Result<Decision, Refusal> {
    let game = which::game(desk, context, number.or(line), Verb::Show, &[])?;
    Ok(Decision::only(Done::Shown(Command::Show(number))).showing(game))
}

/// The writer's legal moves, with the board.
///
/// # Errors
/// No such game, or several, or it is over, or not the writer's turn.
pub(super) fn moves(
    desk: &Desk,
    context: &Context,
    line: Option<u32>,
) -> Result<Decision, Refusal> {
    let me = desk.me.id;
    let game = which::game(
        desk,
        context,
        line,
        Verb::Moves,
        &[&|game: &Game| game.is_turn_of(me)],
    )?;
    if game.ended.is_some() {
        return Err(Refusal::GameOver { game: game.number });
    }
    if !game.is_turn_of(me) {
        return Err(Refusal::NotYourTurn {
            game: game.number,
            waits_for: game.opponent_of(me).name.clone(),
        });
    }
    let show = Some(Show {
        game: game.clone(),
        all_moves: true,
    });
    Ok(Decision {
        show,
        ..Decision::only(Done::Shown(Command::Moves))
    })
}

/// A game's record.
///
/// # Errors
/// No such game, or several.
pub(super) fn history(
    desk: &Desk,
    context: &Context,
    line: Option<u32>,
    number: Option<u32>,
) -> Result<Decision, Refusal> {
    let game = which::game(desk, context, number.or(line), Verb::History, &[])?;
    Ok(page(
        Command::History(number),
        Part::History(game.history()),
    ))
}

/// All members.
#[must_use]
pub(super) fn players(desk: &Desk) -> Decision {
    page(Command::Players, Part::Players(desk.members.clone()))
}

/// Help on one command, or the overview.
#[must_use]
pub(super) fn help(verb: Option<Verb>) -> Decision {
    page(Command::Help(verb), Part::Help(verb))
}

/// The rules on a page.
#[must_use]
pub(super) fn rules() -> Decision {
    page(Command::Rules, Part::Rules)
}

fn page(command: Command, part: Part) -> Decision {
    Decision {
        pages: vec![part],
        ..Decision::only(Done::Shown(command))
    }
}

fn over_line(game: &Game, desk: &Desk) -> Option<OverLine> {
    let ended = game.ended?;
    let seat = game.seat_of(desk.me.id)?;
    let (white, black) = game.score();
    let won = match (ended.result, seat) {
        (Outcome::Draw, _) => None,
        (Outcome::White, Colour::White) | (Outcome::Black, Colour::Black) => Some(true),
        _ => Some(false),
    };
    Some(OverLine {
        game: game.number,
        opponent: game.opponent_of(desk.me.id).name.clone(),
        won,
        score: if seat == Colour::White {
            (white, black)
        } else {
            (black, white)
        },
        by: ended.by,
    })
}

impl Decision {
    /// The same, with a game's board shown to the writer.
    #[must_use]
    pub(super) fn showing(self, game: &Game) -> Self {
        Decision {
            show: Some(Show {
                game: game.clone(),
                all_moves: false,
            }),
            ..self
        }
    }
}

impl Game {
    /// The record as a letter shows it.
    #[must_use]
    pub fn history(&self) -> HistoryView {
        HistoryView {
            game: self.number,
            white: self.white.name.clone(),
            black: self.black.name.clone(),
            setup: self.setup,
            start: self.start.map(|board| board.to_string()),
            moves: self.plies().collect(),
        }
    }
}
