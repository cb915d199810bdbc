//! A whole game by mail, from the first challenge to the last board, with the daemon told of mail by IDLE alone.

use dvonn_post::dvonn::Colour;
use serde_json::json;

use crate::club::{Club, Ways};
use crate::common::{MailStack, eventually};
use crate::recorded::Recorded;
use crate::table::Table;

#[test]
fn a_game_with_forced_passes_is_played_to_its_end_by_mail() {
    let stack = MailStack::start(&["club", "admin", "anna", "ben"]);
    // White moves four times running at the end, since Black has to pass.
    let game = Recorded::game(2112);
    assert_eq!((game.turns.len(), game.passes()), (75, 3));
    let club = Club::new(&Ways::of(&stack));
    let mut daemon = club.serve();
    daemon.says("Ready");

    let mut table = Table::begin(&stack, Colour::White);
    for turn in &game.turns {
        table.play(turn);
    }

    table.assert_letters(&game);
    table.assert_record(&club, &game);
    table.white.assert_no_letter_twice();
    table.black.assert_no_letter_twice();
    assert_eq!(stack.mails("admin", "INBOX"), []);
    // Every mail that was acted upon is put away: challenge, yes, acceptance, and one a turn.
    let done = 3 + game.turns.len();
    eventually("all mail is put away", || {
        (stack.mails("club", "Done").len() == done).then_some(())
    });
    assert_eq!(stack.mails("club", "INBOX"), []);
    let status = club.json(&["status", "--json"]);
    assert_eq!(status["state"], json!("well"), "{status}");
    assert_eq!(status["waiting_letters"], json!(0), "{status}");
    let trouble = daemon.lines("WARN").len() + daemon.lines("ERROR").len();
    assert_eq!(trouble, 0, "{}", daemon.log());
    daemon.stop();
}
