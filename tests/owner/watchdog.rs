//! Connections that hang, logins that are refused, names that are not found (IN-07, IN-09).

use std::time::Duration;

use tokio::time::Instant;

use crate::stage::{ANNA, Stage, minutes};

#[tokio::test(start_paused = true)]
async fn a_server_that_falls_silent_at_any_command_is_dialled_anew_within_three_intervals() {
    for verb in [
        "LOGIN",
        "CAPABILITY",
        "EXAMINE",
        "UID SEARCH FLAGGED",
        "APPEND",
        "SELECT",
        "UID SEARCH UID",
        "UID FETCH 1 (UID RFC822",
        "UID FETCH 1 (UID INTERNALDATE BODY",
        "UID MOVE",
        "IDLE",
        "DONE",
    ] {
        let stage = Stage::new();
        stage.server.state().silent_at = Some(verb);
        let first = if verb == "APPEND" {
            stage.server.state().done = Some(Vec::new());
            "APPEND"
        } else {
            verb
        };
        stage.writes(ANNA, "list");
        let daemon = stage.run();
        let start = Instant::now();
        while !stage
            .server
            .state()
            .heard
            .iter()
            .any(|line| line.starts_with(first))
            && verb != "DONE"
        {
            assert!(
                start.elapsed() < Duration::from_secs(180),
                "{verb} is never said"
            );
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        // Whatever was answered before, a mail that comes now is.
        stage.writes(ANNA, "players");
        let fell = Instant::now();
        while stage.letters(ANNA) < 2 {
            assert!(
                fell.elapsed() < Duration::from_secs(180),
                "{verb}: no answer in three intervals"
            );
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        minutes(3).await;
        assert_eq!(stage.letters(ANNA), 2, "{verb}");
        assert_eq!(stage.server.state().dials, 2, "{verb}");
        daemon.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn an_hour_of_refused_logins_is_thirteen_tries_at_most() {
    let stage = Stage::new();
    stage.server.state().refuses_login = true;
    let daemon = stage.run();
    minutes(60).await;
    let logins = stage.server.state().logins;
    assert!((6..=13).contains(&logins), "{logins} logins");
    stage.server.state().refuses_login = false;
    stage.writes(ANNA, "list");
    minutes(11).await;
    assert_eq!(stage.letters(ANNA), 1);
    daemon.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_name_that_is_not_found_is_no_tight_loop() {
    let stage = Stage::new();
    stage.server.state().has_no_name = true;
    let daemon = stage.run();
    minutes(60).await;
    let dials = stage.server.state().dials;
    assert!((6..=16).contains(&dials), "{dials} dials");
    stage.server.state().has_no_name = false;
    stage.writes(ANNA, "list");
    minutes(12).await;
    assert_eq!(stage.letters(ANNA), 1);
    daemon.stop().await;
}
