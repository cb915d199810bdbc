//! dvonn-post: DVONN by mail, for one club on one small machine.
//!
//! # The house
//!
//! A module uses only modules on floors below its own; `tests/house.rs` fails on an arrow that goes up.
//!
//! | floor | module | knows | never knows |
//! |---|---|---|---|
//! | 0 | [`dvonn`] | the rules, notation, diagrams, records | players, clocks, mail, SQL |
//! | 1 | [`command`] | the command language | who sends, which games exist, mail headers |
//! | 1 | [`mail`] | reading a mail, new text, automatic mail, tokens, threads, building a mail | DVONN, SQL, sockets |
//! | 2 | [`club`] | players, challenges, games; *deciding* | mail, SQL, the wall clock, randomness |
//! | 3 | [`letters`] | every letter the club writes, in every language | SQL, sockets |
//! | 3 | [`store`] | SQLite: the only place that says SQL | sockets, templates, deciding anything |
//! | 3 | [`wire`] | IMAP, Maildir, SMTP, TLS: the only place with sockets | DVONN, the club, SQL |
//! | 4 | [`daemon`] | the loops; the only reader of clock and randomness | argument parsing |
//! | 5 | [`config`], [`cli`] | arguments, files, exit codes | |
//!
//! # One move, from mailbox to mailbox
//!
//! 1. Anna answers a letter with `b3-c3`. [`wire::Mailbox`] lists the mail, fetches it with `BODY.PEEK[]`, and gives
//!    bytes and the moment of arrival.
//! 2. One transaction of [`store::Store`] begins. The digest of the mail is inserted; if it is known, all ends here.
//! 3. [`daemon::process()`]: [`mail::Incoming`] is read, its new text found ([`mail::new_text`]), its lines become
//!    commands ([`command::read`]). The token of the letter that was answered and the provider's verdict say who writes
//!    and what they may change.
//! 4. A desk is loaded, [`club::decide`] turns each command into a decision or a refusal, and what was decided is saved.
//! 5. [`club::tell`] says who is told what; [`letters::compose`] finds the words; [`mail::Outgoing`] makes the final
//!    bytes; they become rows of the outbox.
//! 6. Commit. From here the move is played, whatever happens.
//! 7. The mail moves to the done mailbox. The sender claims the letters, commits the claim, and only then dials.
//!    [`wire::Postman`] says what became of each.
//!
//! A fault before step 6 leaves the mail where it was; after it, at worst a letter goes out twice, byte for byte the same.
//!
//! # Where new things go
//!
//! A new command: its grammar in a file of [`command`], its verb in [`club::decide`], its words in
//! `templates/wording/en.ftl`. A new letter: a part in [`club::notice`], a folder in `templates/`, a file in [`letters`].
//! A new language: a catalog in `templates/wording/`, and no code.
//!
//! Something new that an admin should know: a variant of [`club::notice::AdminNotice`] with its class, its words in
//! [`letters`], and whether it ends by itself in `daemon/trouble.rs`. A change of the tables: a file in `migrations/`, its
//! line in `store/migrate.rs`; a column that repeats what the record says is compared in `store/verify.rs`.

#![forbid(unsafe_code)]

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
