//! What the subcommands that look into a club share: its settings, its database, its games as other programs read them.

use std::path::Path;

use chrono::{DateTime, Utc};

use crate::cli::exit::Failure;
use crate::club::desk::Customs;
use crate::club::game::{Ended, EndedBy};
use crate::config::Config;
use crate::daemon::{Limits, Settings};
use crate::dvonn;
use crate::store::{GameRow, Store, Tx};

/// What the daemon needs of the configuration.
pub(crate) fn settings(config: &Config) -> Settings {
    let limits = &config.limits;
    Settings {
        name: config.club.name.clone(),
        address: config.club.address.clone(),
        admin: config.club.admin.clone(),
        language: config.club.language.clone(),
        timezone: config.club.timezone.to_string(),
        plus_addressing: config.proof.plus_addressing,
        trusted_authserv: config.proof.trusted_authserv.clone(),
        customs: Customs {
            setup: config.games.setup,
            games_per_player: config.games.games_per_player.unwrap_or(0),
            own_addresses: vec![config.club.address.key()],
        },
        limits: Limits {
            mail_size: limits.mail_size,
            answers_per_hour: limits.answers_per_hour,
            strangers_per_day: limits.strangers_per_day,
            mails_per_hour: limits.mails_per_hour,
            mails_per_day: limits.mails_per_day,
        },
        poll: config.incoming.poll(),
    }
}

/// Looks something up in the club's database.
pub(crate) fn look<T>(
    config: Option<&Path>,
    what: impl FnOnce(&Tx<'_>) -> anyhow::Result<T>,
) -> Result<T, Failure> {
    let config = Config::load(config)?;
    let mut store = Store::open_existing(&config.store).map_err(fault)?;
    store.read(what).map_err(fault)
}

/// A fault as one sentence.
pub(crate) fn fault(error: anyhow::Error) -> Failure {
    Failure::no(format!("{error:#}"))
}

/// A game as a record that other programs read.
pub(crate) fn record(row: GameRow) -> dvonn::Record {
    let game = row.game;
    let moves = game.plies().collect();
    dvonn::Record {
        game: Some(game.number),
        white: Some(dvonn::Person {
            name: game.white.name,
            address: Some(row.white_address),
        }),
        black: Some(dvonn::Person {
            name: game.black.name,
            address: Some(row.black_address),
        }),
        result: game.ended.map(|ended| ended.result),
        ended_by: game.ended.map(|ended| match ended.by {
            EndedBy::Score => dvonn::EndedBy::Score,
            EndedBy::Resignation => dvonn::EndedBy::Resignation,
        }),
        ..dvonn::Record::new(game.setup, game.start, moves)
    }
}

/// A game of that number, as a record.
pub(crate) fn record_of(config: Option<&Path>, number: u32) -> Result<dvonn::Record, Failure> {
    let row = look(config, |tx| {
        tx.game(number)?
            .map(|game| tx.with_addresses(game))
            .transpose()
    })?;
    row.map(record).ok_or_else(|| {
        Failure::no(format!(
            "there is no game {number}; `dvonn-post games` lists all"
        ))
    })
}

/// A moment as an admin reads it.
pub(crate) fn moment(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%d %H:%M UTC").to_string()
}

/// How a game ended, in words.
pub(crate) fn ending(ended: &Ended) -> String {
    match ended.result {
        dvonn::Outcome::Draw => format!("a draw by {}", ended.by.word()),
        dvonn::Outcome::White => format!("White wins by {}", ended.by.word()),
        dvonn::Outcome::Black => format!("Black wins by {}", ended.by.word()),
    }
}
