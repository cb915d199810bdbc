//! How a world begins: a club, its members and their games, and a calendar with all that is fated to go wrong.
//!
//! Knows the plan; refuses to know what comes of it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use chrono::{DateTime, Utc};
use dvonn_post::club::player::{Player, PlayerId};
use dvonn_post::store::Store;

use super::book::Book;
use super::chance::Chance;
use super::clock::Clock;
use super::games;
use super::invariants::Seen;
use super::letters::{Person, delivered};
use super::log::Log;
use super::machine::Machine;
use super::net::Net;
use super::plan::Plan;
use super::ports;
use super::servers::Servers;
use super::world::{Event, Where, World};

impl World {
    /// A new world with a club, its members and their games; the daemon starts with the first event.
    pub fn new(plan: Plan) -> World {
        ports::reset();
        let clock = Clock::new(Duration::ZERO);
        let net = Net::new(Servers::new(clock.clone(), plan.seed, plan.offers));
        let machine = Machine::new(&plan, clock.clone(), net.clone());
        let people: Vec<Person> = ["Anna", "Ben", "Cora"].map(Person::new).to_vec();
        let mut store = Store::open(&machine.database()).unwrap();
        let now = clock.now();
        let mut chance = Chance::new(plan.seed, "people");
        store.write(|tx| tx.club(now, &chance.bytes())).unwrap();
        let members = if plan.by_mail { 2 } else { 3 };
        let ids: Vec<PlayerId> = people[..members]
            .iter()
            .map(|person| join(&mut store, person, now))
            .collect();
        if !plan.by_mail {
            games::begin(&mut store, &plan, &ids, now);
        }
        drop(store);
        let mut world = World {
            book: Book::open(&machine.database()),
            log: Log::start(),
            seen: Seen::default(),
            people,
            letters: Vec::new(),
            mails: Vec::new(),
            delivered: Vec::new(),
            answered: BTreeSet::new(),
            chance,
            troubles: Chance::new(plan.seed, "troubles"),
            is_calm: false,
            disk_is_full: false,
            broken: None,
            calendar: BTreeMap::new(),
            entries: 0,
            posted: 0,
            over: false,
            plan,
            clock,
            net,
            machine,
        };
        world.begins();
        world
    }

    fn begins(&mut self) {
        let day = Duration::from_secs(24 * 3600);
        let days = u32::try_from(self.plan.days).unwrap();
        self.later(Duration::ZERO, Event::Starts);
        for who in 0..2 {
            self.later(Duration::from_secs(60 + 30 * who as u64), Event::Looks(who));
        }
        if self.plan.by_mail {
            let text = self.people[2].fresh(0, "hello", "join", self.clock.now());
            let mail = self.machine_writes("cora@cora.example", text.clone(), "a newcomer's");
            let join = Event::Arrives {
                mail,
                raw: delivered(&text, Some("pass"), 0),
                place: Where::Inbox,
            };
            self.later(Duration::from_secs(300), join);
        }
        for fault in self.draw_faults() {
            let at = self.troubles.below(self.plan.days * 24 * 3600);
            self.later(Duration::from_secs(at), Event::Fault(fault));
        }
        self.later(day * days, Event::Calms);
        self.later(day * (days + 2), Event::Ends);
    }
}

fn join(store: &mut Store, person: &Person, now: DateTime<Utc>) -> PlayerId {
    let player = Player {
        id: PlayerId(0),
        name: person.name.to_owned(),
        address: person.address.clone(),
        language: "en".to_owned(),
        timezone: "UTC".to_owned(),
        joined: now,
        stopped: false,
    };
    store.write(|tx| tx.add_player(player)).unwrap().id
}
