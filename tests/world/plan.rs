//! What a world is like: how long, how many, how faulty. A seed chooses.
//!
//! Knows proportions; refuses to act.

use super::chance::Chance;

/// A world's proportions.
#[derive(Clone, Debug)]
pub struct Plan {
    pub seed: u64,
    /// Days with faults; two days without follow.
    pub days: u64,
    /// Faults of servers, network and machine in these days.
    pub faults: u64,
    /// How often people do something odd, in a thousand mails.
    pub odd: u64,
    /// Hours until a letter is answered, at most.
    pub patience: u64,
    /// Plies that the games have behind them when the world begins.
    pub played: [u64; 2],
    pub games: usize,
    /// The first game begins by a challenge, and a third player joins.
    pub by_mail: bool,
    pub offers: &'static str,
    pub idle: bool,
    pub poll: u64,
    /// Every death of the daemon is the machine's: writes that were not synced may be gone.
    pub power: bool,
}

impl Plan {
    /// What that seed chooses.
    pub fn of(seed: u64) -> Plan {
        let mut chance = Chance::new(seed, "plan");
        let days = chance.within(4, 8);
        Plan {
            seed,
            days,
            faults: chance.within(4, 14),
            odd: *chance.pick(&[0, 100, 250, 400]),
            patience: *chance.pick(&[3, 12, 30]),
            played: [chance.within(4, 34), chance.within(4, 34)],
            games: usize::try_from(chance.within(1, 2)).unwrap(),
            by_mail: chance.happens(300),
            offers: chance.pick::<&str>(&["IDLE MOVE UIDPLUS", "IDLE UIDPLUS", "MOVE", "IDLE", ""]),
            idle: chance.happens(700),
            poll: *chance.pick(&[60, 300]),
            power: false,
        }
    }

    /// A world in which all goes well, for the loops that add one fault of their own.
    pub fn steady() -> Plan {
        Plan {
            seed: 1,
            days: 1,
            faults: 0,
            odd: 0,
            patience: 1,
            played: [12, 0],
            games: 1,
            by_mail: false,
            offers: "IDLE MOVE UIDPLUS",
            idle: true,
            poll: 300,
            power: false,
        }
    }
}
