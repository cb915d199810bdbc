//! A mailbox that others use as well: what is not the club's stays as it lies.

use std::time::{Duration, SystemTime};

use crate::club::{Club, Ways};
use crate::common::{MailStack, eventually};
use crate::player::Player;

fn mail(from: &str, text: &str) -> Vec<u8> {
    format!("From: {from}\nTo: club@pbem.test\nMessage-ID: <{from}>\nSubject: private\n\n{text}\n")
        .into_bytes()
}

/// The mails that lie in the club's inbox, by their subjects' writers; none of them may be marked as seen.
fn unseen(stack: &MailStack) -> Vec<String> {
    let mut writers: Vec<String> = stack
        .mails("club", "INBOX")
        .into_iter()
        .map(|(file, raw)| {
            let flags = file.split_once(":2,").map_or("", |(_, flags)| flags);
            assert_eq!(flags, "", "{file} is marked");
            let raw = String::from_utf8(raw).unwrap();
            let from = raw.lines().find_map(|line| line.strip_prefix("From: "));
            from.unwrap().to_owned()
        })
        .collect();
    writers.sort();
    writers
}

#[test]
fn private_mail_stays_unseen_where_it_lies_while_the_clubs_own_is_put_away() {
    let stack = MailStack::start(&["club", "admin", "carol"]);
    let days_ago = SystemTime::now() - Duration::from_secs(3 * 24 * 3600);
    let old = [
        mail("bank@elsewhere.test", "your bill"),
        // Whoever wrote a command before there was a club did not write to the club.
        mail("old@pbem.test", "join"),
    ];
    stack.seed_at("club", old, days_ago);
    let club = Club::new(&Ways::of(&stack));
    let mut daemon = club.serve();
    daemon.says("Ready");
    stack.deliver(
        "club",
        &mail(
            "aunt@elsewhere.test",
            "I feared b3-c3 would hurt you.\n\nLove",
        ),
    );
    daemon.says("is left (from a stranger, without a command)");
    let all = [
        "aunt@elsewhere.test",
        "bank@elsewhere.test",
        "old@pbem.test",
    ];
    assert_eq!(unseen(&stack), all);

    let mut carol = Player::new(&stack, "carol");
    carol.write("", "join");
    assert!(carol.next().text.contains("Answer with  yes"));
    eventually("the mail is put away", || {
        (stack.mails("club", "Done").len() == 1).then_some(())
    });
    assert_eq!(unseen(&stack), all);

    // After a kill everything is looked at with more care, and with no less respect.
    stack.deliver("club", &mail("uncle@elsewhere.test", "and from me"));
    daemon.kill();
    let mut daemon = club.serve();
    daemon.says("Ready");
    carol.reply("yes");
    carol.next();
    eventually("the mail is put away", || {
        (stack.mails("club", "Done").len() == 2).then_some(())
    });
    let mut all = all.to_vec();
    all.push("uncle@elsewhere.test");
    assert_eq!(unseen(&stack), all);
    carol.assert_no_letter_twice();
    assert_eq!(stack.mails("admin", "INBOX"), []);
    assert_eq!(
        club.json(&["players", "--json"]).as_array().unwrap().len(),
        1
    );
    daemon.stop();
}
