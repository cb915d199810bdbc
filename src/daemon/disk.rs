//! The gate: no mail is taken in while the disk is nearly full (D-02). It waits in the mailbox, where it is safe; letters
//! that are written already still go out.

use super::settings::Club;
use crate::store::{Room, Store};

/// Below this nothing is taken in, in MiB; of a small disk, below a twentieth of it.
const LEAST: u64 = 100;

/// What keeps mail from being taken in, if the disk has too little room. The words stay the same while it lasts.
#[must_use]
pub fn shortage(room: Room) -> Option<String> {
    let least = (LEAST << 20).min(room.total / 20);
    (room.free < least).then(|| {
        let share = if least == LEAST << 20 {
            format!("{LEAST} MiB are")
        } else {
            "a twentieth is".to_owned()
        };
        format!("less than {share} free on the disk of the database; make room there")
    })
}

/// What keeps mail from being taken in now.
pub(super) fn gate(store: &Store, club: &Club) -> Option<String> {
    club.outside.room(store.path()).and_then(shortage)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gate_shuts_below_a_hundred_mebibytes_or_a_twentieth_of_a_small_disk() {
        const MIB: u64 = 1 << 20;
        let shuts = |free: u64, total: u64| shortage(Room { free, total }).is_some();
        assert!(!shuts(100 * MIB, 1 << 40));
        assert!(shuts(100 * MIB - 1, 1 << 40));
        assert!(!shuts(51 * MIB, 1000 * MIB));
        assert!(shuts(49 * MIB, 1000 * MIB));
        // A disk without a size, as some file systems say, is no full one.
        assert!(!shuts(0, 0));
    }
}
