//! Mail servers that date mails wrongly (T-03).

use chrono::TimeDelta;

use crate::stage::{ANNA, Stage};

#[tokio::test(start_paused = true)]
async fn a_mail_dated_tomorrow_arrived_when_it_was_seen() {
    let stage = Stage::new();
    let daemon = stage.run();
    let tomorrow = stage.sky.right() + TimeDelta::days(1);
    stage
        .server
        .deliver_dated(&stage.mail(ANNA, "list"), tomorrow);
    stage.letters_come(ANNA, 1).await;
    let (arrived, taken): (i64, i64) = (
        stage.value("SELECT arrived_at FROM inbox"),
        stage.value("SELECT taken_at FROM inbox"),
    );
    assert_eq!(arrived, taken);
    let doubt: String = stage.value("SELECT doubt FROM inbox");
    assert!(doubt.starts_with("the mail server dates it 14"), "{doubt}");
    daemon.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_dated_before_the_letter_it_answers_came_after_it() {
    let stage = Stage::new();
    let daemon = stage.run();
    stage.writes(ANNA, "list");
    stage.letters_come(ANNA, 1).await;
    let id: String = stage.value("SELECT message_id FROM outbox");
    let mail = stage.mail(ANNA, "players").replace(
        "Subject: dvonn\n",
        &format!("Subject: dvonn\nIn-Reply-To: <{id}>\n"),
    );
    // Not so far back that the order of mails would tell.
    let back = stage.sky.right() - TimeDelta::minutes(40);
    stage.server.deliver_dated(&mail, back);
    stage.letters_come(ANNA, 2).await;
    let doubt: String = stage.value("SELECT doubt FROM inbox ORDER BY id DESC LIMIT 1");
    assert!(
        doubt.ends_with("before the letter that it answers"),
        "{doubt}"
    );
    daemon.stop().await;
}
