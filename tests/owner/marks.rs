//! Two daemons at one mailbox: who came first stays, and says who it is (G-07, B18).

use chrono::TimeDelta;
use dvonn_post::daemon::Rival;

use crate::stage::{ANNA, Stage, minutes};

/// The mark of a daemon elsewhere, so many minutes old.
fn foreign_mark(stage: &Stage, age: i64) -> u32 {
    stage.server.file(
        "From: <other@club.example>\nX-Dvonn-Post-Owner: ffff beta 99 aaaa Other%20Club\n\nA note.\n",
        stage.sky.right() - TimeDelta::minutes(age),
    )
}

const REFUSAL: &str = "another dvonn-post (process 99 on beta, club \"Other Club\") reads this mailbox already; \
                       stop it, or wait 30 minutes if it is gone";

#[tokio::test(start_paused = true)]
async fn a_daemon_that_finds_another_at_its_mailbox_takes_in_nothing_and_sends_nothing() {
    let stage = Stage::new();
    foreign_mark(&stage, 29);
    stage.writes(ANNA, "list");
    stage.letter_waits(0);
    let refused = stage.daemon().unwrap().once().await.unwrap_err();
    assert_eq!(
        refused.downcast_ref::<Rival>().unwrap().to_string(),
        REFUSAL
    );
    assert_eq!(
        (stage.letters("ben@example.org"), stage.letters(ANNA)),
        (0, 0)
    );
    assert_eq!(stage.value::<i64>("SELECT count(*) FROM inbox"), 0);
    assert_eq!(stage.server.marks().len(), 1);
    // The loops give way as well.
    let daemon = stage.run();
    let ended = daemon.task.await.unwrap().unwrap_err();
    assert!(ended.is::<Rival>());
    assert_eq!(stage.letters("ben@example.org"), 0);
    // The other is gone for good.
    minutes(2).await;
    assert!(stage.daemon().unwrap().once().await.unwrap());
    assert_eq!(
        (stage.letters("ben@example.org"), stage.letters(ANNA)),
        (1, 1)
    );
    assert_eq!(
        stage.server.marks().len(),
        2,
        "a mark of others is not ours to remove"
    );
}

#[tokio::test(start_paused = true)]
async fn a_running_daemon_that_finds_a_younger_mark_stops_and_sends_nothing_more() {
    let stage = Stage::new();
    let daemon = stage.run();
    minutes(1).await;
    foreign_mark(&stage, 0);
    minutes(11).await;
    assert!(daemon.task.is_finished());
    stage.letter_waits(0);
    let ended = daemon.task.await.unwrap().unwrap_err();
    assert_eq!(ended.downcast_ref::<Rival>().unwrap().to_string(), REFUSAL);
    minutes(5).await;
    assert_eq!(stage.letters("ben@example.org"), 0);
    assert_eq!(stage.server.marks().len(), 1, "ours is gone with us");
}

#[tokio::test(start_paused = true)]
async fn one_mark_is_renewed_again_and_again_and_taken_away_at_the_end() {
    let stage = Stage::new();
    stage.writes(ANNA, "list");
    let daemon = stage.run();
    stage.letters_come(ANNA, 1).await;
    let first = stage.server.marks();
    minutes(60).await;
    let last = stage.server.marks();
    assert_eq!((first.len(), last.len(), stage.server.done()), (1, 1, 1));
    assert!(last[0].date > first[0].date + TimeDelta::minutes(49));
    assert!(last[0].raw.contains("From: <dvonn@club.example>"));
    assert!(last[0].raw.contains("may be left alone."));
    let appended = |line: &&String| line.starts_with("APPEND");
    let times = stage.server.state().heard.iter().filter(appended).count();
    assert!((6..=8).contains(&times), "{times} times in an hour");
    daemon.stop().await;
    assert_eq!((stage.server.marks().len(), stage.server.done()), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn a_daemon_that_was_killed_and_starts_again_at_once_waits_for_nothing() {
    let stage = Stage::new();
    for letters in 1..4 {
        let daemon = stage.run();
        stage.writes(ANNA, "list");
        stage.letters_come(ANNA, letters).await;
        daemon.kill().await;
        minutes(if letters == 2 { 12 } else { 0 }).await;
        assert_eq!(stage.server.marks().len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_copied_database_is_refused_at_the_mailbox_of_the_original() {
    let stage = Stage::new();
    let daemon = stage.run();
    stage.writes(ANNA, "list");
    stage.letters_come(ANNA, 1).await;
    stage.letter_waits(0);
    let copy = stage.folder.path().join("copy.sqlite");
    stage
        .database()
        .execute("VACUUM INTO ?1", [copy.to_str().unwrap()])
        .unwrap();
    stage.letters_come("ben@example.org", 1).await;
    let refused = stage.daemon_of(&copy).unwrap().once().await.unwrap_err();
    let host = hostname::get().unwrap().into_string().unwrap();
    let named = format!(
        "process {} on {host}, club \"Test Club\"",
        std::process::id()
    );
    assert!(refused.to_string().contains(&named), "{refused}");
    minutes(15).await;
    assert_eq!(stage.letters("ben@example.org"), 1);
    assert!(!daemon.task.is_finished());
    daemon.stop().await;
    // Once the first has stopped, nobody has to wait.
    assert!(stage.daemon_of(&copy).unwrap().once().await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_server_that_takes_no_mark_does_not_stop_play() {
    let stage = Stage::new();
    stage.server.state().refuses_append = true;
    let daemon = stage.run();
    stage.writes(ANNA, "list");
    stage.letters_come(ANNA, 1).await;
    minutes(25).await;
    stage.writes(ANNA, "list");
    stage.letters_come(ANNA, 2).await;
    daemon.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_mailbox_that_cannot_be_reached_holds_up_no_letter_of_a_daemon_that_was_here_before() {
    let stage = Stage::new();
    assert!(stage.daemon().unwrap().once().await.unwrap());
    stage.server.state().has_no_name = true;
    stage.letter_waits(0);
    let copy = stage.folder.path().join("copy.sqlite");
    stage
        .database()
        .execute("VACUUM INTO ?1", [copy.to_str().unwrap()])
        .unwrap();
    // A copy cannot know whether the original is still at work.
    assert!(!stage.daemon_of(&copy).unwrap().once().await.unwrap());
    assert_eq!(stage.letters("ben@example.org"), 0);
    assert!(!stage.daemon().unwrap().once().await.unwrap());
    assert_eq!(stage.letters("ben@example.org"), 1);
}

#[tokio::test(start_paused = true)]
async fn a_daemon_whose_row_another_machine_took_stops() {
    let stage = Stage::new();
    let daemon = stage.run();
    minutes(1).await;
    stage
        .database()
        .execute(
            "UPDATE owner SET run = 'other', host = 'beta', process = 99",
            [],
        )
        .unwrap();
    minutes(2).await;
    let ended = daemon.task.await.unwrap().unwrap_err();
    assert_eq!(
        ended.to_string(),
        "another dvonn-post (process 99 on beta) serves this club already; stop it first"
    );
}

/// Mails of strangers and in the club's own name, and one that came twice, at first without the header: done mails lie
/// where marks do.
#[tokio::test(start_paused = true)]
async fn nobody_stops_a_daemon_by_a_mail_that_passes_for_a_mark() {
    let stage = Stage::new();
    let daemon = stage.run();
    minutes(1).await;
    let forged = "X-Dvonn-Post-Owner: ffff beta 99 aaaa Other\n";
    let twice = stage.mail(ANNA, "list");
    stage.server.deliver(&twice);
    minutes(2).await;
    for mail in [
        twice,
        stage.mail(ANNA, "help"),
        stage.mail("eva@example.net", "help"),
        // From the club itself, as anybody can write.
        stage.mail(crate::club::ADDRESS, "list"),
    ] {
        stage.server.deliver(&format!("{forged}{mail}"));
    }
    minutes(25).await;
    assert!(!daemon.task.is_finished());
    let lie_there = stage.server.marks().len();
    assert!(lie_there > 1, "the forged ones are done mails like others");
    stage.writes(ANNA, "list");
    minutes(25).await;
    assert_eq!(stage.letters(ANNA), 3);
    daemon.stop().await;
}
