//! The club's mailbox is deleted and made anew, and its old mails are copied back.

use dvonn_post::dvonn::Colour;

use crate::club::{Club, Ways};
use crate::common::{MailStack, eventually};
use crate::recorded::Recorded;
use crate::table::Table;

/// How many mails are put away.
fn put_away(stack: &MailStack) -> usize {
    stack.mails("club", "Done").len()
}

/// B7: the numbers of a mailbox say nothing once they were given anew; the content of a mail does.
#[test]
fn a_mailbox_made_anew_with_fifty_old_mails_in_it_plays_the_new_one_and_answers_no_old_one() {
    const TURNS: usize = 25;
    const STRANGERS: usize = 22;
    let stack = MailStack::start(&["club", "admin", "anna", "ben"]);
    let club = Club::new(&Ways {
        // Dovecot goes on watching the mailbox that was.
        poll_seconds: 2,
        ..Ways::of(&stack)
    });
    let game = Recorded::game(476);
    let mut daemon = club.serve();
    daemon.says("Ready");
    for number in 0..STRANGERS {
        let mail = format!(
            "From: {number}@elsewhere.test\nTo: club@pbem.test\nMessage-ID: <{number}@elsewhere.test>\nSubject: hello\n\n\
             How are you, number {number}?\n"
        );
        stack.deliver("club", mail.as_bytes());
    }
    let mut table = Table::begin(&stack, Colour::Black);
    for turn in &game.turns[..TURNS] {
        table.write(turn);
    }
    table.assert_so_far(&club, &game, TURNS, 1);
    eventually("all mail is put away", || {
        (put_away(&stack) == 3 + TURNS).then_some(())
    });

    let old: Vec<Vec<u8>> = ["INBOX", "Done"]
        .iter()
        .flat_map(|folder| stack.mails("club", folder))
        .map(|(_, raw)| raw)
        .collect();
    assert!(old.len() >= 50, "{}", old.len());
    let letters = [&table.white, &table.black].map(|player| player.letters.len());
    stack.make_anew("club", old);
    table.write(&game.turns[TURNS]);
    table.assert_so_far(&club, &game, TURNS + 1, 1);
    eventually("all mail is put away again", || {
        (put_away(&stack) == 3 + TURNS + 1).then_some(())
    });
    assert_eq!(stack.mails("club", "INBOX").len(), STRANGERS);

    // Whatever the old mails had caused would have come before this.
    table.write(&game.turns[TURNS + 1]);
    table.assert_so_far(&club, &game, TURNS + 2, 1);
    let more = [&table.white, &table.black].map(|player| player.letters.len());
    assert_eq!(more, letters.map(|before| before + 2));
    let outbox = club.json(&["outbox", "--json"]);
    let elsewhere =
        |letter: &serde_json::Value| letter["to"].as_str().unwrap().ends_with("elsewhere.test");
    assert!(
        !outbox.as_array().unwrap().iter().any(elsewhere),
        "{outbox}"
    );
    daemon.stop();
}
