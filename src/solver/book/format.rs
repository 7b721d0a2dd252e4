//! The bytes of an opening table.
//!
//! ```text
//!  0  8  "inarowbk"
//!  8  1  version: 1
//!  9  4  columns, rows, how many in a row win, ply
//! 13  1  bits of a score
//! 14  2  zero
//! 16  4  how many scores, lowest byte first as all numbers
//! 20  8  FNV-1a of all other bytes
//! 28     the scores, each plus the greatest one; the lowest bits first
//! ```

use std::fmt;

const MAGIC: &[u8; 8] = b"inarowbk";
const VERSION: u8 = 1;
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
    /// The greatest score: a win by the first stone would have it.
    fn greatest(self) -> u32 {
        (u32::from(self.columns) * u32::from(self.rows)).div_ceil(2)
    }

    /// Bits of a score.
    fn width(self) -> u32 {
        (2 * self.greatest()).checked_ilog2().unwrap_or(0) + 1
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
    /// They are too few, too many, or not those that were written.
    Damaged,
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookError::Foreign => write!(f, "not an opening table"),
            BookError::Version(version) => write!(f, "an opening table of version {version}; expected {VERSION}"),
            BookError::Board(size) => write!(f, "an opening table for another board: {size}"),
            BookError::Damaged => write!(f, "a damaged opening table"),
        }
    }
}

impl std::error::Error for BookError {}

/// What a table holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scores {
    /// The board.
    pub size: Size,
    /// The ply of its positions.
    pub plies: u32,
    /// Their scores in order of their keys, for the side to move.
    pub values: Vec<i8>,
}

impl Scores {
    /// Writes a table.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Size { columns, rows, line } = self.size;
        let width = self.size.width();
        let mut bytes = Vec::from(MAGIC);
        bytes.extend([VERSION, columns, rows, line, self.plies as u8, width as u8, 0, 0]);
        bytes.extend((self.values.len() as u32).to_le_bytes());
        bytes.extend([0; CHECK.end - CHECK.start]);
        let (mut waiting, mut bits) = (0u32, 0);
        for &value in &self.values {
            waiting |= ((i32::from(value) + self.size.greatest() as i32) as u32) << bits;
            bits += width;
            while bits >= 8 {
                bytes.push(waiting as u8);
                (waiting, bits) = (waiting >> 8, bits - 8);
            }
        }
        if bits > 0 {
            bytes.push(waiting as u8);
        }
        let sum = checksum(&bytes);
        bytes[CHECK].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads a table for a board.
    ///
    /// # Errors
    /// It is not one, or not for this board.
    pub fn from_bytes(bytes: &[u8], wanted: Size) -> Result<Scores, BookError> {
        let Some((head, packed)) = bytes.split_at_checked(HEAD) else {
            let begins = bytes.starts_with(MAGIC);
            return Err(if begins { BookError::Damaged } else { BookError::Foreign });
        };
        if !head.starts_with(MAGIC) {
            return Err(BookError::Foreign);
        }
        let &[version, columns, rows, line, plies, width, ..] = &head[MAGIC.len()..] else {
            return Err(BookError::Damaged);
        };
        if version != VERSION {
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
        if u32::from(width) != size.width() || packed.len() != (count * usize::from(width)).div_ceil(8) {
            return Err(BookError::Damaged);
        }
        let (mut rest, mut waiting, mut bits) = (packed.iter(), 0u32, 0);
        let mut values = Vec::with_capacity(count);
        while values.len() < count {
            while bits < size.width() {
                let &byte = rest.next().ok_or(BookError::Damaged)?;
                waiting |= u32::from(byte) << bits;
                bits += 8;
            }
            let value = (waiting & ((1 << size.width()) - 1)) as i32 - size.greatest() as i32;
            if value > size.greatest() as i32 {
                return Err(BookError::Damaged);
            }
            values.push(value as i8);
            (waiting, bits) = (waiting >> size.width(), bits - size.width());
        }
        Ok(Scores { size, plies: plies.into(), values })
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

    fn table(count: i32) -> Scores {
        let values = (0..count).map(|number| (number * 31 % 43 - 21) as i8).collect();
        Scores { size: SIZE, plies: 8, values }
    }

    #[test]
    fn what_is_written_is_read() {
        for count in [0, 1, 2, 3, 4, 5, 1000] {
            let scores = table(count);
            let bytes = scores.to_bytes();
            assert_eq!(bytes.len(), HEAD + (count as usize * 6).div_ceil(8));
            assert_eq!(Scores::from_bytes(&bytes, SIZE), Ok(scores));
        }
        let size = Size { columns: 9, rows: 8, line: 5 };
        let scores = Scores { size, plies: 3, values: vec![-36, 0, 36, 1, -1] };
        assert_eq!(Scores::from_bytes(&scores.to_bytes(), size), Ok(scores));
    }

    #[test]
    fn every_changed_byte_and_every_cut_is_noticed() {
        let bytes = table(50).to_bytes();
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x10;
            assert!(Scores::from_bytes(&changed, SIZE).is_err(), "byte {at}");
            assert!(Scores::from_bytes(&bytes[..at], SIZE).is_err(), "cut at {at}");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(Scores::from_bytes(&longer, SIZE), Err(BookError::Damaged));
        assert_eq!(Scores::from_bytes(b"something else", SIZE), Err(BookError::Foreign));
        let other = Size { rows: 7, ..SIZE };
        assert_eq!(Scores::from_bytes(&bytes, other), Err(BookError::Board(SIZE)));
    }
}
