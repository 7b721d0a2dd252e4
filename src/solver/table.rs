//! What was proven of positions: a lower and an upper bound of the score, in a table shared by all threads without locks.
//!
//! A bucket is one cache line of eight words. Small boards take a word for an entry. Their keys are scrambled by a
//! bijection, and the place of the bucket together with the bits kept in the entry give the key back: entries of two
//! positions are never mixed up. Larger boards take two words for an entry, the second holding the low bits of the key
//! xor the first (as Hyatt and Mann do it), so that a torn pair reads as a miss.

use super::shape::Shape;
use super::word::Word;
use crate::memory::{CacheLines, LINE, OutOfMemory};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};

/// A key of so many bits or fewer fits into one word beside the place of its bucket.
const NARROW_BITS: u32 = 56;
/// The fewest buckets with which that is true.
const LEAST_BUCKETS: usize = 1 << 13;

// From the lowest bit: lower bound + 64 in 7 bits, upper bound + 64 in 7 bits, work in 6, the key in the rest.
const BOUND_BITS: u32 = 7;
const WORK_BITS: u32 = 6;
const DATA_BITS: u32 = 2 * BOUND_BITS + WORK_BITS;
const BOUND_MASK: u64 = (1 << BOUND_BITS) - 1;
const WORK_MASK: u64 = (1 << WORK_BITS) - 1;
const DATA_MASK: u64 = (1 << DATA_BITS) - 1;
const OFFSET: i32 = 64;

/// A lower and an upper bound of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// It is at least this.
    pub lower: i32,
    /// It is at most this.
    pub upper: i32,
}

/// A scrambled key and where it belongs.
#[derive(Clone, Copy, Debug)]
pub struct Place<T> {
    scrambled: T,
    /// The number of the bucket.
    bucket: usize,
}

/// A table for the positions of one shape.
pub struct Table<S: Shape> {
    buckets: CacheLines,
    bits: u32,
    shape: PhantomData<S>,
}

impl<S: Shape> Table<S> {
    /// An empty table of about so many bytes, but never less than half a megabyte. The memory is touched only as it is used.
    ///
    /// # Errors
    /// The system refuses the memory.
    pub fn new(shape: &S, bytes: usize) -> Result<Table<S>, OutOfMemory> {
        let buckets = CacheLines::zeroed(bytes, LEAST_BUCKETS)?.in_huge_pages();
        Ok(Table { buckets, bits: shape.bits(), shape: PhantomData })
    }

    /// Forgets everything.
    pub fn clear(&self) {
        // What was never touched is not touched now either.
        self.buckets.words().iter().filter(|word| word.load(Ordering::Relaxed) != 0).for_each(|word| {
            word.store(0, Ordering::Relaxed);
        });
    }

    /// How many bytes are in use, by a sample.
    pub fn occupied_bytes(&self) -> u64 {
        self.buckets.occupied_bytes()
    }

    /// How full the table is, in thousandths, by a sample.
    pub fn permille_full(&self) -> u16 {
        let sample = (0..128).flat_map(|number| self.buckets.line(number));
        let used = sample.filter(|word| word.load(Ordering::Relaxed) != 0).count();
        (used * 1000 / (128 * LINE)) as u16
    }

    /// Where a key belongs.
    #[inline(always)]
    pub fn place(&self, key: S::Word) -> Place<S::Word> {
        let mask = S::Word::first(self.bits);
        let half = self.bits / 2;
        // Each step can be undone: no two keys give the same number.
        let odd = S::Word::from_halves(0x2545_F491_4F6C_DD1D, 0x9E37_79B9_7F4A_7C15);
        let mixed = (key ^ key >> half).times(odd) & mask;
        let scrambled = (mixed ^ mixed >> half).times(odd) & mask;
        Place { scrambled, bucket: scrambled.scaled(self.buckets.count() as u64, self.bits) }
    }

    #[inline(always)]
    fn is_narrow(&self) -> bool {
        self.bits <= NARROW_BITS
    }

    #[inline(always)]
    fn bucket(&self, place: Place<S::Word>) -> &[AtomicU64] {
        self.buckets.line(place.bucket)
    }

    /// What an entry of this key has above its data.
    #[inline(always)]
    fn mark(&self, place: Place<S::Word>) -> u64 {
        match self.is_narrow() {
            // Within a bucket these low bits tell all keys apart.
            true => place.scrambled.low() << DATA_BITS,
            false => place.scrambled.bits_from(64) << DATA_BITS,
        }
    }

    /// Asks for the bucket, so that it is there when it is needed.
    #[inline(always)]
    pub fn prefetch(&self, place: Place<S::Word>) {
        self.buckets.prefetch(place.bucket);
    }

    /// What is known of a position.
    #[inline(always)]
    pub fn probe(&self, place: Place<S::Word>) -> Option<Bounds> {
        self.find(place).map(|(_, data)| unpack(data))
    }

    #[inline(always)]
    fn find(&self, place: Place<S::Word>) -> Option<(usize, u64)> {
        let (bucket, mark) = (self.bucket(place), self.mark(place));
        let matches = |data: u64| data & !DATA_MASK == mark && data != 0;
        if self.is_narrow() {
            return (0..LINE).find_map(|at| {
                let data = bucket[at].load(Ordering::Relaxed);
                matches(data).then_some((at, data))
            });
        }
        (0..LINE).step_by(2).find_map(|at| {
            let data = bucket[at].load(Ordering::Relaxed);
            let low = bucket[at + 1].load(Ordering::Relaxed) ^ data;
            (matches(data) && low == place.scrambled.low()).then_some((at, data))
        })
    }

    /// Notes bounds that took so many nodes to prove. What was known before is kept as far as it says more.
    #[inline(always)]
    pub fn store(&self, place: Place<S::Word>, new: Bounds, nodes: u64) {
        let work = u64::from((nodes + 1).ilog2()).min(WORK_MASK);
        let bucket = self.bucket(place);
        let (at, bounds, work) = match self.find(place) {
            Some((at, data)) => {
                let known = unpack(data);
                let bounds = Bounds { lower: new.lower.max(known.lower), upper: new.upper.min(known.upper) };
                (at, bounds, work.max(work_of(data)))
            }
            None => {
                let step = if self.is_narrow() { 1 } else { 2 };
                // What took the least work goes; an empty entry took none.
                let worth = |at: usize| match bucket[at].load(Ordering::Relaxed) {
                    0 => 0,
                    data => work_of(data) + 1,
                };
                let (mut at, mut least) = (0, worth(0));
                for other in (step..LINE).step_by(step) {
                    let worth = worth(other);
                    if worth < least {
                        (at, least) = (other, worth);
                    }
                }
                (at, new, work)
            }
        };
        let data = self.mark(place) | pack(bounds) | work << (2 * BOUND_BITS);
        bucket[at].store(data, Ordering::Relaxed);
        if !self.is_narrow() {
            bucket[at + 1].store(place.scrambled.low() ^ data, Ordering::Relaxed);
        }
    }
}

#[inline(always)]
fn pack(bounds: Bounds) -> u64 {
    (bounds.lower + OFFSET) as u64 | ((bounds.upper + OFFSET) as u64) << BOUND_BITS
}

#[inline(always)]
fn unpack(data: u64) -> Bounds {
    let bound = |bits: u64| (bits & BOUND_MASK) as i32 - OFFSET;
    Bounds { lower: bound(data), upper: bound(data >> BOUND_BITS) }
}

#[inline(always)]
fn work_of(data: u64) -> u64 {
    data >> (2 * BOUND_BITS) & WORK_MASK
}

#[cfg(test)]
mod tests {
    use super::super::shape::{Any, Fixed};
    use super::*;

    /// Stores bounds that tell the keys apart, more than there is room for: what is still there is right.
    fn keys_are_told_apart<S: Shape>(shape: &S) {
        let table = Table::new(shape, 0).unwrap();
        let mut random = fastrand::Rng::with_seed(5);
        let mask = S::Word::first(shape.bits());
        let mut keys = vec![];
        for _ in 0..300_000 {
            let key = S::Word::from_halves(random.u64(..), random.u64(..)) & mask;
            keys.push(key);
            keys.push(key ^ S::Word::ONE);
            keys.push(key ^ S::Word::ONE << (shape.bits() - 1));
        }
        let of = |key: S::Word| {
            let number = (key.low() ^ key.bits_from(shape.bits() / 2)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 60;
            Bounds { lower: -(number as i32), upper: number as i32 + 1 }
        };
        keys.iter().for_each(|&key| table.store(table.place(key), of(key), 1));
        let known: Vec<_> = keys.iter().filter_map(|&key| Some((key, table.probe(table.place(key))?))).collect();
        assert!(known.len() > LEAST_BUCKETS);
        assert!(known.iter().all(|&(key, bounds)| bounds == of(key)));
        assert_eq!(table.permille_full(), 1000);
    }

    #[test]
    fn no_two_keys_are_mixed_up() {
        keys_are_told_apart(&Fixed::<7, 6>);
        keys_are_told_apart(&Fixed::<7, 7>);
        keys_are_told_apart(&Any::<u64>::new(8, 7, 4).unwrap());
        keys_are_told_apart(&Any::<u128>::new(8, 8, 4).unwrap());
        keys_are_told_apart(&Any::<u128>::new(8, 15, 4).unwrap());
    }

    #[test]
    fn bounds_of_a_position_close_in_on_its_score() {
        let shape = Fixed::<7, 6>;
        let table = Table::new(&shape, 0).unwrap();
        let place = table.place(12_345);
        assert_eq!(table.probe(place), None);
        table.store(place, Bounds { lower: -18, upper: 3 }, 100);
        table.store(place, Bounds { lower: 1, upper: 18 }, 1);
        assert_eq!(table.probe(place), Some(Bounds { lower: 1, upper: 3 }));
        table.clear();
        assert_eq!(table.probe(place), None);
    }
}
