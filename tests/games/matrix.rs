//! The proof of who writes, case by case: which token, from which address, with which word of the server.

use super::run::run;

/// Anna and Ben are at the third placement, and Anna is to move.
const BEFORE: &str =
    "member Anna <anna@a.example>\nmember Ben <ben@b.example>\ngame Anna - Ben\nplays 1: c3 d4\n";

/// What becomes of Anna's `e3`.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Played,
    /// It waits, and this address is asked.
    Asks(&'static str),
    /// The answer to Anna says that the board is old.
    Old,
}

const ANNA: &str = "anna@a.example";
const BEN: &str = "ben@b.example";
const SECOND: &str = "anna@second.example";
const STRANGER: &str = "mallory@m.example";

/// Token, address, and what comes of it with dmarc=pass, dmarc=fail, and without a word of the server.
const CASES: [(&str, &str, [Fate; 3]); 12] = {
    use Fate::{Asks, Old, Played};
    [
        ("none", ANNA, [Played, Asks(ANNA), Asks(ANNA)]),
        ("right", ANNA, [Played, Asks(ANNA), Played]),
        ("another's", ANNA, [Played, Asks(ANNA), Asks(ANNA)]),
        ("old", ANNA, [Old, Old, Old]),
        ("none", SECOND, [Asks(SECOND); 3]),
        ("right", SECOND, [Asks(ANNA); 3]),
        ("another's", SECOND, [Asks(BEN); 3]),
        ("old", SECOND, [Asks(ANNA); 3]),
        ("none", STRANGER, [Asks(STRANGER); 3]),
        ("right", STRANGER, [Asks(ANNA); 3]),
        ("another's", STRANGER, [Asks(BEN); 3]),
        ("old", STRANGER, [Asks(ANNA); 3]),
    ]
};

#[test]
fn no_token_address_and_server_together_prove_more_than_they_do() {
    let mut tried = 0;
    let mut failures = Vec::new();
    for (token, from, fates) in CASES {
        for (dmarc, fate) in ["pass", "fail", ""].into_iter().zip(fates) {
            let re = match token {
                "right" => "re: latest of anna@a.example\n",
                "another's" => "re: latest of ben@b.example\n",
                // Her letters: invited, began, c3, d4. The third showed the board before d4.
                "old" => "re: 3 of anna@a.example\n",
                _ => "",
            };
            let (letters, record) = match fate {
                Fate::Played => (
                    "* anna@a.example\n+ You placed a red DVONN piece on e3.\n* ben@b.example\n+ Anna placed\n"
                        .to_owned(),
                    "c3 d4 e3",
                ),
                Fate::Asks(whom) => (
                    format!("* {whom}\n+ is this you?\n+ one thing: placing a piece\n- e3\n"),
                    "c3 d4",
                ),
                Fate::Old => (
                    "* anna@a.example\n+ your mail answers an older board\n".to_owned(),
                    "c3 d4",
                ),
            };
            let script = format!(
                "{BEFORE}2026-12-02 09:00 Anna <{from}> {dmarc}\n{re}| e3\n= done\n{letters}! game 1: {record}\n\
                 ! writes {STRANGER}: nobody\n! writes {SECOND}: nobody\n! members: Anna, Ben\n"
            );
            // The right person's yes carries out what the right person's letter proves.
            let yes = match (token, fate) {
                ("right" | "none", Fate::Asks(ANNA)) => format!(
                    "2026-12-02 10:00 Anna <{ANNA}>\nre: latest\n| yes\n= done\n* {ANNA}\n* {BEN}\n! game 1: c3 d4 e3\n"
                ),
                ("old", Fate::Asks(_)) => format!(
                    "2026-12-02 10:00 Anna <{ANNA}>\nre: latest\n| yes\n= done\n* {ANNA}\n+ an older board\n! game 1: c3 d4\n"
                ),
                ("another's", Fate::Asks(BEN)) => format!(
                    "2026-12-02 10:00 Ben <{BEN}>\nre: latest\n| yes\n= done\n* {BEN}\n+ it is Anna's turn\n! game 1: c3 d4\n"
                ),
                _ => String::new(),
            };
            tried += 1;
            if let Err(why) = run("matrix", &(script + &yes)) {
                failures.push(format!("{token} token, {from}, dmarc {dmarc:?}: {why}"));
            }
        }
    }
    assert_eq!(tried, 36);
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
