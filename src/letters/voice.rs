//! One reader's language, zone and club: what every part of a letter speaks with.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use fluent_bundle::FluentValue;

use super::wording::Wording;
use super::{ClubFacts, ComposeError, clean, moment};
use crate::club::notice::Reader;
use crate::dvonn::Colour;

/// Facts of one sentence, by the name that the catalog gives them.
pub(super) type Facts<'a> = [(&'a str, FluentValue<'a>)];

/// Speaks to one reader.
pub(super) struct Voice<'a> {
    wording: Wording,
    zone: Tz,
    /// The club that speaks.
    pub(super) club: &'a ClubFacts,
    /// The one who reads.
    pub(super) reader: &'a Reader,
}

impl<'a> Voice<'a> {
    pub(super) fn new(reader: &'a Reader, club: &'a ClubFacts) -> Self {
        // A zone that this program does not know (any longer) is no reason to lose a letter.
        let zone = reader.timezone.parse().unwrap_or(Tz::UTC);
        Voice {
            wording: Wording::new(&reader.language),
            zone,
            club,
            reader,
        }
    }

    /// A sentence with its facts, in one line however the catalog breaks it.
    pub(super) fn say(&self, key: &str, facts: &Facts<'_>) -> String {
        self.wording.say(key, facts).replace('\n', " ")
    }

    /// Paragraphs as they stand in the catalog.
    pub(super) fn page(&self, key: &str) -> String {
        self.wording.say(key, &[])
    }

    /// A sentence without facts.
    pub(super) fn word(&self, key: &str) -> String {
        self.say(key, &[])
    }

    /// A list in one line: "a, b, c".
    pub(super) fn list<I>(&self, items: I) -> String
    where
        I: IntoIterator,
        I::Item: ToString,
    {
        let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
        items.join(&self.word("list-separator"))
    }

    /// The name of a colour.
    pub(super) fn colour(&self, colour: Colour) -> String {
        self.word(match colour {
            Colour::White => "colour-white",
            Colour::Black => "colour-black",
        })
    }

    /// A small number as a word.
    pub(super) fn number(&self, number: u8) -> String {
        self.say("number", &[("number", number.into())])
    }

    /// Day and time of day with the offset from UTC.
    pub(super) fn time(&self, at: DateTime<Utc>) -> String {
        moment::time(&self.wording, at.with_timezone(&self.zone))
    }

    /// Day of the week, day and month.
    pub(super) fn day(&self, at: DateTime<Utc>) -> String {
        moment::day(&self.wording, at.with_timezone(&self.zone))
    }

    /// Day, month and year.
    pub(super) fn date(&self, at: DateTime<Utc>) -> String {
        moment::date(&self.wording, at.with_timezone(&self.zone))
    }

    /// The day's number in the reader's zone, to count days with.
    pub(super) fn day_number(&self, at: DateTime<Utc>) -> i32 {
        chrono::Datelike::num_days_from_ce(&at.with_timezone(&self.zone))
    }

    /// Whether the reader can write commands to the club: somebody who was only invited cannot.
    pub(super) fn is_member(&self) -> bool {
        self.reader.name.is_some()
    }

    /// The club's name in one clean line.
    pub(super) fn club_name(&self) -> String {
        clean::line(&self.club.name)
    }

    /// Code and direction of the language, for the HTML document.
    pub(super) fn language(&self) -> (&str, String) {
        (self.wording.code(), self.word("direction"))
    }

    /// Fails if a sentence could not be said.
    pub(super) fn check(&self) -> Result<(), ComposeError> {
        self.wording
            .fault()
            .map_or(Ok(()), |fault| Err(ComposeError::Wording(fault)))
    }
}
