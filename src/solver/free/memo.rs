//! What was proven of positions, found again by their exact keys.

use crate::memory::OutOfMemory;
use bytemuck::allocation::try_zeroed_slice_box;

/// Words of an entry: `KEY` words of the key, then data, the work in the last one.
const WORDS: usize = 4;
/// Entries of a bucket: one for what took the most work, one for what came last.
const BUCKET: usize = 2;
/// The low bits of the last word, which are the owner's.
pub const FREE_BITS: u32 = 24;

/// An entry: key and data.
pub type Entry = [u64; WORDS];

/// A table of entries whose first `KEY` words are their key.
pub struct Memo<const KEY: usize> {
    buckets: Box<[[Entry; BUCKET]]>,
}

impl<const KEY: usize> Memo<KEY> {
    /// An empty table of at most so many bytes, but of one bucket at least.
    ///
    /// # Errors
    /// The system refuses the memory.
    pub fn new(bytes: usize) -> Result<Memo<KEY>, OutOfMemory> {
        let buckets = (bytes / size_of::<[Entry; BUCKET]>()).max(1);
        Ok(Memo { buckets: try_zeroed_slice_box(buckets).map_err(|()| OutOfMemory)? })
    }

    #[inline(always)]
    fn place(&self, key: &Entry) -> usize {
        let mix = |sum: u64, &word: &u64| (sum ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        let hash = key[..KEY].iter().fold(0, mix).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        ((u128::from(hash) * self.buckets.len() as u128) >> 64) as usize
    }

    /// The entry with the key of another one.
    #[inline(always)]
    pub fn find(&self, key: &Entry) -> Option<&Entry> {
        self.buckets[self.place(key)].iter().find(|entry| entry[..KEY] == key[..KEY] && entry[WORDS - 1] != 0)
    }

    /// Keeps an entry that took so much work in place of one of the same key, or of one that took less or is older.
    #[inline(always)]
    pub fn store(&mut self, entry: Entry, work: u64) {
        let work_of = |entry: &Entry| entry[WORDS - 1] >> FREE_BITS;
        let place = self.place(&entry);
        let [first, last] = &mut self.buckets[place];
        let work = work.clamp(1, u64::MAX >> FREE_BITS);
        let mut new = entry;
        new[WORDS - 1] |= work << FREE_BITS;
        let same = |old: &Entry| old[..KEY] == entry[..KEY];
        match same(first) || !same(last) && work >= work_of(first) {
            true => {
                if !same(first) {
                    *last = *first;
                }
                *first = new;
            }
            false => *last = new,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        // What was never touched is not touched now either.
        self.buckets
            .iter_mut()
            .filter(|bucket| bucket[0][WORDS - 1] != 0)
            .for_each(|bucket| *bucket = Default::default());
    }

    /// The share of buckets in use, by a sample, in thousandths.
    pub fn permille_full(&self) -> u16 {
        let step = (self.buckets.len() / 1024).max(1);
        let sample = self.buckets.iter().step_by(step);
        let (total, used) = (sample.len(), sample.filter(|bucket| bucket[0][WORDS - 1] != 0).count());
        (used * 1000 / total) as u16
    }

    /// How many bytes are in use, by the same sample.
    pub fn occupied_bytes(&self) -> u64 {
        size_of_val::<[[Entry; BUCKET]]>(&self.buckets) as u64 * u64::from(self.permille_full()) / 1000
    }
}
