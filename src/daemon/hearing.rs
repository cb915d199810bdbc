//! What a mail asks for: its new text, and the commands in it. Pure, so that `explain` reads a mail as the daemon does.

use crate::command::{self, Heard};
use crate::mail::{Incoming, NewText, SentText, new_text};

/// Reads a mail; `sent` are letters of ours that it may quote. The subject counts as a command only in a mail that
/// answers nothing and whose text can be read and holds no command (MAIL-11).
#[must_use]
pub fn hear(mail: &Incoming, sent: &[SentText]) -> (NewText, Heard) {
    let new = new_text(mail, sent);
    let mut heard = command::read(&new.text);
    if heard.readings.is_empty() && !mail.is_reply() && new.sealed.is_none() {
        let subject = command::read(&mail.subject);
        if subject
            .readings
            .iter()
            .any(|reading| reading.result.is_ok())
        {
            heard.readings = subject.readings;
        }
    }
    (new, heard)
}
