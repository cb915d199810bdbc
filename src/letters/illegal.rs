//! Moves that the rules forbid: the rule that is broken, in the facts of this board, and what the stack can do instead.

use super::voice::Voice;
use crate::dvonn::{IllegalMove, Move, Ply, Reason};

/// Why it was not played, and what can be.
pub(super) fn sentences(voice: &Voice<'_>, game: u32, why: &IllegalMove) -> Vec<String> {
    let (from, to) = match why.asked() {
        Ply::Move(Move::Jump { from, to }) => (from.to_string(), to.to_string()),
        Ply::Move(Move::Place(cell)) => (String::new(), cell.to_string()),
        Ply::Pass => (String::new(), String::new()),
    };
    let (height, distance) = match why.told() {
        Reason::WrongDistance { height, distance } => (height, distance),
        _ => (0, 0),
    };
    let owner = match why.told() {
        Reason::NotYourStack { owner } => voice.colour(owner),
        _ => String::new(),
    };
    let facts = [
        ("game", game.into()),
        ("asked", why.asked().to_string().into()),
        ("from", from.as_str().into()),
        ("to", to.as_str().into()),
        ("pieces", height.into()),
        ("height", voice.number(height).into()),
        ("distance", voice.number(distance).into()),
        ("owner", owner.into()),
    ];
    let mut sentences = vec![voice.say(key(why.told()), &facts)];
    if let Some(instead) = instead(voice, why, &from) {
        sentences.push(instead);
    }
    sentences
}

fn key(reason: Reason) -> &'static str {
    match reason {
        Reason::GameOver => "illegal-game-over",
        Reason::StillPlacing => "illegal-still-placing",
        Reason::PlacingOver => "illegal-placing-over",
        Reason::SpaceTaken => "illegal-space-taken",
        Reason::PassNotAllowed => "illegal-pass",
        Reason::SameCell => "illegal-same-space",
        Reason::SourceEmpty => "illegal-source-empty",
        Reason::LoneDvonn => "illegal-lone-dvonn",
        Reason::NotYourStack { .. } => "illegal-not-yours",
        Reason::Surrounded => "illegal-surrounded",
        Reason::NotStraight => "illegal-not-straight",
        Reason::WrongDistance { .. } => "illegal-distance",
        Reason::TargetEmpty => "illegal-target-empty",
    }
}

/// What that stack can do, or which spaces are free. A stack that is not there, or not the writer's, can do nothing.
fn instead(voice: &Voice<'_>, why: &IllegalMove, from: &str) -> Option<String> {
    let legal = why.legal();
    match (why.asked(), why.told()) {
        (
            _,
            Reason::GameOver | Reason::StillPlacing | Reason::PlacingOver | Reason::PassNotAllowed,
        ) => None,
        (
            _,
            Reason::SourceEmpty
            | Reason::LoneDvonn
            | Reason::NotYourStack { .. }
            | Reason::Surrounded,
        ) => None,
        (Ply::Move(Move::Place(_)), _) => Some(voice.say(
            "illegal-free",
            &[("spaces", voice.list(legal.iter()).into())],
        )),
        (Ply::Move(Move::Jump { .. }), _) if legal.is_empty() => {
            Some(voice.say("illegal-stuck", &[("from", from.into())]))
        }
        (Ply::Move(Move::Jump { from, .. }), _) => {
            let moves = legal.iter().map(|to| Move::Jump { from, to });
            Some(voice.say(
                "illegal-instead",
                &[
                    ("from", from.to_string().into()),
                    ("moves", voice.list(moves).into()),
                ],
            ))
        }
        (Ply::Pass, _) => None,
    }
}
