//! Several processes at one club: one owner of the loops, and mail handed in by a pipe.

use crate::club::{Club, Ways};
use crate::common::{MailStack, Peer};
use crate::player::Player;

/// B18: at one database; at one mailbox it is told by the mark there.
#[test]
fn a_mail_by_the_pipe_is_answered_beside_the_daemon_and_a_second_daemon_is_not_let_in() {
    let stack = MailStack::start(&["club", "admin", "carol"]);
    let club = Club::new(&Ways::of(&stack));
    let mut daemon = club.serve();
    daemon.says("Ready");
    for second in [&["serve", "--once"][..], &["serve"]] {
        let ran = club.run(second);
        assert_eq!(ran.code, 75, "{second:?}: {ran:?}");
        assert!(
            ran.err.contains(&format!("process {}", daemon.pid())),
            "{}",
            ran.err
        );
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    }
    let mut carol = Player::new(&stack, "carol");
    let mail = "From: Carol <carol@pbem.test>\r\nTo: club@pbem.test\r\nMessage-ID: <1@pbem.test>\r\n\
                Subject: hello\r\n\r\njoin\r\n";
    for _ in 0..2 {
        let ran = club.run_with(&["deliver"], mail.as_bytes());
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    }
    assert!(carol.next().text.contains("Answer with  yes"));
    carol.reply("yes");
    let welcome = carol.next();
    assert!(welcome.text.contains("Carol"), "{}", welcome.text);
    carol.assert_no_letter_twice();
    daemon.stop();
    // The second look takes in nothing, and finds the club free.
    assert_eq!(club.run(&["serve", "--once"]).code, 0);
    carol.assert_no_letter_twice();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_rounds_at_once_the_second_names_the_first() {
    let silent = Peer::start(|talk| talk.silence()).await;
    let club = Club::new(&Ways::open(silent.port, silent.port));
    let first = club.start(&["serve", "--once"], None);
    crate::common::eventually("the first is at work", || {
        (silent.connections() > 0).then_some(())
    });
    let second = club.run(&["serve", "--once"]);
    assert_eq!(second.code, 75, "{second:?}");
    assert!(
        second.err.contains(&format!("process {}", first.pid())),
        "{}",
        second.err
    );
    first.kill();
}

#[test]
fn rounds_by_cron_play_on_and_count_as_being_up() {
    let stack = MailStack::start(&["club", "admin", "carol"]);
    let club = Club::new(&Ways::of(&stack));
    let mut carol = Player::new(&stack, "carol");
    for (text, expected) in [
        ("join", "Answer with  yes"),
        ("yes", "Carol"),
        ("help", "challenge"),
    ] {
        if carol.letters.is_empty() {
            carol.write("", text);
        } else {
            carol.reply(text);
        }
        crate::common::eventually("the mail arrives", || {
            (!stack.mails("club", "INBOX").is_empty()).then_some(())
        });
        let ran = club.run(&["serve", "--once"]);
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(carol.next().text.contains(expected));
    }
    assert_eq!(stack.mails("club", "Done").len(), 3);
    assert_eq!(club.run(&["status"]).code, 0);
}
