//! The transposition table: what was found out about a position, shared by all threads without locks.
//!
//! An entry is two 64-bit words, the second holding the data and the first the position's key xor the data (Hyatt and
//! Mann, "A lockless transposition table implementation for parallel search", ICGA Journal 25(1), 2002): a torn pair of
//! words does not match any key, so it reads as a miss.

use crate::memory::{CacheLines, LINE, OutOfMemory};
use crate::rules::{Key, Move, Square};
use crate::units::{Depth, Ply, Score};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

/// Which side of the true value a stored score lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score is the value.
    Exact,
    /// The value is at least the score.
    Lower,
    /// The value is at most the score.
    Upper,
}

/// What the table knows of a position. Scores count from the node that asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move, or the one that refuted.
    pub best: Option<Move>,
    /// The score.
    pub score: Score,
    /// What the score bounds.
    pub bound: Bound,
    /// How deep the search below was.
    pub depth: Depth,
    /// The bound holds for the game itself, not only for a search of this depth.
    pub proven: bool,
}

/// Entries of a bucket, which is a cache line.
const WAYS: usize = LINE / 2;
/// Stored in place of a depth for what is proven.
const PROVEN: u8 = u8::MAX;

/// A table of a fixed number of entries.
pub struct Table {
    buckets: CacheLines,
    age: AtomicU8,
    /// Something may be in it.
    used: AtomicBool,
}

impl Table {
    /// A table of at most `megabytes` MiB (2^20 bytes), empty. The memory is touched only as it is used.
    ///
    /// # Errors
    /// The system refuses the memory.
    pub fn new(megabytes: usize) -> Result<Table, OutOfMemory> {
        Table::with_bytes(megabytes.saturating_mul(1 << 20))
    }

    /// A table of at most so many bytes, empty.
    ///
    /// # Errors
    /// The system refuses the memory.
    pub fn with_bytes(bytes: usize) -> Result<Table, OutOfMemory> {
        // In huge pages a large table took the first search of a process up to a second; later ones gained a few percent.
        let buckets = CacheLines::zeroed(bytes, 1)?;
        Ok(Table { buckets, age: AtomicU8::new(0), used: AtomicBool::new(false) })
    }

    /// Begins a new search: entries of earlier ones are the first to go.
    pub fn new_search(&self) {
        self.age.fetch_add(1, Ordering::Relaxed);
        self.used.store(true, Ordering::Relaxed);
    }

    /// Forgets everything, with `threads` threads.
    pub fn clear(&self, threads: usize) {
        self.age.store(0, Ordering::Relaxed);
        if !self.used.swap(false, Ordering::Relaxed) {
            return;
        }
        let words = self.buckets.words();
        let part = words.len().div_ceil(threads.max(1));
        std::thread::scope(|scope| {
            for chunk in words.chunks(part) {
                scope.spawn(|| chunk.iter().for_each(|word| word.store(0, Ordering::Relaxed)));
            }
        });
    }

    /// How full the table is with entries of this search, in thousandths, by a sample.
    pub fn permille_full(&self) -> u16 {
        let age = self.current_age();
        let sample = self.buckets.count().min(1000 / WAYS);
        let entries = (0..sample).flat_map(|index| self.bucket_at(index));
        let used = entries.filter(|entry| matches!(entry[1].load(Ordering::Relaxed), n if n != 0 && age_of(n) == age));
        (used.count() * 1000 / (sample * WAYS)) as u16
    }

    /// An estimate of the memory that has been touched, in bytes.
    pub fn occupied_bytes(&self) -> u64 {
        self.buckets.occupied_bytes()
    }

    /// What is known of a position, seen from a node at `ply`.
    #[inline]
    pub fn probe(&self, key: Key, ply: Ply) -> Option<Entry> {
        self.bucket(key).iter().find_map(|entry| {
            let data = entry[1].load(Ordering::Relaxed);
            (data != 0 && entry[0].load(Ordering::Relaxed) ^ data == key).then(|| unpack(data, ply))
        })
    }

    /// Notes what was found out at a node at `ply`. A known move is kept if there is no new one.
    #[inline]
    pub fn store(&self, key: Key, ply: Ply, mut entry: Entry) {
        let age = self.current_age();
        let bucket = self.bucket(key);
        let mut victim = 0;
        let mut least = i32::MAX;
        for (way, words) in bucket.iter().enumerate() {
            let data = words[1].load(Ordering::Relaxed);
            if data == 0 || words[0].load(Ordering::Relaxed) ^ data == key {
                if data != 0 {
                    let known = unpack(data, ply);
                    // Deep knowledge is not traded for shallow, unless the new one is exact.
                    let deeper = known.proven || (known.depth > entry.depth + 3 && entry.bound != Bound::Exact);
                    if deeper && !entry.proven && age_of(data) == age {
                        return;
                    }
                    entry.best = entry.best.or(known.best);
                }
                victim = way;
                break;
            }
            let worth = i32::from(depth_of(data)) - 8 * i32::from(age.wrapping_sub(age_of(data)) & AGE_MASK);
            if worth < least {
                (victim, least) = (way, worth);
            }
        }
        let data = pack(entry, ply, age);
        bucket[victim][1].store(data, Ordering::Relaxed);
        bucket[victim][0].store(key ^ data, Ordering::Relaxed);
    }

    #[inline]
    fn bucket(&self, key: Key) -> &[[AtomicU64; 2]] {
        // The high bits of key * length / 2^64: a fair index without a division.
        let index = (u128::from(key) * self.buckets.count() as u128) >> 64;
        self.bucket_at(index as usize)
    }

    #[inline]
    fn bucket_at(&self, index: usize) -> &[[AtomicU64; 2]] {
        self.buckets.line(index).as_chunks().0
    }

    fn current_age(&self) -> u8 {
        self.age.load(Ordering::Relaxed) & AGE_MASK
    }
}

// Data word: move 16 | score 16 | depth 8 | bound 2 | age 6 | valid 1, from the lowest bit.
const AGE_MASK: u8 = 63;
const VALID: u64 = 1 << 48;

fn pack(entry: Entry, ply: Ply, age: u8) -> u64 {
    let best = entry.best.map_or(0, |mv| mv.square().to_bits());
    let depth = if entry.proven { PROVEN } else { entry.depth.0.clamp(0, i16::from(PROVEN) - 1) as u8 };
    let bound = match entry.bound {
        Bound::Exact => 0,
        Bound::Lower => 1,
        Bound::Upper => 2,
    };
    u64::from(best)
        | u64::from(entry.score.to_table(ply).to_bits()) << 16
        | u64::from(depth) << 32
        | bound << 40
        | u64::from(age) << 42
        | VALID
}

fn unpack(data: u64, ply: Ply) -> Entry {
    let depth = depth_of(data);
    Entry {
        best: Square::from_bits(data as u16).map(Move::to),
        score: Score::from_bits((data >> 16) as u16).from_table(ply),
        bound: match data >> 40 & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        },
        depth: if depth == PROVEN { Depth::MAX } else { Depth(i16::from(depth)) },
        proven: depth == PROVEN,
    }
}

fn depth_of(data: u64) -> u8 {
    (data >> 32) as u8
}

fn age_of(data: u64) -> u8 {
    (data >> 42) as u8 & AGE_MASK
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i16) -> Entry {
        let best = Square::new(3, 4).map(Move::to);
        Entry { best, score: Score::win_in(Ply(9)), bound: Bound::Lower, depth: Depth(depth), proven: false }
    }

    #[test]
    fn an_entry_comes_back_as_it_went_in_seen_from_the_asking_ply() {
        let table = Table::new(1).unwrap();
        table.new_search();
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            for proven in [false, true] {
                let depth = if proven { Depth::MAX } else { Depth(7) };
                let stored = Entry { bound, proven, depth, ..entry(7) };
                table.new_search();
                table.clear(2);
                table.store(42, Ply(4), stored);
                assert_eq!(table.probe(42, Ply(4)), Some(stored));
                let nearer = Entry { score: Score::win_in(Ply(5)), ..stored };
                assert_eq!(table.probe(42, Ply(0)), Some(nearer));
            }
        }
        assert_eq!(table.probe(43, Ply(0)), None);
    }

    #[test]
    fn a_move_is_kept_and_deep_entries_survive_shallow_ones() {
        let table = Table::new(1).unwrap();
        table.store(42, Ply(0), entry(9));
        table.store(42, Ply(0), entry(2));
        assert_eq!(table.probe(42, Ply(0)).unwrap().depth, Depth(9));
        table.store(42, Ply(0), Entry { best: None, bound: Bound::Exact, ..entry(2) });
        let known = table.probe(42, Ply(0)).unwrap();
        assert_eq!((known.depth, known.best), (Depth(2), entry(0).best));
    }

    #[test]
    fn old_entries_give_way_and_the_fill_counts_only_the_new() {
        let table = Table::new(1).unwrap();
        let keys = || (1..100_000u64).map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        keys().for_each(|key| table.store(key, Ply(0), entry(5)));
        assert_eq!(table.permille_full(), 1000);
        table.new_search();
        assert_eq!(table.permille_full(), 0);
        keys().take(10_000).for_each(|key| table.store(key ^ 1, Ply(0), entry(1)));
        assert!(keys().take(10_000).all(|key| table.probe(key ^ 1, Ply(0)).is_some()));
        table.clear(3);
        assert!(keys().all(|key| table.probe(key, Ply(0)).is_none()));
    }
}
