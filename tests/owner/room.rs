//! A mailbox that fills up (IN-15).

use crate::club::ADMIN;
use crate::stage::{ANNA, Stage, minutes};

fn trouble(stage: &Stage) -> String {
    stage.value("SELECT coalesce((SELECT trouble FROM heartbeat WHERE loop = 'quota'), '')")
}

#[tokio::test(start_paused = true)]
async fn the_admin_is_told_once_before_the_mailbox_is_full_and_mail_goes_on() {
    let stage = Stage::new();
    stage.server.state().quota = Some((89, 100));
    let daemon = stage.run();
    minutes(1).await;
    assert_eq!(trouble(&stage), "");
    stage.server.state().quota = Some((93, 100));
    minutes(61).await;
    assert_eq!(
        trouble(&stage),
        "the mailbox is 93 % full; delete old mails in it"
    );
    stage.writes(ANNA, "list");
    stage.letters_come(ANNA, 1).await;
    minutes(121).await;
    assert_eq!(stage.letters(ADMIN), 1);
    stage.server.state().quota = Some((40, 100));
    minutes(61).await;
    assert_eq!((trouble(&stage).as_str(), stage.letters(ADMIN)), ("", 1));
    let asked = |line: &&String| line.starts_with("GETQUOTAROOT");
    assert_eq!(stage.server.state().heard.iter().filter(asked).count(), 5);
    daemon.stop().await;
}

#[tokio::test(start_paused = true)]
async fn where_no_room_is_left_to_put_mails_away_they_are_answered_once_and_polling_goes_on() {
    let stage = Stage::new();
    {
        let mut state = stage.server.state();
        (state.has_no_move, state.is_full, state.refuses_append) = (true, true, true);
        state.done = Some(Vec::new());
    }
    let daemon = stage.run();
    for letters in 1..4 {
        stage.writes(ANNA, "list");
        stage.letters_come(ANNA, letters).await;
    }
    minutes(10).await;
    assert_eq!((stage.letters(ANNA), stage.letters(ADMIN)), (3, 1));
    let polled: i64 = stage.value("SELECT at FROM heartbeat WHERE loop = 'poll'");
    assert!(stage.sky.right().timestamp() - polled < 120);
    assert_eq!(stage.server.state().logins, 1, "the connection is kept");
    stage.server.state().is_full = false;
    minutes(3).await;
    assert_eq!(stage.server.done(), 3);
    daemon.stop().await;
}
