//! The two players as one of them sees them.

use fluent_bundle::FluentValue;

use super::clean;
use crate::club::notice::BoardView;
use crate::dvonn::Colour;

/// Names of both players and the reader's colour.
pub(super) struct Seats {
    white: String,
    black: String,
    /// The reader's colour.
    pub(super) reader: Colour,
}

impl Seats {
    pub(super) fn of(view: &BoardView) -> Self {
        Seats {
            white: clean::line(&view.white),
            black: clean::line(&view.black),
            reader: view.seat,
        }
    }

    /// The player's name.
    pub(super) fn name(&self, colour: Colour) -> &str {
        match colour {
            Colour::White => &self.white,
            Colour::Black => &self.black,
        }
    }

    /// The other player's name.
    pub(super) fn opponent(&self) -> &str {
        self.name(self.reader.opposite())
    }

    /// Whether a sentence about that colour is about the reader: `yes` or `no`, for the catalog to choose by.
    pub(super) fn is_reader(&self, colour: Colour) -> FluentValue<'static> {
        if colour == self.reader {
            "yes".into()
        } else {
            "no".into()
        }
    }
}
