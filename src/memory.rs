//! Memory for large tables: zeroed words in whole cache lines, in huge pages if they are wanted and the system has them.

use std::sync::atomic::{AtomicU64, Ordering};

/// The system did not give the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory;

/// Words of a cache line.
pub const LINE: usize = 8;
const LINE_BYTES: usize = LINE * size_of::<u64>();

/// Cache lines of words that all threads read and write.
pub struct CacheLines {
    words: Box<[AtomicU64]>,
    /// The first word that begins a cache line.
    first: usize,
    count: usize,
}

impl CacheLines {
    /// As many lines as fit into so many bytes, but no fewer than `least`; all words are 0. The memory is touched only as it
    /// is used.
    ///
    /// # Errors
    /// The system refuses the memory.
    pub fn zeroed(bytes: usize, least: usize) -> Result<CacheLines, OutOfMemory> {
        // One more, to begin where a cache line does.
        let count = (bytes / LINE_BYTES).saturating_sub(1).max(least);
        // Asked for plainly, zeroed memory costs nothing until it is touched; aligned, it would be written at once.
        let words = bytemuck::allocation::try_zeroed_slice_box::<AtomicU64>((count + 1) * LINE);
        let words = words.map_err(|()| OutOfMemory)?;
        let first = (words.as_ptr().addr() / size_of::<u64>()).wrapping_neg() % LINE;
        Ok(CacheLines { words, first, count })
    }

    /// The same in huge pages, where the system has them: quicker to find, but when one is touched for the first time, that may take
    /// milliseconds.
    pub fn in_huge_pages(self) -> CacheLines {
        ask_for_huge_pages(&self.words);
        self
    }

    /// How many lines there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// A line, by its number from 0.
    #[inline(always)]
    pub fn line(&self, number: usize) -> &[AtomicU64] {
        let start = self.first + number * LINE;
        &self.words[start..start + LINE]
    }

    /// All words in order.
    pub fn words(&self) -> &[AtomicU64] {
        &self.words
    }

    /// Asks for a line, so that it is there when it is needed.
    #[inline(always)]
    pub fn prefetch(&self, number: usize) {
        #[cfg(target_arch = "x86_64")]
        if let Some(word) = self.words.get(self.first + number * LINE) {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            #[expect(unsafe_code, reason = "half of the solver's time was spent waiting for its table without it")]
            // SAFETY: a hint that changes nothing, for an address inside the slice.
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast());
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = number;
    }

    /// How many bytes hold something, by a sample.
    pub fn occupied_bytes(&self) -> u64 {
        let step = (self.words.len() / 4096).max(1);
        let sample = self.words.iter().step_by(step);
        let total = sample.len() as u64;
        let used = sample.filter(|word| word.load(Ordering::Relaxed) != 0).count() as u64;
        size_of_val(&*self.words) as u64 * used / total.max(1)
    }
}

/// Random access to small pages is mostly a search for the page.
fn ask_for_huge_pages(words: &[AtomicU64]) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 1 << 21;
        let start = words.as_ptr().addr().next_multiple_of(PAGE);
        let end = (words.as_ptr().addr() + size_of_val(words)) / PAGE * PAGE;
        if start < end {
            #[expect(
                unsafe_code,
                reason = "solving early Connect Four with a table of 256 MB took twice as long without it"
            )]
            // SAFETY: whole pages inside of the slice; the advice changes how they are mapped, not what they hold, and an
            // error leaves them as they are.
            unsafe {
                libc::madvise(std::ptr::without_provenance_mut(start), end - start, libc::MADV_HUGEPAGE);
            }
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = words;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_begin_where_cache_lines_do_and_do_not_overlap() {
        for bytes in [0, 1000, 5 << 20] {
            let lines = CacheLines::zeroed(bytes, 3).unwrap().in_huge_pages();
            assert!(lines.count() >= 3 && lines.words().len() * 8 <= bytes.max(4 * LINE_BYTES));
            for number in 0..lines.count() {
                lines.prefetch(number);
                let line = lines.line(number);
                assert_eq!(line.as_ptr().addr() % LINE_BYTES, 0);
                assert!(line.iter().all(|word| word.swap(1, Ordering::Relaxed) == 0));
            }
            let used = lines.occupied_bytes() as usize;
            assert!(used.abs_diff(lines.count() * LINE_BYTES) <= 2 * LINE_BYTES + used / 500);
        }
        assert_eq!(CacheLines::zeroed(usize::MAX / 2, 1).err(), Some(OutOfMemory));
    }
}
