//! When a mail arrived: the mail server's word, unless it cannot be true (T-03).
//!
//! The moment of arrival decides who was in time, so a server whose clock went wrong must neither rescue nor cost anybody
//! a game. What is corrected is noted beside the mail and in the log.

use anyhow::Result;
use chrono::{DateTime, TimeDelta, Utc};

use super::process::Mail;
use crate::mail::digest::Digest;
use crate::store::{Store, Tx};
use crate::wire::Id;

/// How far a mail server's clock may be ahead of ours, or behind it.
const SKEW: TimeDelta = TimeDelta::minutes(10);

/// How far a mail may be dated before one that lies below it: deliveries at one time need not be numbered in order.
const JUMBLE: TimeDelta = TimeDelta::hours(1);

/// The order of arrivals in a folder, by rising UID.
#[derive(Debug, Default)]
pub(super) struct Order {
    latest: Option<DateTime<Utc>>,
    changed: bool,
}

impl Order {
    /// The order above mails of which the latest arrived then.
    pub(super) fn after(latest: Option<DateTime<Utc>>) -> Order {
        Order {
            latest,
            changed: false,
        }
    }

    /// The latest arrival, if it is later than before.
    pub(super) fn news(&self) -> Option<DateTime<Utc>> {
        self.latest.filter(|_| self.changed)
    }

    /// When the next mail arrived, and why that is not what the server said.
    pub(super) fn judge(
        &mut self,
        id: &Id,
        said: Option<DateTime<Utc>>,
        now: DateTime<Utc>,
    ) -> (DateTime<Utc>, Option<String>) {
        let Some(said) = said else {
            return (now, Some("the mail server gives no date".to_owned()));
        };
        if said > now + SKEW {
            let ahead = (said - now).num_minutes();
            let doubt = format!("the mail server dates it {ahead} minutes ahead");
            return (now, Some(doubt));
        }
        // Files of a Maildir have no order but that of their dates.
        if matches!(id, Id::File(_)) {
            return (said, None);
        }
        let said = said.min(now);
        match self.latest {
            Some(latest) if said < latest - JUMBLE => {
                let before = (latest - said).num_minutes();
                let doubt = format!(
                    "the mail server dates it {before} minutes before a mail that came earlier"
                );
                (latest.min(now), Some(doubt))
            }
            latest => {
                if latest.is_none_or(|latest| latest < said) {
                    self.latest = Some(said);
                    self.changed = true;
                }
                (said, None)
            }
        }
    }
}

/// Notes why the arrival of a mail was corrected.
pub(super) fn note(store: &mut Store, raw: &[u8], name: &str, doubt: &str) -> Result<()> {
    tracing::warn!("The arrival of mail {name} is corrected: {doubt}");
    let digest = Digest::of(raw);
    store.write(|tx| match tx.mail_of(digest.as_bytes())? {
        Some(row) => tx.doubt_arrival(row.id, doubt),
        None => Ok(()),
    })
}

/// Nobody answers a letter before it was made.
pub(super) fn not_before_the_answered<'a>(
    tx: &Tx<'_>,
    mail: Mail<'a>,
    answered: &[String],
    now: DateTime<Utc>,
) -> Result<Mail<'a>> {
    let mut arrived = mail.arrived;
    for id in answered {
        if let Some(made) = tx.letter_made(id)? {
            arrived = arrived.max(made.min(now));
        }
    }
    if arrived - mail.arrived > SKEW {
        let doubt = format!(
            "the mail server dates it {} minutes before the letter that it answers",
            (arrived - mail.arrived).num_minutes()
        );
        tracing::warn!("The arrival of mail {} is corrected: {doubt}", mail.inbox);
        tx.doubt_arrival(mail.inbox, &doubt)?;
    }
    Ok(Mail { arrived, ..mail })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn at(minute: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::days(20_000) + TimeDelta::minutes(minute)
    }

    fn uid(uid: u32) -> Id {
        Id::Uid {
            folder: crate::wire::Folder::Inbox,
            validity: 7,
            uid,
        }
    }

    /// Judges mails by rising UID at minute 10,000; gives the minute, and whether there was a doubt.
    fn judged(latest: Option<i64>, said: &[Option<i64>]) -> Vec<(i64, bool)> {
        let mut order = Order::after(latest.map(at));
        (1..)
            .zip(said)
            .map(|(number, said)| {
                let (arrived, doubt) = order.judge(&uid(number), said.map(at), at(10_000));
                ((arrived - at(0)).num_minutes(), doubt.is_some())
            })
            .collect()
    }

    #[test]
    fn a_date_that_can_be_true_is_believed() {
        let said = [Some(100), Some(41), Some(5000), Some(10_000)];
        let fine: Vec<(i64, bool)> = said.iter().map(|said| (said.unwrap(), false)).collect();
        assert_eq!(judged(None, &said), fine);
        assert_eq!(judged(Some(99), &said[..1]), [(100, false)]);
    }

    #[test]
    fn a_date_in_the_future_is_the_moment_it_was_seen_and_spoils_no_other() {
        assert_eq!(
            judged(None, &[Some(11_800), Some(9000), Some(10_005)]),
            [(10_000, true), (9000, false), (10_000, false)]
        );
        assert_eq!(judged(None, &[None]), [(10_000, true)]);
    }

    #[test]
    fn a_date_before_a_lower_uid_becomes_that_ones() {
        // Thirty hours back, within one look and between two.
        assert_eq!(
            judged(None, &[Some(9000), Some(7200), Some(9030)]),
            [(9000, false), (9000, true), (9030, false)]
        );
        assert_eq!(judged(Some(9000), &[Some(7200)]), [(9000, true)]);
    }

    #[test]
    fn files_have_no_order_but_their_dates() {
        let mut order = Order::after(Some(at(9000)));
        let file = Id::File("1.x".to_owned());
        assert_eq!(order.judge(&file, Some(at(10)), at(10_000)), (at(10), None));
        assert!(order.judge(&file, Some(at(10_011)), at(10_000)).1.is_some());
    }
}
