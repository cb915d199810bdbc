//! A recipient is turned away for a while, or for good: the others get their letters, and the game goes on.

use dvonn_post::dvonn::Colour;

use crate::club::{Club, Ways};
use crate::common::{MailStack, eventually};
use crate::gate::Gate;
use crate::player::Player;
use crate::recorded::Recorded;
use crate::table::Table;

/// The outgoing server gives an answer to everything for these people, from the next letter on.
fn answer(stack: &MailStack, gate: &Gate, users: &[&str], answer: &str) {
    for user in users {
        stack.refuse(&MailStack::address(user), answer);
    }
    // It looks at its list at the beginning of a connection.
    gate.cut();
}

/// Waits until the result of the newest letter to somebody holds this.
fn wait_for_result(club: &Club, user: &str, state: &str, words: &str) {
    eventually(&format!("{user}'s letter is {state}: {words}"), || {
        let outbox = club.json(&["outbox", "--json"]);
        let found = outbox.as_array().unwrap().iter().any(|letter| {
            letter["to"] == MailStack::address(user).as_str()
                && letter["state"] == state
                && letter["result"].as_str().unwrap().contains(words)
        });
        found.then_some(())
    });
}

#[test]
fn recipients_turned_away_with_450_452_and_550_cost_no_game_and_no_other_letter() {
    const TURNS: usize = 6;
    let stack = MailStack::start(&["club", "admin", "anna", "ben", "carol"]);
    let gate = Gate::to(stack.submission);
    let club = Club::new(&Ways::open(stack.imap, gate.port));
    let game = Recorded::game(476);
    let mut daemon = club.serve();
    daemon.says("Ready");
    let mut table = Table::begin(&stack, Colour::Black);
    let mut carol = Player::new(&stack, "carol");
    carol.write("", "join");
    carol.next();
    carol.reply("yes");
    carol.next();

    // Who is to move next is turned away at present, and so is a bystander whose mailbox is full.
    let turn = &game.turns[0];
    let (by, next) = (turn.by, game.turns[1].by);
    let away = table.player(next).user;
    table.player(by).wait_for_ply(0);
    table.player(next).wait_for_ply(0);
    answer(&stack, &gate, &[away], "450 4.2.1 come again later");
    answer(&stack, &gate, &["carol"], "452 4.2.2 the mailbox is full");
    table.write(turn);
    carol.reply("list");
    table.player(by).wait_for_ply(1);
    wait_for_result(&club, away, "waiting", "450");
    wait_for_result(&club, "carol", "waiting", "452");
    assert_eq!(club.json(&["game", "1", "--json"])["ply"], 1);
    answer(&stack, &gate, &[away, "carol"], "");
    // Their letters are tried again after a minute.
    table.write(&game.turns[1]);
    carol.next();

    // Who has just moved is turned away for good; the other one gets the board, and moves.
    let turn = &game.turns[2];
    let away = table.player(turn.by).user;
    table.player(turn.by).wait_for_ply(2);
    table.player(game.turns[3].by).wait_for_ply(2);
    answer(&stack, &gate, &[away], "550 5.1.1 no such user");
    table.write(turn);
    table.player(game.turns[3].by).wait_for_ply(3);
    wait_for_result(&club, away, "held", "550");
    answer(&stack, &gate, &[away], "");
    // A mail of theirs shows that they are there: what was kept for them goes out.
    table.player(turn.by).reply("show 1");
    table.player(turn.by).wait_for_ply(3);
    for turn in &game.turns[3..TURNS] {
        table.write(turn);
    }
    for player in [&mut table.white, &mut table.black] {
        for ply in 1..=TURNS {
            player.wait_for_ply(ply);
        }
        player.assert_no_letter_twice();
    }
    carol.assert_no_letter_twice();
    let record = club.json(&["game", "1", "--json"]);
    assert_eq!(record["moves"], serde_json::json!(game.moves[..TURNS]));
    daemon.stop();
}
