//! Squares, directions and sets of squares: the only place that does index arithmetic.
//!
//! Every board, whatever its size, lies in the same padded grid of 32 columns, so a square means the same place on each of
//! them and a walk along a line ends at a wall without a range check:
//!
//! ```text
//! index = (row + 1) * 32 + (column + 1)        row and column from 0, the first row at the bottom
//! ```

use std::fmt;
use std::num::NonZeroU16;

/// The most columns or rows that a board can have: one per letter.
pub const MAX_SIDE: u8 = 26;
/// The length of every array indexed by a square: a power of two, so that an index needs no range check.
pub const GRID: usize = 1024;
const STRIDE: u16 = 32;

/// A cell of the board, by column and row. `Option<Square>` costs nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(NonZeroU16);

impl Square {
    /// The square in a column and a row, both from 0; `None` beyond 26 x 26.
    pub fn new(column: u8, row: u8) -> Option<Square> {
        if column >= MAX_SIDE || row >= MAX_SIDE {
            return None;
        }
        NonZeroU16::new((u16::from(row) + 1) * STRIDE + u16::from(column) + 1).map(Square)
    }

    /// The square with this index, if the grid has one there.
    pub fn from_index(index: usize) -> Option<Square> {
        let (column, row) = ((index % 32).checked_sub(1)?, (index / 32).checked_sub(1)?);
        Square::new(u8::try_from(column).ok()?, u8::try_from(row).ok()?)
    }

    /// The index of this square in arrays of [`GRID`] elements.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0.get()) & (GRID - 1)
    }

    /// The column, from 0 at the left.
    pub fn column(self) -> u8 {
        (self.0.get() % STRIDE) as u8 - 1
    }

    /// The row, from 0 at the bottom.
    pub fn row(self) -> u8 {
        (self.0.get() / STRIDE) as u8 - 1
    }

    /// The 16 bits that a table entry holds; never 0.
    pub fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// The inverse of [`Square::to_bits`].
    pub fn from_bits(bits: u16) -> Option<Square> {
        Square::from_index(usize::from(bits))
    }
}

/// `h8`: the column's letter and the row's number from 1.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column()), self.row() + 1)
    }
}

/// One of the four directions of a line, as a step between indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Along a row.
    Horizontal,
    /// Along a column.
    Vertical,
    /// From the bottom left to the top right.
    Rising,
    /// From the top left to the bottom right.
    Falling,
}

impl Direction {
    /// All four.
    pub const ALL: [Direction; 4] = [Direction::Horizontal, Direction::Vertical, Direction::Rising, Direction::Falling];

    /// The difference between the indices of two neighbours.
    #[inline]
    pub fn step(self) -> usize {
        match self {
            Direction::Horizontal => 1,
            Direction::Vertical => 32,
            Direction::Rising => 33,
            Direction::Falling => 31,
        }
    }

    /// The columns and rows that one step goes.
    pub fn delta(self) -> (i8, i8) {
        match self {
            Direction::Horizontal => (1, 0),
            Direction::Vertical => (0, 1),
            Direction::Rising => (1, 1),
            Direction::Falling => (-1, 1),
        }
    }
}

/// A set of squares: one word of bits per row of the grid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SquareSet([u32; 32]);

impl SquareSet {
    /// The empty set.
    pub const EMPTY: SquareSet = SquareSet([0; 32]);

    /// Adds a square.
    #[inline]
    pub fn insert(&mut self, square: Square) {
        self.0[square.index() / 32] |= 1 << (square.index() % 32);
    }

    /// Takes a square out.
    #[inline]
    pub fn remove(&mut self, square: Square) {
        self.0[square.index() / 32] &= !(1 << (square.index() % 32));
    }

    /// Whether a square is in the set.
    #[inline]
    pub fn contains(&self, square: Square) -> bool {
        self.0[square.index() / 32] & (1 << (square.index() % 32)) != 0
    }

    /// Adds every square of another set.
    #[inline]
    pub fn union(&mut self, other: &SquareSet) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine |= theirs;
        }
    }

    /// How many squares are in both sets.
    pub fn common(&self, other: &SquareSet) -> usize {
        self.0.iter().zip(&other.0).map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    /// The squares of this set that are in `other` too, in the order of their indices.
    #[inline]
    pub fn iter_common<'a>(&'a self, other: &'a SquareSet) -> impl Iterator<Item = Square> + 'a {
        self.0.iter().zip(&other.0).enumerate().flat_map(|(row, (a, b))| {
            let mut bits = a & b;
            std::iter::from_fn(move || {
                if bits == 0 {
                    return None;
                }
                let column = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                Square::from_index(row * 32 + column)
            })
        })
    }

    /// The squares, in the order of their indices: from the bottom row up, each from the left.
    pub fn iter(&self) -> impl Iterator<Item = Square> + '_ {
        self.iter_common(self)
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> SquareSet {
        let mut set = SquareSet::EMPTY;
        for square in squares {
            set.insert(square);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_keeps_its_column_and_row() {
        for column in 0..MAX_SIDE {
            for row in 0..MAX_SIDE {
                let square = Square::new(column, row).unwrap();
                assert_eq!((square.column(), square.row()), (column, row));
                assert_eq!(Square::from_bits(square.to_bits()), Some(square));
            }
        }
        assert_eq!(Square::new(26, 0), None);
        assert_eq!(Square::from_index(0), None);
        assert_eq!(Square::from_index(32 * 5), None);
        assert_eq!(Square::new(7, 7).unwrap().to_string(), "h8");
        assert_eq!(Square::new(25, 25).unwrap().to_string(), "z26");
    }

    #[test]
    fn a_set_gives_back_what_it_holds_in_order() {
        let squares: Vec<Square> =
            [(0, 0), (25, 0), (3, 7), (25, 25)].iter().map(|&(c, r)| Square::new(c, r).unwrap()).collect();
        let mut set: SquareSet = squares.iter().copied().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), squares);
        set.remove(squares[1]);
        assert!(!set.contains(squares[1]) && set.contains(squares[3]));
    }

    #[test]
    fn steps_and_deltas_agree() {
        let from = Square::new(9, 9).unwrap();
        for direction in Direction::ALL {
            let (columns, rows) = direction.delta();
            let to = Square::new(9u8.wrapping_add_signed(columns), 9u8.wrapping_add_signed(rows)).unwrap();
            assert_eq!(to.index(), from.index() + direction.step());
        }
    }
}
