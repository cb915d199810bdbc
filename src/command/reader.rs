//! A text, line by line.
//!
//! Knows what one line means for the next: a game that it names, a paragraph that a mail program
//! broke. Refuses to know any grammar. Takes linear time and keeps a bounded number of results.

use super::grammar::{self, Parsed};
use super::line::{Line, lines};
use super::mention::{self, Mentioned};
use super::phrase::{Phrase, Undressed};
use super::talk;
use super::token::{Mark, tokens};
use super::{Command, CommandError, Heard, MOST_MENTIONS, MOST_READINGS, Mention, Reading};
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

/// Mentions are looked for in so many lines of chat: that takes longer than everything else.
const LINES_LOOKED_AT: usize = 500;

#[derive(Default)]
struct Reader {
    heard: Heard,
    /// Mentions of verbs, which come after those of moves.
    verbs: Vec<Mention>,
    /// The game named by a line of its own.
    game: Option<u32>,
    /// Where that line stands among the readings, until another line makes use of it.
    unused: Option<usize>,
    /// How many lines of chat there were.
    chat_lines: usize,
    /// The last column and character of the line directly above, if that is of a common length and
    /// the writer's own.
    above: Option<(usize, char)>,
}

impl Reader {
    fn take(&mut self, line: &Line<'_>) {
        let wrapped = self.is_wrapped(line);
        self.above = line.last().filter(|_| !line.is_quoted() && !line.long);
        if line.is_blank() {
            self.chat("");
        } else if !line.is_quoted() {
            match judge(line, wrapped, self.chat_lines < LINES_LOOKED_AT) {
                Verdict::Command(parsed) => self.command(line, parsed),
                Verdict::Game(number) => self.game(line, number),
                Verdict::Chat(mentioned) => {
                    self.chat_lines += 1;
                    self.chat(line.raw());
                    self.mention(line, mentioned);
                }
            }
        }
    }

    /// Whether the line is the last words of a paragraph that a mail program broke at 66 to 80
    /// columns, where a sentence that ends in a move would leave that move alone on a line.
    fn is_wrapped(&self, line: &Line<'_>) -> bool {
        let Some((column, last)) = self.above else {
            return false;
        };
        let width = column + 1;
        let word = line.chars().take_while(|(_, c)| *c != ' ').count();
        let broken = (60..=80).contains(&width) && width + 1 + word >= 66;
        broken && (glyph::of_word(last) || glyph::dash(last) || matches!(last, ',' | ';' | '('))
    }

    fn command(&mut self, line: &Line<'_>, parsed: Parsed) {
        let game = parsed.game.or(self.game);
        if game == self.game
            && let Some(at) = self.unused.take()
        {
            self.heard.readings.remove(at);
        }
        self.push(Reading {
            span: line.span.clone(),
            line: line.shown(),
            game,
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

/// Judges a line. A wrapped one is never a command; only the curious look for mentions in chat.
fn judge(line: &Line<'_>, wrapped: bool, curious: bool) -> Verdict {
    let tokens = tokens(line);
    let whole = Phrase {
        line,
        tokens: &tokens,
    };
    let lead = whole.without_lead();
    let chat = |phrase| Verdict::Chat(if curious { mention::find(phrase) } else { None });
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
    // What is struck out was taken back; a quoted name may hold anything.
    let holds = |mark| tokens.iter().any(|token| token.mark() == Some(mark));
    let struck = holds(Mark::Strike) && !holds(Mark::Quote);
    if line.long || struck {
        return chat(lead);
    }
    let Undressed { phrase, question } = said.undressed();
    if let (Some(number), true, false) = (number, phrase.is_empty(), question) {
        return Verdict::Game(number);
    }
    match grammar::parse(phrase) {
        // A question orders nothing, unless all it asks for is something to read.
        Some(Parsed { result, .. }) if question && !only_reads(&result) => chat(phrase),
        Some(parsed) => Verdict::Command(Parsed {
            game: number.or(parsed.game),
            ..parsed
        }),
        None => chat(phrase),
    }
}

fn only_reads(result: &Result<Command, CommandError>) -> bool {
    result.as_ref().is_ok_and(Command::only_reads)
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
