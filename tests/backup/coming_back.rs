//! The disk is lost, and the club comes back from a backup of the middle of its games.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, SystemTime};

use crate::club::{Club, mail};
use crate::players::{answer, arrived, begin, game, play, record, two_members, write_move};
use crate::{ANNA, BEN};

/// Letters by Message-ID; a letter that came twice came with the same bytes.
fn letters(club: &Club, into: &mut BTreeMap<String, Vec<u8>>) {
    for address in [ANNA, BEN] {
        for letter in club.letters(address) {
            let text = String::from_utf8_lossy(&letter.raw).into_owned();
            let id = text
                .lines()
                .find_map(|line| line.strip_prefix("Message-ID: "))
                .unwrap()
                .to_owned();
            let before = into.insert(id.clone(), letter.raw.clone());
            assert!(
                before.is_none_or(|before| before == letter.raw),
                "two different letters with one {id}"
            );
        }
    }
}

fn lose_the_disk(club: &Club) {
    for suffix in ["", "-wal", "-shm", ".lock"] {
        let _ = fs::remove_file(club.path(&format!("club.sqlite{suffix}")));
    }
}

/// A club whose games went on after `backup.sqlite` was made; its letters of before are in `first`.
fn played_on(letters_before: &mut BTreeMap<String, Vec<u8>>) -> Club {
    let club = two_members();
    begin(&club, "white");
    play(&club, 1, 5);

    // The backup is made while the letters of a move cannot go out.
    fs::rename(club.path("out"), club.path("away")).unwrap();
    fs::write(club.path("out"), "in the way").unwrap();
    write_move(&club, 1);
    assert_eq!(club.run(&["serve", "--once"]).code, 75);
    let ran = club.run(&["backup", "backup.sqlite"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    fs::remove_file(club.path("out")).unwrap();
    fs::rename(club.path("away"), club.path("out")).unwrap();
    send_now(&club);

    // Then the club goes on: a board is drawn, moves and a message in both games.
    play(&club, 1, 3);
    begin(&club, "setup random");
    play(&club, 2, 6);
    answer(&club, ANNA, "say hello again");
    club.once();
    play(&club, 1, 2);
    letters(&club, letters_before);
    club
}

/// Lets the letters go out that were to wait a minute.
fn send_now(club: &Club) {
    club.database()
        .execute("UPDATE outbox SET next_at = 0 WHERE state = 'waiting'", [])
        .unwrap();
    club.once();
}

fn restore(club: &Club) {
    let ran = club.run(&["restore", "backup.sqlite"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(
        ran.out.contains("club.sqlite is the club of "),
        "{}",
        ran.out
    );
    // What the backup had to send goes out as soon as it is due.
    club.database()
        .execute("UPDATE outbox SET next_at = 0 WHERE state = 'waiting'", [])
        .unwrap();
}

#[test]
fn a_club_that_lost_its_disk_comes_to_the_same_record_and_no_message_id_has_two_letters() {
    let mut first = BTreeMap::new();
    let club = played_on(&mut first);
    // The last move came while the daemon was dead.
    write_move(&club, 2);
    club.once();
    let (undisturbed, games) = (record(&club), [game(&club, 1), game(&club, 2)]);
    let last = format!("{:06}.mail", club.count("cur") - 1);
    fs::rename(
        club.path(&format!("in/cur/{last}:2,S")),
        club.path(&format!("in/new/{last}")),
    )
    .unwrap();
    letters(&club, &mut first);
    let id = |sql: &str| -> Vec<String> {
        let database = club.database();
        let mut statement = database.prepare(sql).unwrap();
        let rows = statement
            .query_map([], |row| row.get::<_, String>(0))
            .unwrap();
        rows.map(|row| format!("<{}>", row.unwrap()))
            .collect::<Vec<_>>()
    };
    let all = id("SELECT message_id FROM outbox ORDER BY id");

    lose_the_disk(&club);
    fs::rename(club.path("out"), club.path("first")).unwrap();
    restore(&club);
    let waiting = id("SELECT message_id FROM outbox WHERE state = 'waiting' ORDER BY id");
    assert_eq!(waiting.len(), 2);
    assert!(waiting.iter().all(|waiting| all.contains(waiting)));
    club.once();

    assert_eq!(record(&club), undisturbed);
    assert_eq!([game(&club, 1), game(&club, 2)], games);
    assert_eq!(club.count("new"), 0);
    let mut second = BTreeMap::new();
    letters(&club, &mut second);
    let mut repeated = 0;
    for (id, raw) in &second {
        if let Some(before) = first.get(id) {
            assert_eq!(before, raw, "two different letters with one {id}");
            assert!(waiting.contains(id), "{id} went out again");
            repeated += 1;
        }
    }
    assert_eq!(repeated, 2, "the letters that waited go out again");
    assert!(second.len() > 20, "{}", second.len());

    // It is done once: the next rounds do nothing, and the games go on.
    let count = |sql: &str| -> i64 { club.value(sql) };
    let done = (
        count("SELECT count(*) FROM inbox"),
        count("SELECT count(*) FROM outbox"),
    );
    assert_eq!(count("SELECT count(*) FROM restored WHERE reread = 1"), 1);
    assert_eq!(count("SELECT count(*) FROM entries"), 0);
    club.once();
    assert_eq!(
        done,
        (
            count("SELECT count(*) FROM inbox"),
            count("SELECT count(*) FROM outbox")
        )
    );
    play(&club, 1, 2);
    assert_eq!(club.run(&["verify"]).code, 0);
}

#[test]
fn mail_among_the_done_that_was_never_the_clubs_is_left_in_peace() {
    let mut first = BTreeMap::new();
    let club = played_on(&mut first);
    let undisturbed = record(&club);
    let day = Duration::from_secs(24 * 3600);
    let private = "From: <carl@example.org>\nTo: <carla@example.org>\nMessage-ID: <p@example.org>\n\
                   Subject: dinner\n\nShall we say seven?\n";
    for (name, raw, at) in [
        (
            "private:2,S",
            private.to_owned(),
            SystemTime::now() - day / 2,
        ),
        (
            "older:2,S",
            mail("dora@example.org", "old@example.org", "join"),
            SystemTime::now() - 40 * day,
        ),
    ] {
        let file = club.path(&format!("in/cur/{name}"));
        fs::write(&file, raw).unwrap();
        arrived(&file, at);
    }
    lose_the_disk(&club);
    fs::rename(club.path("out"), club.path("first")).unwrap();
    restore(&club);
    club.once();
    assert_eq!(record(&club), undisturbed);
    assert_eq!(club.recipients(), [ANNA, BEN]);
    for name in ["private:2,S", "older:2,S"] {
        assert!(club.path(&format!("in/cur/{name}")).exists(), "{name}");
    }
}

#[test]
fn a_daemon_that_is_killed_while_it_reads_the_mailbox_again_takes_it_up_where_it_was() {
    let mut first = BTreeMap::new();
    let club = played_on(&mut first);
    let (undisturbed, mails) = (record(&club), club.count("cur"));
    lose_the_disk(&club);
    fs::rename(club.path("out"), club.path("first")).unwrap();
    restore(&club);
    let known: i64 = club.value("SELECT count(*) FROM inbox");
    let mut kills = 0;
    loop {
        let mut daemon = club.command(&["serve", "--once"]).spawn().unwrap();
        let log = BufReader::new(daemon.stderr.take().unwrap());
        // The second mail of every run is the last one.
        let done = log
            .lines()
            .map_while(Result::ok)
            .filter(|line| line.contains(" is done"))
            .take(2)
            .count();
        daemon.kill().unwrap();
        let ended = daemon.wait().unwrap();
        if done < 2 {
            assert!(ended.code().is_none_or(|code| code == 0 || code == 75));
            break;
        }
        kills += 1;
        assert!(kills < 40);
    }
    assert!(kills >= 4, "killed {kills} times");
    send_now(&club);
    send_now(&club);
    assert_eq!(record(&club), undisturbed);
    assert_eq!(club.count("cur"), mails);
    let now: i64 = club.value("SELECT count(*) FROM inbox");
    assert_eq!(now, i64::try_from(mails).unwrap());
    assert!(known < now);
    let mut second = first.clone();
    letters(&club, &mut second);
}

#[test]
fn a_club_in_the_way_is_kept_beside_and_the_same_backup_may_come_back_twice() {
    let mut sent = BTreeMap::new();
    let club = played_on(&mut sent);
    let undisturbed = record(&club);
    let refused = club.run(&["restore", "backup.sqlite"]);
    assert_eq!(refused.code, 1);
    assert!(refused.err.contains("--replace"), "{}", refused.err);
    assert_eq!(record(&club), undisturbed);
    // The last daemon died and left its mark in the mailbox: it was this very club's, and nobody waits for it.
    let mut daemon = club.command(&["serve"]).spawn().unwrap();
    let log = BufReader::new(daemon.stderr.take().unwrap());
    let ready = log
        .lines()
        .map_while(Result::ok)
        .any(|line| line.contains("Ready"));
    assert!(ready);
    daemon.kill().unwrap();
    daemon.wait().unwrap();
    for round in 1..=2 {
        let ran = club.run(&["restore", "backup.sqlite", "--replace"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
        let (_, kept) = ran.out.split_once("is kept as ").unwrap();
        let (kept, _) = kept.split_once("; delete it").unwrap();
        let mode = fs::metadata(club.path("club.sqlite"))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
        let checked = club.run(&["verify", kept]);
        assert_eq!(checked.code, 0, "{}", checked.out);
        fs::rename(club.path("out"), club.path(&format!("out{round}"))).unwrap();
        send_now(&club);
        assert_eq!(record(&club), undisturbed, "round {round}");
        letters(&club, &mut sent);
    }
}

#[test]
fn the_configuration_comes_out_of_the_backup() {
    let club = two_members();
    let text = fs::read_to_string(club.path("config.toml")).unwrap();
    assert_eq!(club.run(&["backup", "backup.sqlite"]).code, 0);
    lose_the_disk(&club);
    fs::remove_file(club.path("config.toml")).unwrap();
    let ran = club.run(&["restore", "backup.sqlite"]);
    assert_eq!(ran.code, 78);
    assert_eq!(ran.err.lines().count(), 1);
    let advice = "dvonn-post restore backup.sqlite --show-config > config.toml";
    assert!(ran.err.contains(advice), "{}", ran.err);
    let ran = club.run(&["restore", "backup.sqlite", "--show-config"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, text.as_str()));
    fs::write(club.path("config.toml"), ran.out).unwrap();
    assert_eq!(club.run(&["restore", "backup.sqlite"]).code, 0);
    club.once();
    assert_eq!(club.run(&["players"]).out.lines().count(), 2);
}
