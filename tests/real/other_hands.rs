//! Other hands at the club's mailbox: a mail program that shows its mails, and a filter that takes one for junk.

use dvonn_post::dvonn::Colour;

use crate::club::{Club, Ways};
use crate::common::{MailStack, eventually};
use crate::recorded::Recorded;
use crate::table::Table;

/// Plays two turns; before the daemon sees the mail of the second one, `meddle` has been at it.
fn check(ways: impl Fn(&MailStack) -> Ways, meddle: impl Fn(&MailStack)) {
    let stack = MailStack::start(&["club", "admin", "anna", "ben"]);
    let club = Club::new(&ways(&stack));
    let game = Recorded::game(476);
    let mut daemon = club.serve();
    daemon.says("Ready");
    let mut table = Table::begin(&stack, Colour::Black);
    table.write(&game.turns[0]);
    for colour in [Colour::White, Colour::Black] {
        table.player(colour).wait_for_ply(1);
    }
    eventually("all mail is put away", || {
        stack.mails("club", "INBOX").is_empty().then_some(())
    });
    daemon.stop();

    table.write(&game.turns[1]);
    eventually("the mail arrives", || {
        (stack.mails("club", "INBOX").len() == 1).then_some(())
    });
    meddle(&stack);
    let daemon = club.serve();
    table.assert_so_far(&club, &game, 2, 1);
    eventually("all mail is put away", || {
        (stack.mails("club", "Done").len() >= 3 + 2).then_some(())
    });
    for folder in ["INBOX", "Junk"] {
        assert_eq!(stack.mails("club", folder), [], "{folder}");
    }
    daemon.stop();
}

/// B6: no flag of the mailbox is the club's memory (IN-02).
#[test]
fn a_mail_that_somebody_else_has_marked_as_read_is_played() {
    check(Ways::of, |stack| {
        stack.mark_seen("club");
        let mails = stack.mails("club", "INBOX");
        assert!(mails[0].0.ends_with(":2,S"), "{}", mails[0].0);
    });
}

/// IN-11.
#[test]
fn a_reply_that_was_taken_for_junk_is_played() {
    let ways = |stack: &MailStack| {
        stack.create("club", "Junk");
        Ways {
            junk: Some("Junk"),
            ..Ways::of(stack)
        }
    };
    check(ways, |stack| stack.sort_into("club", "Junk"));
}
