//! Mails that no mail program writes, and some that one does.

use super::{ANNA, BEN, assert_the_next_mail_goes_on, two_members};
use crate::club::{ADDRESS, ADMIN, Chance, Club, PASS, game_where, insert_game, mail};

/// A mail without a writer is left where it lies; nobody can be told.
fn assert_silence(club: &Club, raw: &[u8]) {
    club.arrive(raw);
    club.once();
    assert_eq!(club.recipients(), Vec::<String>::new());
    let (state, reason) = (
        club.value::<String>("SELECT state FROM inbox"),
        club.value::<String>("SELECT reason FROM inbox"),
    );
    assert_eq!(state, "left");
    assert!(!reason.is_empty());
    assert_eq!(club.count("new"), 1);
}

/// What is no mail at all is kept, and told to the admin alone.
fn assert_set_aside(club: &Club, raw: &[u8]) {
    club.arrive(raw);
    club.once();
    assert_eq!(club.recipients(), [ADMIN]);
    let letter = club.only_letter(ADMIN);
    assert!(letter.text.contains("was set aside"), "{letter:#?}");
    let kept: Vec<u8> = club.value("SELECT raw FROM inbox WHERE state = 'shunted'");
    assert_eq!(kept, raw);
}

#[test]
fn a_mail_of_random_bytes_is_set_aside_and_the_admin_told() {
    let club = two_members();
    let mut chance = Chance(99);
    let noise: Vec<u8> = (0..100_000)
        .map(|_| u8::try_from(chance.below(256)).unwrap())
        .collect();
    assert_set_aside(&club, &noise);
    assert_the_next_mail_goes_on(&club);
}

#[test]
fn random_bytes_below_a_members_header_are_answered_once() {
    let club = two_members();
    let mut chance = Chance(98);
    let mut raw = mail(ANNA, "1@example.org", "").into_bytes();
    raw.extend((0..50_000).map(|_| u8::try_from(chance.below(256)).unwrap()));
    club.arrive(&raw);
    club.once();
    let letter = club.only_letter(ANNA);
    assert!(letter.text.starts_with("Nothing was done"), "{letter:#?}");
    assert_the_next_mail_goes_on(&club);
}

#[test]
fn a_file_that_is_no_mail_is_set_aside_and_one_of_nobody_is_left() {
    let mut tried = (0, 0);
    for (raw, is_mail) in [
        (&b""[..], false),
        (b"\n", false),
        (b"\r\n\r\n", false),
        (b"resign", false),
        (b"\n\nresign\n", false),
        (b": :\n\n:", false),
        (b"Subject: resign\n\nresign\n", true),
    ] {
        let club = two_members();
        if is_mail {
            assert_silence(&club, raw);
            tried.0 += 1;
        } else {
            assert_set_aside(&club, raw);
            tried.1 += 1;
        }
        assert_the_next_mail_goes_on(&club);
    }
    assert_eq!(tried, (1, 6));
}

#[test]
fn a_mail_without_a_writer_or_with_two_is_left_where_it_lies() {
    for from in [
        "",
        "From: \n",
        "From: <>\n",
        "From: nobody at all\n",
        "From: <anna@example.org>\nFrom: <ben@example.org>\n",
        "From: <anna@example.org>, <ben@example.org>\n",
    ] {
        let club = two_members();
        let raw = format!(
            "{PASS}{from}To: <{ADDRESS}>\nSubject: x\nMessage-ID: <1@example.org>\n\nchallenge Ben\n"
        );
        assert_silence(&club, raw.as_bytes());
        let challenges: i64 = club.value("SELECT count(*) FROM challenges");
        assert_eq!(challenges, 0, "{from}");
        assert_the_next_mail_goes_on(&club);
    }
}

#[test]
fn nul_bytes_neither_hide_a_command_nor_make_one() {
    let club = two_members();
    let raw = mail(ANNA, "1@example.org", "list\n\0\0\0\n\0resign\0\n");
    club.arrive(raw.as_bytes());
    club.arrive(b"From: <anna\0@example.org>\nSubject: \0\0\nMessage-ID: <\0@x>\n\nli\0st\n");
    club.once();
    let letter = club.only_letter(ANNA);
    assert!(letter.text.contains("game"), "{letter:#?}");
    assert!(!letter.raw.contains(&0));
    assert_the_next_mail_goes_on(&club);
}

#[test]
fn ten_thousand_commands_get_one_answer_that_says_where_reading_ended() {
    let club = two_members();
    let mut body = "list\n".repeat(10_000);
    body.push_str("challenge Ben\n");
    club.write(ANNA, &body);
    club.once();
    let letter = club.only_letter(ANNA);
    assert!(letter.text.contains("9951"), "{letter:#?}");
    assert!(letter.raw.len() < 200_000, "{}", letter.raw.len());
    let challenges: i64 = club.value("SELECT count(*) FROM challenges");
    assert_eq!(challenges, 0);
    assert_the_next_mail_goes_on(&club);
}

#[test]
fn a_mime_bomb_is_set_aside_and_the_admin_told() {
    let nested = |depth: usize| {
        let mut raw = mail(ANNA, "1@example.org", "");
        raw.truncate(raw.find("\n\n").unwrap());
        for level in 0..depth {
            raw.push_str(&format!(
                "\nContent-Type: multipart/mixed; boundary=\"b{level}\"\n\n--b{level}"
            ));
        }
        raw.push_str("\nContent-Type: text/plain\n\nlist\n");
        raw
    };
    let wide = {
        let mut raw = mail(ANNA, "2@example.org", "");
        raw.truncate(raw.find("\n\n").unwrap());
        raw.push_str("\nContent-Type: multipart/mixed; boundary=\"b\"\n\n");
        raw.push_str(&"--b\nContent-Type: text/plain\n\nlist\n".repeat(50_000));
        raw
    };
    for raw in [nested(120), nested(5_000), wide] {
        let club = two_members();
        club.arrive(raw.as_bytes());
        club.once();
        let letter = club.only_letter(ADMIN);
        assert!(letter.text.contains("was set aside"), "{letter:#?}");
        let told = club.only_letter(ANNA);
        assert!(told.text.contains("too many parts"), "{told:#?}");
        let kept: Vec<u8> = club.value("SELECT raw FROM inbox WHERE state = 'shunted'");
        assert_eq!(kept, raw.as_bytes());
        let status = club.run(&["status"]);
        assert_eq!(status.code, 1, "{}", status.out);
        assert!(
            status.out.contains("1 mails are set aside"),
            "{}",
            status.out
        );
        assert_the_next_mail_goes_on(&club);
    }
}

/// A mail of thirty megabytes, as a picture makes it.
fn huge(subject: &str) -> Vec<u8> {
    let mut raw = mail(ANNA, "1@example.org", "Here is our board.\n")
        .replace("Subject: dvonn", &format!("Subject: {subject}"))
        .into_bytes();
    let line = [b'A'; 76];
    while raw.len() < 30 << 20 {
        raw.extend(line);
        raw.push(b'\n');
    }
    raw
}

#[test]
fn a_mail_of_thirty_megabytes_gets_one_clear_letter() {
    let club = two_members();
    club.arrive(&huge("our board"));
    club.once();
    assert_too_large_was_told(&club);
    assert_the_next_mail_goes_on(&club);
}

#[test]
fn a_mail_of_thirty_megabytes_through_the_pipe_gets_the_same_letter() {
    let club = two_members();
    let raw = huge("our board");
    for _ in 0..2 {
        let ran = club.feed(&["deliver"], &raw);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    }
    club.once();
    assert_too_large_was_told(&club);
    assert_the_next_mail_goes_on(&club);
}

#[test]
fn the_subject_of_a_mail_that_is_too_large_to_be_read_is_no_command() {
    let club = two_members();
    club.arrive(&huge("challenge Ben"));
    club.once();
    assert_too_large_was_told(&club);
    assert_eq!(club.letters(BEN).len(), 0);
    assert_the_next_mail_goes_on(&club);
}

fn assert_too_large_was_told(club: &Club) {
    let letter = club.only_letter(ANNA);
    assert!(
        letter
            .text
            .starts_with("Nothing was done: your mail is too large. The club takes 5"),
        "{letter:#?}"
    );
    let challenges: i64 = club.value("SELECT count(*) FROM challenges");
    assert_eq!(challenges, 0);
}

#[test]
fn thirty_megabytes_of_a_stranger_are_left_where_they_lie() {
    let club = two_members();
    let raw = String::from_utf8(huge("Holidays")).unwrap();
    club.arrive(raw.replace(ANNA, "aunt@example.org").as_bytes());
    club.once();
    assert_eq!(club.recipients(), Vec::<String>::new());
    assert_eq!(club.count("new"), 1);
    let kept: i64 = club.value("SELECT count(*) FROM inbox WHERE raw IS NOT NULL");
    assert_eq!(kept, 0);
    club.write(BEN, "list");
    club.once();
    assert_eq!(club.letters(BEN).len(), 1);
}

#[test]
fn a_move_in_a_game_that_is_over_says_so_to_its_writer_alone() {
    let club = two_members();
    let game = game_where(&["a1-b1"]);
    let (anna, ben) = (club.value("SELECT 1"), club.value("SELECT 2"));
    let id = dvonn_post::club::player::PlayerId;
    insert_game(
        &mut club.store(),
        12,
        (id(anna), id(ben)),
        &game,
        dvonn_post::daemon::clock::now(),
    );
    club.write(BEN, "12: resign");
    club.once();
    let (plies, to_ben) = (club.moves(12), club.letters(BEN).len());
    assert_eq!(club.letters(ANNA).len(), 1);
    club.write(ANNA, "12: a1-b1");
    club.once();
    let letters = club.letters(ANNA);
    assert_eq!(letters.len(), 2);
    let said = &letters[1].text;
    assert!(said.contains("game 12 is over"), "{said}");
    assert!(said.contains("a1-b1"), "{said}");
    assert_eq!(club.letters(BEN).len(), to_ben);
    assert_eq!(club.moves(12), plies);
    assert_the_next_mail_goes_on(&club);
}

#[test]
fn a_header_of_a_million_bytes_is_read_or_set_aside_within_seconds() {
    for header in [
        format!("X-Long: {}\n", "a".repeat(1_000_000)),
        format!("References: {}\n", "<a@b> ".repeat(150_000)),
        "Received: from a by b\n".repeat(40_000),
        format!("Subject: {}\n", "=?utf-8?q?b3-c3?= ".repeat(50_000)),
        format!("To: {}\n", "(".repeat(500_000)),
    ] {
        let club = two_members();
        let raw = mail(ANNA, "1@example.org", "list").replace("Subject: dvonn\n", &header);
        club.arrive(raw.as_bytes());
        let start = std::time::Instant::now();
        club.once();
        assert!(start.elapsed().as_secs() < 20, "{}", &header[..20]);
        let told = club.letters(ANNA).len() + club.letters(ADMIN).len();
        assert_eq!(told, 1, "{}", &header[..20]);
        assert_the_next_mail_goes_on(&club);
    }
}
