//! The wire floor against real servers, and against peers that stall, lie and hang up.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used
)]

mod common;

#[path = "wire/imap.rs"]
mod imap;
#[path = "wire/imap_scripted.rs"]
mod imap_scripted;
#[path = "wire/maildir.rs"]
mod maildir;
#[path = "wire/marks.rs"]
mod marks;
#[path = "wire/smtp.rs"]
mod smtp;
#[path = "wire/smtp_scripted.rs"]
mod smtp_scripted;

use std::time::Duration;

use dvonn_post::wire::{ImapSettings, Login, Network, Password, Security, Server, SmtpSettings};

/// A server on this machine.
fn server(port: u16, security: Security) -> Server {
    Server {
        host: common::MailStack::host().to_owned(),
        port,
        security,
        ca_file: None,
        network: Network::Tcp,
    }
}

/// The account of a user of the test servers.
fn login(user: &str) -> Login {
    Login {
        user: user.to_owned(),
        password: Password(common::MailStack::password(user)),
    }
}

fn imap_settings(port: u16, timeout: Duration) -> ImapSettings {
    ImapSettings {
        server: server(port, Security::None),
        login: login("club"),
        mailbox: "INBOX".to_owned(),
        junk_mailbox: None,
        done_mailbox: "Done".to_owned(),
        idle: true,
        timeout,
    }
}

fn smtp_settings(port: u16, timeout: Duration) -> SmtpSettings {
    SmtpSettings {
        server: server(port, Security::None),
        login: Some(login("club")),
        timeout,
        after_dot: timeout,
        connections: 4,
    }
}
