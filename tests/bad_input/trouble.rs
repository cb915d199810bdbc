//! What needs a person though it is no mail's fault: each is told once, by mail or by the alarm, on a clock of the test.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use dvonn_post::club::desk::Customs;
use dvonn_post::daemon::{Alarm, Daemon, Limits, Outside, Settings, clock};
use dvonn_post::dvonn::Setup;
use dvonn_post::mail::address::Address;
use dvonn_post::store::Room;
use dvonn_post::wire::{Login, Password, Security, Server, SmtpSettings, WayIn, WayOut};

use super::{ANNA, two_members};
use crate::club::{ADDRESS, ADMIN, Club};

const MIB: u64 = 1 << 20;

/// A club whose clock, disk and alarm are the test's.
struct Trial {
    club: Club,
    daemon: Daemon,
    now: Arc<Mutex<DateTime<Utc>>>,
    free: Arc<AtomicU64>,
    rung: Arc<Mutex<Vec<String>>>,
    runtime: tokio::runtime::Runtime,
}

impl Trial {
    fn new(way_out: Option<WayOut>) -> Trial {
        let club = two_members();
        let now = Arc::new(Mutex::new(clock::now()));
        let free = Arc::new(AtomicU64::new(1 << 40));
        let rung: Arc<Mutex<Vec<String>>> = Arc::default();
        let (clock, disk, bell) = (now.clone(), free.clone(), rung.clone());
        let outside = Outside::new(move || *clock.lock().unwrap(), || Ok([7; 32]))
            .with_room(move |_| {
                Some(Room {
                    free: disk.load(Ordering::Relaxed),
                    total: 1 << 40,
                })
            })
            .with_alarm(Alarm::new(move |text| bell.lock().unwrap().push(text)));
        let daemon = Daemon::open(
            settings(),
            outside,
            &club.path("club.sqlite"),
            WayIn::Maildir(club.path("in")),
            &way_out.unwrap_or_else(|| WayOut::Maildir(club.path("out"))),
        )
        .unwrap();
        Trial {
            club,
            daemon,
            now,
            free,
            rung,
            runtime: tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap(),
        }
    }

    /// A round after so many minutes; says whether it went well.
    fn after(&mut self, minutes: i64) -> bool {
        *self.now.lock().unwrap() += TimeDelta::minutes(minutes);
        self.runtime.block_on(async {
            // Both clocks, or it would be a jump of one.
            tokio::time::pause();
            tokio::time::advance(Duration::from_secs(60 * minutes.unsigned_abs())).await;
            tokio::time::resume();
            self.daemon.round().await.unwrap()
        })
    }

    fn told(&self) -> Vec<String> {
        let letters = self.club.letters(ADMIN);
        letters.into_iter().map(|letter| letter.subject).collect()
    }

    fn rung(&self) -> usize {
        self.rung.lock().unwrap().len()
    }
}

fn settings() -> Settings {
    let address = Address::parse(ADDRESS).unwrap();
    Settings {
        name: "Test Club".to_owned(),
        admin: Address::parse(ADMIN).unwrap(),
        language: "en".to_owned(),
        timezone: "UTC".to_owned(),
        plus_addressing: false,
        trusted_authserv: vec!["mx.club.example".to_owned()],
        customs: Customs {
            setup: Setup::Place,
            games_per_player: 0,
            own_addresses: vec![address.key()],
        },
        limits: Limits {
            mail_size: 5 << 20,
            answers_per_hour: 30,
            strangers_per_day: 100,
            mails_per_hour: None,
            mails_per_day: None,
        },
        poll: Duration::from_secs(60),
        address,
    }
}

fn smtp(port: u16) -> WayOut {
    WayOut::Smtp(SmtpSettings {
        server: Server {
            host: "127.0.0.1".to_owned(),
            port,
            security: Security::None,
            ca_file: None,
            network: dvonn_post::wire::Network::default(),
        },
        login: Some(Login {
            user: "club".to_owned(),
            password: Password("sesame".to_owned()),
        }),
        timeout: Duration::from_secs(20),
        after_dot: Duration::from_secs(20),
        connections: 1,
    })
}

/// A server that refuses every login.
fn refusing() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let _ = stream.write_all(b"220 mail.example.org ESMTP\r\n");
            for line in lines.map_while(Result::ok) {
                let answer: &[u8] = match line.get(..4) {
                    Some("EHLO") => b"250-mail.example.org\r\n250 AUTH PLAIN\r\n",
                    Some("AUTH") => b"535 5.7.8 authentication failed\r\n",
                    _ => b"250 ok\r\n",
                };
                let _ = stream.write_all(answer);
            }
        }
    });
    port
}

#[test]
fn a_mailbox_that_cannot_be_read_for_two_hours_is_told_once_and_so_is_its_end() {
    let mut trial = Trial::new(None);
    assert!(trial.after(0));
    let (mailbox, away) = (trial.club.path("in"), trial.club.path("away"));
    let breaks = || {
        fs::rename(&mailbox, &away).unwrap();
        fs::write(&mailbox, "in the way").unwrap();
    };
    let mends = || {
        fs::remove_file(&mailbox).unwrap();
        fs::rename(&away, &mailbox).unwrap();
    };
    // What passes soon is nobody's business.
    breaks();
    assert!(!trial.after(1));
    assert!(!trial.after(100));
    mends();
    assert!(trial.after(10));
    assert_eq!(trial.told(), Vec::<String>::new());

    breaks();
    assert!(!trial.after(1));
    assert!(!trial.after(119));
    assert_eq!(trial.told(), Vec::<String>::new());
    assert!(!trial.after(1));
    assert_eq!(trial.told(), ["Test Club: the mailbox cannot be read"]);
    for _ in 0..20 {
        assert!(!trial.after(60));
    }
    assert_eq!(trial.told().len(), 1);
    mends();
    assert!(trial.after(10));
    assert_eq!(trial.told()[1..], ["Test Club: all is well again"]);
    assert!(trial.after(600));
    assert_eq!(trial.told().len(), 2);
    // The admin could be told by mail.
    assert_eq!(trial.rung(), 0);
}

#[test]
fn a_refused_login_of_the_way_out_rings_the_alarm_once_and_tells_no_secret() {
    let mut trial = Trial::new(Some(smtp(refusing())));
    assert!(trial.after(0));
    assert_eq!(trial.rung(), 0);
    trial.club.write(ANNA, "list");
    assert!(!trial.after(1));
    assert_eq!(trial.rung(), 1);
    let text = trial.rung.lock().unwrap()[0].clone();
    assert!(
        text.starts_with("Test Club: a login is refused\n\n"),
        "{text}"
    );
    assert!(text.contains("login as club was refused"), "{text}");
    assert!(!text.contains("sesame") && !text.contains("ref:"), "{text}");
    for _ in 0..8 {
        assert!(!trial.after(15));
    }
    assert_eq!(trial.rung(), 1);
    let waiting: i64 = trial
        .club
        .value("SELECT count(*) FROM outbox WHERE recipient = 'admin@admin.example'");
    assert_eq!(waiting, 1);
    let alarms: i64 = trial
        .club
        .value("SELECT count(*) FROM notices WHERE class = 'credentials' AND alarm_at > 0");
    assert_eq!(alarms, 1);
}

#[test]
fn a_way_out_that_is_down_for_two_hours_rings_the_alarm_once() {
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let mut trial = Trial::new(Some(smtp(port)));
    trial.club.write(ANNA, "list");
    assert!(!trial.after(1));
    assert!(!trial.after(60));
    assert_eq!(trial.rung(), 0);
    assert!(!trial.after(61));
    assert_eq!(trial.rung(), 1);
    assert!(
        trial.rung.lock().unwrap()[0].contains("No letter could be sent since"),
        "{:?}",
        trial.rung
    );
    assert!(!trial.after(15));
    assert!(!trial.after(120));
    assert_eq!(trial.rung(), 1);
}

#[test]
fn a_disk_that_is_nearly_full_leaves_mail_where_it_is_and_goes_on_by_itself() {
    let mut trial = Trial::new(None);
    // Before its mailbox was looked at once, a daemon sends nothing.
    assert!(trial.after(0));
    trial.free.store(99 * MIB, Ordering::Relaxed);
    trial.club.write(ANNA, "list");
    for _ in 0..5 {
        assert!(!trial.after(1));
        assert_eq!(trial.club.count("new"), 1);
    }
    let taken: i64 = trial.club.value("SELECT count(*) FROM inbox");
    assert_eq!(taken, 0);
    // Letters that are written still go out: the admin has this one.
    assert_eq!(trial.told(), ["Test Club: the disk is nearly full"]);
    let status = trial.club.run(&["status"]);
    assert_eq!(status.code, 1, "{}", status.out);
    assert!(
        status
            .out
            .contains("less than 100 MiB are free on the disk of the database"),
        "{}",
        status.out
    );
    trial.free.store(101 * MIB, Ordering::Relaxed);
    assert!(trial.after(1));
    assert_eq!(trial.club.letters(ANNA).len(), 1);
    assert!(trial.after(1));
    assert_eq!(trial.told()[1..], ["Test Club: all is well again"]);
    assert_eq!(trial.rung(), 0);
}

/// The alarm command of the club: it keeps what it is told.
fn with_alarm(script: &str) -> Club {
    let club = two_members();
    club.configure(
        "admin = ",
        "alarm_command = [\"tell-me\", \"dvonn\"]\nadmin = ",
    );
    fs::write(club.path("tell-me"), script).unwrap();
    fs::set_permissions(club.path("tell-me"), fs::Permissions::from_mode(0o755)).unwrap();
    club
}

#[test]
fn a_full_disk_rings_the_alarm_though_nothing_can_be_written_down() {
    let club = with_alarm("#!/bin/sh\ncat > \"rung-$1\"\n");
    club.once();
    assert!(!club.path("rung-dvonn").exists());
    club.write(ANNA, "list");
    let ran = super::disk::run_on_full_disk(&club, 4, "serve --once", "");
    assert_eq!(ran.code, 75, "{}", ran.err);
    let rung = fs::read_to_string(club.path("rung-dvonn")).unwrap();
    assert!(
        rung.starts_with("Test Club: trouble with the database\n"),
        "{rung}"
    );
    assert!(rung.contains("cannot be used since"), "{rung}");
    club.once();
    assert_eq!(club.letters(ANNA).len(), 1);
}

#[test]
fn an_alarm_command_that_fails_is_logged_and_holds_nothing_up() {
    let club = with_alarm("#!/bin/sh\nexit 3\n");
    club.write(ANNA, "list");
    let ran = super::disk::run_on_full_disk(&club, 4, "serve --once", "");
    assert_eq!(ran.code, 75, "{}", ran.err);
    let failures = ran.err.matches("The alarm command does not work").count();
    assert_eq!(failures, 1, "{}", ran.err);
    assert!(ran.err.contains("exit status: 3"), "{}", ran.err);
}
