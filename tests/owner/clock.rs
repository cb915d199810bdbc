//! A clock that jumps: nothing expires, nothing waits for long, nothing is forgotten too early (T-09).

use crate::club::ADMIN;
use crate::stage::{ANNA, DAY, EVA, Running, Stage, minutes};

const YEAR: i64 = 365 * DAY;

/// An open challenge of fourteen days and a question of seven.
async fn club_in_which_things_wait() -> (Stage, Running) {
    let stage = Stage::new();
    let daemon = stage.run();
    stage.writes(ANNA, "open");
    stage.letters_come(ANNA, 1).await;
    stage.writes(EVA, "join");
    stage.letters_come(EVA, 1).await;
    (stage, daemon)
}

#[track_caller]
fn nothing_expired(stage: &Stage) {
    let challenge: String = stage.value("SELECT state FROM challenges");
    let question: String = stage.value("SELECT state FROM questions");
    assert_eq!((challenge.as_str(), question.as_str()), ("waiting", "open"));
    let forgotten: i64 = stage.value(
        "SELECT (SELECT count(*) FROM inbox WHERE raw IS NULL) + (SELECT count(*) FROM outbox WHERE bytes IS NULL)",
    );
    assert_eq!(forgotten, 0);
}

fn trouble(stage: &Stage) -> String {
    stage.value("SELECT coalesce((SELECT trouble FROM heartbeat WHERE loop = 'clock'), '')")
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_jumps_a_year_ahead_and_back_expires_nothing_while_mail_goes_on() {
    let (stage, daemon) = club_in_which_things_wait().await;
    minutes(3).await;
    stage.sky.set(YEAR);
    stage.writes(ANNA, "list");
    stage.letters_come(ANNA, 2).await;
    minutes(6).await;
    nothing_expired(&stage);
    assert!(
        trouble(&stage).contains("ahead by 365 d"),
        "{}",
        trouble(&stage)
    );
    stage.sky.set(0);
    minutes(15).await;
    nothing_expired(&stage);
    assert_eq!(trouble(&stage), "");
    assert_eq!(stage.letters(ADMIN), 1);
    let last: i64 = stage.value("SELECT max(at) FROM heartbeat");
    assert!(last <= stage.sky.right().timestamp());
    daemon.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_is_set_right_for_good_is_believed_after_ten_minutes() {
    let (stage, daemon) = club_in_which_things_wait().await;
    stage.sky.set(20 * DAY);
    minutes(9).await;
    nothing_expired(&stage);
    minutes(5).await;
    let challenge: String = stage.value("SELECT state FROM challenges");
    assert_eq!(challenge, "expired");
    daemon.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_machine_that_starts_two_weeks_in_the_past_expires_and_forgets_nothing_and_sends_its_letters()
 {
    let (stage, daemon) = club_in_which_things_wait().await;
    daemon.stop().await;
    stage.letter_waits(0);
    stage.sky.set(-14 * DAY);
    let daemon = stage.run();
    stage.writes(ANNA, "list");
    stage.letters_come(ANNA, 2).await;
    stage.letters_come("ben@example.org", 1).await;
    nothing_expired(&stage);
    assert!(trouble(&stage).contains("back by 1"), "{}", trouble(&stage));
    stage.sky.set(0);
    minutes(15).await;
    nothing_expired(&stage);
    assert_eq!((trouble(&stage).as_str(), stage.letters(ADMIN)), ("", 1));
    daemon.stop().await;
}

/// B20: the order of UIDs is kept.
#[tokio::test(start_paused = true)]
async fn a_mail_dated_thirty_hours_back_and_a_clock_an_hour_back_change_no_order_and_expire_nothing()
 {
    let (stage, daemon) = club_in_which_things_wait().await;
    daemon.stop().await;
    stage
        .database()
        .execute("UPDATE club SET created_at = created_at - 3456000", [])
        .unwrap();
    let daemon = stage.run();
    let now = stage.sky.right();
    stage.server.deliver_dated(&stage.mail(ANNA, "list"), now);
    let back = now - chrono::TimeDelta::hours(30);
    stage
        .server
        .deliver_dated(&stage.mail(ANNA, "players"), back);
    stage.sky.set(-3600);
    stage.letters_come(ANNA, 3).await;
    nothing_expired(&stage);
    assert!(
        trouble(&stage).contains("back by 0 d 1 h"),
        "{}",
        trouble(&stage)
    );
    let doubts: String =
        stage.value("SELECT group_concat(doubt, '|') FROM (SELECT doubt FROM inbox ORDER BY id)");
    assert_eq!(
        doubts,
        "|||the mail server dates it 1800 minutes before a mail that came earlier"
    );
    let ordered: bool = stage.value(
        "SELECT (SELECT arrived_at FROM inbox WHERE id = 4) = (SELECT arrived_at FROM inbox WHERE id = 3)",
    );
    assert!(ordered);
    daemon.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_letter_that_a_clock_far_ahead_put_off_for_a_year_goes_out() {
    let stage = Stage::new();
    stage.letter_waits(YEAR);
    let daemon = stage.run();
    stage.letters_come("ben@example.org", 1).await;
    daemon.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_year_that_was_believed_and_taken_back_leaves_nothing_waiting_or_blocked() {
    let (stage, daemon) = club_in_which_things_wait().await;
    stage.sky.set(YEAR);
    minutes(15).await;
    // Dated a year ahead: thirty answers, which is all that an hour allows.
    for _ in 0..30 {
        stage.writes(ANNA, "list");
    }
    stage.letters_come(ANNA, 31 + 1).await;
    stage.sky.set(0);
    minutes(15).await;
    stage.writes(ANNA, "players");
    stage.letters_come(ANNA, 33).await;
    let ahead: i64 = stage.value("SELECT max(at) FROM heartbeat");
    assert!(ahead <= stage.sky.right().timestamp());
    daemon.stop().await;
}
