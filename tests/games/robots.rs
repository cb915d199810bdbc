//! Robots that answer every mail, with fresh Message-IDs and no sign of a machine, for a day (B14, IN-14).

use super::letters::CLUB;
use super::run::send;
use super::script::{Step, parse};
use super::world::World;

const ANNA: &str = "anna@a.example";

/// Minutes between two mails of a robot.
const EVERY: u32 = 5;

fn club() -> World {
    let mut world = World::new();
    let script = "member Anna <anna@a.example>\nmember Ben <ben@b.example>\n";
    for (_, step) in parse(script).unwrap() {
        if let Step::Member(person) = step {
            world.member(&person).unwrap();
        }
    }
    world
}

/// Writes one mail.
fn write(world: &mut World, minute: u32, from: &str, options: &str) -> usize {
    let (day, hour) = (2 + minute / 1440, minute / 60 % 24);
    let script = format!(
        "2026-12-{day:02} {hour:02}:{:02} {from}\n{options}\n= any\n",
        minute % 60
    );
    let steps = parse(&script).unwrap();
    let Some((_, Step::Mail(mail))) = steps.first() else {
        panic!("{script} is no mail");
    };
    world.now = mail.at;
    send(world, mail).unwrap().1
}

/// The answers that a robot of that address gets within a day, and whether it would get any on the next. It writes
/// every five minutes, whether it was answered or not.
fn answers(world: &mut World, from: &str, address: &str, options: &str) -> (usize, usize) {
    let before = world.letters.len();
    for minute in (0..1440).step_by(EVERY as usize) {
        write(world, minute, from, options);
    }
    let first = world.letters.len() - before;
    assert!(
        world.letters[before..]
            .iter()
            .all(|letter| letter.to == address)
    );
    for minute in (1440..2880).step_by(EVERY as usize) {
        write(world, minute, from, options);
    }
    (first, world.letters.len() - before - first)
}

/// B14: there may be a robot behind every address.
#[test]
fn a_robot_at_an_unknown_address_gets_one_question_a_week() {
    let mut world = club();
    let said = "| Thank you for your mail.\n| join";
    let got = answers(
        &mut world,
        "Robot <robot@r.example>",
        "robot@r.example",
        said,
    );
    assert_eq!(got, (1, 0));
    let mut world = club();
    let said = "| Thank you for your mail. I am away.";
    let got = answers(
        &mut world,
        "Robot <robot@r.example>",
        "robot@r.example",
        said,
    );
    assert_eq!(got, (0, 0));
}

#[test]
fn a_robot_at_a_members_address_without_proof_gets_three_answers_a_day() {
    for said in [
        "| I am away.",
        "| help",
        "| b9-c3",
        "| 12: b3-c3",
        "subject: rules",
    ] {
        let mut world = club();
        let got = answers(&mut world, "Anna <anna@a.example>", ANNA, said);
        assert!(got.0 == 3 && got.1 <= 3, "{said}: {got:?}");
    }
}

#[test]
fn answers_to_mail_without_proof_are_ten_minutes_apart() {
    let mut world = club();
    let mut got = Vec::new();
    for minute in 0..25 {
        got.push(write(&mut world, minute, "Anna <anna@a.example>", "| help"));
    }
    let at: Vec<usize> = (0..25).filter(|minute| got[*minute] == 1).collect();
    assert_eq!(at, [0, 10, 20]);
}

#[test]
fn a_robot_with_proof_that_writes_nonsense_gets_three_answers_a_day() {
    let mut world = club();
    write(&mut world, 0, "Anna <anna@a.example> pass", "| help");
    let said = "re: first\n| I am away.";
    let mut got = 0;
    for minute in (5..2880).step_by(EVERY as usize) {
        got += write(&mut world, minute, "Anna <anna@a.example>", said);
    }
    // Three in a row; the next only after a day of silence.
    assert_eq!(got, 3);
}

#[test]
fn a_robot_with_proof_whose_lines_come_to_nothing_is_answered_less_and_less() {
    for said in ["| b9-c3", "| 12: b3-c3"] {
        let mut world = club();
        let got = answers(&mut world, "Anna <anna@a.example> pass", ANNA, said);
        // The first ten, the 16th, 32nd, 64th, 128th and 256th.
        assert_eq!(got.0, 15, "{said}");
        assert!(got.1 <= 15, "{said}: {got:?}");
        // Somebody who writes something else is heard at once.
        assert_eq!(
            write(&mut world, 2880, "Anna <anna@a.example> pass", "| help"),
            1
        );
    }
}

#[test]
fn a_robot_with_proof_that_asks_for_pages_gets_no_more_than_three_busy_hours_a_day() {
    let mut world = club();
    let got = answers(&mut world, "Anna <anna@a.example> pass", ANNA, "| help");
    assert!(got.0 <= 90, "{got:?}");
    assert!(!world.letters.iter().any(|letter| letter.to == CLUB));
}
