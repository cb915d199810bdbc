//! What is left out of a dialogue, wherever the network cuts it.

use super::*;

/// What comes through of `said`, when it comes in pieces of that size.
async fn sifted(said: &str, piece: usize) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let (ours, mut theirs) = tokio::io::duplex(piece);
    let said = said.to_owned();
    let server = tokio::spawn(async move { theirs.write_all(said.as_bytes()).await });
    let mut came = String::new();
    let mut sieve = Sieve::new(Stream::Plain(Box::new(ours)));
    assert!(sieve.read_to_string(&mut came).await.is_ok());
    assert!(matches!(server.await, Ok(Ok(()))));
    came
}

async fn check(said: &str, expected: &str) {
    for piece in [1, 2, 3, 7, 4096] {
        assert_eq!(sifted(said, piece).await, expected, "in pieces of {piece}");
    }
}

#[tokio::test]
async fn what_the_dialogue_lives_on_comes_through_readable_or_not() {
    let all = "* OK hello\r\n* 3 EXISTS\r\n+ idling\r\nA1 OK done\r\n* SEARCH 1 2\r\n* search\r\n\
               * 1 FETCH (UID 1 ENVELOPE \u{1b}[2J !!)\r\n* BYE\r\n";
    check(all, all).await;
}

#[tokio::test]
async fn what_nobody_can_read_is_left_out_and_what_can_be_read_is_not() {
    check(
        "* QUOTA\r\n* QUOTA \"\" (STORAGE 10 512)\r\n* 7 X-WHAT 1 2\r\n* XYZZY {5}\r\nA1 OK {2}\r\n\r\n\r\nA1 OK done\r\n",
        "* QUOTA \"\" (STORAGE 10 512)\r\nA1 OK done\r\n",
    )
    .await;
}

#[tokio::test]
async fn the_content_of_a_mail_is_no_answer() {
    let mail = "* QUOTA\r\n* XYZZY {9}\r\nA1 OK\r\n";
    let fetched = format!(
        "* 1 FETCH (UID 1 BODY[] {{{}}}\r\n{mail})\r\nA1 OK done\r\n",
        mail.len()
    );
    check(&fetched, &fetched).await;
}

#[tokio::test]
async fn an_answer_without_an_end_takes_no_memory() {
    let endless = format!("* XYZZY {}\r\nA1 OK done\r\n", "x".repeat(LONGEST * 3));
    assert_eq!(sifted(&endless, 4096).await, "A1 OK done\r\n");
}
