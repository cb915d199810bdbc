//! How long connections are kept, with a shorter rest than in life.

#![allow(clippy::unwrap_used)]

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::*;
use crate::wire::{Security, Server};

/// Says yes to everything, and tells the verb of each command.
async fn serve(listener: TcpListener, heard: UnboundedSender<String>) {
    while let Ok((stream, _)) = listener.accept().await {
        let heard = heard.clone();
        tokio::spawn(async move {
            let mut stream = BufReader::new(stream);
            let mut line = String::new();
            stream.get_mut().write_all(b"220 hello\r\n").await.unwrap();
            while stream.read_line(&mut line).await.unwrap() > 0 {
                let verb: String = line.chars().take(4).collect();
                let answer = match verb.as_str() {
                    "DATA" => "354 go on\r\n",
                    "body" => "",
                    _ => "250 ok\r\n",
                };
                stream.get_mut().write_all(answer.as_bytes()).await.unwrap();
                heard.send(verb).unwrap();
                line.clear();
            }
        });
    }
}

async fn start(rest: Duration) -> (Smtp, UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, heard) = unbounded_channel();
    tokio::spawn(serve(listener, sender));
    let mut smtp = Smtp::new(SmtpSettings {
        server: Server {
            host: "127.0.0.1".to_owned(),
            port,
            security: Security::None,
            ca_file: None,
            network: crate::wire::Network::Tcp,
        },
        login: None,
        timeout: Duration::from_secs(10),
        after_dot: Duration::from_secs(10),
        connections: 2,
    });
    smtp.rest = rest;
    (smtp, heard)
}

async fn send(smtp: &Smtp) {
    let envelope = Envelope {
        from: None,
        to: "anna@pbem.test".to_owned(),
        number: 1,
    };
    assert_eq!(smtp.send(&envelope, b"body\r\n").await, Sent::Accepted);
}

/// Waits for a verb and tells the greetings heard before it.
async fn greetings_before(heard: &mut UnboundedReceiver<String>, verb: &str) -> usize {
    let mut greetings = 0;
    loop {
        let next = heard.recv().await.unwrap();
        greetings += usize::from(next == "EHLO");
        if next == verb {
            return greetings;
        }
    }
}

#[tokio::test]
async fn a_connection_that_rests_too_long_says_good_bye() {
    let (smtp, mut heard) = start(Duration::from_millis(50)).await;
    send(&smtp).await;
    assert_eq!(greetings_before(&mut heard, "QUIT").await, 1);
    send(&smtp).await;
    assert_eq!(greetings_before(&mut heard, "QUIT").await, 1);
}

#[tokio::test]
async fn a_connection_that_is_used_again_in_time_is_not_closed_meanwhile() {
    let (smtp, mut heard) = start(Duration::from_secs(3600)).await;
    for _ in 0..20 {
        send(&smtp).await;
    }
    smtp.close().await;
    assert_eq!(greetings_before(&mut heard, "QUIT").await, 1);
}
