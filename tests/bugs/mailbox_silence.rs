//! A mailbox that falls silent, hangs up or says nonsense, at every step of the dialogue: the daemon comes back.

use std::time::Duration;

use chrono::TimeDelta;

use crate::house::{House, POLL, PROMPT, mail, now, office};
use crate::office::{Act, Office};

const MOVE: &str = "IDLE MOVE UIDPLUS";
const COPY: &str = "IDLE UIDPLUS";

/// Every step up to the first wait, with what the server offers, and the word of its command.
const STEPS: [(&str, &str); 14] = [
    (MOVE, "GREETING"),
    (MOVE, "LOGIN"),
    (MOVE, "CAPABILITY"),
    (MOVE, "EXAMINE"),
    (MOVE, "UID SEARCH FLAGGED"),
    (MOVE, "APPEND"),
    (MOVE, "SELECT"),
    (MOVE, "UID SEARCH UID"),
    (MOVE, "RFC822.SIZE"),
    (MOVE, "BODY.PEEK"),
    (MOVE, "UID MOVE"),
    (COPY, "UID COPY"),
    (COPY, "UID STORE"),
    (COPY, "UID EXPUNGE"),
];

/// Whether the newcomer's mail is answered, once, and put away.
fn is_done(office: &Office) -> bool {
    let is_away = office.state().mails.is_empty();
    is_away && office.letters("carol@pbem.test").len() == 1
}

async fn check_step(capabilities: &'static str, word: &'static str, act: Act) {
    let office = office();
    office.state().capabilities = capabilities;
    office.trap(word, 1, act.clone());
    office.deliver(mail("carol@pbem.test", "join"));
    let house = House::begin(&office, &[]);
    let what = format!("{word} meets {act:?}, and the mail is done");
    house
        .until(PROMPT, &what, || {
            is_done(&office) && office.state().imap.connections == 2
        })
        .await;
    assert_eq!(office.traps(), 0, "{what}");
    house.close().await;
}

/// B1.
#[tokio::test(start_paused = true)]
async fn a_mailbox_that_falls_silent_at_any_step_is_dialled_anew_and_the_mail_done() {
    for (capabilities, word) in STEPS {
        check_step(capabilities, word, Act::Silence).await;
        check_step(capabilities, word, Act::Half).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_mailbox_that_hangs_up_at_any_step_is_dialled_anew_and_the_mail_done() {
    for (capabilities, word) in STEPS {
        check_step(capabilities, word, Act::HangUp).await;
        check_step(capabilities, word, Act::Cut).await;
        check_step(capabilities, word, Act::Bye("* BYE going down\r\n")).await;
    }
}

/// Opens a club at a mailbox with a trap in its wait, and waits until somebody is in it.
async fn waiting(word: &'static str, act: Act) -> (Office, House) {
    let office = office();
    office.trap(word, 1, act);
    let house = House::open(&office).await;
    house
        .until(PROMPT, "it has come to IDLE", || {
            office.state().imap.heard.iter().any(|line| line == "IDLE")
        })
        .await;
    (office, house)
}

/// B1: the steps of the wait.
#[tokio::test(start_paused = true)]
async fn a_mailbox_that_falls_silent_around_idle_is_dialled_anew_and_the_mail_done() {
    for word in ["IDLE", "DONE"] {
        let (office, house) = waiting(word, Act::Silence).await;
        office.deliver(mail("carol@pbem.test", "join"));
        house.until(PROMPT, word, || is_done(&office)).await;
        assert_eq!(office.traps(), 0, "{word}");
        house.close().await;
    }
}

/// B1: nobody waits long for a good-bye.
#[tokio::test(start_paused = true)]
async fn a_mailbox_that_does_not_say_good_bye_holds_no_stop_up() {
    let (_, house) = waiting("LOGOUT", Act::Silence).await;
    house.close().await;
}

/// B4: no end of the connection is told of, and none is announced.
#[tokio::test(start_paused = true)]
async fn a_connection_that_dies_unnoticed_in_idle_is_replaced_and_the_mail_done() {
    let (office, house) = waiting("idling", Act::Silence).await;
    office.deliver(mail("carol@pbem.test", "join"));
    house.until(PROMPT, "half-open", || is_done(&office)).await;
    house.close().await;
}

/// B4.
#[tokio::test(start_paused = true)]
async fn a_mail_that_comes_between_search_and_idle_is_done_within_one_poll() {
    for (word, announced) in [("UID SEARCH UID", true), ("IDLE", true), ("IDLE", false)] {
        let office = office();
        // An old mail, so that there is something to search.
        office.put(1, b"x".to_vec(), now() - TimeDelta::days(30));
        let raw = mail("carol@pbem.test", "join");
        office.trap(word, 1, Act::Arrival { raw, announced });
        let house = House::open(&office).await;
        let took = house
            .until(POLL + Duration::from_secs(1), word, || {
                office.letters("carol@pbem.test").len() == 1
            })
            .await;
        assert!(
            !announced || took < Duration::from_secs(2),
            "{word}: {took:?}"
        );
        house.close().await;
    }
}

/// B5.
#[tokio::test(start_paused = true)]
async fn bye_in_place_of_idling_is_a_lost_connection_and_the_mail_done_within_the_back_off() {
    for act in [Act::Bye("* BYE going down\r\n"), Act::HangUp] {
        let (office, house) = waiting("IDLE", act).await;
        office.deliver(mail("carol@pbem.test", "join"));
        let soon = Duration::from_secs(7);
        house
            .until(soon, "back from the back-off", || is_done(&office))
            .await;
        house.close().await;
    }
}

/// B5: and no hot loop comes of it (IN-09).
#[tokio::test(start_paused = true)]
async fn a_server_that_ends_every_idle_is_not_dialled_every_second_and_its_mail_is_done() {
    let office = office();
    office.trap("IDLE", usize::MAX, Act::Bye("* BYE no idling here\r\n"));
    let house = House::open(&office).await;
    tokio::time::sleep(Duration::from_secs(3600)).await;
    let connections = office.state().imap.connections;
    assert!(connections <= 70, "{connections} in an hour");
    office.deliver(mail("carol@pbem.test", "join"));
    let limit = POLL + POLL / 5;
    house
        .until(limit, "the mail is done", || is_done(&office))
        .await;
    house.close().await;
}
