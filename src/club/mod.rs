//! The club: players, challenges, games, and deciding what a command does.
//!
//! Pure: it takes the moment and the ids as arguments. It knows no mail, SQL, wall clock or randomness.

pub mod challenge;
mod decide;
pub mod decision;
pub mod desk;
pub mod game;
mod invite;
mod member;
pub mod names;
pub mod notice;
mod offer;
mod pages;
mod play;
pub mod player;
pub mod refusal;
pub mod tell;
mod view;
pub mod which;

pub use decide::decide;
pub use offer::expire;
pub use play::meant_game;
