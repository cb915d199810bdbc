//! dvonn-post: DVONN by mail.

pub mod cli;
pub mod club;
pub mod command;
pub mod config;
pub mod daemon;
pub mod dvonn;
pub mod letters;
pub mod mail;
pub mod store;
pub mod wire;
