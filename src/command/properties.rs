//! What holds for every text and every command.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::string_slice
)]

use proptest::prelude::*;

use super::{Command, Terms, Verb, Who, glyph, name, read};
use crate::dvonn::{Cell, Colour, Move, Setup};

fn cell() -> impl Strategy<Value = Cell> {
    (0..Cell::COUNT).prop_map(|at| Cell::ALL[at])
}

fn a_name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Za-z]{1,12}",
        "[^\"“”„‟«»＂\\p{C}\\p{M}]{1,20}",
        Just("white".to_owned())
    ]
    .prop_filter_map("a name", |name| name::cleaned(&name))
    .prop_filter("made of what can be seen", |name| {
        name.chars()
            .all(|c| !glyph::invisible(c) && !glyph::ends_line(c))
            && name.chars().all(|c| c == ' ' || !glyph::blank(c))
    })
}

fn words() -> impl Strategy<Value = String> {
    "\\PC{1,60}"
        .prop_map(|text| {
            let unseen = |c| glyph::blank(c) || glyph::invisible(c);
            text.trim_matches(unseen).to_owned()
        })
        .prop_filter("one line", |text| {
            !text.is_empty() && !text.contains(glyph::ends_line)
        })
}

fn terms() -> impl Strategy<Value = Terms> {
    let colour = prop_oneof![
        Just(None),
        Just(Some(Colour::White)),
        Just(Some(Colour::Black))
    ];
    let setup = proptest::option::of((0..3_usize).prop_map(|at| Setup::ALL[at]));
    (colour, setup).prop_map(|(colour, setup)| Terms { colour, setup })
}

fn command() -> impl Strategy<Value = Command> {
    let number = || proptest::option::of(any::<u32>());
    let verb = || (0..Verb::ALL.len()).prop_map(|at| Verb::ALL[at]);
    prop_oneof![
        cell().prop_map(|cell| Command::Play(Move::Place(cell))),
        (cell(), cell()).prop_map(|(from, to)| Command::Play(Move::Jump { from, to })),
        (a_name(), terms()).prop_map(|(name, terms)| Command::Challenge {
            who: Who::Name(name),
            terms
        }),
        (
            "[a-z+._-]{0,9}[a-z]@[a-z-]{1,9}(\\.[a-z]{2,4}){0,2}",
            terms()
        )
            .prop_map(|(address, terms)| Command::Challenge {
                who: Who::Address(address),
                terms
            }),
        terms().prop_map(Command::Open),
        number().prop_map(Command::Accept),
        number().prop_map(Command::Decline),
        number().prop_map(Command::Withdraw),
        number().prop_map(Command::Show),
        number().prop_map(Command::History),
        words().prop_map(Command::Say),
        a_name().prop_map(Command::Name),
        proptest::option::of(verb()).prop_map(Command::Help),
        prop_oneof![
            Just(Command::Resign),
            Just(Command::List),
            Just(Command::Moves),
            Just(Command::Players),
            Just(Command::Rules),
            Just(Command::Join),
            Just(Command::Yes),
            Just(Command::No),
            Just(Command::Stop),
        ],
    ]
}

/// Scraps that meet in real mails, so that random texts come near the grammars.
fn scraps() -> impl Strategy<Value = String> {
    let scrap = prop_oneof![
        prop_oneof![
            Just("b3"),
            Just("c3"),
            Just("z9"),
            Just("12"),
            Just("-"),
            Just("–"),
            Just(" "),
            Just("\u{a0}"),
            Just("\n"),
            Just("\r\n"),
            Just(":"),
            Just("\""),
            Just("„"),
            Just("?"),
            Just("#"),
            Just("."),
            Just(","),
            Just("<"),
            Just(">"),
            Just("@"),
            Just("*"),
            Just("~"),
            Just("\u{feff}"),
            Just("<http://x>"),
            Just("с3"),
            Just("à"),
            Just("white"),
            Just("setup"),
            Just("if"),
            Just("[dvonn #12]"),
            Just("game "),
        ]
        .prop_map(str::to_owned),
        (0..Verb::ALL.len()).prop_map(|at| format!("{} ", Verb::ALL[at])),
        any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(scrap, 0..30).prop_map(|scraps| scraps.concat())
}

fn holds(text: &str) {
    let heard = read(text);
    let mut end = 0;
    for reading in &heard.readings {
        assert!(reading.span.start >= end, "in the order of the text");
        end = reading.span.end;
        assert!(
            text.get(reading.span.clone())
                .is_some_and(|line| !line.is_empty())
        );
        let width = reading.line.chars().count();
        match &reading.result {
            Err(error) => {
                assert!(error.at.start < error.at.end && error.at.end <= width + 1);
                assert!(!error.carets().is_empty() && !error.to_string().is_empty());
            }
            Ok(command) => {
                let again = read(&command.to_string());
                assert_eq!(again.readings.len(), 1, "{command:?} of {text:?}");
                assert_eq!(again.readings[0].result.as_ref(), Ok(command), "{text:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_text_panics_and_every_span_lies_inside(text in "\\PC*|(?s:.*)") {
        holds(&text);
    }

    #[test]
    fn no_heap_of_scraps_panics_and_what_is_understood_can_be_written(text in scraps()) {
        holds(&text);
    }

    #[test]
    fn what_is_written_is_read_again(command in command()) {
        let heard = read(&command.to_string());
        prop_assert_eq!(heard.readings.len(), 1);
        prop_assert_eq!(&heard.readings[0].result, &Ok(command));
        prop_assert_eq!(heard.chat, "");
    }
}
