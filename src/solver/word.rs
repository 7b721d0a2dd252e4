//! The integers whose bits are the cells of a board: `u64` where a board fits, `u128` for larger ones.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

/// A set of cells, one bit each.
pub trait Word:
    Copy
    + Debug
    + Ord
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// No cell.
    const ZERO: Self;
    /// The cell of bit 0.
    const ONE: Self;
    /// How many cells there can be.
    const BITS: u32;

    /// The sum as of numbers, modulo 2^[`Word::BITS`].
    fn plus(self, other: Self) -> Self;
    /// The difference as of numbers, modulo 2^[`Word::BITS`].
    fn minus(self, other: Self) -> Self;
    /// The product as of numbers, modulo 2^[`Word::BITS`].
    fn times(self, other: Self) -> Self;
    /// How many cells are in the set.
    fn count(self) -> u32;
    /// The number of the lowest cell; [`Word::BITS`] of the empty set.
    fn index(self) -> u32;
    /// The low 64 bits.
    fn low(self) -> u64;
    /// The 64 bits from bit `from` on.
    fn bits_from(self, from: u32) -> u64;
    /// The high part of the product with a small number: `self * factor / 2^bits`, for `self` below 2^bits.
    fn scaled(self, factor: u64, bits: u32) -> usize;
    /// A number from its halves, cut to fit.
    fn from_halves(high: u64, low: u64) -> Self;

    /// Whether the set is empty.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::ZERO
    }

    /// The set of the lowest cell alone.
    #[inline(always)]
    fn lowest(self) -> Self {
        self & Self::ZERO.minus(self)
    }

    /// The set without its lowest cell.
    #[inline(always)]
    fn without_lowest(self) -> Self {
        self & self.minus(Self::ONE)
    }

    /// The set with the `count` lowest bits.
    #[inline(always)]
    fn first(count: u32) -> Self {
        if count >= Self::BITS { !Self::ZERO } else { (Self::ONE << count).minus(Self::ONE) }
    }

    /// The cells one by one, from the lowest.
    #[inline(always)]
    fn cells(self) -> Cells<Self> {
        Cells(self)
    }
}

/// The cells of a set one by one, each as a set of its own.
pub struct Cells<T>(T);

impl<T: Word> Iterator for Cells<T> {
    type Item = T;
    #[inline(always)]
    fn next(&mut self) -> Option<T> {
        if self.0.is_empty() {
            return None;
        }
        let cell = self.0.lowest();
        self.0 = self.0.without_lowest();
        Some(cell)
    }
}

macro_rules! word {
    ($type:ty, $scaled:expr, $halves:expr, $from:expr) => {
        impl Word for $type {
            const ZERO: $type = 0;
            const ONE: $type = 1;
            const BITS: u32 = <$type>::BITS;
            #[inline(always)]
            fn plus(self, other: $type) -> $type {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn minus(self, other: $type) -> $type {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn times(self, other: $type) -> $type {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn index(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline(always)]
            fn low(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            fn bits_from(self, from: u32) -> u64 {
                $from(self, from)
            }
            #[inline(always)]
            fn scaled(self, factor: u64, bits: u32) -> usize {
                $scaled(self, factor, bits)
            }
            #[inline(always)]
            fn from_halves(high: u64, low: u64) -> $type {
                $halves(high, low)
            }
        }
    };
}

word!(
    u64,
    |word: u64, factor: u64, bits: u32| ((u128::from(word) * u128::from(factor)) >> bits) as usize,
    |_high: u64, low: u64| low,
    |word: u64, from: u32| word.checked_shr(from).unwrap_or(0)
);
word!(
    u128,
    // The lowest of many bits do not matter for an index.
    |word: u128, factor: u64, bits: u32| {
        let top = if bits > 64 { (word >> (bits - 64)) as u64 } else { (word << (64 - bits)) as u64 };
        ((u128::from(top) * u128::from(factor)) >> 64) as usize
    },
    |high: u64, low: u64| u128::from(high) << 64 | u128::from(low),
    |word: u128, from: u32| word.checked_shr(from).unwrap_or(0) as u64
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_one_by_one_from_the_lowest() {
        assert_eq!(0b1011_0000u64.cells().collect::<Vec<_>>(), [0b1_0000, 0b10_0000, 0b1000_0000]);
        assert_eq!((1u128 << 127).cells().map(Word::index).collect::<Vec<_>>(), [127]);
        assert_eq!(0u64.cells().count(), 0);
    }

    #[test]
    fn scaling_spreads_numbers_over_a_range() {
        for bits in [49, 56, 64] {
            let top = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
            assert_eq!((0u64.scaled(1000, bits), top.scaled(1000, bits)), (0, 999));
        }
        for bits in [60, 64, 72, 128] {
            assert_eq!((0u128.scaled(1000, bits), u128::first(bits).scaled(1000, bits)), (0, 999));
        }
    }
}
