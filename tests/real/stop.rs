//! SIGTERM while a server takes its time: the daemon ends soon and well. (`Serve::stop` holds the limit.)

use tokio::sync::watch;

use crate::club::{Club, Ways};
use crate::common::{Peer, Talk, eventually};

/// A mailbox that can be waited on.
async fn mailbox() -> Peer {
    Peer::start(|mut talk| async move {
        talk.say("* OK hello\r\n").await;
        let _ = talk.imap_until("NEVER", "IDLE MOVE UIDPLUS").await;
    })
    .await
}

/// A way out that takes everything.
async fn way_out() -> Peer {
    Peer::start(|mut talk| async move {
        talk.say("220 hello\r\n").await;
        talk.smtp_until("NEVER").await;
    })
    .await
}

/// A server that runs the script to its end, tells that it is there, and says nothing more.
async fn silent<F>(
    script: impl Fn(Talk) -> F + Send + Sync + Clone + 'static,
) -> (Peer, watch::Receiver<bool>)
where
    F: Future<Output = Option<Talk>> + Send + 'static,
{
    let (arrived, there) = watch::channel(false);
    let peer = Peer::start(move |talk| {
        let (script, arrived) = (script.clone(), arrived.clone());
        async move {
            if let Some(talk) = script(talk).await {
                arrived.send_replace(true);
                talk.silence().await;
            }
        }
    })
    .await;
    (peer, there)
}

fn wait(there: &watch::Receiver<bool>) {
    eventually("the server falls silent", || there.borrow().then_some(()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_does_not_confirm_a_mail_holds_no_stop_up() {
    let (smtp, there) = silent(|mut talk| async move {
        talk.say("220 hello\r\n").await;
        talk.smtp_until(".").await.then_some(talk)
    })
    .await;
    let imap = mailbox().await;
    let club = Club::new(&Ways::open(imap.port, smtp.port));
    let mut daemon = club.serve();
    daemon.says("Ready");
    let mail = b"From: Carol <carol@pbem.test>\r\nTo: club@pbem.test\r\nMessage-ID: <1@pbem.test>\r\n\r\njoin\r\n";
    assert_eq!(club.run_with(&["deliver"], mail).code, 0);
    wait(&there);
    daemon.stop();
    let outbox = club.json(&["outbox", "--json"]);
    assert_eq!(outbox[0]["state"], "waiting", "it is sent again: {outbox}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_way_out_that_does_not_greet_holds_no_stop_up() {
    let (smtp, there) = silent(|talk| async move { Some(talk) }).await;
    let imap = mailbox().await;
    let club = Club::new(&Ways::open(imap.port, smtp.port));
    let daemon = club.serve();
    wait(&there);
    daemon.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mailbox_that_does_not_open_holds_no_stop_up() {
    let (imap, there) = silent(|mut talk| async move {
        talk.say("* OK hello\r\n").await;
        talk.imap_until("SELECT", "IDLE MOVE UIDPLUS").await?;
        Some(talk)
    })
    .await;
    let smtp = way_out().await;
    let club = Club::new(&Ways::open(imap.port, smtp.port));
    let daemon = club.serve();
    wait(&there);
    daemon.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mailbox_in_idle_or_without_it_holds_no_stop_up() {
    for idle in [true, false] {
        let (imap, smtp) = (mailbox().await, way_out().await);
        let club = Club::new(&Ways {
            idle,
            ..Ways::open(imap.port, smtp.port)
        });
        let mut daemon = club.serve();
        daemon.says("Ready");
        let is_idle = || imap.heard().iter().any(|line| line == "IDLE");
        if idle {
            eventually("it waits in IDLE", || is_idle().then_some(()));
        }
        daemon.stop();
        assert_eq!(is_idle(), idle);
    }
}
