//! What bounds a search: independent limits, of which any combination can hold, and the flags that end it from outside.

use crate::rules::Move;
use crate::units::Depth;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// Time added with each move.
    pub increment: Duration,
    /// Moves until the clock is set anew, if it ever is.
    pub moves_to_go: Option<u32>,
}

/// The limits of one search. The first one reached ends it; none at all means "until stopped".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Iterations.
    pub depth: Option<Depth>,
    /// Positions visited, by all threads together.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The clock.
    pub clock: Option<Clock>,
    /// A win in at most so many own moves is asked for.
    pub mate: Option<u16>,
    /// Only these first moves; all of them if empty.
    pub search_moves: Vec<Move>,
}

/// How a running search is told to end, and when its clock began.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    start: Instant,
    /// Microseconds from `start` to the moment from which time counts.
    origin: AtomicU64,
}

impl Control {
    /// A search whose command was read at `start`. While it ponders, time does not count.
    pub fn new(start: Instant, pondering: bool) -> Control {
        let pondering = AtomicBool::new(pondering);
        Control { stop: AtomicBool::new(false), pondering, start, origin: AtomicU64::new(0) }
    }

    /// Ends the search as soon as it looks.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Release);
    }

    /// Whether the search was told to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The move pondered on was played: from now on time counts.
    pub fn ponder_hit(&self) {
        self.origin.store(self.start.elapsed().as_micros() as u64, Ordering::Release);
        self.pondering.store(false, Ordering::Release);
    }

    /// Time since the command.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Time that counts against the limits; `None` while pondering.
    pub fn time_used(&self) -> Option<Duration> {
        if self.pondering.load(Ordering::Acquire) {
            return None;
        }
        Some(self.start.elapsed().saturating_sub(Duration::from_micros(self.origin.load(Ordering::Acquire))))
    }
}
