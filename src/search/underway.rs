//! What the threads of a search are at work on, so that each begins with something else: simplified ABDADA (Kerrigan 2013,
//! after Weill 1996).
//!
//! A move that another thread is searching at the same position is put off to the end of the list. By then its
//! value is in the table, as a rule.

use crate::rules::{Key, Move};
use crate::units::FineDepth;
use std::sync::atomic::{AtomicU64, Ordering};

/// Less than this is searched more quickly than it is shared.
pub const LEAST_DEPTH: FineDepth = FineDepth(3.0);
/// Twice as many moves as some hundreds of threads can be at, but still in the caches.
const SLOTS: usize = 1 << 12;

/// The moves being searched; a few may be forgotten, which costs no more than time.
pub struct Underway {
    /// Empty for a thread that is alone.
    slots: Box<[AtomicU64]>,
}

/// A move at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task(u64);

impl Task {
    /// A move at the position with this key.
    pub fn new(key: Key, mv: Move) -> Task {
        let mv = u64::from(mv.square().to_bits()) + 1;
        Task(key ^ mv.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }
}

impl Underway {
    /// Room for the moves of so many threads.
    pub fn new(threads: usize) -> Underway {
        let slots = if threads > 1 { SLOTS } else { 0 };
        Underway { slots: (0..slots).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Whether there are others to share the work with.
    #[inline]
    pub fn is_shared(&self) -> bool {
        !self.slots.is_empty()
    }

    fn slot(&self, task: Task) -> Option<&AtomicU64> {
        self.slots.get(task.0 as usize % SLOTS)
    }

    /// Whether some thread is at it.
    #[inline]
    pub fn contains(&self, task: Task) -> bool {
        self.slot(task).is_some_and(|slot| slot.load(Ordering::Relaxed) == task.0)
    }

    /// A thread begins with it.
    #[inline]
    pub fn begin(&self, task: Task) {
        if let Some(slot) = self.slot(task) {
            slot.store(task.0, Ordering::Relaxed);
        }
    }

    /// A thread is done with it.
    #[inline]
    pub fn end(&self, task: Task) {
        if let Some(slot) = self.slot(task).filter(|slot| slot.load(Ordering::Relaxed) == task.0) {
            slot.store(0, Ordering::Relaxed);
        }
    }
}
