//! The demo's club: its folder, its daemon, and the mail programs of its two players.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::cli::club::fault;
use crate::cli::demo::player::Player;
use crate::cli::exit::Failure;
use crate::club::desk::Customs;
use crate::club::game::Game;
use crate::daemon::{Daemon, Limits, Outside, Settings};
use crate::dvonn::Setup;
use crate::mail::Address;
use crate::mail::incoming::Incoming;
use crate::store::Store;
use crate::wire::{WayIn, WayOut};

/// The club's address.
pub(crate) const CLUB: &str = "club@demo.example";

/// The server that would vouch for the players' mails, as a provider's does.
const SERVER: &str = "mx.demo.example";

/// A club with two players and no servers.
pub(crate) struct Table {
    folder: TempDir,
    daemon: Daemon,
    store: Store,
    runtime: Runtime,
    sent: u32,
}

/// A mail as its reader sees it.
pub(crate) struct Letter {
    /// The subject.
    pub subject: String,
    /// The text part.
    pub text: String,
    message_id: String,
}

impl Table {
    /// Makes the folder and starts the club.
    pub(crate) fn lay() -> Result<Table, Failure> {
        let folder = tempfile::Builder::new()
            .prefix("dvonn-post-demo-")
            .tempdir()
            .map_err(|error| Failure::no(format!("no temporary folder can be made: {error}")))?;
        let store_path = folder.path().join("club.sqlite");
        let way_in = WayIn::Maildir(folder.path().join("club"));
        for name in ["new", "cur", "tmp"] {
            fs::create_dir_all(folder.path().join("club").join(name)).map_err(io)?;
        }
        let way_out = WayOut::Maildir(folder.path().join("mail"));
        let daemon = Daemon::open(
            settings()?,
            Outside::system(),
            &store_path,
            way_in,
            &way_out,
        )
        .map_err(fault)?;
        let store = Store::open_existing(&store_path).map_err(fault)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Failure::no(format!("the runtime does not start: {error}")))?;
        Ok(Table {
            folder,
            daemon,
            store,
            runtime,
            sent: 0,
        })
    }

    /// Ben becomes a member and invites Anna, by mail like everybody.
    pub(crate) fn invite(&mut self) -> Result<(), Failure> {
        // A colour that is chosen needs no lots: the first letters stay short.
        let invitation = format!("challenge {} white", Player::Anna.address());
        self.write(Player::Ben, None, &invitation)?;
        self.answer(Player::Ben, "yes").map(|_| ())
    }

    /// Sends a line as a player's reply to their newest mail. Says whether the player got a new one.
    pub(crate) fn answer(&mut self, player: Player, line: &str) -> Result<bool, Failure> {
        let newest = self.newest(player)?;
        self.write(player, Some(&newest), line)?;
        Ok(self.newest(player)?.message_id != newest.message_id)
    }

    /// Who is to move; Anna before a game and after it.
    pub(crate) fn whose_turn(&mut self) -> Result<Player, Failure> {
        let Some(game) = self.game()? else {
            return Ok(Player::Anna);
        };
        let Some(colour) = game.turn() else {
            return Ok(Player::Anna);
        };
        let seat = game.seat(colour).player;
        // By address: a player may take another name.
        let address = self
            .store
            .read(|tx| Ok(tx.player(seat)?.address))
            .map_err(fault)?;
        Ok(Player::of(&address).unwrap_or(Player::Anna))
    }

    /// Whether the game is over.
    pub(crate) fn is_over(&mut self) -> Result<bool, Failure> {
        Ok(self.game()?.is_some_and(|game| game.ended.is_some()))
    }

    /// The game, once there is one.
    pub(crate) fn game(&mut self) -> Result<Option<Game>, Failure> {
        self.store
            .read(|tx| Ok(tx.all_games()?.pop().map(|row| row.game)))
            .map_err(fault)
    }

    /// A player's newest mail.
    pub(crate) fn newest(&self, player: Player) -> Result<Letter, Failure> {
        let inbox = self
            .folder
            .path()
            .join("mail")
            .join(player.address())
            .join("new");
        let newest = newest_file(&inbox)?
            .ok_or_else(|| Failure::no(format!("{} has got no mail", player.name())))?;
        let raw = fs::read(newest).map_err(io)?;
        let mail = Incoming::read(&raw).map_err(|error| Failure::no(error.to_string()))?;
        Ok(Letter {
            subject: mail.subject.clone(),
            text: mail.body.text.clone(),
            message_id: mail.message_id.unwrap_or_default(),
        })
    }

    /// Puts a mail of a player into the club's mailbox, and lets the daemon do a round.
    fn write(
        &mut self,
        player: Player,
        answers: Option<&Letter>,
        line: &str,
    ) -> Result<(), Failure> {
        self.sent += 1;
        let number = self.sent;
        let thread = answers.map(|letter| {
            let id = &letter.message_id;
            format!("In-Reply-To: <{id}>\r\nReferences: <{id}>\r\n")
        });
        let subject = answers.map_or("DVONN".to_owned(), |letter| {
            format!("Re: {}", letter.subject)
        });
        let quoted: String = answers
            .map(|letter| {
                letter
                    .text
                    .lines()
                    .map(|line| format!("> {line}\r\n"))
                    .collect()
            })
            .unwrap_or_default();
        let mail = format!(
            "Authentication-Results: {SERVER}; dmarc=pass header.from=demo.example\r\n\
             From: {} <{}>\r\nTo: {CLUB}\r\nSubject: {subject}\r\nMessage-ID: <{number}@demo.example>\r\n{}\
             MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n\
             {line}\r\n\r\n{quoted}",
            player.name(),
            player.address(),
            thread.unwrap_or_default(),
        );
        let club = self.folder.path().join("club");
        let (tmp, new) = (
            club.join("tmp").join(number.to_string()),
            club.join("new").join(number.to_string()),
        );
        fs::write(&tmp, mail)
            .and_then(|()| fs::rename(&tmp, new))
            .map_err(io)?;
        self.runtime.block_on(self.daemon.round()).map_err(fault)?;
        Ok(())
    }
}

fn settings() -> Result<Settings, Failure> {
    let address =
        |text| Address::parse(text).map_err(|error| Failure::no(format!("{text}: {error}")));
    let club = address(CLUB)?;
    Ok(Settings {
        name: "Demo Club".to_owned(),
        admin: address("admin@demo.example")?,
        language: "en".to_owned(),
        timezone: "UTC".to_owned(),
        plus_addressing: false,
        trusted_authserv: vec![SERVER.to_owned()],
        customs: Customs {
            setup: Setup::Place,
            games_per_player: 0,
            own_addresses: vec![club.key()],
        },
        limits: Limits {
            mail_size: 5 << 20,
            answers_per_hour: u32::MAX,
            strangers_per_day: 100,
            mails_per_hour: None,
            mails_per_day: None,
        },
        poll: std::time::Duration::from_secs(1),
        address: club,
    })
}

/// The last file by name: the way out names its files in the order of the letters.
fn newest_file(folder: &Path) -> Result<Option<PathBuf>, Failure> {
    let mut newest: Option<PathBuf> = None;
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(None);
    };
    for entry in entries {
        let path = entry.map_err(io)?.path();
        if newest.as_ref().is_none_or(|newest| path > *newest) {
            newest = Some(path);
        }
    }
    Ok(newest)
}

fn io(error: std::io::Error) -> Failure {
    Failure::no(format!("the demo's folder cannot be used: {error}"))
}
