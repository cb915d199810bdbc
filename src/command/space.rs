//! Words that stand for spaces of the board.
//!
//! Grammar: `SPACE = LETTER DIGIT | DIGIT LETTER` in any case; a word is one space (`c3`, `3c`) or
//! several without anything between (`b3c3`, `b3xc3`). Knows look-alikes of other alphabets. Refuses
//! to know what the spaces are for.

use crate::dvonn::Cell;

use super::glyph;

/// What a word says, space by space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spot {
    /// A space of the board.
    On(Cell),
    /// Written like one, near the board: a player may have miscounted.
    Near,
    /// Written like one, but of no board that anybody plays DVONN on.
    Far,
}

/// The spaces that a word, as it was written, stands for; empty: it is another word.
pub(super) fn spots(written: &str) -> Vec<Spot> {
    // No word of this kind has more than a handful of characters; longer ones are not looked at.
    if written.chars().take(LONGEST + 1).count() > LONGEST {
        return Vec::new();
    }
    let spots = plain_spots(&glyph::fold(written));
    if !spots.is_empty() {
        return spots;
    }
    // MAIL-09: look-alikes only where the whole word then is a space of the board.
    let drawn: String = written.chars().map(glyph::drawn_like).collect();
    let drawn = plain_spots(&glyph::fold(&drawn));
    let all_on = drawn.iter().all(|spot| matches!(spot, Spot::On(_)));
    if all_on { drawn } else { Vec::new() }
}

const LONGEST: usize = 24;

fn plain_spots(word: &str) -> Vec<Spot> {
    let chars: Vec<char> = word.chars().collect();
    let spots = match chars.as_slice() {
        // `b3xc3`: written like a capture.
        [a, b, 'x', c, d] => [spot(*a, *b), spot(*c, *d)].into_iter().collect(),
        // `c10`: no board has such a row.
        [letter, tens, ones] if is_digit(*tens) && is_digit(*ones) => {
            letter.is_ascii_lowercase().then(|| vec![off(*letter)])
        }
        pairs => pairs
            .chunks(2)
            .map(|pair| match pair {
                [a, b] => spot(*a, *b),
                _ => None,
            })
            .collect(),
    };
    spots.unwrap_or_default()
}

fn spot(a: char, b: char) -> Option<Spot> {
    let (letter, digit) = if is_digit(b) { (a, b) } else { (b, a) };
    let row = u8::try_from(digit.to_digit(10)?).ok()?;
    letter
        .is_ascii_lowercase()
        .then(|| Cell::at(letter, row).map_or_else(|| off(letter), Spot::On))
}

fn off(letter: char) -> Spot {
    if letter <= 'l' { Spot::Near } else { Spot::Far }
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(word: &str) -> String {
        spots(word)
            .iter()
            .map(|spot| match spot {
                Spot::On(cell) => format!("{cell} "),
                Spot::Near => "near ".to_owned(),
                Spot::Far => "far ".to_owned(),
            })
            .collect()
    }

    #[test]
    fn spaces_are_read_in_every_spelling() {
        for (word, right) in [
            ("c3", "c3 "),
            ("3C", "c3 "),
            ("B3c3", "b3 c3 "),
            ("3b3c", "b3 c3 "),
            ("b3xc3", "b3 c3 "),
            ("ｂ３", "b3 "),
            ("с3", "c3 "), // Cyrillic
            ("В3с3", "b3 c3 "),
        ] {
            assert_eq!(told(word), right, "{word}");
        }
    }

    #[test]
    fn what_is_beside_the_board_is_known_as_such() {
        assert_eq!(told("l4"), "near ");
        assert_eq!(told("c10"), "near ");
        assert_eq!(told("z9"), "far ");
    }

    #[test]
    fn other_words_are_no_spaces() {
        for word in ["", "c", "33", "cc", "c3d", "hello", "в3", "се", "ж3", "с9"] {
            assert_eq!(told(word), "", "{word}");
        }
    }
}
