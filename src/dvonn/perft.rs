//! Counting all games of a few plies from a position: numbers that any implementation of the rules can recompute, shared by
//! tests and benches. A forced pass counts as a ply; a game that is over has no continuation.

use super::played::Played;
use super::position::Position;

/// How many sequences of `depth` plies begin here. The last ply is counted, not played.
pub fn sequences(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_count() as u64,
        _ => continuations(position, depth, sequences),
    }
}

/// How many of the sequences of `depth` plies leave a game that is over.
pub fn ended(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => u64::from(position.outcome().is_some()),
        _ => continuations(position, depth, ended),
    }
}

/// Sums `count` over what each legal move leaves, a pass that follows it counted as a ply.
fn continuations(position: &Position, depth: u32, count: fn(&Position, u32) -> u64) -> u64 {
    position
        .legal_moves()
        .map(|played| {
            let Played {
                position, passed, ..
            } = position.apply(played);
            match (depth - 1, passed) {
                // The sequence ends where the pass is due: one sequence, and the game goes on.
                (rest, Some(_)) if rest > 0 => count(&position, rest - 1),
                (rest, _) => count(&position, rest),
            }
        })
        .sum()
}
