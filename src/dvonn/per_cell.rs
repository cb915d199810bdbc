//! A value for each of the 49 spaces. Knows nothing of what the values mean.

use std::ops::{Index, IndexMut};

use super::cell::Cell;

/// One `T` a space, indexed by [`Cell`]: the one place of the rules that indexes an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PerCell<T>(pub(super) [T; Cell::COUNT]);

impl<T: Copy> PerCell<T> {
    /// The same value everywhere.
    pub(super) const fn filled(value: T) -> PerCell<T> {
        PerCell([value; Cell::COUNT])
    }
}

#[allow(
    clippy::indexing_slicing,
    reason = "the index of a Cell is below 49 by construction"
)]
impl<T> Index<Cell> for PerCell<T> {
    type Output = T;

    fn index(&self, cell: Cell) -> &T {
        &self.0[cell.index()]
    }
}

#[allow(
    clippy::indexing_slicing,
    reason = "the index of a Cell is below 49 by construction"
)]
impl<T> IndexMut<Cell> for PerCell<T> {
    fn index_mut(&mut self, cell: Cell) -> &mut T {
        &mut self.0[cell.index()]
    }
}
