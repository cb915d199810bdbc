//! The way out of the provider: just enough SMTP for the club, and a trap before every answer.

use std::io;

use crate::office::Line;

/// Serves one connection.
pub async fn serve(mut line: Line) -> io::Result<()> {
    let act = line.office.caught("HELLO");
    line = line.meet(act, b"220 hello\r\n").await?;
    let mut recipient = String::new();
    loop {
        let text = line.line().await?;
        line.note(&text);
        let act = line.office.caught(&text);
        let answer: &[u8] = match text.split([' ', ':']).next().unwrap() {
            "EHLO" => b"250-office\r\n250-AUTH PLAIN LOGIN\r\n250 8BITMIME\r\n",
            "AUTH" => b"235 2.7.0 welcome\r\n",
            "DATA" => {
                line = line.meet(act, b"354 go on\r\n").await?;
                let raw = content(&mut line).await?;
                line.office.state().taken.push((recipient.clone(), raw));
                let act = line.office.caught("FINAL DOT");
                line = line.meet(act, b"250 2.0.0 queued\r\n").await?;
                continue;
            }
            "QUIT" => b"221 2.0.0 bye\r\n",
            "RCPT" => {
                let address = text.split(['<', '>']).nth(1).unwrap();
                address.clone_into(&mut recipient);
                b"250 2.1.5 ok\r\n"
            }
            _ => b"250 2.0.0 ok\r\n",
        };
        line = line.meet(act, answer).await?;
    }
}

/// The content up to the final dot.
async fn content(line: &mut Line) -> io::Result<Vec<u8>> {
    let mut raw = Vec::new();
    loop {
        let text = line.line().await?;
        if text == "." {
            return Ok(raw);
        }
        raw.extend_from_slice(text.strip_prefix('.').unwrap_or(&text).as_bytes());
        raw.extend_from_slice(b"\r\n");
    }
}
