//! A set of spaces as bits of one word, and the three bit-parallel questions asked of it: what is next to it, what of it is
//! surrounded, what of it is linked. Knows the shape of the board, nothing of pieces.

use std::fmt;

use super::cell::{Cell, ROW_STRIDE};

/// A set of spaces; iterates in canonical order.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CellSet(u64);

/// Steps (0, +1) and (+1, +1) as distances between bits.
const UP: u8 = ROW_STRIDE;
const UP_RIGHT: u8 = ROW_STRIDE + 1;

impl CellSet {
    /// No space.
    pub const EMPTY: CellSet = CellSet(0);

    /// The whole board.
    pub const ALL: CellSet = whole_board();

    /// Just one space.
    pub const fn of(cell: Cell) -> CellSet {
        CellSet(1 << cell.bit())
    }

    /// How many spaces.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `cell` is in it.
    pub const fn contains(self, cell: Cell) -> bool {
        self.0 & CellSet::of(cell).0 != 0
    }

    /// Puts `cell` in.
    pub const fn insert(&mut self, cell: Cell) {
        self.0 |= CellSet::of(cell).0;
    }

    /// Takes `cell` out.
    pub const fn remove(&mut self, cell: Cell) {
        self.0 &= !CellSet::of(cell).0;
    }

    /// What is in either.
    pub const fn union(self, other: CellSet) -> CellSet {
        CellSet(self.0 | other.0)
    }

    /// What is in both.
    pub const fn intersection(self, other: CellSet) -> CellSet {
        CellSet(self.0 & other.0)
    }

    /// What is in this one only.
    pub const fn difference(self, other: CellSet) -> CellSet {
        CellSet(self.0 & !other.0)
    }

    /// The first space in canonical order.
    pub const fn first(self) -> Option<Cell> {
        if self.is_empty() {
            None
        } else {
            Some(Cell::from_bit(self.0.trailing_zeros() as u8))
        }
    }

    /// Its spaces in canonical order.
    pub const fn iter(self) -> Iter {
        Iter(self)
    }

    /// The spaces of it whose six neighbours are all in it too. An edge space has a neighbour off the board, whose bit is
    /// never set, and so is never surrounded (RULE-04).
    pub(super) const fn surrounded(self) -> CellSet {
        let s = self.0;
        CellSet(s & (s << 1) & (s >> 1) & (s << UP) & (s >> UP) & (s << UP_RIGHT) & (s >> UP_RIGHT))
    }

    /// What of it can be reached from `seeds` in steps between neighbours, without leaving it.
    pub(super) const fn linked_to(self, seeds: CellSet) -> CellSet {
        let mut reached = self.0 & seeds.0;
        loop {
            let r = reached;
            let next =
                r | (r << 1) | (r >> 1) | (r << UP) | (r >> UP) | (r << UP_RIGHT) | (r >> UP_RIGHT);
            reached = next & self.0;
            if reached == r {
                return CellSet(r);
            }
        }
    }
}

const fn whole_board() -> CellSet {
    let mut set = CellSet::EMPTY;
    let mut index = 0;
    while let Some(cell) = Cell::from_index(index) {
        set.insert(cell);
        index += 1;
    }
    set
}

/// The spaces of a [`CellSet`] in canonical order.
#[derive(Clone, Debug)]
pub struct Iter(CellSet);

impl Iterator for Iter {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        let cell = self.0.first()?;
        self.0.remove(cell);
        Some(cell)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Iter {}

impl IntoIterator for CellSet {
    type Item = Cell;
    type IntoIter = Iter;

    fn into_iter(self) -> Iter {
        self.iter()
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> CellSet {
        let mut set = CellSet::EMPTY;
        for cell in cells {
            set.insert(cell);
        }
        set
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sets() -> impl Strategy<Value = CellSet> {
        any::<u64>().prop_map(|bits| CellSet(bits & CellSet::ALL.0))
    }

    proptest! {
        #[test]
        fn surrounded_by_bits_is_surrounded_by_neighbours(set in sets(), hole in sets()) {
            for set in [set, set.union(hole), CellSet::ALL.difference(set.intersection(hole))] {
                let slowly = set.iter().filter(|cell| {
                    !cell.is_edge() && cell.neighbours().difference(set).is_empty()
                });
                prop_assert_eq!(set.surrounded(), slowly.collect());
            }
        }

        #[test]
        fn linked_by_bits_is_linked_by_neighbours(set in sets(), other in sets(), seed in 0..49u8) {
            let set = set.union(other);
            let seeds = Cell::from_index(seed).map_or(CellSet::EMPTY, CellSet::of);
            let mut slowly = seeds.intersection(set);
            loop {
                let before = slowly;
                for cell in before {
                    slowly = slowly.union(cell.neighbours().intersection(set));
                }
                if slowly == before {
                    break;
                }
            }
            prop_assert_eq!(set.linked_to(seeds), slowly);
        }
    }
}
