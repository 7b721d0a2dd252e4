//! Which cells have answered questions so far in a search, for each side: a stone there is likely to answer the next one, too.

/// Bits of the largest board.
const CELLS: usize = 128;
/// What a cell that always answers tends to.
const FULL: i16 = 1 << 12;
/// A cell that answers comes closer to it by a part of 2 to this power, one that was tried in vain to its negative.
const GAIN: u32 = 3;
const LOSS: u32 = 4;
/// The most it counts in the order of moves: a little less than a threat, and half of that in a long search, which is about many
/// different endings.
const WEIGHT: i32 = 6;
const LONG_WEIGHT: i32 = 3;
/// The search of a position with more empty cells is long.
const LONG: i32 = 30;

/// How well the cells have done.
pub struct History {
    cells: [[i16; CELLS]; 2],
    weight: i32,
}

impl History {
    /// Nothing is known, in the search of a position with so many empty cells.
    pub fn new(empties: i32) -> History {
        History { cells: [[0; CELLS]; 2], weight: if empties > LONG { LONG_WEIGHT } else { WEIGHT } }
    }

    /// How promising a stone of a side is on the cell of this number.
    #[inline(always)]
    pub fn weight(&self, side: usize, cell: u8) -> i32 {
        (i32::from(self.cells[side & 1][usize::from(cell) % CELLS]) * self.weight) >> 12
    }

    /// A stone there has answered the question.
    #[inline(always)]
    pub fn reward(&mut self, side: usize, cell: u8) {
        let value = &mut self.cells[side & 1][usize::from(cell) % CELLS];
        *value += (FULL - *value) >> GAIN;
    }

    /// A stone there was tried before the one that did.
    #[inline(always)]
    pub fn punish(&mut self, side: usize, cell: u8) {
        let value = &mut self.cells[side & 1][usize::from(cell) % CELLS];
        *value += (-FULL - *value) >> LOSS;
    }
}
