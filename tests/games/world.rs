//! A club in a temporary folder, and its mail.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, Duration, Utc};
use dvonn_post::club::challenge::{Challenge, ChallengeState, Invitee};
use dvonn_post::club::decision::Change;
use dvonn_post::club::desk::Customs;
use dvonn_post::club::game::{Game, Seat};
use dvonn_post::club::player::{Player, PlayerId};
use dvonn_post::daemon::{Club, Found, Limits, Outside, Place, Settings, Verdict};
use dvonn_post::daemon::{answered, take_in, warden};
use dvonn_post::dvonn::{Board, Colour, Position, Setup};
use dvonn_post::mail::address::Address;
use dvonn_post::mail::token::Secret;
use dvonn_post::store::{Claimed, Outcome, Store};
use dvonn_post::wire::Sent;
use tempfile::TempDir;

use super::letters::{CLUB, Letter, lint};
use super::script::{Person, moment};

/// The server whose word on senders is believed.
pub const SERVER: &str = "mx.club.example";

pub struct World {
    _folder: TempDir,
    pub store: Store,
    club: Club,
    /// The club's clock, in seconds since 1970: that of the script.
    clock: Arc<AtomicI64>,
    pub people: BTreeMap<String, Person>,
    pub letters: Vec<Letter>,
    pub now: DateTime<Utc>,
    pub mails: u32,
    pub last_raw: Vec<u8>,
    claims: BTreeMap<i64, Claimed>,
}

impl World {
    pub fn new() -> World {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(&folder.path().join("club.sqlite")).unwrap();
        let created = moment("2026-12-01 00:00").unwrap();
        let (secret, created) = store.write(|tx| tx.club(created, &[7; 32])).unwrap();
        let address = Address::parse(CLUB).unwrap();
        let settings = Settings {
            name: "Test Club".to_owned(),
            admin: Address::parse("admin@club.example").unwrap(),
            language: "en".to_owned(),
            timezone: "UTC".to_owned(),
            plus_addressing: false,
            trusted_authserv: vec![SERVER.to_owned()],
            customs: Customs {
                setup: Setup::Place,
                games_per_player: 0,
                own_addresses: vec![address.key()],
            },
            limits: Limits {
                mail_size: 5 << 20,
                answers_per_hour: 30,
                strangers_per_day: 100,
                mails_per_hour: None,
                mails_per_day: None,
            },
            poll: std::time::Duration::from_secs(60),
            address,
        };
        let sky = Arc::new(AtomicI64::new(created.timestamp()));
        let clock = sky.clone();
        World {
            clock: sky,
            _folder: folder,
            store,
            club: Club {
                settings,
                secret: Secret::new(&secret),
                created,
                outside: Outside::new(move || moment_of(&clock), || Ok([7; 32])),
            },
            people: BTreeMap::new(),
            letters: Vec::new(),
            now: created + Duration::hours(8),
            mails: 0,
            last_raw: Vec::new(),
            claims: BTreeMap::new(),
        }
    }

    pub fn set(&mut self, setting: &str) -> Result<(), String> {
        let (key, value) = setting.split_once(' ').unwrap_or((setting, ""));
        let number = || value.parse::<u32>().map_err(|_| "no number".to_owned());
        let settings = &mut self.club.settings;
        match key {
            "plus_addressing" => settings.plus_addressing = true,
            "games_per_player" => settings.customs.games_per_player = number()?,
            "answers_per_hour" => settings.limits.answers_per_hour = number()?,
            "strangers_per_day" => settings.limits.strangers_per_day = number()?,
            "mail_size" => settings.limits.mail_size = number()?.into(),
            "created" => self.club.created = moment(value).ok_or("no date")?,
            _ => return Err("no such setting".to_owned()),
        }
        Ok(())
    }

    pub fn member(&mut self, person: &Person) -> Result<(), String> {
        let player = Player {
            id: PlayerId(0),
            name: person.name.clone(),
            address: person.address.clone(),
            language: "en".to_owned(),
            timezone: "UTC".to_owned(),
            joined: self.now,
            stopped: false,
        };
        self.store
            .write(|tx| tx.add_player(player))
            .map_err(|why| format!("{why:#}"))?;
        self.people.insert(person.name.clone(), person.clone());
        Ok(())
    }

    pub fn person(&self, name: &str) -> Result<Person, String> {
        self.people
            .get(name)
            .cloned()
            .ok_or_else(|| format!("{name} is no member of the script"))
    }

    /// A game on a drawn board, without a letter.
    pub fn begin(&mut self, white: &str, black: &str, start: &str) -> Result<(), String> {
        let (white, black) = (self.person(white)?, self.person(black)?);
        let board: Board = start.parse().map_err(|_| "no board".to_owned())?;
        let opening = Position::start(board).map_err(|_| "no start".to_owned())?;
        let now = self.now;
        self.store
            .write(|tx| {
                let seat = |person: &Person| -> anyhow::Result<Seat> {
                    let player = tx.player_by_address(&person.address)?.unwrap();
                    Ok(Seat {
                        player: player.id,
                        name: player.name,
                    })
                };
                let (white, black) = (seat(&white)?, seat(&black)?);
                let number = u32::try_from(tx.all_games()?.len())? + 1;
                let challenge = Challenge {
                    number,
                    from: white.player,
                    from_name: white.name.clone(),
                    to: Invitee::Member {
                        id: black.player,
                        name: black.name.clone(),
                    },
                    colour: Some(Colour::White),
                    setup: Setup::Random,
                    made: now,
                    until: now,
                    nonce: [1; 32],
                    state: ChallengeState::Waiting,
                };
                let game = Game::begin(
                    number,
                    (white, black),
                    Setup::Random,
                    Some((board, opening.position, opening.passed)),
                    Some(challenge.draw(&[2; 32]).1),
                    now,
                );
                tx.apply(&[
                    Change::Challenge(challenge),
                    Change::Close {
                        number,
                        state: ChallengeState::Accepted,
                    },
                    Change::Begin(Box::new(game)),
                ])
            })
            .map_err(|why| format!("{why:#}"))
    }

    /// Takes a mail in, with the letters that it caused.
    pub fn take(&mut self, raw: &[u8], junk: bool) -> Result<(Option<Verdict>, usize), String> {
        self.wind();
        let limit = self.club.settings.limits.mail_size;
        let found = Found {
            raw,
            arrived: self.now,
            too_large: (raw.len() as u64 > limit).then_some(limit),
            junk,
            place: Place {
                folder: "inbox",
                key: self.mails.to_string(),
                cursor: None,
            },
        };
        let verdict = take_in(&mut self.store, &self.club, &found, false, self.now)
            .map_err(|why| format!("{why:#}"))?;
        if verdict.is_none() {
            let waits = self
                .store
                .read(|tx| tx.waiting_mails(u32::MAX, 1))
                .map_err(|why| format!("{why:#}"))?;
            if !waits.is_empty() {
                return Err("a fault of ours: the mail could not be processed".to_owned());
            }
        }
        self.last_raw = raw.to_vec();
        Ok((verdict, self.collect()?))
    }

    /// Sets the club's clock, which never shows a moment before its first start.
    fn wind(&self) {
        let now = self.now.max(self.club.created);
        self.clock.store(now.timestamp(), Ordering::Relaxed);
    }

    pub fn pass_time(&mut self) -> Result<usize, String> {
        self.wind();
        warden::digests(&mut self.store, &self.club, self.now)
            .and_then(|()| warden::round(&mut self.store, &self.club, self.now))
            .map_err(|why| format!("{why:#}"))?;
        self.collect()
    }

    /// The server refuses a letter instead of taking it, as it would at the third try at the latest.
    pub fn refuse(&mut self, which: &str, said: &str) -> Result<usize, String> {
        let number = self.letter(which, "")?.number;
        let mut claimed = self.claims[&number].clone();
        claimed.attempt = 3;
        let code = said[..3].parse().map_err(|_| "no code")?;
        let text = said.to_owned();
        let sent = Sent::Refused { code, text };
        let (club, now) = (&self.club, self.now);
        self.store
            .write(|tx| answered(tx, club, &claimed, sent, now))
            .map_err(|why| format!("{why:#}"))?;
        self.collect()
    }

    /// Fetches new letters from the outbox; gives their number.
    fn collect(&mut self) -> Result<usize, String> {
        let now = self.now;
        let never = moment("2099-01-01 00:00").unwrap();
        let mut claimed = self
            .store
            .write(|tx| {
                let claimed = tx.claim(now, &[], 1000, 1000, false, |_| never)?;
                for letter in &claimed {
                    tx.tried(letter.id, &Outcome::Sent, "", now)?;
                }
                Ok(claimed)
            })
            .map_err(|why| format!("{why:#}"))?;
        // Claims come by recipient; scripts name letters as they were made.
        claimed.sort_by_key(|letter| letter.id);
        for letter in &claimed {
            let read = Letter::read(&letter.recipient, letter.bytes.clone())?;
            // A letter that was kept for somebody goes out again as it was.
            if !self.claims.contains_key(&letter.id) {
                lint(&read, &self.letters)?;
            }
            self.claims.insert(letter.id, letter.clone());
            self.letters.push(read);
        }
        Ok(claimed.len())
    }

    /// A letter: `latest`, `first` or a number, ` of ADDRESS`, ` about GAME`.
    pub fn letter(&self, which: &str, from: &str) -> Result<&Letter, String> {
        let mut words = which.split_whitespace();
        let position = words.next().ok_or("no letter named")?;
        let (mut of, mut about) = (from, None);
        while let (Some(key), Some(value)) = (words.next(), words.next()) {
            match key {
                "of" => of = value,
                "about" => about = Some(value.parse::<u32>().map_err(|_| "no game")?),
                _ => return Err(format!("{which} is no letter")),
            }
        }
        let found: Vec<&Letter> = self
            .letters
            .iter()
            .filter(|l| l.to == of && (about.is_none() || l.about == about))
            .collect();
        let letter = match position {
            "latest" => found.last(),
            "first" => found.first(),
            number => number
                .parse::<usize>()
                .ok()
                .and_then(|n| found.get(n.wrapping_sub(1))),
        };
        letter
            .copied()
            .ok_or_else(|| format!("there is no letter {which} to {of}"))
    }
}

fn moment_of(clock: &AtomicI64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + Duration::seconds(clock.load(Ordering::Relaxed))
}
