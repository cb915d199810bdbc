//! The catalogs: every sentence that the code asks for exists, and every sentence that exists is asked for.

use std::collections::BTreeSet;
use std::path::Path;

use crate::letters::languages;
use crate::letters::wording::Wording;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn catalog(code: &str) -> String {
    std::fs::read_to_string(root().join(format!("templates/wording/{code}.ftl"))).unwrap()
}

fn keys(catalog: &str) -> BTreeSet<&str> {
    catalog
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()))
        .filter_map(|line| Some(line.split_once(" =")?.0))
        .collect()
}

/// Everything between two quotation marks in the sources of this floor that could be a key.
fn literals() -> BTreeSet<String> {
    let mut literals = BTreeSet::new();
    for entry in std::fs::read_dir(root().join("src/letters")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let source = std::fs::read_to_string(path).unwrap();
        let pieces: Vec<&str> = source.split('"').collect();
        let keyish = |piece: &&&str| {
            !piece.is_empty() && piece.chars().all(|c| c.is_ascii_lowercase() || c == '-')
        };
        literals.extend(
            pieces
                .iter()
                .filter(keyish)
                .map(|piece| (*piece).to_owned()),
        );
    }
    literals
}

#[test]
fn every_sentence_that_is_asked_for_exists() {
    let english = catalog("en");
    let keys = keys(&english);
    let asked: Vec<String> = literals()
        .into_iter()
        .filter(|literal| literal.contains('-'))
        .collect();
    assert!(asked.len() > 100);
    for literal in asked {
        assert!(
            keys.contains(literal.as_str()),
            "{literal} is in no catalog"
        );
    }
}

#[test]
fn every_sentence_that_exists_is_asked_for() {
    let (english, literals) = (catalog("en"), literals());
    for key in keys(&english) {
        assert!(literals.contains(key), "{key} is used nowhere");
    }
}

#[test]
fn every_catalog_can_be_read_to_its_end_and_adds_no_keys() {
    assert!(languages().contains(&"en"));
    let english = catalog("en");
    for code in languages() {
        let source = catalog(code);
        let read = fluent_bundle::FluentResource::try_new(source.clone());
        assert!(
            read.is_ok(),
            "{code}: {:?}",
            read.err().map(|(_, errors)| errors)
        );
        let (own, all) = (keys(&source), keys(&english));
        assert!(
            own.is_subset(&all),
            "{code}: {:?}",
            own.difference(&all).collect::<Vec<_>>()
        );
        assert!(!source.contains('!'), "{code} shouts");
    }
}

#[test]
fn what_a_language_lacks_is_said_in_english() {
    let unknown = Wording::new("xx");
    assert_eq!(unknown.say("colour-white", &[]), "white");
    assert_eq!(unknown.fault(), None);
}

#[test]
fn a_missing_sentence_or_fact_is_a_fault() {
    let english = Wording::new("en");
    english.say("no-such-sentence", &[]);
    assert!(english.fault().unwrap().contains("no-such-sentence"));
    let english = Wording::new("en");
    english.say("footer-club", &[]);
    assert!(english.fault().unwrap().contains("footer-club"));
}
