//! After an unclean stop the database is looked at before anything is done with it.

use std::fs;

use crate::ANNA;
use crate::players::{begin, two_members};

#[test]
fn a_database_that_a_power_cut_damaged_is_not_served_and_the_remedy_named_works() {
    let club = two_members();
    begin(&club, "white");
    assert_eq!(club.run(&["backup", "backup.sqlite"]).code, 0);
    club.write(ANNA, "list");
    club.database()
        .execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")
        .unwrap();
    let mut bytes = fs::read(club.path("club.sqlite")).unwrap();
    let half = bytes.len() / 2;
    bytes[half..half + 20_000].fill(0xAA);
    fs::write(club.path("club.sqlite"), &bytes).unwrap();
    fs::write(club.path("club.sqlite.lock"), "4711").unwrap();
    for round in 1..=2 {
        let ran = club.run(&["serve", "--once"]);
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert!(
            ran.err
                .contains("club.sqlite cannot be served: the database is damaged ("),
            "{}",
            ran.err
        );
        assert!(
            ran.err.contains("dvonn-post restore FILE --replace"),
            "round {round}: {}",
            ran.err
        );
        assert_eq!(club.count("new"), 1);
    }
    let ran = club.run(&["backup", "backup.sqlite"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert_eq!(club.run(&["verify"]).code, 1);
    let ran = club.run(&["restore", "backup.sqlite", "--replace"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    club.once();
    assert_eq!(club.count("new"), 0);
    assert_eq!(club.run(&["verify"]).code, 0);
    let last = club.letters(ANNA).pop().unwrap();
    assert!(last.text.contains("place a piece"), "{last:?}");
}
