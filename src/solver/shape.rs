//! The geometry of a gravity board as bits, and lines on it.
//!
//! Cells are numbered column by column from the bottom left. Each column has one more bit than rows, always empty, so that no
//! shift runs from one column into a line of the next. The bits of 7x6:
//!
//! ```text
//! 6 13 20 27 34 41 48   (always empty)
//! 5 12 19 26 33 40 47   top row
//! ...
//! 0  7 14 21 28 35 42   bottom row
//! ```

use super::word::Word;

/// The size of a board and the length of a line. All methods with answers that depend on nothing else are constants for
/// [`Fixed`] boards, and cheap for [`Any`].
pub trait Shape: Copy + Send + Sync + 'static {
    /// The bits.
    type Word: Word;

    /// Columns.
    fn columns(&self) -> u32;
    /// Rows.
    fn rows(&self) -> u32;
    /// How many in a row win.
    fn line(&self) -> u32;
    /// The bottom row.
    fn bottom(&self) -> Self::Word;
    /// Every cell.
    fn board(&self) -> Self::Word;
    /// The rows that belong to who answers each move with the cell above it: the top one and every second below.
    fn answers(&self) -> Self::Word;

    /// Bits of a column.
    #[inline(always)]
    fn stride(&self) -> u32 {
        self.rows() + 1
    }

    /// Bits of all columns: a key has so many.
    #[inline(always)]
    fn bits(&self) -> u32 {
        self.columns() * self.stride()
    }

    /// Cells.
    #[inline(always)]
    fn cells(&self) -> i32 {
        (self.columns() * self.rows()) as i32
    }

    /// From the bottom row up, so many rows.
    #[inline(always)]
    fn rows_up_to(&self, rows: u32) -> Self::Word {
        self.bottom().times(Self::Word::first(rows))
    }

    /// The column of a cell, without the bit above its top.
    #[inline(always)]
    fn column_of(&self, cell: Self::Word) -> Self::Word {
        Self::Word::first(self.rows()) << (cell.index() / self.stride() * self.stride())
    }

    /// The row of a cell, from 0.
    #[inline(always)]
    fn row_of(&self, cell: Self::Word) -> u32 {
        cell.index() % self.stride()
    }

    /// The step from one cell of a line to the next, by direction; `None` if no line fits on the board that way.
    #[inline(always)]
    fn step(&self, direction: u32) -> Option<u32> {
        let (across, up) = (self.line() <= self.columns(), self.line() <= self.rows());
        match direction {
            0 => up.then_some(1),
            1 => across.then_some(self.rows()),
            2 => across.then_some(self.rows() + 1),
            _ => across.then_some(self.rows() + 2),
        }
        .filter(|_| up || direction == 0 || direction == 2)
    }

    /// Whether a set of cells holds a line.
    #[inline(always)]
    fn has_line(&self, cells: Self::Word) -> bool {
        let mut found = Self::Word::ZERO;
        for step in (0..4).filter_map(|direction| self.step(direction)) {
            // Runs of twice the length, again and again, then what is missing.
            let (mut runs, mut length) = (cells, 1);
            while 2 * length <= self.line() {
                runs &= runs >> (length * step);
                length *= 2;
            }
            if length < self.line() {
                runs &= runs >> ((self.line() - length) * step);
            }
            found |= runs;
        }
        !found.is_empty()
    }

    /// The cells of the board where one more stone would make a line. Those that have a stone mean nothing.
    #[inline(always)]
    fn completions(&self, stones: Self::Word) -> Self::Word {
        let mut found = Self::Word::ZERO;
        for direction in 0..4 {
            let Some(step) = self.step(direction) else { continue };
            found |= match (direction, self.line()) {
                // A column is filled from below.
                (0, line) => below(stones, line - 1),
                (_, 4) => fourths(stones, step),
                (_, line) => holes(stones, step, line),
            };
        }
        found & self.board()
    }
}

/// The cells above `length` stones on top of each other.
#[inline(always)]
fn below<T: Word>(stones: T, length: u32) -> T {
    (1..=length).fold(!T::ZERO, |all, distance| all & stones << distance)
}

/// The cells that have three stones beside them, on one side or both.
#[inline(always)]
fn fourths<T: Word>(stones: T, step: u32) -> T {
    let pairs = stones & stones << step;
    let (before, after) = (pairs << step, pairs >> (2 * step));
    before & (stones >> step | stones << (3 * step)) | after & (stones << step | stones >> (3 * step))
}

/// The cells that have `line - 1` stones beside them, on one side or both.
#[inline(always)]
fn holes<T: Word>(stones: T, step: u32, line: u32) -> T {
    // The runs of each length that end before a cell.
    let mut before = [!T::ZERO; 8];
    for length in 1..line {
        before[length as usize] = before[length as usize - 1] & stones << (length * step);
    }
    let (mut found, mut after) = (T::ZERO, !T::ZERO);
    for length in 0..line {
        if length > 0 {
            after &= stones >> (length * step);
        }
        found |= before[(line - 1 - length) as usize] & after;
    }
    found
}

/// The bit at the foot of each of `columns` columns of `stride` bits.
const fn feet(columns: u32, stride: u32) -> u128 {
    let (mut bits, mut column) = (0, 0);
    while column < columns {
        bits |= 1 << (column * stride);
        column += 1;
    }
    bits
}

/// Every second row, the top one among them.
const fn every_second(columns: u32, rows: u32) -> u128 {
    let (mut bits, mut row) = (0, 0);
    while row < rows {
        if (rows - 1 - row).is_multiple_of(2) {
            bits |= feet(columns, rows + 1) << row;
        }
        row += 1;
    }
    bits
}

/// A board whose size the compiler knows, with four in a row.
#[derive(Clone, Copy, Debug)]
pub struct Fixed<const COLUMNS: u32, const ROWS: u32>;

impl<const COLUMNS: u32, const ROWS: u32> Fixed<COLUMNS, ROWS> {
    const BOTTOM: u64 = feet(COLUMNS, ROWS + 1) as u64;
    const BOARD: u64 = (feet(COLUMNS, ROWS + 1) * ((1 << ROWS) - 1)) as u64;
    const ANSWERS: u64 = every_second(COLUMNS, ROWS) as u64;
}

impl<const COLUMNS: u32, const ROWS: u32> Shape for Fixed<COLUMNS, ROWS> {
    type Word = u64;
    #[inline(always)]
    fn columns(&self) -> u32 {
        COLUMNS
    }
    #[inline(always)]
    fn rows(&self) -> u32 {
        ROWS
    }
    #[inline(always)]
    fn line(&self) -> u32 {
        4
    }
    #[inline(always)]
    fn bottom(&self) -> u64 {
        Self::BOTTOM
    }
    #[inline(always)]
    fn board(&self) -> u64 {
        Self::BOARD
    }
    #[inline(always)]
    fn answers(&self) -> u64 {
        Self::ANSWERS
    }
}

/// A board of any size that fits, with lines of any length.
#[derive(Clone, Copy, Debug)]
pub struct Any<T> {
    columns: u32,
    rows: u32,
    line: u32,
    bottom: T,
    board: T,
    answers: T,
}

impl<T: Word> Any<T> {
    /// A shape; `None` if the board does not fit.
    pub fn new(columns: u32, rows: u32, line: u32) -> Option<Any<T>> {
        if columns * (rows + 1) > T::BITS {
            return None;
        }
        let word = |bits: u128| T::from_halves((bits >> 64) as u64, bits as u64);
        let bottom = word(feet(columns, rows + 1));
        let board = bottom.times(T::first(rows));
        Some(Any { columns, rows, line, bottom, board, answers: word(every_second(columns, rows)) })
    }
}

impl<T: Word> Shape for Any<T> {
    type Word = T;
    #[inline(always)]
    fn columns(&self) -> u32 {
        self.columns
    }
    #[inline(always)]
    fn rows(&self) -> u32 {
        self.rows
    }
    #[inline(always)]
    fn line(&self) -> u32 {
        self.line
    }
    #[inline(always)]
    fn bottom(&self) -> T {
        self.bottom
    }
    #[inline(always)]
    fn board(&self) -> T {
        self.board
    }
    #[inline(always)]
    fn answers(&self) -> T {
        self.answers
    }
}
