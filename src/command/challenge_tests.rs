//! Challenges as players write them, and where wrong ones go wrong.

use crate::command::Trouble;
use crate::command::testing::{check, trouble};

#[test]
fn challenges_name_a_member_or_an_address() {
    for (line, right) in [
        ("challenge Ben", "challenge Ben"),
        ("Challenge ben.", "challenge ben"),
        ("challenge Anna 2 white", "challenge \"Anna 2\" white"),
        (
            "challenge “Anna 2” setup random",
            "challenge \"Anna 2\" setup random",
        ),
        ("challenge „Anna“ as black", "challenge Anna black"),
        ("challenge anna moor", "challenge \"anna moor\""),
        ("challenge 'O'Brien'", "challenge \"O'Brien\""),
        ("challenge \"White\" random", "challenge \"White\""),
        ("challenge ben@example.org", "challenge ben@example.org"),
        (
            "challenge <ben@example.org> white.",
            "challenge ben@example.org white",
        ),
        (
            "challenge mailto:ben@example.org",
            "challenge ben@example.org",
        ),
        (
            "challenge <mailto:ben@example.org>",
            "challenge ben@example.org",
        ),
        (
            "challenge ben@example.org <mailto:ben@example.org> black",
            "challenge ben@example.org black",
        ),
        (
            "challenge ben@example.org<mailto:ben@example.org>",
            "challenge ben@example.org",
        ),
        (
            "challenge [ben@example.org](mailto:ben@example.org) white",
            "challenge ben@example.org white",
        ),
        (
            "challenge Ben Hale <ben@example.org> setup: symmetric",
            "challenge ben@example.org setup symmetric",
        ),
        (
            "challenge \"Ben\" <ben@example.org>",
            "challenge ben@example.org",
        ),
        (
            "challenge Ben, white, setup=place",
            "challenge Ben white setup place",
        ),
        ("open", "open"),
        ("open white setup random", "open white setup random"),
        ("Open random", "open"),
    ] {
        check(line, &[right]);
    }
}

#[test]
fn challenges_that_cannot_be_read_say_where() {
    check("challenge", &["9..10 Missing(Who)"]);
    check("challenge white", &["15..16 Missing(Who)"]);
    check("challenge ben setup", &["19..20 Missing(Setup)"]);
    check("challenge ben as", &["16..17 Missing(Colour)"]);
    check(
        "challenge ben@ white",
        &["10..14 NotAnAddress { word: \"ben@\" }"],
    );
    check(
        "challenge ben white black",
        &["20..25 Twice { word: \"black\" }"],
    );
    check(
        "challenge ben setup foo",
        &["20..23 BadOption { word: \"foo\", known: [\"place\", \"random\", \"symmetric\"] }"],
    );
    for line in [
        "challenge \"Ben\" blue",
        "challenge ben@x.org blue",
        "challenge ben whit",
        "open white blue",
    ] {
        assert!(matches!(trouble(line), Trouble::BadOption { .. }), "{line}");
    }
}
