//! The disk of the database is full for a while, in the middle of a game.

use dvonn_post::dvonn::Colour;

use crate::club::{Club, Ways};
use crate::common::{MailStack, SmallDisk, within};
use crate::player::PATIENCE;
use crate::recorded::Recorded;
use crate::table::Table;

/// B6: a mail that could not be kept is no mail that was read.
#[test]
fn while_the_disk_is_full_mails_stay_on_the_server_and_afterwards_all_are_played() {
    const TURNS: usize = 24;
    let stack = MailStack::start(&["club", "admin", "anna", "ben"]);
    let disk = SmallDisk::of(8);
    let club = Club::new(&Ways {
        store: Some(disk.path("club.sqlite")),
        ..Ways::of(&stack)
    });
    let game = Recorded::game(476);
    let mut daemon = club.serve();
    daemon.says("Ready");
    let mut table = Table::begin(&stack, Colour::Black);
    for turn in &game.turns[..2] {
        table.write(turn);
    }
    for colour in [Colour::White, Colour::Black] {
        table.player(colour).wait_for_ply(2);
    }
    disk.fill();
    let troubles = || daemon.lines("the mailbox is tried again").len();
    let mut turns = game.turns[2..TURNS].iter();
    // What was reserved on the disk before may suffice for some more mails.
    let stuck = loop {
        let turn = turns.next().expect("the disk is not full");
        let before = troubles();
        table.write(turn);
        let played = within(
            PATIENCE,
            "the mail is played or the trouble noticed",
            || {
                let next = table.player(turn.by);
                next.look();
                let is_played = next.of_ply(turn.before + 1).is_some();
                (is_played || troubles() > before).then_some(is_played)
            },
        );
        if !played {
            break turn;
        }
    };
    assert_eq!(stack.mails("club", "INBOX").len(), 1, "the mail must stay");
    let out = club.json(&["game", "1", "--json"]);
    assert_eq!(out["ply"], stuck.before, "nothing may be half taken");

    disk.free();
    for turn in turns.by_ref().take(3) {
        table.write(turn);
    }
    let played = stuck.before + 4;
    table.assert_so_far(&club, &game, played, 1);
    within(PATIENCE, "all mail is put away", || {
        stack.mails("club", "INBOX").is_empty().then_some(())
    });
    within(PATIENCE, "all is well again", || {
        (club.run(&["status"]).code == 0).then_some(())
    });
    daemon.stop();
}
