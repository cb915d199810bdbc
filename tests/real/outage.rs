//! Servers that are away for a while, or whose certificate has expired: the game goes on once they are back, and nobody
//! has to touch the daemon.

use dvonn_post::dvonn::Colour;

use crate::club::{Club, Ways};
use crate::common::{MailStack, eventually, within};
use crate::player::{PATIENCE, Player};
use crate::recorded::Recorded;
use crate::table::Table;

#[test]
fn a_game_goes_on_after_the_mailbox_was_away_before_and_after_a_mail_arrived() {
    const TURNS: usize = 9;
    let stack = MailStack::start(&["club", "admin", "anna", "ben"]);
    let club = Club::new(&Ways::of(&stack));
    let game = Recorded::game(476);
    let mut daemon = club.serve();
    daemon.says("Ready");
    let mut table = Table::begin(&stack, Colour::Black);
    for (at, turn) in game.turns[..TURNS].iter().enumerate() {
        table.player(turn.by).wait_for_ply(turn.before);
        let troubles = daemon.lines("the mailbox is tried again").len();
        let is_away = match at {
            // The mail has to wait at the players' server, and the way out refuses the club: it asks Dovecot too.
            3 => {
                stack.stop_dovecot();
                table.write(turn);
                true
            }
            // The mail, its answers, or both are under way.
            6 => {
                table.write(turn);
                stack.stop_dovecot();
                true
            }
            _ => {
                table.write(turn);
                false
            }
        };
        if is_away {
            eventually("the trouble is noticed", || {
                (daemon.lines("the mailbox is tried again").len() > troubles).then_some(())
            });
            stack.start_dovecot();
        }
    }
    // Dovecot may have stored a letter and stopped before it said so.
    table.assert_so_far(&club, &game, TURNS, 2);
    eventually("all mail is put away", || {
        (stack.mails("club", "INBOX").is_empty()).then_some(())
    });
    eventually("all is well again", || {
        (club.run(&["status"]).code == 0).then_some(())
    });
    daemon.stop();
}

#[test]
fn while_certificates_have_expired_nothing_is_read_or_sent_and_afterwards_all_is_played() {
    const EXPIRED: &str = "its certificate has expired; whoever runs the server must renew it";
    const TURNS: usize = 4;
    let stack = MailStack::start(&["club", "admin", "anna", "ben", "carol"]);
    let club = Club::new(&Ways::of(&stack));
    let game = Recorded::game(476);
    let mut daemon = club.serve();
    daemon.says("Ready");
    let mut table = Table::begin(&stack, Colour::Black);
    table.write(&game.turns[0]);
    for colour in [Colour::White, Colour::Black] {
        table.player(colour).wait_for_ply(1);
    }
    eventually("all mail is put away", || {
        let count = |folder| stack.mails("club", folder).len();
        (count("Done") == 4 && count("INBOX") == 0).then_some(())
    });

    stack.renew_certificate(-1);
    let is_told = |end: &str| {
        let told = daemon.lines(EXPIRED);
        told.iter().any(|line| line.contains(end)).then_some(())
    };
    // A session that began before lives on for a while.
    within(PATIENCE, "the mailbox's trouble is told", || {
        is_told("the mailbox is tried again")
    });
    table.write(&game.turns[1]);
    // A letter is to be sent too, to somebody whose mail came by the pipe.
    let mut carol = Player::new(&stack, "carol");
    let mail = b"From: Carol <carol@pbem.test>\r\nTo: club@pbem.test\r\nMessage-ID: <1@pbem.test>\r\n\r\njoin\r\n";
    assert_eq!(club.run_with(&["deliver"], mail).code, 0);
    within(PATIENCE, "the way out's trouble is told", || {
        is_told("Letters rest")
    });
    for line in daemon.lines(EXPIRED) {
        assert_eq!(line.matches(EXPIRED).count(), 1, "{line}");
        assert!(!line.contains("-pw"), "{line}");
    }
    eventually("the mail arrives", || {
        (stack.mails("club", "INBOX").len() == 1).then_some(())
    });
    let status = club.run(&["status"]);
    assert_eq!(status.code, 1, "{status:?}");
    assert!(status.out.contains(EXPIRED), "{status:?}");
    assert_eq!(stack.mails("club", "Done").len(), 4);
    assert_eq!(stack.mails("carol", "INBOX"), []);
    assert_eq!(club.json(&["game", "1", "--json"])["ply"], 1);

    stack.renew_certificate(30);
    for turn in &game.turns[2..TURNS] {
        table.write(turn);
    }
    // Dovecot may have stored a letter and stopped before it said so.
    table.assert_so_far(&club, &game, TURNS, 2);
    assert!(carol.next().text.contains("Answer with  yes"));
    within(PATIENCE, "all is well again", || {
        (club.run(&["status"]).code == 0).then_some(())
    });
    carol.assert_no_letter_twice();
    daemon.stop();
}
