//! A run of tokens of one line, and what is friendly punctuation around it (MAIL-07).
//!
//! Knows list marks, emphasis, closing punctuation. Refuses to know any verb.

use std::ops::Range;

use super::line::Line;
use super::token::{Mark, Token};
use super::{CommandError, Trouble};

/// Some tokens of a line.
#[derive(Clone, Copy)]
pub(super) struct Phrase<'a> {
    /// The line they stand in.
    pub(super) line: &'a Line<'a>,
    /// The tokens.
    pub(super) tokens: &'a [Token],
}

/// A line without what is around its words.
pub(super) struct Undressed<'a> {
    /// What is left.
    pub(super) phrase: Phrase<'a>,
    /// Whether a question mark was taken off: then nothing was ordered.
    pub(super) question: bool,
}

impl<'a> Phrase<'a> {
    /// The same with other tokens of its line.
    pub(super) fn with(self, tokens: &'a [Token]) -> Phrase<'a> {
        Phrase { tokens, ..self }
    }

    /// The first word, if the phrase begins with one, and what follows it.
    pub(super) fn split_word(self) -> Option<(&'a str, Phrase<'a>)> {
        let (first, rest) = self.tokens.split_first()?;
        Some((first.word()?, self.with(rest)))
    }

    /// What follows this word, if the phrase begins with it.
    pub(super) fn after(self, word: &str) -> Option<Phrase<'a>> {
        self.split_word()
            .and_then(|(first, rest)| (first == word).then_some(rest))
    }

    /// What follows this mark, if the phrase begins with it.
    pub(super) fn after_mark(self, mark: Mark) -> Option<Phrase<'a>> {
        let (first, rest) = self.tokens.split_first()?;
        (first.mark() == Some(mark)).then(|| self.with(rest))
    }

    /// Whether nothing is left.
    pub(super) fn is_empty(self) -> bool {
        self.tokens.is_empty()
    }

    /// The only token, if there is just one.
    pub(super) fn only(self) -> Option<&'a Token> {
        match self.tokens {
            [only] => Some(only),
            _ => None,
        }
    }

    /// The column where the phrase begins; of an empty one the end of the line.
    pub(super) fn start(self) -> usize {
        self.tokens
            .first()
            .map_or(self.line.width(), |token| token.at.start)
    }

    /// The columns from the first token to the last, or the one behind the line.
    pub(super) fn columns(self) -> Range<usize> {
        match (self.tokens.first(), self.tokens.last()) {
            (Some(first), Some(last)) => first.at.start..last.at.end,
            _ => end_of(self.line),
        }
    }

    /// A token as it was written.
    pub(super) fn written(self, token: &Token) -> String {
        self.line.slice(token.at.clone())
    }

    /// An error at a token that holds it as it was written.
    pub(super) fn error(self, token: &Token, trouble: impl Fn(String) -> Trouble) -> CommandError {
        CommandError {
            at: token.at.clone(),
            trouble: trouble(self.written(token)),
        }
    }

    /// The phrase without list marks, opening quotation marks and emphasis.
    pub(super) fn without_lead(self) -> Phrase<'a> {
        let mut rest = self.tokens;
        let mut numbered = false;
        loop {
            rest = match rest {
                [first, more @ ..] if is_lead(first) => more,
                [number, mark, more @ ..]
                    if !numbered && mark.glued && is_list_mark(number, mark, more) =>
                {
                    numbered = true;
                    more
                }
                _ => return self.with(rest),
            };
        }
    }

    /// The phrase without anything friendly around it.
    pub(super) fn undressed(self) -> Undressed<'a> {
        let mut rest = match self.tokens {
            [first, inner @ .., last]
                if first.mark() == Some(Mark::Less) && last.mark() == Some(Mark::Arrow) =>
            {
                self.with(inner).without_lead().tokens
            }
            _ => self.without_lead().tokens,
        };
        let mut question = false;
        while let Some((last, before)) = rest.split_last() {
            if let Some(shorter) = without_face(rest) {
                rest = shorter;
                continue;
            }
            match last.mark() {
                Some(Mark::Other | Mark::Bracket | Mark::Comma) => {}
                // What was opened inside the phrase belongs to it: `name "Anna"`.
                Some(Mark::Quote) if !before.iter().any(|t| t.mark() == Some(Mark::Quote)) => {}
                // A dot that stands apart is an empty space of a board that somebody pasted.
                Some(Mark::Dot) if last.glued => {}
                Some(Mark::Question) => question = true,
                _ => break,
            }
            rest = before;
        }
        Undressed {
            phrase: self.with(rest),
            question,
        }
    }
}

/// The column behind the last character, where something is missing.
pub(super) fn end_of(line: &Line<'_>) -> Range<usize> {
    line.width()..line.width() + 1
}

fn is_lead(token: &Token) -> bool {
    matches!(
        token.mark(),
        Some(Mark::Other | Mark::Quote | Mark::Dash | Mark::Bracket)
    )
}

/// `1.`, `12)` or `a)` before something. The dot has to touch the number, or a row of a pasted board
/// (`3  .   .   b3`) would begin with one; `1.5` is none.
fn is_list_mark(number: &Token, mark: &Token, more: &[Token]) -> bool {
    let (Some(word), Some(next)) = (number.word(), more.first()) else {
        return false;
    };
    let digits = word.len() <= 3 && word.bytes().all(|b| b.is_ascii_digit());
    let letter = word.len() == 1 && word.bytes().all(|b| b.is_ascii_lowercase());
    let decimal = next.glued
        && next
            .word()
            .is_some_and(|word| word.bytes().all(|b| b.is_ascii_digit()));
    match mark.mark() {
        Some(Mark::Dot) => digits && !decimal,
        Some(Mark::Bracket) => digits || letter,
        _ => false,
    }
}

/// The tokens without a face such as `:-)` or `;)` at the end, if there is one.
fn without_face(tokens: &[Token]) -> Option<&[Token]> {
    let marks = tokens
        .iter()
        .rev()
        .take_while(|token| token.mark().is_some() && token.glued)
        .count();
    let (before, face) = tokens.split_at_checked(tokens.len().checked_sub(marks + 1)?)?;
    let eyes = face.first()?;
    let is_face =
        marks > 0 && !eyes.glued && matches!(eyes.mark(), Some(Mark::Colon | Mark::Comma));
    (is_face && !before.is_empty()).then_some(before)
}
