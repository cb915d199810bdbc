//! Placements and moves.
//!
//! ```text
//! PLAY  = ["place" ["on" | "at"]] SPACE
//!       | ["move" ["from"]] SPACE [SEP] SPACE
//! SEP   = any run of dashes, arrows, ":"  |  "."  |  "to"  |  "x"  |  "à"
//! ```
//!
//! Two spaces are always a move, whatever is between them (`c3 d4`); a comma between them makes it a
//! list, and lists are not known yet. A line of nothing but spaces is never chat. Refuses to know the
//! rules: `b3-b3` is read.

use std::ops::Range;

use crate::dvonn::{Cell, Move};

use super::phrase::{Phrase, end_of};
use super::space::{Spot, spots};
use super::token::{Mark, Token};
use super::{Command, CommandError, Part, Trouble};

/// Reads a placement or a move; none: the line is none.
pub(super) fn read(phrase: Phrase<'_>) -> Option<Result<Command, CommandError>> {
    if phrase.only().is_some_and(|token| token.is("pass")) {
        // RULE-08: passes are played by the server and never chosen.
        return Some(Err(CommandError {
            at: phrase.columns(),
            trouble: Trouble::NoPass,
        }));
    }
    let (lead, rest) = lead(phrase);
    let found = Found::scan(rest)?;
    if let Some((token, _)) = found.spots.iter().find(|(_, spot)| on(*spot).is_none()) {
        let told = lead != Lead::None || found.separated || found.all_near();
        return told.then(|| Err(rest.error(token, |word| Trouble::NotASpace { word })));
    }
    let cells: Vec<Cell> = found.spots.iter().filter_map(|(_, s)| on(*s)).collect();
    let missing_target = || {
        Some(Err(CommandError {
            at: end_of(phrase.line),
            trouble: Trouble::Missing(Part::Target),
        }))
    };
    match cells.as_slice() {
        [] => None,
        [_] if found.dangling || lead == Lead::Move => missing_target(),
        [cell] => Some(Ok(Command::Play(Move::Place(*cell)))),
        [_, _] if found.dangling => None,
        [from, to] if !found.listed && lead != Lead::Place => {
            let (from, to) = (*from, *to);
            Some(Ok(Command::Play(Move::Jump { from, to })))
        }
        _ => Some(Err(CommandError {
            at: found.second_to_last(),
            trouble: Trouble::SeveralSpaces,
        })),
    }
}

/// Whether the phrase is nothing but spaces, `pass`, and what may be between spaces.
pub(super) fn only_plays(phrase: Phrase<'_>) -> bool {
    let plays = |token: &Token| {
        token.is("pass") || (token.word().is_some() && !spots(&phrase.written(token)).is_empty())
    };
    let between = |token: &Token| is_link(phrase, token) || token.mark() == Some(Mark::Comma);
    phrase.tokens.first().is_some_and(plays)
        && phrase
            .tokens
            .iter()
            .all(|token| plays(token) || between(token))
}

/// The word before the spaces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lead {
    None,
    Place,
    Move,
}

fn lead(phrase: Phrase<'_>) -> (Lead, Phrase<'_>) {
    if let Some(rest) = phrase.after("place") {
        let rest = rest.after_mark(Mark::Colon).unwrap_or(rest);
        let rest = rest.after("on").or(rest.after("at")).unwrap_or(rest);
        (Lead::Place, rest)
    } else if let Some(rest) = phrase.after("move") {
        let rest = rest.after_mark(Mark::Colon).unwrap_or(rest);
        (Lead::Move, rest.after("from").unwrap_or(rest))
    } else {
        (Lead::None, phrase)
    }
}

/// What a line of spaces holds.
struct Found<'a> {
    spots: Vec<(&'a Token, Spot)>,
    /// A dash, an arrow, `to` or the like stands between two of them.
    separated: bool,
    /// A comma stands between two of them.
    listed: bool,
    /// The line ends in a separator.
    dangling: bool,
}

impl<'a> Found<'a> {
    /// Finds the spaces; none: there is another word or mark in the line, or no space at all.
    fn scan(phrase: Phrase<'a>) -> Option<Found<'a>> {
        let mut found = Found {
            spots: Vec::new(),
            separated: false,
            listed: false,
            dangling: false,
        };
        for token in phrase.tokens {
            let here = match token.word() {
                Some(_) => spots(&phrase.written(token)),
                None => Vec::new(),
            };
            if !here.is_empty() {
                found.separated |= found.dangling;
                found.dangling = false;
                found
                    .spots
                    .extend(here.into_iter().map(|spot| (token, spot)));
            } else if found.spots.is_empty() {
                return None;
            } else if token.mark() == Some(Mark::Comma) && !found.dangling {
                found.listed = true;
            } else if is_link(phrase, token) {
                // A dot is a link only between two words that touch it: an empty space of a board
                // that somebody pasted stands apart.
                let dot = token.mark() == Some(Mark::Dot);
                if dot && (found.dangling || !token.glued || !touched(phrase, token)) {
                    return None;
                }
                found.dangling = true;
            } else {
                return None;
            }
        }
        // A colon at the end leads to what follows on the next line: `c3-d4:`.
        let leads_on = phrase.tokens.last().and_then(Token::mark) == Some(Mark::Colon);
        (!found.spots.is_empty() && !leads_on).then_some(found)
    }

    /// Whether every space is on the board or next to it.
    fn all_near(&self) -> bool {
        self.spots.iter().all(|(_, spot)| *spot != Spot::Far)
    }

    /// The columns from the second space to the last.
    fn second_to_last(&self) -> Range<usize> {
        let ends = |(token, _): &(&Token, Spot)| token.at.clone();
        let second = self.spots.get(1).map(ends).unwrap_or_default();
        let last = self.spots.last().map(ends).unwrap_or_default();
        second.start..last.end
    }
}

fn on(spot: Spot) -> Option<Cell> {
    match spot {
        Spot::On(cell) => Some(cell),
        Spot::Near | Spot::Far => None,
    }
}

/// Whether a token may link two spaces.
pub(super) fn is_link(phrase: Phrase<'_>, token: &Token) -> bool {
    match token.word() {
        Some("to" | "x") => true,
        // Outlook turns `-->` into a Wingdings arrow, whose code is that of `à`.
        Some("a") => phrase.written(token) == "à",
        Some(_) => false,
        None => matches!(
            token.mark(),
            Some(Mark::Dash | Mark::Arrow | Mark::Colon | Mark::Dot)
        ),
    }
}

/// Whether the next token touches this one.
fn touched(phrase: Phrase<'_>, token: &Token) -> bool {
    phrase
        .tokens
        .iter()
        .find(|next| next.at.start == token.at.end)
        .is_some_and(|next| next.glued)
}

#[cfg(test)]
#[path = "play_tests.rs"]
mod tests;
