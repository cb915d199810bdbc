//! Playing: placements, moves and resigning. Forced passes are played at once, the end is seen at once.

use crate::club::decision::{Change, Decision, GameNews};
use crate::club::desk::Desk;
use crate::club::game::{Ended, EndedBy, Event, Game, Happened};
use crate::club::notice::{Done, PlyNews};
use crate::club::refusal::Refusal;
use crate::club::which::{self, Context};
use crate::command::Verb;
use crate::dvonn::{Colour, Move, Outcome, Phase, Ply};

/// Plays a placement or a move in the game that the line, the mail or the sense of it names.
///
/// # Errors
/// The rule or the circumstance that forbids it.
pub(super) fn play(
    desk: &Desk,
    context: &Context,
    line: Option<u32>,
    mv: Move,
) -> Result<Decision, Refusal> {
    let me = desk.me.id;
    let game = meant(desk, context, line, mv)?;
    let number = game.number;

    if let Some(serial) = context
        .answered_serial(number)
        .filter(|serial| *serial != game.serial())
    {
        let since: Vec<Ply> = game.plies_since(serial).collect();
        return if since.first() == Some(&Ply::Move(mv)) {
            Ok(played_already(game, mv))
        } else if game.ended.is_some() {
            Err(Refusal::GameOver { game: number })
        } else {
            Err(Refusal::OldBoard {
                game: number,
                since,
            })
        };
    }
    if game.ended.is_some() {
        return Err(Refusal::GameOver { game: number });
    }
    if !game.is_turn_of(me) {
        let opponent = game.opponent_of(me);
        return if game.last_move() == Some(mv) {
            Ok(played_already(game, mv))
        } else {
            Err(Refusal::NotYourTurn {
                game: number,
                waits_for: opponent.name.clone(),
            })
        };
    }
    let phase = game.position.phase();
    if phase != phase_of(mv) {
        return Err(Refusal::WrongPhase {
            game: number,
            phase,
        });
    }
    let (after, plies, new) =
        step(game, mv, context).map_err(|why| Refusal::Illegal { game: number, why })?;
    Ok(Decision {
        changes: vec![Change::Advance {
            game: Box::new(after.clone()),
            new,
        }],
        game: Some(GameNews {
            after,
            plies,
            begun: false,
            message: None,
        }),
        ..Decision::only(Done::Played {
            game: number,
            opponent: game.opponent_of(me).name.clone(),
            ply: Ply::Move(mv),
        })
    })
}

/// The number of the game that a move means whose line names none.
///
/// # Errors
/// It may be several, or there is none.
pub fn meant_game(desk: &Desk, context: &Context, mv: Move) -> Result<u32, Refusal> {
    meant(desk, context, None, mv).map(|game| game.number)
}

fn meant<'d>(
    desk: &'d Desk,
    context: &Context,
    line: Option<u32>,
    mv: Move,
) -> Result<&'d Game, Refusal> {
    let me = desk.me.id;
    let fits = |game: &Game| game.is_turn_of(me) && game.position.phase() == phase_of(mv);
    let legal = |game: &Game| fits(game) && game.position.play(mv).is_ok();
    let verb = if matches!(mv, Move::Place(_)) {
        Verb::Place
    } else {
        Verb::Move
    };
    which::game(desk, context, line, verb, &[&legal, &fits])
}

/// Resigns the game that the line or the mail names, or the only one that runs.
///
/// # Errors
/// No such game, or several.
pub(super) fn resign(
    desk: &Desk,
    context: &Context,
    line: Option<u32>,
) -> Result<Decision, Refusal> {
    let game = which::game(desk, context, line, Verb::Resign, &[])?;
    if game.ended.is_some() {
        return Err(Refusal::GameOver { game: game.number });
    }
    let seat = game.seat_of(desk.me.id).ok_or(Refusal::NotYours {
        number: game.number,
    })?;
    let after = resigned(game, seat, context);
    Ok(Decision {
        changes: vec![Change::Advance {
            game: Box::new(after.clone()),
            new: 1,
        }],
        game: Some(GameNews {
            after,
            plies: Vec::new(),
            begun: false,
            message: None,
        }),
        ..Decision::only(Done::Resigned {
            game: game.number,
            opponent: game.opponent_of(desk.me.id).name.clone(),
        })
    })
}

/// The game after its player of that colour resigned.
pub(super) fn resigned(game: &Game, seat: Colour, context: &Context) -> Game {
    let mut after = game.clone();
    let result = match seat {
        Colour::White => Outcome::Black,
        Colour::Black => Outcome::White,
    };
    after.push(context, Happened::Resigned(seat));
    after.ended = Some(Ended {
        result,
        by: EndedBy::Resignation,
        at: context.arrived,
    });
    after
}

fn phase_of(mv: Move) -> Phase {
    match mv {
        Move::Place(_) => Phase::Placing,
        Move::Jump { .. } => Phase::Stacking,
    }
}

fn played_already(game: &Game, mv: Move) -> Decision {
    Decision::only(Done::PlayedAlready {
        game: game.number,
        ply: Ply::Move(mv),
    })
    .showing(game)
}

/// The game after a legal move of whoever is to move, the plies it came to, and the number of new events.
fn step(
    game: &Game,
    mv: Move,
    context: &Context,
) -> Result<(Game, Vec<PlyNews>, usize), crate::dvonn::IllegalMove> {
    let by = game.position.turn().unwrap_or(Colour::White);
    let played = game.position.play(mv)?;
    let mut after = game.clone();
    let mut plies = vec![PlyNews {
        by,
        ply: Ply::Move(mv),
        removed: played.removed,
        immobile: Vec::new(),
    }];
    after.push(context, Happened::Ply(Ply::Move(mv)));
    after.position = played.position;
    if let Some(passed) = played.passed {
        let immobile = played.position.immobile(passed);
        plies.push(PlyNews {
            by: passed,
            ply: Ply::Pass,
            removed: Vec::new(),
            immobile,
        });
        after.push(context, Happened::Ply(Ply::Pass));
    }
    if let Some(result) = played.outcome {
        after.ended = Some(Ended {
            result,
            by: EndedBy::Score,
            at: context.arrived,
        });
    }
    let new = after.events.len() - game.events.len();
    Ok((after, plies, new))
}

impl Game {
    fn push(&mut self, context: &Context, what: Happened) {
        self.events.push(Event {
            serial: self.serial() + 1,
            at: context.arrived,
            what,
        });
    }
}
