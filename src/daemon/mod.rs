//! The daemon: the loops, and the only reader of clock and randomness.

mod backoff;
pub mod clock;
mod lease;
mod perform;
mod performed;
mod post;
mod process;
mod question;
mod settings;
mod stranger;
mod taking;
mod writer;

pub use lease::{Lease, Taken};
pub use process::{Mail, Verdict, own_addresses, process};
pub use settings::{Club, Limits, Settings};
pub use taking::{Found, Place, take_in, take_waiting};
