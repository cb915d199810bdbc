//! Mails that no program should have written, and mails that look like others: each is judged by itself.

use std::sync::{Arc, Barrier};

use dvonn_post::daemon::{Found, Outside, Place, open_club, take_in};
use dvonn_post::store::Store;

use crate::house::{House, PROMPT, mail, now, office, settings};

/// Twenty kinds of malformed mail.
fn poison() -> Vec<Vec<u8>> {
    let text = |text: &str| text.replace('\n', "\r\n").into_bytes();
    let mut mails: Vec<Vec<u8>> = [
        "",
        "\n",
        "\n\njoin\n",
        "no mail at all",
        "Subject: no writer\n\njoin\n",
        "From: a@x.test\nFrom: b@x.test\n\njoin\n",
        "From: \n\njoin\n",
        "From: <>\n\njoin\n",
        "From: @@@<<<>>>\n\njoin\n",
        "From: undisclosed-recipients:;\n\njoin\n",
        "From: c@x.test\nContent-Type: text/plain; charset=no-such-charset\n\njoin\u{fffd}\n",
        "From: d@x.test\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/pl",
        "From: e@x.test\nContent-Type: multipart/mixed\n\njoin\n",
        "From: f@x.test\nContent-Transfer-Encoding: base64\n\n====!!!!\n",
        "From: g@x.test\nContent-Transfer-Encoding: quoted-printable\n\n=ZZ=\n=\n",
        "From: =?utf-8?B?////?= <h@x.test>\nSubject: =?x?y?z?=\n\njoin\n",
        "From: i@x.test\nDate: yesterday\nMessage-ID: <<>>\nReferences: ,,,\n\njoin\n",
    ]
    .map(text)
    .into();
    mails.push(b"From: \xe9\xff@x.test\r\nSubject: \xc3\x28\r\n\r\n\xf0\x28\x8c\xbc\r\n".to_vec());
    mails.push(b"From: j@x.test\rSubject: bare\r\rjoin\r\0\0".to_vec());
    mails.push(
        [
            b"From: k@x.test\r\nX: ".as_slice(),
            &[b'x'; 100_000],
            b"\r\n\r\njoin\r\n",
        ]
        .concat(),
    );
    mails
}

/// B10.
#[tokio::test(start_paused = true)]
async fn twenty_malformed_mails_ahead_of_a_command_hold_it_up_for_no_time() {
    let office = office();
    let poison = poison();
    assert_eq!(poison.len(), 20);
    for raw in poison {
        office.put(raw.len().max(1), raw, now());
    }
    office.put(0, Vec::new(), now());
    let raw = mail("carol@pbem.test", "list");
    office.put(raw.len(), raw, now());
    let house = House::begin(&office, &["Carol"]);
    house
        .until(PROMPT, "the command is answered", || {
            office.letters("carol@pbem.test").len() == 1
        })
        .await;
    house
        .until(PROMPT * 4, "every mail has come to an end", || {
            let states = house.states();
            states.len() >= 21 && !states.contains(&"waiting".to_owned())
        })
        .await;
    house.close().await;
}

/// B16.
#[tokio::test(start_paused = true)]
async fn two_mails_without_a_message_id_in_one_second_are_two_mails() {
    let office = office();
    let house = House::with(&office, &["Carol"]).await;
    for text in ["list", "help"] {
        // With proof: else answers are ten minutes apart.
        let raw = format!(
            "Authentication-Results: mx.club.example; dmarc=pass header.from=pbem.test\r\n\
             From: carol@pbem.test\r\nSubject: hello\r\n\r\n{text}\r\n"
        );
        office.put(raw.len(), raw.into_bytes(), now());
    }
    office.announce();
    house
        .until(PROMPT, "both are answered", || {
            office.letters("carol@pbem.test").len() == 2
        })
        .await;
    assert_eq!(house.states(), ["done", "done"]);
    house.close().await;
}

/// B8.
#[test]
fn two_who_take_the_same_mail_at_the_same_moment_make_one_row_and_one_answer() {
    const MAILS: usize = 20;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("club.sqlite");
    let at: chrono::DateTime<chrono::Utc> = "2026-12-01T08:00:00Z".parse().unwrap();
    drop(Store::open(&path).unwrap());
    let barrier = Arc::new(Barrier::new(2));
    let takers: Vec<_> = (0..2)
        .map(|_| {
            let (path, barrier) = (path.clone(), barrier.clone());
            std::thread::spawn(move || {
                let mut store = Store::open(&path).unwrap();
                let outside = Outside::new(move || at, || Ok([7; 32]));
                let club = open_club(&mut store, settings(), outside).unwrap();
                let mut taken = 0;
                for number in 0..MAILS {
                    let raw = mail(&format!("{number}@pbem.test"), "join");
                    let found = Found {
                        raw: &raw,
                        arrived: at,
                        too_large: None,
                        junk: false,
                        place: Place {
                            folder: "inbox",
                            key: format!("inbox:7:{number}"),
                            cursor: None,
                        },
                    };
                    barrier.wait();
                    let verdict = take_in(&mut store, &club, &found, false, at).unwrap();
                    taken += usize::from(verdict.is_some());
                }
                taken
            })
        })
        .collect();
    let taken: Vec<usize> = takers
        .into_iter()
        .map(|taker| taker.join().unwrap())
        .collect();
    assert_eq!(taken.iter().sum::<usize>(), MAILS, "{taken:?}");
    let database = rusqlite::Connection::open(&path).unwrap();
    for table in ["inbox", "outbox"] {
        let sql = format!("SELECT count(*) FROM {table}");
        let rows: u32 = database.query_row(&sql, [], |row| row.get(0)).unwrap();
        assert_eq!(rows as usize, MAILS, "{table}");
    }
}
