//! Every section and key of the configuration file, by name.
//!
//! Knows the names and which of them have an effect. Refuses to know what they mean: types and defaults stand where
//! each section is read.

/// A section, such as `incoming.imap`, and the keys that may stand in it.
pub(super) struct SectionKeys {
    /// The dotted name, as in the file's `[…]` line.
    pub(super) name: &'static str,
    /// Its keys, in the order in which the documentation lists them.
    pub(super) keys: &'static [&'static str],
}

/// All sections, in the order of the documentation.
pub(super) const SECTIONS: &[SectionKeys] = &[
    SectionKeys {
        name: "club",
        keys: &[
            "name",
            "address",
            "admin",
            "alarm_command",
            "language",
            "timezone",
        ],
    },
    SectionKeys {
        name: "incoming.imap",
        keys: &[
            "host",
            "port",
            "security",
            "user",
            "password_file",
            "ca_file",
            "mailbox",
            "junk_mailbox",
            "done_mailbox",
            "poll_seconds",
            "idle",
            "timeout_seconds",
        ],
    },
    SectionKeys {
        name: "incoming.maildir",
        keys: &["path"],
    },
    SectionKeys {
        name: "outgoing.smtp",
        keys: &[
            "host",
            "port",
            "security",
            "user",
            "password_file",
            "ca_file",
            "timeout_seconds",
        ],
    },
    SectionKeys {
        name: "outgoing.maildir",
        keys: &["path"],
    },
    SectionKeys {
        name: "store",
        keys: &["path"],
    },
    SectionKeys {
        name: "proof",
        keys: &["plus_addressing", "trusted_authserv"],
    },
    SectionKeys {
        name: "games",
        keys: &[
            "setup",
            "time",
            "grace",
            "vacation_days",
            "outage",
            "games_per_player",
        ],
    },
    SectionKeys {
        name: "limits",
        keys: &[
            "mails_per_hour",
            "mails_per_day",
            "mail_size",
            "answers_per_hour",
            "strangers_per_day",
        ],
    },
];

/// Whether `name` is a section or the first part of one (`incoming` of `incoming.imap`).
pub(super) fn leads_to_section(name: &str) -> bool {
    SECTIONS.iter().any(|section| {
        section
            .name
            .strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}

/// The keys of a section, if there is a section of that name.
pub(super) fn keys_of(section: &str) -> Option<&'static [&'static str]> {
    SECTIONS
        .iter()
        .find(|known| known.name == section)
        .map(|known| known.keys)
}

/// The dotted name of the key that looks most like `section.key`: the key's own word decides, its section breaks ties.
pub(super) fn nearest_key(section: &str, key: &str) -> String {
    let mut best = (0.0, String::new());
    for known in SECTIONS {
        for word in known.keys {
            let alike = strsim::normalized_damerau_levenshtein(word, key)
                + 0.2 * strsim::normalized_damerau_levenshtein(known.name, section);
            if alike > best.0 || best.1.is_empty() {
                best = (alike, format!("{}.{word}", known.name));
            }
        }
    }
    best.1
}

/// The section that looks most like `section`.
pub(super) fn nearest_section(section: &str) -> &'static str {
    let mut best = (0.0, "club");
    for known in SECTIONS {
        let alike = strsim::normalized_damerau_levenshtein(known.name, section);
        if alike > best.0 {
            best = (alike, known.name);
        }
    }
    best.1
}
