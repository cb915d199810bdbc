//! A text, line by line.
//!
//! Knows what one line means for the next: a game that it names, a paragraph that a mail program
//! broke. Refuses to know any grammar. Takes linear time and keeps a bounded number of results.

use super::grammar::{self, Parsed};
use super::line::{Line, lines};
use super::mention::{self, Mentioned};
use super::phrase::Phrase;
use super::talk;
use super::token::{Mark, tokens};
use super::{Command, Heard, MOST_MENTIONS, MOST_READINGS, Mention, Reading};
use super::{game, glyph};

/// Reads a text: every line by itself is a command, fails as one, names a game, or is chat.
///
/// Never fails, whatever the text is. Moves are not compared with each other: the same line twice is
/// two readings (MAIL-10 is for whoever knows the game).
pub fn read(text: &str) -> Heard {
    let mut reader = Reader::default();
    for line in lines(text) {
        reader.take(&line);
    }
    reader.done()
}

/// What one line is.
enum Verdict {
    Command(Parsed),
    /// It names a game and says nothing else.
    Game(u32),
    Chat(Option<Mentioned>),
}

#[derive(Default)]
struct Reader {
    heard: Heard,
    /// Mentions of verbs, which come after those of moves.
    verbs: Vec<Mention>,
    /// The game named by a line of its own.
    game: Option<u32>,
    /// Where that line stands among the readings, until another line makes use of it.
    unused: Option<usize>,
    /// The width and last character of the line directly above, if there is one.
    above: Option<(usize, char)>,
}

impl Reader {
    fn take(&mut self, line: &Line<'_>) {
        let wrapped = self.is_wrapped(line);
        self.above = line.char_at(line.width().wrapping_sub(1)).map(|last| {
            let width = if line.long { usize::MAX } else { line.width() };
            (width, last)
        });
        if line.is_blank() {
            self.chat("");
        } else if !line.is_quoted() {
            match judge(line, wrapped) {
                Verdict::Command(parsed) => self.command(line, parsed),
                Verdict::Game(number) => self.game(line, number),
                Verdict::Chat(mentioned) => {
                    self.chat(line.raw());
                    self.mention(line, mentioned);
                }
            }
        }
    }

    /// Whether the line is the last words of a paragraph that a mail program broke at 66 to 80
    /// columns, where a sentence that ends in a move would leave that move alone on a line.
    fn is_wrapped(&self, line: &Line<'_>) -> bool {
        let Some((width, last)) = self.above else {
            return false;
        };
        let word = line.chars().take_while(|(_, c)| *c != ' ').count();
        let broken = (60..=80).contains(&width) && width + 1 + word >= 66;
        broken && (glyph::of_word(last) || glyph::dash(last) || matches!(last, ',' | ';' | '('))
    }

    fn command(&mut self, line: &Line<'_>, parsed: Parsed) {
        if parsed.game.is_none()
            && self.game.is_some()
            && let Some(at) = self.unused.take()
        {
            self.heard.readings.remove(at);
        }
        self.push(Reading {
            span: line.span.clone(),
            line: line.shown(),
            game: parsed.game.or(self.game),
            result: parsed.result,
        });
    }

    fn game(&mut self, line: &Line<'_>, number: u32) {
        self.game = Some(number);
        self.unused =
            (self.heard.readings.len() < MOST_READINGS).then_some(self.heard.readings.len());
        self.push(Reading {
            span: line.span.clone(),
            line: line.shown(),
            game: None,
            result: Ok(Command::Show(Some(number))),
        });
    }

    fn push(&mut self, reading: Reading) {
        if self.heard.readings.len() < MOST_READINGS {
            self.heard.readings.push(reading);
        } else {
            self.heard.beyond += 1;
        }
    }

    /// Adds a line to the chat; of several blank ones the first.
    fn chat(&mut self, line: &str) {
        let chat = &mut self.heard.chat;
        let blank = line.is_empty();
        if !(blank && (chat.is_empty() || chat.ends_with("\n\n"))) {
            chat.push_str(line);
            chat.push('\n');
        }
    }

    fn mention(&mut self, line: &Line<'_>, mentioned: Option<Mentioned>) {
        let (list, suggestion) = match mentioned {
            Some(Mentioned::Play(suggestion)) => (&mut self.heard.mentions, suggestion),
            Some(Mentioned::Verb(suggestion)) => (&mut self.verbs, suggestion),
            None => return,
        };
        if list.len() < MOST_MENTIONS {
            list.push(Mention {
                line: line.shown(),
                suggestion,
            });
        }
    }

    fn done(mut self) -> Heard {
        let end = self.heard.chat.trim_end().len();
        self.heard.chat.truncate(end);
        self.heard.mentions.append(&mut self.verbs);
        self.heard.mentions.truncate(MOST_MENTIONS);
        self.heard
    }
}

fn judge(line: &Line<'_>, wrapped: bool) -> Verdict {
    let tokens = tokens(line);
    let whole = Phrase {
        line,
        tokens: &tokens,
    };
    let chat = |phrase| Verdict::Chat(mention::find(phrase));
    let lead = whole.without_lead();
    if wrapped {
        return chat(lead);
    }
    let (number, said) = match game::named(lead) {
        Some((number, rest)) => (Some(number), rest),
        None => (None, lead),
    };
    if let Some(command) = talk::said(said) {
        return Verdict::Command(Parsed {
            result: Ok(command),
            game: number,
        });
    }
    // What is struck out was taken back.
    let struck = tokens
        .iter()
        .any(|token| token.mark() == Some(Mark::Strike));
    if line.long || struck {
        return chat(lead);
    }
    let undressed = whole.undressed();
    let phrase = match game::named(undressed.phrase) {
        Some((number, rest)) if rest.is_empty() && !undressed.question => {
            return Verdict::Game(number);
        }
        Some((_, rest)) => rest,
        None => undressed.phrase,
    };
    match grammar::parse(phrase) {
        // A question orders nothing, unless all it asks for is something to read.
        Some(parsed) if undressed.question => match parsed.result {
            Ok(command) if command.only_reads() => Verdict::Command(Parsed {
                result: Ok(command),
                game: number.or(parsed.game),
            }),
            _ => chat(phrase),
        },
        Some(parsed) => Verdict::Command(Parsed {
            game: number.or(parsed.game),
            ..parsed
        }),
        None => chat(phrase),
    }
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
