//! The two tables of a search: a small one for endings, which stays in the caches of the processor, and a large one.
//!
//! Most positions of a search have few empty cells. In the large table each look-up of one waits for the memory, which costs
//! more than it saves.

use super::shape::Shape;
use super::table::Table;
use crate::memory::OutOfMemory;

/// Positions with at most so many empty cells are kept in the small table.
pub const NEAR: i32 = 14;
/// Bytes of the small table: half of what is closest to one core.
const NEAR_BYTES: usize = 1 << 19;

/// Both tables.
pub struct Tables<S: Shape> {
    near: Table<S>,
    far: Table<S>,
}

impl<S: Shape> Tables<S> {
    /// Empty tables of about so many bytes together, but never less than a megabyte.
    ///
    /// # Errors
    /// The system refuses the memory.
    pub fn new(shape: &S, bytes: usize) -> Result<Tables<S>, OutOfMemory> {
        let far = Table::new(shape, bytes.saturating_sub(NEAR_BYTES))?;
        Ok(Tables { near: Table::new(shape, NEAR_BYTES)?, far })
    }

    /// The table of positions with so many empty cells.
    #[inline(always)]
    pub fn of(&self, empties: i32) -> &Table<S> {
        if empties <= NEAR { &self.near } else { &self.far }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.near.clear();
        self.far.clear();
    }

    /// How many bytes are in use, by a sample.
    pub fn occupied_bytes(&self) -> u64 {
        self.near.occupied_bytes() + self.far.occupied_bytes()
    }

    /// How full the large table is, in thousandths, by a sample.
    pub fn permille_full(&self) -> u16 {
        self.far.permille_full()
    }
}
