//! Answers of a mailbox that are cut, folded, unusual or wrong: no mail is passed over, and no loop gets hot.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::house::{House, PROMPT, mail, now, office};
use crate::office::Act;

/// The lines of the log while this lives.
struct Log {
    lines: Arc<Mutex<Vec<u8>>>,
    _guard: tracing::subscriber::DefaultGuard,
}

struct Writer(Arc<Mutex<Vec<u8>>>);

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Log {
    fn open() -> Log {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let writer = lines.clone();
        let log = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::INFO)
            .with_ansi(false)
            .without_time()
            .with_writer(move || Writer(writer.clone()))
            .finish();
        Log {
            lines,
            _guard: tracing::subscriber::set_default(log),
        }
    }

    fn text(&self) -> String {
        String::from_utf8(self.lines.lock().unwrap().clone()).unwrap()
    }
}

/// B12.
#[tokio::test(start_paused = true)]
async fn a_connection_cut_inside_a_mail_is_one_reconnect_and_a_few_lines_of_log() {
    let office = office();
    let house = House::open(&office).await;
    let log = Log::open();
    office.trap("BODY.PEEK", 1, Act::Cut);
    office.deliver(mail("carol@pbem.test", "join"));
    house
        .until(PROMPT, "the mail is done", || {
            office.state().done.len() == 1 && office.letters("carol@pbem.test").len() == 1
        })
        .await;
    assert_eq!(office.state().imap.connections, 2);
    let text = log.text();
    assert!((1..=10).contains(&text.lines().count()), "{text}");
    assert!(text.contains("lost during UID FETCH"), "{text}");
    house.close().await;
}

/// B12: the same for hours.
#[tokio::test(start_paused = true)]
async fn a_mailbox_that_cuts_every_mail_is_tried_less_and_less_often() {
    let office = office();
    let house = House::open(&office).await;
    let log = Log::open();
    office.trap("BODY.PEEK", usize::MAX, Act::Cut);
    office.deliver(mail("carol@pbem.test", "join"));
    tokio::time::sleep(Duration::from_secs(3600)).await;
    let connections = office.state().imap.connections;
    assert!((5..=15).contains(&connections), "{connections} in an hour");
    let lines = log.text().lines().count();
    assert!(lines <= 40, "{lines} in an hour:\n{}", log.text());
    assert_eq!(house.states().len(), 0);
    house.close().await;
}

/// B11: every mail that is listed becomes a row, whatever else the server says.
#[tokio::test(start_paused = true)]
async fn unusual_answers_and_folded_mails_lose_no_mail() {
    for quirk in [
        "* OK [X-NEVER-HEARD-OF (1 2 \"three\")] what?\r\n",
        "* OK [] empty\r\n",
        "* NO [ALERT] the disk is nearly full\r\n",
        "* QUOTA \"\" (STORAGE 10 512)\r\n",
        "* QUOTA \"User quota\" ()\r\n",
        "* QUOTA\r\n",
        "* QUOTAROOT INBOX\r\n",
        "* QUOTAROOT INBOX \"\"\r\n",
        "* FLAGS (\\Answered \\Seen $Forwarded NonJunk)\r\n",
        "* OK [PERMANENTFLAGS (\\Seen \\*)] limited\r\n",
        "* 3 RECENT\r\n",
        "* VANISHED (EARLIER) 41,43:116\r\n",
        "* ESEARCH (TAG \"A1\") UID ALL 1:3\r\n",
        "* X-GM-SOMETHING 1 2 3\r\n",
    ] {
        for word in [
            "LOGIN",
            "SELECT",
            "UID SEARCH",
            "RFC822.SIZE",
            "BODY.PEEK",
            "UID MOVE",
        ] {
            let office = office();
            office.trap(word, usize::MAX, Act::Say(quirk));
            for raw in [
                mail("carol@pbem.test", "join"),
                mail("dan@pbem.test", "hello there"),
                b"From: eve@pbem.test\r\nSubject: a subject\r\n that is\r\n\tfolded (twice) {17}\r\n\r\njoin\r\n".to_vec(),
            ] {
                office.put(raw.len(), raw, now());
            }
            let house = House::begin(&office, &[]);
            let what = format!("{quirk:?} before the answer to {word}");
            house
                .until(PROMPT, &what, || house.states().len() == 3)
                .await;
            house
                .until(PROMPT, &what, || office.state().done.len() == 2)
                .await;
            assert_eq!(house.states(), ["done", "left", "done"], "{what}");
            house.close().await;
        }
    }
}
