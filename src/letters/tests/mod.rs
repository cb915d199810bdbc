//! Whole letters as their readers see them, and what must hold for every one of them.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::string_slice
)]

mod catalog;
mod lint;
mod page;
mod samples;
mod snapshots;

use super::{ClubFacts, Letter, compose};
use crate::club::notice::Notice;

/// The token of every sample.
const TOKEN: &str = "12.75.w.k3x9q2m7ab4tk3x9";

fn written(notice: &Notice) -> Letter {
    let club = ClubFacts {
        name: "Prague DVONN Club".into(),
        address: "club@example.org".into(),
    };
    compose(notice, &club, Some(TOKEN)).expect("a sample can be composed")
}
