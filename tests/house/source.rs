//! Rust just well enough to tell code from comments and texts, and to find paths in it.
//!
//! Knows quotes, raw texts, nested comments and groups of paths. Refuses to know what the code means.

/// A source file taken apart, line for line: code with its texts blanked, and texts with all else blanked.
#[derive(Default)]
pub(super) struct Source {
    /// Code alone.
    pub(super) code: String,
    /// Texts alone, with their quotes.
    pub(super) texts: String,
}

impl Source {
    /// Takes a file apart.
    pub(super) fn read(source: &str) -> Source {
        let letters: Vec<char> = source.chars().collect();
        let mut taken = Source::default();
        let mut at = 0;
        while let Some(letter) = letters.get(at) {
            at = match &letters[at..] {
                ['/', '/', ..] => taken.blank(&letters, at, find(&letters, at, &['\n'])),
                ['/', '*', ..] => taken.blank(&letters, at, comment_end(&letters, at)),
                ['"', ..] => taken.text(&letters, at, text_end(&letters, at)),
                ['r', '"' | '#', ..] if begins_raw(&letters, at) => {
                    taken.text(&letters, at, raw_end(&letters, at))
                }
                // Characters, not lifetimes: a quote or a slash in them would mislead.
                ['\'', '\\', _, '\'', ..] => taken.blank(&letters, at, at + 4),
                ['\'', _, '\'', ..] => taken.blank(&letters, at, at + 3),
                _ => {
                    taken.code.push(*letter);
                    taken.texts.push(or_blank(*letter));
                    at + 1
                }
            };
        }
        taken
    }

    fn blank(&mut self, letters: &[char], from: usize, to: usize) -> usize {
        for letter in &letters[from..to] {
            self.code.push(or_blank(*letter));
            self.texts.push(or_blank(*letter));
        }
        to
    }

    fn text(&mut self, letters: &[char], from: usize, to: usize) -> usize {
        for letter in &letters[from..to] {
            self.code.push(or_blank(*letter));
            self.texts.push(*letter);
        }
        to
    }
}

/// A blank for everything but the end of a line, so that lines stay lines.
fn or_blank(letter: char) -> char {
    if letter == '\n' { '\n' } else { ' ' }
}

fn find(letters: &[char], from: usize, what: &[char]) -> usize {
    (from..letters.len())
        .find(|at| letters[*at..].starts_with(what))
        .unwrap_or(letters.len())
}

fn comment_end(letters: &[char], from: usize) -> usize {
    let (mut depth, mut at) = (0, from);
    while at < letters.len() {
        match &letters[at..] {
            ['/', '*', ..] => (depth, at) = (depth + 1, at + 2),
            ['*', '/', ..] if depth == 1 => return at + 2,
            ['*', '/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    at
}

fn text_end(letters: &[char], from: usize) -> usize {
    let mut at = from + 1;
    while at < letters.len() && letters[at] != '"' {
        at += if letters[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(letters.len())
}

/// Whether a text such as `r"…"` or `br#"…"#` begins here, rather than a word that ends in r or an `r#type`.
fn begins_raw(letters: &[char], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map_or(' ', |place| letters[place]);
    let is_prefix = !is_word(before(1)) || (matches!(before(1), 'b' | 'c') && !is_word(before(2)));
    is_prefix && letters.get(at + 1 + hashes(letters, at)) == Some(&'"')
}

fn raw_end(letters: &[char], from: usize) -> usize {
    let hashes = hashes(letters, from);
    let mut close = vec!['#'; hashes + 1];
    close[0] = '"';
    (find(letters, from + 2 + hashes, &close) + close.len()).min(letters.len())
}

fn hashes(letters: &[char], at: usize) -> usize {
    letters[at + 1..]
        .iter()
        .take_while(|letter| **letter == '#')
        .count()
}

/// Whether a character may stand in a name.
fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Every name that follows the root of the crate in a path, with the byte where the path begins. `climb` is the
/// chain of `super::` that leads there.
pub(super) fn names_from_root(code: &str, climb: &str) -> Vec<(usize, String)> {
    let mut used = Vec::new();
    for root in ["crate::", "dvonn_post::", climb] {
        for (at, _) in code.match_indices(root) {
            if code[..at].ends_with(is_word) {
                continue;
            }
            let rest = &code[at + root.len()..];
            let names = match rest.strip_prefix('{') {
                Some(group) => first_names(group),
                None => vec![rest.chars().take_while(|letter| is_word(*letter)).collect()],
            };
            used.extend(names.into_iter().map(|name| (at, name)));
        }
    }
    used
}

/// The first name of each path in a group `a, b::c, d::{e, f}}`, its opening brace taken off.
fn first_names(group: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let (mut depth, mut is_first) = (0, true);
    for letter in group.chars() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                names.push(String::new());
                is_first = true;
            }
            ':' => is_first = false,
            _ if is_word(letter) && is_first && depth == 0 => {
                names.last_mut().unwrap().push(letter)
            }
            _ => {}
        }
    }
    names
}
