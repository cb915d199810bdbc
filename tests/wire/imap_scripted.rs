//! Reading a mailbox of servers that stall, lie and hang up (B1, B4, B5, B11, B12).

use std::time::{Duration, Instant};

use dvonn_post::wire::{Batch, Folder, Id, Kind, Mailbox, Part, Security, WayIn, WireError};

use crate::common::{Peer, Talk};
use crate::imap_settings;

/// For servers that are silent.
const SHORT: Duration = Duration::from_millis(500);
/// For all others: no test waits for its end.
const LONG: Duration = Duration::from_secs(20);
const ALL: &str = "IDLE MOVE UIDPLUS";

fn way(peer: &Peer) -> WayIn {
    WayIn::Imap(imap_settings(peer.port, LONG))
}

fn hasty(peer: &Peer) -> WayIn {
    WayIn::Imap(imap_settings(peer.port, SHORT))
}

/// Everything that the daemon does with a mailbox.
async fn session(way: &WayIn) -> Result<Batch, WireError> {
    let mut club = Mailbox::connect(way).await?;
    let listing = club.list(Folder::Inbox, None).await?;
    let batch = club.fetch(&listing.mails, Part::Whole).await?;
    let ids: Vec<Id> = batch.mails.iter().map(|mail| mail.id.clone()).collect();
    club.done(&ids).await?;
    club.wait(SHORT / 3).await?;
    club.close().await;
    Ok(batch)
}

/// A server that behaves until a command begins with `verb`.
async fn well_until<F>(
    verb: &'static str,
    capabilities: &'static str,
    then: impl Fn(Talk, String) -> F + Clone + Send + Sync + 'static,
) -> Peer
where
    F: Future<Output = ()> + Send + 'static,
{
    Peer::start(move |mut talk| {
        let then = then.clone();
        async move {
            talk.say("* OK hello\r\n").await;
            if let Some(tag) = talk.imap_until(verb, capabilities).await {
                then(talk, tag).await;
            }
        }
    })
    .await
}

#[tokio::test]
async fn a_server_that_behaves_is_read_to_the_end() {
    let peer = well_until("LOGOUT", ALL, |mut talk, tag| async move {
        talk.say(format!("* BYE bye\r\n{tag} OK done\r\n")).await;
    })
    .await;
    let batch = session(&way(&peer)).await.unwrap();
    assert_eq!(batch.mails.len(), 3);
    assert_eq!(batch.mails[1].raw, b"A: b\r\n\r\nm2.");
    let heard = peer.heard();
    let moved: Vec<&String> = heard.iter().filter(|line| line.contains("MOVE")).collect();
    assert_eq!(moved, ["UID MOVE 1:3 \"Done\""]);
}

/// B1: each phase by itself; the whole daemon comes back from it in `tests/bugs`.
#[tokio::test]
async fn silence_in_any_phase_ends_in_time_and_says_where() {
    let phases = [
        ("LOGIN", "login"),
        ("CAPABILITY", "CAPABILITY"),
        ("SELECT", "SELECT"),
        ("UID SEARCH", "UID SEARCH"),
        ("UID FETCH 1:3 (UID RFC822.SIZE", "UID FETCH"),
        ("UID FETCH 1:3 (UID INTERNALDATE BODY", "UID FETCH"),
        ("UID MOVE", "UID MOVE"),
        ("IDLE", "IDLE"),
    ];
    for (verb, named) in phases {
        let peer = well_until(verb, ALL, |talk, _| talk.silence()).await;
        let start = Instant::now();
        let error = session(&hasty(&peer)).await.expect_err(verb);
        assert!(start.elapsed() < SHORT * 6, "{verb}: too long");
        assert_eq!(error.kind(), Kind::Temporary, "{verb}");
        assert!(error.to_string().contains(named), "{verb}: {error}");
    }
    let peer = Peer::start(Talk::silence).await;
    let error = session(&hasty(&peer)).await.unwrap_err();
    assert!(error.to_string().contains("greeting"), "{error}");
    let peer = well_until("IDLE", ALL, |mut talk, _| async {
        talk.say("+ idling\r\n").await;
        talk.silence().await;
    })
    .await;
    let error = session(&hasty(&peer)).await.unwrap_err();
    assert!(error.to_string().contains("end of IDLE"), "{error}");
    // Silence at good-bye holds up nothing that matters.
    let peer = well_until("LOGOUT", ALL, |talk, _| talk.silence()).await;
    session(&hasty(&peer)).await.unwrap();
}

#[tokio::test]
async fn an_encrypted_port_that_stays_silent_ends_in_time() {
    let peer = Peer::start(Talk::silence).await;
    for security in [Security::Tls, Security::StartTls] {
        let mut settings = imap_settings(peer.port, SHORT);
        settings.server.security = security;
        let error = Mailbox::connect(&WayIn::Imap(settings)).await.unwrap_err();
        assert_eq!(error.kind(), Kind::Temporary, "{error}");
    }
}

#[tokio::test]
async fn without_starttls_no_password_is_sent() {
    for answer in ["BAD what?", "NO not here"] {
        let peer = well_until("STARTTLS", "", move |mut talk, tag| async move {
            talk.say(format!("{tag} {answer}\r\n")).await;
            talk.command().await;
        })
        .await;
        let mut settings = imap_settings(peer.port, SHORT);
        settings.server.security = Security::StartTls;
        let error = Mailbox::connect(&WayIn::Imap(settings)).await.unwrap_err();
        assert_eq!(error.kind(), Kind::Tls);
        assert!(error.to_string().contains("STARTTLS"), "{error}");
        assert_eq!(peer.heard(), ["STARTTLS"]);
    }
}

/// B4, B5.
#[tokio::test]
async fn bye_instead_of_idling_and_bye_or_an_end_within_it_are_lost_connections() {
    for words in [
        "* BYE going down\r\n",
        "",
        "+ idling\r\n* BYE going down\r\n",
        "+ idling\r\n",
    ] {
        let peer = well_until("IDLE", ALL, move |mut talk, _| async move {
            talk.say(words).await;
        })
        .await;
        let error = session(&way(&peer)).await.expect_err(words);
        assert_eq!(error.kind(), Kind::Temporary, "{words}");
        assert!(error.to_string().contains("lost"), "{error}");
    }
}

#[tokio::test]
async fn a_server_that_refuses_idle_is_polled() {
    for answer in ["NO not now", "BAD what?"] {
        let peer = well_until("IDLE", ALL, move |mut talk, tag| async move {
            talk.say(format!("{tag} {answer}\r\n")).await;
            talk.imap_until("never", ALL).await;
        })
        .await;
        session(&way(&peer)).await.unwrap();
    }
}

#[tokio::test]
async fn keepalives_do_not_lengthen_the_wait() {
    let peer = well_until("IDLE", ALL, |mut talk, tag| async move {
        talk.say("+ idling\r\n").await;
        for _ in 0..1000 {
            talk.say("* OK Still here\r\n").await;
            let done = tokio::time::timeout(SHORT / 30, talk.line()).await;
            if done.is_ok() {
                return talk.say(format!("{tag} OK done\r\n")).await;
            }
        }
    })
    .await;
    let start = Instant::now();
    session(&way(&peer)).await.unwrap();
    assert!(start.elapsed() < SHORT * 6);
}

/// B12.
#[tokio::test]
async fn a_connection_cut_anywhere_in_a_fetch_delivers_nothing() {
    let whole: String = (1..=3).map(Talk::mail).collect();
    let first = Talk::mail(1).len();
    for cut in [0, 5, first - 8, first, first + 20, whole.len()] {
        let part = whole[..cut].to_owned();
        let peer = well_until(
            "UID FETCH 1:3 (UID INTERNALDATE BODY",
            ALL,
            move |mut talk, _| {
                let part = part.clone();
                async move { talk.say(part).await }
            },
        )
        .await;
        let error = session(&way(&peer)).await.expect_err("cut");
        assert_eq!(error.kind(), Kind::Temporary, "cut at {cut}: {error}");
        assert_eq!(
            peer.connections(),
            1,
            "the wire does not reconnect by itself"
        );
    }
}

/// B11.
#[tokio::test]
async fn no_to_a_fetch_is_not_taken_for_an_empty_mailbox() {
    // Refused all along, each mail by itself too.
    let peer = well_until(
        "UID FETCH 1:3 (UID INTERNALDATE BODY",
        ALL,
        |mut talk, mut tag| async move {
            loop {
                talk.say(format!("{tag} NO server on strike\r\n")).await;
                let Some((next, mut command)) = talk.command().await else {
                    return;
                };
                tag = next;
                while command.starts_with("UID SEARCH") {
                    talk.imap_answer(&tag, &command, ALL).await;
                    let Some(next) = talk.command().await else {
                        return;
                    };
                    (tag, command) = next;
                }
            }
        },
    )
    .await;
    let error = session(&way(&peer)).await.unwrap_err();
    assert_eq!(error.kind(), Kind::Temporary);
    assert!(error.to_string().contains("server on strike"), "{error}");
    // Refused at present.
    let peer = well_until(
        "UID FETCH 1:3 (UID INTERNALDATE BODY",
        ALL,
        |mut talk, tag| async move {
            talk.say(format!("{tag} NO [UNAVAILABLE] back end away\r\n"))
                .await;
        },
    )
    .await;
    let error = session(&way(&peer)).await.unwrap_err();
    assert_eq!(error.kind(), Kind::Temporary);
}

/// B11.
#[tokio::test]
async fn a_mail_that_the_server_cannot_read_does_not_hold_up_the_others() {
    for (mail, answer) in [
        ("", "NO [CANNOT] mail 2 is corrupt"),
        ("* 2 FETCH (UID 2 BODY[] NIL)\r\n", "OK done"),
        ("* 2 FETCH (UID 2 BODY[] {0}\r\n)\r\n", "OK done"),
    ] {
        let peer = well_until(
            "UID FETCH 1:3 (UID INTERNALDATE BODY",
            ALL,
            move |mut talk, tag| async move {
                // Flags of other mails come in between: no content, no loss.
                talk.say("* 3 FETCH (UID 3 FLAGS (\\Seen))\r\n").await;
                talk.say(format!(
                    "{}{mail}{}{tag} {answer}\r\n",
                    Talk::mail(1),
                    Talk::mail(3)
                ))
                .await;
                let Some(tag) = talk.imap_until("UID SEARCH UID 2", ALL).await else {
                    return;
                };
                talk.say(format!("* SEARCH 2\r\n{tag} OK done\r\n")).await;
                let Some(tag) = talk
                    .imap_until("UID FETCH 2 (UID INTERNALDATE BODY", ALL)
                    .await
                else {
                    return;
                };
                talk.say(format!("{mail}{tag} {answer}\r\n")).await;
                talk.imap_until("never", ALL).await;
            },
        )
        .await;
        let batch = session(&way(&peer)).await.unwrap();
        assert_eq!(batch.mails.len(), 2);
        let uid = |id: &Id| id.to_string() == "inbox:7:2";
        assert!(
            batch.unreadable.len() == 1 && uid(&batch.unreadable[0].0),
            "{answer}"
        );
        assert!(batch.gone.is_empty());
    }
}

#[tokio::test]
async fn nonsense_is_a_protocol_error_and_ends_the_connection() {
    let peer = well_until("UID SEARCH", ALL, |mut talk, _| async move {
        talk.say("* 1 FETCH (ENVELOPE \x1b[2J !!\r\n").await;
        talk.silence().await;
    })
    .await;
    let mut club = Mailbox::connect(&way(&peer)).await.unwrap();
    let error = club.list(Folder::Inbox, None).await.unwrap_err();
    assert_eq!(error.kind(), Kind::Protocol, "{error}");
    assert!(!error.to_string().contains('\n'));
    let error = club.list(Folder::Inbox, None).await.unwrap_err();
    assert_eq!(error.kind(), Kind::Temporary, "{error}");
}

#[tokio::test]
async fn undescribed_mails_are_listed_all_the_same() {
    let peer = well_until(
        "UID FETCH 1:3 (UID RFC822.SIZE",
        ALL,
        |mut talk, tag| async move {
            talk.say(format!(
                "* 2 FETCH (UID 2 RFC822.SIZE 11 INTERNALDATE \"soon\")\r\n{tag} OK done\r\n"
            ))
            .await;
            talk.imap_until("never", ALL).await;
        },
    )
    .await;
    let mut club = Mailbox::connect(&way(&peer)).await.unwrap();
    let listing = club.list(Folder::Inbox, None).await.unwrap();
    let sizes: Vec<u64> = listing.mails.iter().map(|mail| mail.size).collect();
    assert_eq!(sizes, [0, 11, 0]);
    assert!(listing.mails.iter().all(|mail| mail.arrived.is_none()));
}

#[tokio::test]
async fn without_move_mails_are_copied_and_only_they_are_expunged() {
    for (capabilities, expected) in [
        (
            "UIDPLUS",
            &[
                "UID COPY 1:3 \"Done\"",
                "CREATE \"Done\"",
                "SUBSCRIBE \"Done\"",
                "UID COPY 1:3 \"Done\"",
                "UID STORE 1:3 +FLAGS.SILENT (\\Deleted)",
                "UID EXPUNGE 1:3",
            ][..],
        ),
        (
            "",
            &[
                "UID COPY 1:3 \"Done\"",
                "CREATE \"Done\"",
                "SUBSCRIBE \"Done\"",
                "UID COPY 1:3 \"Done\"",
                "UID STORE 1:3 +FLAGS.SILENT (\\Deleted)",
            ][..],
        ),
    ] {
        let peer = well_until("UID COPY", capabilities, move |mut talk, tag| async move {
            talk.say(format!("{tag} NO [TRYCREATE] no such mailbox\r\n"))
                .await;
            talk.imap_until("never", capabilities).await;
        })
        .await;
        session(&way(&peer)).await.unwrap();
        let heard = peer.heard();
        let from = heard
            .iter()
            .position(|line| line.starts_with("UID COPY"))
            .unwrap();
        let to = heard.iter().position(|line| line == "LOGOUT").unwrap();
        assert_eq!(heard[from..to], *expected);
    }
}

#[tokio::test]
async fn a_done_mailbox_that_cannot_be_made_is_named() {
    let peer = well_until("UID MOVE", ALL, |mut talk, tag| async move {
        talk.say(format!("{tag} NO [TRYCREATE] no such mailbox\r\n"))
            .await;
        let Some(tag) = talk.imap_until("CREATE", ALL).await else {
            return;
        };
        talk.say(format!("{tag} NO names begin with INBOX.\r\n"))
            .await;
        talk.imap_until("never", ALL).await;
    })
    .await;
    let error = session(&way(&peer)).await.unwrap_err();
    assert_eq!(error.kind(), Kind::NoSuchMailbox);
    let text = error.to_string();
    assert!(
        text.contains("\"Done\"") && text.contains("begin with INBOX."),
        "{text}"
    );
}

#[tokio::test]
async fn a_login_that_is_not_possible_now_is_no_wrong_password() {
    for (answer, kind) in [
        ("NO [UNAVAILABLE] back end away", Kind::Temporary),
        ("NO [AUTHENTICATIONFAILED] wrong", Kind::Credentials),
        ("NO wrong", Kind::Credentials),
        ("NO [PRIVACYREQUIRED] in the open?", Kind::Tls),
    ] {
        let peer = well_until("LOGIN", ALL, move |mut talk, tag| async move {
            talk.say(format!("{tag} {answer}\r\n")).await;
        })
        .await;
        let error = session(&way(&peer)).await.unwrap_err();
        assert_eq!(error.kind(), kind, "{answer}: {error}");
    }
    let peer =
        Peer::start(|mut talk| async move { talk.say("* BYE too many connections\r\n").await })
            .await;
    let error = session(&way(&peer)).await.unwrap_err();
    assert_eq!(error.kind(), Kind::Temporary);
    assert!(
        error.to_string().contains("too many connections"),
        "{error}"
    );
}

#[tokio::test]
async fn a_wait_that_was_cancelled_leaves_no_connection_to_be_misread() {
    let peer = well_until("never", ALL, |_, _| async {}).await;
    let mut club = Mailbox::connect(&way(&peer)).await.unwrap();
    club.list(Folder::Inbox, None).await.unwrap();
    let wait = club.wait(Duration::from_secs(60));
    assert!(tokio::time::timeout(SHORT / 3, wait).await.is_err());
    let error = club.list(Folder::Inbox, None).await.unwrap_err();
    assert_eq!(error.kind(), Kind::Temporary);
}
