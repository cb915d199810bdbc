//! The daemon is killed in the middle of a game, wherever a mail may just be, and started again.

use std::fs;

use dvonn_post::dvonn::Colour;
use serde_json::{Value, json};

use crate::club::{Club, Serve, Ways};
use crate::common::{MailStack, eventually, within};
use crate::gate::{Gate, SENDER, TAKEN};
use crate::player::{PATIENCE, Player};
use crate::recorded::{Recorded, Turn};
use crate::table::Table;

/// The moment of a kill, in the life of a turn's mail and its two letters.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// The player's mail server has the mail; the club knows nothing.
    Written,
    /// The mail lies in the club's mailbox.
    Arrived,
    /// The move is played; the letters may be anywhere.
    Played,
    /// The outgoing server has both letters, and the daemon does not know.
    Taken,
    /// The letter to who is to move next has arrived.
    Answered,
    /// The mail is put away.
    PutAway,
}

/// Turns, counted from 0, in the placing phase, at its end, and in the stacking phase, forced passes included.
const KILLS: [(usize, Moment); 12] = [
    (3, Moment::Written),
    (7, Moment::Taken),
    (11, Moment::Arrived),
    (17, Moment::Answered),
    (20, Moment::PutAway),
    (29, Moment::Written),
    (37, Moment::Arrived),
    (48, Moment::Played),
    (52, Moment::Answered),
    (60, Moment::Arrived),
    (64, Moment::Written),
    (70, Moment::Answered),
];

#[test]
fn a_daemon_that_is_killed_twelve_times_in_a_game_loses_and_repeats_nothing() {
    let stack = MailStack::start(&["club", "admin", "anna", "ben", "carol"]);
    let gate = Gate::to(stack.submission);
    let club = Club::new(&Ways::open(stack.imap, gate.port));
    let game = Recorded::game(476);
    assert_eq!((game.turns.len(), game.passes()), (73, 2));
    let mut daemon = club.serve();
    daemon.says("Ready");
    let mut table = Table::begin(&stack, Colour::Black);

    // Someone's letter is claimed, but nothing of it is handed over yet.
    let mut carol = Player::new(&stack, "carol");
    gate.hold(SENDER);
    carol.write("join", "join");
    gate.wait(1);
    daemon.kill();
    gate.open();
    let mut daemon = club.serve();

    for (at, turn) in game.turns.iter().enumerate() {
        match KILLS.iter().find(|(kill, _)| *kill == at) {
            Some((_, moment)) => {
                daemon = killed(&stack, &club, &gate, daemon, &mut table, turn, *moment)
            }
            None => table.write(turn),
        }
    }

    carol.wait_for(1);
    table.wait_for_all(&game);
    within(PATIENCE, "every letter is sent", || {
        let status = club.run(&["status", "--json"]).out;
        let status: Value = serde_json::from_str(&status).unwrap();
        (status["waiting_letters"] == json!(0)).then_some(())
    });
    eventually("the repeated letters arrive", || {
        for player in [&mut table.white, &mut table.black, &mut carol] {
            player.look();
        }
        let taken = &table.white.copies;
        taken.values().any(|times| *times == 2).then_some(())
    });
    table.assert_record(&club, &game);
    table.assert_letters(&game);
    for player in [&table.white, &table.black, &carol] {
        // A letter may come twice, the same to the byte (`Player::look`), where its first coming was not recorded.
        assert!(
            player.copies.values().all(|times| *times <= 2),
            "{:?}",
            player.copies
        );
    }
    let once = carol.copies.values().all(|times| *times == 1);
    assert!(
        once,
        "what was not handed over is not repeated: {:?}",
        carol.copies
    );
    assert_eq!(stack.mails("admin", "INBOX"), []);
    eventually("all mail is put away", || {
        (stack.mails("club", "Done").len() == 3 + 1 + game.turns.len()).then_some(())
    });
    assert_eq!(stack.mails("club", "INBOX"), []);
    daemon.stop();
}

/// Plays a turn during which the daemon is killed. Gives the next daemon.
fn killed(
    stack: &MailStack,
    club: &Club,
    gate: &Gate,
    daemon: Serve,
    table: &mut Table<'_>,
    turn: &Turn,
    moment: Moment,
) -> Serve {
    let done = stack.mails("club", "Done").len();
    let said = daemon.lines(" is done").len();
    if let Moment::Taken = moment {
        gate.hold(TAKEN);
    }
    table.write(turn);
    match moment {
        Moment::Written => {}
        Moment::Arrived => eventually("the mail arrives", || {
            let arrived = !stack.mails("club", "INBOX").is_empty();
            (arrived || stack.mails("club", "Done").len() > done).then_some(())
        }),
        Moment::Played => eventually("the move is played", || {
            (daemon.lines(" is done").len() > said).then_some(())
        }),
        Moment::Taken => gate.wait(2),
        Moment::Answered => {
            let next = turn.played.position.turn().unwrap();
            table.player(next).wait_for_ply(turn.before + 1);
        }
        Moment::PutAway => eventually("the mail is put away", || {
            (stack.mails("club", "Done").len() > done).then_some(())
        }),
    }
    daemon.kill();
    gate.open();
    let lock = fs::read_to_string(club.path("club.sqlite.lock")).unwrap();
    assert!(!lock.is_empty(), "a killed daemon leaves its number");
    club.serve()
}
