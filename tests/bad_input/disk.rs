//! A full disk and a database that may not be written: the mail stays where it is, the caller is asked to try again,
//! and everything goes on once there is room.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use super::{ANNA, BEN, assert_the_next_mail_goes_on, two_members};
use crate::club::{Club, PROGRAM, Ran, mail};

/// Runs the program where no file may grow beyond these kilobytes: to SQLite that is a disk that takes no more.
pub(crate) fn run_on_full_disk(club: &Club, kilobytes: u32, arguments: &str, input: &str) -> Ran {
    fs::write(club.path("input"), input).unwrap();
    let script = format!("trap '' XFSZ; ulimit -f {kilobytes}; exec {PROGRAM} {arguments} < input");
    let output = Command::new("bash")
        .args(["-c", &script])
        .current_dir(club.path(""))
        .output()
        .unwrap();
    output.into()
}

/// B6.
#[test]
fn on_a_full_disk_the_mail_stays_and_is_done_once_there_is_room() {
    let club = two_members();
    club.once();
    club.write(ANNA, "list");
    let ran = run_on_full_disk(&club, 4, "serve --once", "");
    assert_eq!(ran.code, 75, "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert_eq!(club.count("new"), 1);
    let taken: i64 = club.value("SELECT count(*) FROM inbox");
    assert_eq!(taken, 0);
    let raw = mail(ANNA, "2@example.org", "players");
    let ran = run_on_full_disk(&club, 4, "deliver", &raw);
    assert_eq!(ran.code, 75, "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);

    club.once();
    assert_eq!(club.letters(ANNA).len(), 1);
    assert_eq!(club.feed(&["deliver"], raw.as_bytes()).code, 0);
    club.once();
    assert_eq!(club.letters(ANNA).len(), 2);
    assert_the_next_mail_goes_on(&club);
}

/// The disk is full after the first, second … page: at the start, in the middle of the mail, or while letters go out.
#[test]
fn wherever_the_disk_gets_full_the_mail_is_done_once() {
    let (mut refused, mut done) = (0, 0);
    for kilobytes in (32..264).step_by(8) {
        let club = two_members();
        club.once();
        club.write(
            ANNA,
            &format!("challenge Ben\n{}", "say hello\n".repeat(20)),
        );
        let ran = run_on_full_disk(&club, kilobytes, "serve --once", "");
        match ran.code {
            75 => refused += 1,
            0 => done += 1,
            other => panic!("{kilobytes} KB: {other}, {}", ran.err),
        }
        // A letter whose sending could not be noted is tried again in a minute; that minute is over.
        club.database()
            .execute("UPDATE outbox SET next_at = 0", [])
            .unwrap();
        // One round does what waits, and one puts it away.
        club.once();
        club.once();
        assert_eq!(club.count("new"), 0, "{kilobytes} KB");
        let challenges: i64 = club.value("SELECT count(*) FROM challenges");
        assert_eq!(challenges, 1, "{kilobytes} KB");
        let count = |address: &str| {
            let mut letters: Vec<Vec<u8>> = club
                .letters(address)
                .into_iter()
                .map(|letter| letter.raw)
                .collect();
            letters.dedup();
            letters.len()
        };
        assert_eq!((count(ANNA), count(BEN)), (1, 1), "{kilobytes} KB");
        assert_eq!(club.run(&["status"]).code, 0, "{kilobytes} KB");
    }
    assert!(refused >= 3 && done >= 3, "{refused} refused, {done} done");
}

#[test]
fn a_first_start_on_a_full_disk_asks_to_try_again_and_leaves_nothing_in_the_way() {
    for kilobytes in [0, 4, 16, 40, 80, 120] {
        let club = Club::new();
        let ran = run_on_full_disk(&club, kilobytes, "serve --once", "");
        assert_eq!(ran.code, 75, "{kilobytes} KB: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        club.once();
    }
}

/// Runs the program as a user who may read the club's database and not write it.
fn run_as_reader(club: &Club, arguments: &[&str], input: &[u8]) -> Ran {
    use std::io::Write;
    use std::os::unix::process::CommandExt;
    // Root may write everywhere, so it becomes nobody, who may not run what lies in root's folders.
    let program = club.path("dvonn-post");
    if !program.exists() {
        fs::hard_link(PROGRAM, &program)
            .or_else(|_| fs::copy(PROGRAM, &program).map(|_| ()))
            .unwrap();
    }
    let mut command = Command::new("./dvonn-post");
    command
        .args(arguments)
        .current_dir(club.path(""))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    if is_root() {
        command.uid(65534).gid(65534);
    }
    let mut child = command.spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap().into()
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").unwrap().uid() == 0
}

#[test]
fn a_database_that_may_not_be_written_costs_no_mail() {
    let club = two_members();
    club.once();
    club.write(ANNA, "list");
    let set_modes = |folder: u32, file: u32| {
        let mode = |mode| fs::Permissions::from_mode(mode);
        for name in ["in", "in/new", "in/cur", "in/tmp", "out"] {
            fs::create_dir_all(club.path(name)).unwrap();
            fs::set_permissions(club.path(name), mode(0o777)).unwrap();
        }
        for name in ["club.sqlite", "club.sqlite.lock"] {
            fs::set_permissions(club.path(name), mode(file)).unwrap();
        }
        fs::set_permissions(club.path(""), mode(folder)).unwrap();
    };
    // The folder may be written to, so that it is the database alone that is in the way; then neither may.
    for folder in [0o777, 0o555] {
        set_modes(folder, 0o444);
        let ran = run_as_reader(&club, &["serve", "--once"], b"");
        assert_eq!(ran.code, 75, "{}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert!(ran.err.contains("club.sqlite"), "{}", ran.err);
        let raw = mail(ANNA, "2@example.org", "players");
        let ran = run_as_reader(&club, &["deliver"], raw.as_bytes());
        assert_eq!(ran.code, 75, "{}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert_eq!(club.count("new"), 1);
        assert_eq!(club.letters(ANNA).len(), 0);
    }
    set_modes(0o777, 0o666);
    club.once();
    assert_eq!(club.letters(ANNA).len(), 1);
    assert_the_next_mail_goes_on(&club);
}
