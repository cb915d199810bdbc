//! What systemd is told, and when.

use std::os::unix::net::UnixDatagram;

use tokio::sync::watch;

use crate::club::{Club, Ways};
use crate::common::{PATIENCE, Peer, eventually};

/// An end of the daemon's that may be late.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Mailbox,
    WayOut,
}

#[tokio::test(flavor = "multi_thread")]
async fn a_late_mailbox_delays_the_word_that_all_is_ready() {
    check(End::Mailbox).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_late_way_out_delays_the_word_that_all_is_ready() {
    check(End::WayOut).await;
}

async fn check(late: End) {
    let (open, opened) = watch::channel(false);
    let gate = |end| (end == late).then(|| opened.clone());
    let (imap_gate, smtp_gate) = (gate(End::Mailbox), gate(End::WayOut));
    let imap = Peer::start(move |mut talk| {
        let gate = imap_gate.clone();
        async move {
            pass(gate).await;
            talk.say("* OK hello\r\n").await;
            let _ = talk.imap_until("NEVER", "IDLE MOVE UIDPLUS").await;
        }
    })
    .await;
    let smtp = Peer::start(move |mut talk| {
        let gate = smtp_gate.clone();
        async move {
            pass(gate).await;
            talk.say("220 hello\r\n").await;
            talk.smtp_until("NEVER").await;
        }
    })
    .await;
    let club = Club::new(&Ways::open(imap.port, smtp.port));
    let path = club.path("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    let daemon = club.serve_notifying(&path);

    let said = |peer: &Peer, word: &str| peer.heard().iter().any(|line| line == word);
    eventually("the end that is not late has answered", || {
        let answered = match late {
            End::Mailbox => said(&smtp, "QUIT"),
            End::WayOut => said(&imap, "IDLE"),
        };
        answered.then_some(())
    });
    // What was told up to now may be older than the answer.
    socket.set_nonblocking(true).unwrap();
    while let Some(news) = hear(&socket) {
        assert_eq!(news, "WATCHDOG=1");
    }
    socket.set_nonblocking(false).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    for _ in 0..2 {
        assert_eq!(hear(&socket).unwrap(), "WATCHDOG=1");
    }
    assert_eq!(daemon.lines("Ready").len(), 0);
    open.send_replace(true);
    loop {
        match hear(&socket).unwrap().as_str() {
            "READY=1" => break,
            news => assert_eq!(news, "WATCHDOG=1"),
        }
    }
    daemon.stop();
}

async fn pass(gate: Option<watch::Receiver<bool>>) {
    if let Some(mut gate) = gate {
        gate.wait_for(|open| *open).await.unwrap();
    }
}

fn hear(socket: &UnixDatagram) -> Option<String> {
    let mut bytes = [0; 256];
    let length = socket.recv(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes[..length]).trim().to_owned())
}
