//! Names of members inside a line, in quotation marks or without.
//!
//! Knows where a name ends. Refuses to know which names the club allows, and who is called so.

use super::challenge::is_option;
use super::glyph;
use super::line::Line;
use super::phrase::Phrase;
use super::token::Mark;
use super::who::ACCEPTED;

/// An unquoted name has at most this many words.
const MOST_WORDS: usize = 4;

/// A name in its canonical spelling: quoted where it is more than one plain word.
pub(super) fn quoted(name: &str) -> String {
    let folded = glyph::fold(name);
    let plain =
        name.chars().all(char::is_alphanumeric) && !is_option(&folded) && folded != ACCEPTED;
    if plain {
        name.to_owned()
    } else {
        format!("\"{name}\"")
    }
}

/// The quoted name that begins in this column, and the column behind it; none: nothing is quoted
/// there, or no letter or digit is in it.
pub(super) fn quotation(line: &Line<'_>, column: usize) -> Option<(String, usize)> {
    let closes: &[char] = match line.char_at(column)? {
        '"' => &['"'],
        '“' | '‟' => &['”', '"'],
        '„' => &['“', '”', '"'],
        '«' => &['»'],
        '»' => &['«'],
        '\'' => &['\''],
        '‘' => &['’'],
        '‚' => &['‘', '’'],
        _ => return None,
    };
    let opening = column + 1;
    // An apostrophe inside a word closes nothing: 'O'Brien'.
    let closing = (opening..line.width()).find(|at| {
        line.char_at(*at).is_some_and(|c| closes.contains(&c))
            && !line.char_at(at + 1).is_some_and(glyph::of_word)
    })?;
    let name = cleaned(&line.slice(opening..closing))?;
    Some((name, closing + 1))
}

/// The whole phrase as a name without quotation marks; none: it reads like a sentence.
pub(super) fn unquoted(phrase: Phrase<'_>) -> Option<String> {
    let columns = phrase.columns();
    let chunks: Vec<_> = phrase
        .line
        .chunks(columns.start)
        .into_iter()
        .filter(|chunk| chunk.end <= columns.end)
        .collect();
    let capital = |start: usize| {
        let first = phrase.line.char_at(start);
        first.is_some_and(|c| c.is_alphanumeric() && !c.is_lowercase())
    };
    let fits = chunks.len() == 1
        || (chunks.len() <= MOST_WORDS && chunks.iter().all(|chunk| capital(chunk.start)));
    if !fits || !without_sentence(phrase) {
        return None;
    }
    cleaned(&phrase.line.slice(columns))
}

/// Whether no mark of the phrase is one of sentences, forms or addresses.
pub(super) fn without_sentence(phrase: Phrase<'_>) -> bool {
    phrase.tokens.iter().all(|token| match token.mark() {
        Some(Mark::Comma | Mark::Colon | Mark::Question | Mark::Arrow | Mark::Less) => false,
        Some(Mark::Other) => phrase.written(token) != "@",
        _ => true,
    })
}

/// A name with single blanks and without the marks that quote it; none: there is no letter or digit.
pub(super) fn cleaned(written: &str) -> Option<String> {
    let words: Vec<String> = written
        .split_whitespace()
        .map(|word| {
            word.chars()
                .filter(|c| !matches!(c, '"' | '“' | '”' | '„' | '‟' | '«' | '»' | '＂'))
                .collect::<String>()
        })
        .filter(|word| !word.is_empty())
        .collect();
    let name = words.join(" ");
    name.contains(char::is_alphanumeric).then_some(name)
}
