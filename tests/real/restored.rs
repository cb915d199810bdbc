//! The disk is lost in the middle of a game, and what the backup lacks lies in the mailbox `Done` of a real server.

use std::fs;

use dvonn_post::dvonn::Colour;
use serde_json::json;

use crate::club::{Club, Ways};
use crate::common::{MailStack, eventually, within};
use crate::player::PATIENCE;
use crate::recorded::Recorded;
use crate::table::Table;

#[test]
fn moves_that_came_after_the_backup_are_found_in_the_done_mailbox() {
    let stack = MailStack::start(&["club", "admin", "anna", "ben"]);
    let game = Recorded::game(2112);
    let club = Club::new(&Ways::of(&stack));
    let backup = club.path("backup.sqlite");
    let backup = backup.to_str().unwrap();
    let mut daemon = club.serve();
    daemon.says("Ready");
    let mut table = Table::begin(&stack, Colour::White);
    for turn in &game.turns[..6] {
        table.play(turn);
    }
    let ran = club.run(&["backup", backup]);
    assert_eq!(ran.code, 0, "{ran:?}");
    for turn in &game.turns[6..14] {
        table.play(turn);
    }
    eventually("all mail is put away", || {
        (stack.mails("club", "Done").len() == 3 + 14).then_some(())
    });
    daemon.stop();
    let undisturbed = club.json(&["game", "1", "--json"]);
    assert_eq!(undisturbed["moves"], json!(game.moves[..14]));

    for suffix in ["", "-wal", "-shm", ".lock"] {
        let _ = fs::remove_file(club.path(&format!("club.sqlite{suffix}")));
    }
    let ran = club.run(&["restore", backup]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(
        club.json(&["game", "1", "--json"])["moves"],
        json!(game.moves[..6])
    );
    // The next move answers a letter that the club has forgotten.
    table.write(&game.turns[14]);
    let mut daemon = club.serve();
    daemon.says("has been read again: ");
    within(PATIENCE, "the game is where it was", || {
        let moves = &club.json(&["game", "1", "--json"])["moves"];
        (*moves == json!(game.moves[..15])).then_some(())
    });
    within(PATIENCE, "every letter is sent", || {
        let status = club.json(&["status", "--json"]);
        (status["waiting_letters"] == json!(0)).then_some(())
    });
    // A letter whose Message-ID came before is the same to the byte, or this panics.
    table.white.look();
    table.black.look();
    eventually("all mail is put away", || {
        (stack.mails("club", "Done").len() == 3 + 15).then_some(())
    });
    assert_eq!(stack.mails("club", "INBOX"), []);
    assert_eq!(stack.mails("admin", "INBOX"), []);
    assert_eq!(club.run(&["verify"]).code, 0);
    daemon.stop();
}
