//! What must hold for every letter, whatever it says.

use std::collections::BTreeSet;

use textwrap::core::display_width;

use super::{TOKEN, page, samples, written};
use crate::club::notice::Notice;
use crate::command;

fn each(check: impl Fn(&str, &Notice, &super::Letter)) {
    let all = samples::all();
    assert!(!all.is_empty());
    for (name, notice) in all {
        check(&name, &notice, &written(&notice));
    }
}

#[test]
fn every_sample_has_a_name_of_its_own() {
    let all = samples::all();
    let names: BTreeSet<_> = all.iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), all.len());
}

#[test]
fn no_line_is_wider_than_72_columns_or_ends_in_blanks() {
    each(|name, _, letter| {
        for line in letter.text.lines() {
            assert!(display_width(line) <= 72, "{name}: {line}");
            assert_eq!(line, line.trim_end(), "{name}");
        }
        assert!(
            letter.text.ends_with('\n') && !letter.text.contains("\n\n\n"),
            "{name}"
        );
        assert!(!letter.text.starts_with('\n'), "{name}");
    });
}

#[test]
fn the_board_is_ascii_narrow_and_there_is_one_at_most() {
    each(|name, _, letter| {
        let rows = |row: &str| {
            letter
                .text
                .lines()
                .filter(|line| line.trim_start().starts_with(row) && line.contains("   "))
                .count()
        };
        let boards = letter
            .text
            .matches("a   b   c   d   e   f   g   h   i")
            .count();
        assert!(boards <= 1, "{name}");
        if boards == 1 {
            assert!(rows("5  ") >= 1 && rows("3  ") >= 1, "{name}");
            let (above, _) = letter.text.split_once("a   b   c   d   e").unwrap();
            let from = above.find("    5  ").unwrap();
            assert!(
                above[from..]
                    .lines()
                    .all(|line| line.is_ascii() && line.len() <= 52),
                "{name}"
            );
        }
    });
}

#[test]
fn every_letter_ends_with_the_club_its_token_and_a_signature_mark() {
    each(|name, _, letter| {
        let footer = letter
            .text
            .rsplit_once("\n--\n")
            .unwrap_or_else(|| panic!("{name}: no signature"))
            .1;
        assert!(footer.starts_with("Prague DVONN Club."), "{name}");
        assert!(
            footer.contains(&format!("ref:{TOKEN}\n")),
            "{name}: {footer}"
        );
    });
}

#[test]
fn nothing_is_shouted() {
    each(|name, _, letter| assert!(!letter.text.contains('!'), "{name}"));
}

#[test]
fn no_control_or_direction_mark_gets_through() {
    each(|name, _, letter| {
        let bad = |c: char| {
            (c.is_control() && c != '\n')
                || ('\u{200B}'..='\u{200F}').contains(&c)
                || ('\u{202A}'..='\u{202E}').contains(&c)
        };
        assert!(
            !letter.text.contains(bad) && !letter.html.contains(bad),
            "{name}"
        );
        assert!(
            !letter.subject.contains(|c: char| bad(c) || c == '\n'),
            "{name}"
        );
    });
}

#[test]
fn the_html_is_small_well_formed_and_says_the_same_as_the_text() {
    each(|name, _, letter| {
        assert!(
            letter.html.len() < 60_000,
            "{name}: {} bytes",
            letter.html.len()
        );
        let seen = page::seen(&letter.html).unwrap_or_else(|trouble| panic!("{name}: {trouble}"));
        let text: String = letter.text.split_whitespace().collect();
        assert_eq!(seen, text, "{name}");
    });
}

#[test]
fn nothing_in_a_letter_is_a_command_when_it_comes_back_unquoted() {
    each(|name, _, letter| {
        let heard = command::read(&letter.text);
        let lines: Vec<_> = heard.readings.iter().map(|reading| &reading.line).collect();
        assert!(lines.is_empty(), "{name}: {lines:?}");
    });
}

#[test]
fn letters_about_one_game_have_one_subject() {
    let subjects: BTreeSet<_> = samples::all()
        .iter()
        .filter(|(name, notice)| {
            name != "names_that_try_tricks"
                && matches!(notice.about, crate::club::notice::About::Game { .. })
        })
        .map(|(_, notice)| written(notice).subject)
        .collect();
    assert_eq!(
        subjects.into_iter().collect::<Vec<_>>(),
        ["[dvonn #12] Anna - Ben"]
    );
}

#[test]
fn a_message_of_nothing_but_signs_to_escape_still_fits() {
    let (_, mut notice) = samples::all()
        .into_iter()
        .find(|(name, _)| name == "your_move")
        .unwrap();
    notice.parts.push(crate::club::notice::Part::Message {
        from: "&".repeat(500),
        text: "& \" ' <\n".repeat(100_000),
    });
    let letter = written(&notice);
    assert!(letter.html.len() < 60_000, "{}", letter.html.len());
}

#[test]
fn a_letter_without_parts_is_a_fault_and_no_empty_mail() {
    let (_, mut notice) = samples::all().remove(0);
    notice.parts.clear();
    let club = super::ClubFacts {
        name: "Club".into(),
        address: "club@example.org".into(),
    };
    assert!(super::compose(&notice, &club, None).is_err());
}

#[test]
fn an_unknown_language_or_zone_costs_no_letter() {
    let (_, mut notice) = samples::all().remove(0);
    notice.to.language = "xx".into();
    notice.to.timezone = "Atlantis/Poseidonis".into();
    assert!(written(&notice).text.contains("It is your move"));
}

#[test]
fn every_ply_of_a_game_makes_two_letters_of_the_right_shape() {
    for (name, notice) in samples::whole_game() {
        let letter = written(&notice);
        assert!(
            letter
                .text
                .lines()
                .all(|line| display_width(line) <= 72 && line == line.trim_end()),
            "{name}"
        );
        let text: String = letter.text.split_whitespace().collect();
        assert_eq!(page::seen(&letter.html), Ok(text), "{name}");
    }
}
