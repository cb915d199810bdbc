//! The words that commands begin with.
//!
//! Knows every word of the language and the nearest one to a mistyped word. Refuses to know what
//! may follow a word: that is in the file of its family.

use std::fmt::{self, Display, Formatter};

/// A command's word. `Display` is its canonical spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// `place c3`, or `c3` alone.
    Place,
    /// `move b3 to c3`, or `b3-c3` alone.
    Move,
    /// `resign`
    Resign,
    /// `challenge WHO …`
    Challenge,
    /// `open …`
    Open,
    /// `accept [N]`
    Accept,
    /// `decline [N]`
    Decline,
    /// `withdraw [N]`
    Withdraw,
    /// `list`
    List,
    /// `show [N]`
    Show,
    /// `moves`
    Moves,
    /// `history [N]`
    History,
    /// `say TEXT`
    Say,
    /// `name NEW`
    Name,
    /// `players`
    Players,
    /// `help [COMMAND]`
    Help,
    /// `rules`
    Rules,
    /// `game N`, which names the game and is no command by itself.
    Game,
    /// `join`
    Join,
    /// `yes`
    Yes,
    /// `no`
    No,
    /// `stop`
    Stop,
}

impl Verb {
    /// Every word, in the order of a page of help.
    pub const ALL: [Verb; 22] = [
        Verb::Place,
        Verb::Move,
        Verb::Resign,
        Verb::Challenge,
        Verb::Open,
        Verb::Accept,
        Verb::Decline,
        Verb::Withdraw,
        Verb::List,
        Verb::Show,
        Verb::Moves,
        Verb::History,
        Verb::Say,
        Verb::Name,
        Verb::Players,
        Verb::Help,
        Verb::Rules,
        Verb::Game,
        Verb::Join,
        Verb::Yes,
        Verb::No,
        Verb::Stop,
    ];

    /// The canonical spelling: lower case ASCII.
    pub const fn word(self) -> &'static str {
        match self {
            Verb::Place => "place",
            Verb::Move => "move",
            Verb::Resign => "resign",
            Verb::Challenge => "challenge",
            Verb::Open => "open",
            Verb::Accept => "accept",
            Verb::Decline => "decline",
            Verb::Withdraw => "withdraw",
            Verb::List => "list",
            Verb::Show => "show",
            Verb::Moves => "moves",
            Verb::History => "history",
            Verb::Say => "say",
            Verb::Name => "name",
            Verb::Players => "players",
            Verb::Help => "help",
            Verb::Rules => "rules",
            Verb::Game => "game",
            Verb::Join => "join",
            Verb::Yes => "yes",
            Verb::No => "no",
            Verb::Stop => "stop",
        }
    }

    /// The verb of a word that is already folded to lower case without accents.
    pub fn named(folded: &str) -> Option<Verb> {
        Verb::ALL.into_iter().find(|verb| verb.word() == folded)
    }

    /// Whether the verb only asks for something to read and changes nothing.
    pub const fn only_reads(self) -> bool {
        matches!(
            self,
            Verb::List
                | Verb::Show
                | Verb::Moves
                | Verb::History
                | Verb::Players
                | Verb::Help
                | Verb::Rules
        )
    }

    /// The verb that a mistyped word was probably meant to be. Short words have neighbours
    /// everywhere (`do` is one letter from `no`), so only words of four letters and more have one.
    pub fn nearest(folded: &str) -> Option<Verb> {
        let letters = folded.chars().take(LONGEST_TYPO + 1).count();
        let allowed = match letters {
            4..=5 => 1,
            6..=LONGEST_TYPO => 2,
            _ => return None,
        };
        Verb::ALL
            .into_iter()
            .filter(|verb| verb.word().len() >= 4)
            .map(|verb| (strsim::osa_distance(folded, verb.word()), verb))
            .filter(|(distance, _)| *distance <= allowed)
            .min()
            .map(|(_, verb)| verb)
    }
}

/// No word longer than this is a mistyped verb: the longest verb has nine letters.
const LONGEST_TYPO: usize = 11;

impl Display for Verb {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_finds_its_verb_again() {
        for verb in Verb::ALL {
            assert_eq!(Verb::named(verb.word()), Some(verb));
        }
    }

    #[test]
    fn two_letters_that_changed_places_are_still_understood() {
        assert_eq!(Verb::nearest("resing"), Some(Verb::Resign));
        assert_eq!(Verb::nearest("hlep"), Some(Verb::Help));
        assert_eq!(Verb::nearest("chalenge"), Some(Verb::Challenge));
    }

    #[test]
    fn ordinary_words_are_no_mistyped_verbs() {
        for word in [
            "thanks", "nice", "do", "yep", "regards", "tomorrow", "ok", "",
        ] {
            assert_eq!(Verb::nearest(word), None, "{word}");
        }
    }
}
