//! A way out that falls silent or hangs up: the others' letters go out, and none goes out for ever.

use std::time::Duration;

use crate::house::{House, LIMIT, PROMPT, mail, office};
use crate::office::Act;

const CAROL: &str = "carol@pbem.test";
const DAN: &str = "dan@pbem.test";

/// B2.
#[tokio::test(start_paused = true)]
async fn a_way_out_that_falls_silent_in_any_phase_costs_no_letter() {
    for (word, act) in [
        ("HELLO", Act::Silence),
        ("EHLO", Act::Silence),
        ("EHLO", Act::Half),
        ("AUTH", Act::Silence),
        ("MAIL FROM", Act::Silence),
        ("RCPT", Act::Silence),
        ("DATA", Act::Silence),
        ("DATA", Act::Half),
    ] {
        let office = office();
        let house = House::open(&office).await;
        // Long enough for the connection of the first check to be closed.
        tokio::time::sleep(Duration::from_secs(60)).await;
        office.trap(word, 1, act);
        office.deliver(mail(CAROL, "join"));
        office.deliver(mail(DAN, "join"));
        house
            .until(PROMPT, word, || {
                [CAROL, DAN].iter().all(|to| office.letters(to).len() == 1)
            })
            .await;
        assert_eq!(office.traps(), 0, "{word}");
        house.close().await;
    }
}

/// B2: the server does not read on, so that the content gets stuck.
#[tokio::test(start_paused = true)]
async fn a_way_out_that_stops_reading_in_the_middle_of_a_letter_costs_no_letter() {
    let office = office();
    let house = House::open(&office).await;
    office.trap("DATA", 1, Act::Bye("354 go on\r\n"));
    office.deliver(mail(CAROL, "join"));
    house
        .until(PROMPT, "the letter is sent", || {
            office.letters(CAROL).len() == 1
        })
        .await;
    house.close().await;
}

/// B2: what was silent after the final dot may have the letter; it goes out once more, the same to the byte.
#[tokio::test(start_paused = true)]
async fn silence_after_the_final_dot_holds_nobody_up_and_repeats_the_letter_once() {
    let office = office();
    let house = House::open(&office).await;
    office.trap("FINAL DOT", 1, Act::Silence);
    office.deliver(mail(CAROL, "join"));
    house
        .until(PROMPT, "the first copy", || {
            office.letters(CAROL).len() == 1
        })
        .await;
    office.deliver(mail(DAN, "join"));
    let soon = Duration::from_secs(5);
    house
        .until(soon, "another's letter", || office.letters(DAN).len() == 1)
        .await;
    house
        .until(LIMIT * 25, "the second copy", || {
            office.letters(CAROL).len() == 2
        })
        .await;
    tokio::time::sleep(Duration::from_secs(4 * 3600)).await;
    let letters = office.letters(CAROL);
    assert_eq!(letters.len(), 2);
    assert_eq!(letters[0], letters[1]);
    assert_eq!(office.letters(DAN).len(), 1);
    house.close().await;
}

/// B3.
#[tokio::test(start_paused = true)]
async fn a_way_out_that_takes_letters_and_hangs_up_gets_each_twice_at_most() {
    let office = office();
    let house = House::open(&office).await;
    office.trap("FINAL DOT", 5, Act::HangUp);
    office.deliver(mail(CAROL, "join"));
    tokio::time::sleep(Duration::from_secs(4 * 3600)).await;
    let letters = office.letters(CAROL);
    assert_eq!(letters.len(), 2);
    let id = |letter: &str| {
        let mut lines = letter.lines();
        lines
            .find(|line| line.starts_with("Message-ID: "))
            .unwrap()
            .to_owned()
    };
    assert_eq!(id(&letters[0]), id(&letters[1]));
    let mut copies = std::collections::BTreeMap::new();
    for (_, raw) in &office.state().taken {
        *copies.entry(id(&String::from_utf8_lossy(raw))).or_insert(0) += 1;
    }
    assert!(copies.values().all(|count| *count <= 2), "{copies:?}");
    house.close().await;
}
