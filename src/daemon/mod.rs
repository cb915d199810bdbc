//! The daemon: the loops, and the only reader of clock and randomness.
//!
//! [`process`] is the heart: one mail, from its bytes to the letters it causes, in one transaction. Around it stand the
//! intake that finds mails, the sender that hands letters over, and the warden that acts because time passed.

mod alarm;
mod backoff;
pub mod clock;
mod disk;
mod hearing;
mod instance;
mod intake;
mod lease;
mod loops;
mod member_mail;
mod notices;
mod post;
mod process;
mod question;
mod sender;
mod serve;
mod settings;
mod signs;
mod stage;
mod stranger;
mod taking;
mod trouble;
pub mod warden;
mod watch;
mod writer;

pub use alarm::Alarm;
pub use clock::Outside;
pub use disk::shortage;
pub use hearing::hear;
pub use intake::{Intake, Trouble};
pub use lease::{Lease, Taken, is_alive};
pub use process::{Mail, Verdict, process};
pub use sender::Sender;
pub use serve::{Daemon, Shared, open_club};
pub use settings::{Club, Limits, Settings};
pub use taking::{Found, Place, take_in, take_waiting};
pub use trouble::unopened;
pub use watch::Rival;
