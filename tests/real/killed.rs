//! The daemon is killed in the middle of a game, wherever a mail may just be, and started again.

use std::fs;

use dvonn_post::dvonn::Colour;
use serde_json::{Value, json};

use crate::club::{Club, Serve, Ways};
use crate::common::{MailStack, eventually, within};
use crate::gate::{CONTENT, Gate, HANDED_OUT, MOVED, SENDER, TAKEN};
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
    /// The mailbox is handing the mail out.
    HandedOut,
    /// The move is played; the letters may be anywhere.
    Played,
    /// Letters are claimed, and nothing of them is handed over.
    Claimed,
    /// The outgoing server waits for the content of the letters.
    Begun,
    /// The outgoing server has both letters, and the daemon does not know.
    Taken,
    /// The letter to who is to move next has arrived.
    Answered,
    /// The mailbox has moved the mail, and the daemon does not know.
    Moved,
    /// The mail is put away.
    PutAway,
}

const MOMENTS: [Moment; 10] = [
    Moment::Written,
    Moment::Arrived,
    Moment::HandedOut,
    Moment::Played,
    Moment::Claimed,
    Moment::Begun,
    Moment::Taken,
    Moment::Answered,
    Moment::Moved,
    Moment::PutAway,
];

/// How often the daemon is killed, at each moment alike; once of it before the first turn.
const KILLS: usize = 50;

/// The moment of the kill in a turn, counted from 0: two turns of three have one, in the placing phase, at its end, and
/// in the stacking phase, forced passes included.
fn moment(turn: usize) -> Option<Moment> {
    let kill = turn - turn / 3;
    (turn % 3 != 2 && kill < KILLS).then(|| MOMENTS[kill % MOMENTS.len()])
}

/// B9: wherever the daemon falls, a mail lies in the mailbox or in the database, and never in neither.
#[test]
fn a_daemon_that_is_killed_fifty_times_in_a_game_loses_and_repeats_nothing() {
    let stack = MailStack::start(&["club", "admin", "anna", "ben", "carol"]);
    let gates = Gates {
        mailbox: Gate::to(stack.imap),
        way_out: Gate::to(stack.submission),
    };
    let gate = &gates.way_out;
    let club = Club::new(&Ways::open(gates.mailbox.port, gate.port));
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

    let mut kills = 0;
    for (at, turn) in game.turns.iter().enumerate() {
        match moment(at) {
            Some(moment) => {
                kills += 1;
                daemon = killed(&stack, &club, &gates, daemon, &mut table, turn, moment);
            }
            None => table.write(turn),
        }
    }
    assert_eq!(kills, KILLS - 1, "the turns do not suffice");

    carol.wait_for(1);
    table.wait_for_all(&game);
    wait_until_sent(&club);
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

/// What stands before the two servers.
struct Gates {
    mailbox: Gate,
    way_out: Gate,
}

/// Waits until no letter is under way.
fn wait_until_sent(club: &Club) {
    within(PATIENCE, "every letter is sent", || {
        let status = club.run(&["status", "--json"]).out;
        let status: Value = serde_json::from_str(&status).unwrap();
        (status["waiting_letters"] == json!(0)).then_some(())
    });
}

/// Plays a turn during which the daemon is killed. Gives the next daemon.
fn killed(
    stack: &MailStack,
    club: &Club,
    gates: &Gates,
    daemon: Serve,
    table: &mut Table<'_>,
    turn: &Turn,
    moment: Moment,
) -> Serve {
    // All that the turn before has caused is over: what one kill cut short is not cut short by the next.
    table.player(turn.by).wait_for_ply(turn.before);
    wait_until_sent(club);
    eventually("all mail is put away", || {
        stack.mails("club", "INBOX").is_empty().then_some(())
    });
    let done = stack.mails("club", "Done").len();
    let said = daemon.lines(" is done").len();
    let hold = match moment {
        Moment::HandedOut => Some((&gates.mailbox, HANDED_OUT, 1)),
        Moment::Claimed => Some((&gates.way_out, SENDER, 2)),
        Moment::Begun => Some((&gates.way_out, CONTENT, 2)),
        Moment::Taken => Some((&gates.way_out, TAKEN, 2)),
        Moment::Moved => Some((&gates.mailbox, MOVED, 1)),
        _ => None,
    };
    if let Some((gate, text, _)) = hold {
        gate.hold(text);
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
        Moment::Answered => {
            let next = turn.played.position.turn().unwrap();
            table.player(next).wait_for_ply(turn.before + 1);
        }
        Moment::PutAway => eventually("the mail is put away", || {
            (stack.mails("club", "Done").len() > done).then_some(())
        }),
        Moment::HandedOut | Moment::Claimed | Moment::Begun | Moment::Taken | Moment::Moved => {}
    }
    if let Some((gate, _, count)) = hold {
        gate.wait(count);
    }
    daemon.kill();
    for gate in [&gates.mailbox, &gates.way_out] {
        gate.open();
    }
    let lock = fs::read_to_string(club.path("club.sqlite.lock")).unwrap();
    assert!(!lock.is_empty(), "a killed daemon leaves its number");
    club.serve()
}
