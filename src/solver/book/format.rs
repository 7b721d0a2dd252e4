//! The bytes of an opening table.
//!
//! ```text
//!  0  8  "inarowbk"
//!  8  1  version: 2
//!  9  4  columns, rows, how many in a row win, ply
//! 13  2  bits of a score, plies of a line
//! 15  1  zero
//! 16  4  how many positions, lowest byte first as all numbers
//! 20  8  FNV-1a of all other bytes
//! 28     the scores, each plus the greatest one, then the columns of the lines, from 0, and the number of columns for
//!        each ply that a line lacks; the lowest bits first
//! ```

use crate::rules::Game;
use std::fmt;

const MAGIC: &[u8; 8] = b"inarowbk";
const VERSION: u8 = 2;
const HEAD: usize = 28;
/// Where the checksum is.
const CHECK: std::ops::Range<usize> = 20..28;

/// The board that a table is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub columns: u8,
    /// Rows.
    pub rows: u8,
    /// How many in a row win.
    pub line: u8,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}, {} in a row", self.columns, self.rows, self.line)
    }
}

impl Size {
    /// That of a game.
    pub fn of(game: &Game) -> Size {
        Size { columns: game.columns(), rows: game.rows(), line: game.line() }
    }

    /// The greatest score: a win by the first stone would have it.
    fn greatest(self) -> u32 {
        (u32::from(self.columns) * u32::from(self.rows)).div_ceil(2)
    }

    /// Bits of a score.
    fn score_width(self) -> u32 {
        bits_of(2 * self.greatest())
    }

    /// Bits of a ply of a line.
    fn column_width(self) -> u32 {
        bits_of(self.columns.into())
    }
}

/// Why bytes are no opening table for a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookError {
    /// They begin like something else.
    Foreign,
    /// They are of a version that is not known.
    Version(u8),
    /// They are for another board.
    Board(Size),
    /// They are for positions of another ply.
    Ply(u32),
    /// They are too few, too many, or not those that were written.
    Damaged,
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookError::Foreign => write!(f, "not an opening table"),
            BookError::Version(version) => write!(f, "an opening table of version {version}; expected {VERSION}"),
            BookError::Board(size) => write!(f, "an opening table for another board: {size}"),
            BookError::Ply(ply) => write!(f, "an opening table for positions of another ply: {ply}"),
            BookError::Damaged => write!(f, "a damaged opening table"),
        }
    }
}

impl std::error::Error for BookError {}

/// What a table holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// The board.
    pub size: Size,
    /// The ply of its positions.
    pub plies: u32,
    /// Their scores in order of their keys, for the side to move.
    pub scores: Vec<i8>,
    /// Best play from each of them.
    pub lines: Lines,
}

/// For each position of a table the columns of best play, from 0; the number of columns stands for each ply that a line lacks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// Plies of each line.
    pub plies: u8,
    /// All lines, one after the other.
    pub columns: Vec<u8>,
}

impl Lines {
    /// The line of a position, by its rank.
    pub fn of(&self, rank: usize) -> &[u8] {
        let plies = usize::from(self.plies);
        self.columns.get(rank * plies..(rank + 1) * plies).unwrap_or(&[])
    }
}

impl Contents {
    /// Writes a table.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Size { columns, rows, line } = self.size;
        let mut bytes = Vec::from(MAGIC);
        let width = self.size.score_width();
        bytes.extend([VERSION, columns, rows, line, self.plies as u8, width as u8, self.lines.plies, 0]);
        bytes.extend((self.scores.len() as u32).to_le_bytes());
        bytes.extend([0; CHECK.end - CHECK.start]);
        let greatest = self.size.greatest() as i32;
        let scores = self.scores.iter().map(|&score| ((i32::from(score) + greatest) as u32, width));
        let width = self.size.column_width();
        let columns = self.lines.columns.iter().map(|&column| (column.into(), width));
        pack(scores.chain(columns), &mut bytes);
        let sum = checksum(&bytes);
        bytes[CHECK].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads a table for a board.
    ///
    /// # Errors
    /// It is not one, or not for this board.
    pub fn from_bytes(bytes: &[u8], wanted: Size) -> Result<Contents, BookError> {
        let Some((head, packed)) = bytes.split_at_checked(HEAD) else {
            let begins = bytes.starts_with(MAGIC);
            return Err(if begins { BookError::Damaged } else { BookError::Foreign });
        };
        if !head.starts_with(MAGIC) {
            return Err(BookError::Foreign);
        }
        let &[version, columns, rows, line, plies, width, line_plies, ..] = &head[MAGIC.len()..] else {
            return Err(BookError::Damaged);
        };
        // The first version had zeros where the second one says that its lines have no plies.
        if !(1..=VERSION).contains(&version) {
            return Err(BookError::Version(version));
        }
        if head[CHECK] != checksum(bytes).to_le_bytes() {
            return Err(BookError::Damaged);
        }
        let size = Size { columns, rows, line };
        if size != wanted {
            return Err(BookError::Board(size));
        }
        let count = u32::from_le_bytes([head[16], head[17], head[18], head[19]]) as usize;
        let (score_width, column_width) = (size.score_width(), size.column_width());
        let steps = count * usize::from(line_plies);
        let length = (count * score_width as usize + steps * column_width as usize).div_ceil(8);
        if u32::from(width) != score_width || packed.len() != length {
            return Err(BookError::Damaged);
        }
        let mut bits = Unpack { bytes: packed.iter(), waiting: 0, bits: 0 };
        let greatest = size.greatest();
        let mut next =
            |width: u32, most: u32| bits.next(width).filter(|&value| value <= most).ok_or(BookError::Damaged);
        let scores = (0..count).map(|_| Ok((next(score_width, 2 * greatest)? as i32 - greatest as i32) as i8));
        let scores = scores.collect::<Result<_, _>>()?;
        let columns = (0..steps).map(|_| Ok(next(column_width, columns.into())? as u8)).collect::<Result<_, _>>()?;
        Ok(Contents { size, plies: plies.into(), scores, lines: Lines { plies: line_plies, columns } })
    }
}

/// Bits of a number that is at most so great.
fn bits_of(most: u32) -> u32 {
    most.checked_ilog2().unwrap_or(0) + 1
}

/// Appends numbers of so many bits each; the lowest bits come first.
fn pack(numbers: impl Iterator<Item = (u32, u32)>, bytes: &mut Vec<u8>) {
    let (mut waiting, mut bits) = (0u32, 0);
    for (number, width) in numbers {
        debug_assert!(number >> width == 0, "{number} has more than {width} bits");
        waiting |= number << bits;
        bits += width;
        while bits >= 8 {
            bytes.push(waiting as u8);
            (waiting, bits) = (waiting >> 8, bits - 8);
        }
    }
    if bits > 0 {
        bytes.push(waiting as u8);
    }
}

/// Reads what [`pack`] has written.
struct Unpack<'a> {
    bytes: std::slice::Iter<'a, u8>,
    waiting: u32,
    bits: u32,
}

impl Unpack<'_> {
    /// The next number, which has so many bits.
    fn next(&mut self, width: u32) -> Option<u32> {
        while self.bits < width {
            self.waiting |= u32::from(*self.bytes.next()?) << self.bits;
            self.bits += 8;
        }
        let number = self.waiting & ((1 << width) - 1);
        (self.waiting, self.bits) = (self.waiting >> width, self.bits - width);
        Some(number)
    }
}

/// FNV-1a of all bytes but those of the checksum.
fn checksum(bytes: &[u8]) -> u64 {
    let others = bytes.iter().enumerate().filter(|(at, _)| !CHECK.contains(at));
    others.fold(0xcbf2_9ce4_8422_2325, |sum, (_, &byte)| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size { columns: 7, rows: 6, line: 4 };

    fn table(count: i32, plies: u8) -> Contents {
        let scores = (0..count).map(|number| (number * 31 % 43 - 21) as i8).collect();
        let columns = (0..count * i32::from(plies)).map(|number| (number * 5 % 8) as u8).collect();
        Contents { size: SIZE, plies: 8, scores, lines: Lines { plies, columns } }
    }

    #[test]
    fn what_is_written_is_read() {
        for (count, plies) in [(0, 0), (1, 0), (2, 0), (3, 1), (4, 2), (5, 3), (1000, 4), (0, 4)] {
            let table = table(count, plies);
            let bytes = table.to_bytes();
            assert_eq!(bytes.len(), HEAD + (count as usize * (6 + 3 * usize::from(plies))).div_ceil(8));
            assert_eq!(Contents::from_bytes(&bytes, SIZE), Ok(table));
        }
        let size = Size { columns: 9, rows: 8, line: 5 };
        let lines = Lines { plies: 2, columns: vec![0, 9, 8, 1, 2, 3, 4, 5, 6, 7] };
        let table = Contents { size, plies: 3, scores: vec![-36, 0, 36, 1, -1], lines };
        assert_eq!(Contents::from_bytes(&table.to_bytes(), size), Ok(table.clone()));
        assert_eq!((table.lines.of(1), table.lines.of(4), table.lines.of(5)), (&[8, 1][..], &[6, 7][..], &[][..]));
    }

    #[test]
    fn every_changed_byte_and_every_cut_is_noticed() {
        let bytes = table(50, 3).to_bytes();
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x10;
            assert!(Contents::from_bytes(&changed, SIZE).is_err(), "byte {at}");
            assert!(Contents::from_bytes(&bytes[..at], SIZE).is_err(), "cut at {at}");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(Contents::from_bytes(&longer, SIZE), Err(BookError::Damaged));
        assert_eq!(Contents::from_bytes(b"something else", SIZE), Err(BookError::Foreign));
        let other = Size { rows: 7, ..SIZE };
        assert_eq!(Contents::from_bytes(&bytes, other), Err(BookError::Board(SIZE)));
    }
}
