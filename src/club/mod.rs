//! The club: players, challenges, games, and deciding what a command does.
//!
//! Pure: it takes the moment and the ids as arguments. It knows no mail, SQL, wall clock or randomness.

pub mod challenge;
pub mod game;
pub mod notice;
pub mod player;
pub mod refusal;
