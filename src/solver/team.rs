//! The threads of one search.
//!
//! All ask the same questions of the same tables, but order moves near the root a bit differently: what one has proven
//! spares the others the work. As soon as a question is answered by one, all go on to the next.

use super::core::{Answer, Ends};
use super::node::Walker;
use super::shape::Shape;
use super::state::State;
use super::tables::{NEAR, Tables};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU8, AtomicU64, Ordering};
use std::thread;

/// Nodes of the first thread before the others begin: to start them takes as long as thousands.
const HELP_NODES: u64 = 20_000;

/// No cell: a board has fewer.
const NOTHING: u8 = u8::MAX;

/// A win with fewer stones than so many is one that comes soon; where more are left than in the middle game, it is asked about first.
const SOON: i32 = 8;
const MIDDLE_GAME: i32 = 13;

/// A search of one position.
pub struct Team<'a, S: Shape> {
    shape: S,
    tables: &'a Tables<S>,
    state: &'a State<S::Word>,
    moves: S::Word,
    /// The score is at least and at most this.
    least: AtomicI32,
    most: AtomicI32,
    /// The same before anything was asked.
    bounds: (i32, i32),
    stopped: AtomicBool,
    /// The number of the cell that the first thread has tried last, or [`NOTHING`].
    tried: AtomicU8,
    /// Nodes of all but the first thread.
    helpers_nodes: AtomicU64,
}

impl<'a, S: Shape> Team<'a, S> {
    /// A search of a settled position and its moves whose score lies in `window`, or of which it is to be known only on which
    /// side of the window it lies.
    pub fn new(
        shape: S,
        tables: &'a Tables<S>,
        state: &'a State<S::Word>,
        moves: S::Word,
        window: (i32, i32),
    ) -> Team<'a, S> {
        let (least, most) = (AtomicI32::new(window.0), AtomicI32::new(window.1));
        let (stopped, helpers_nodes) = (AtomicBool::new(false), AtomicU64::new(0));
        Team {
            shape,
            tables,
            state,
            moves,
            least,
            most,
            bounds: window,
            stopped,
            tried: AtomicU8::new(NOTHING),
            helpers_nodes,
        }
    }

    /// The score, or an end of the window if it lies outside, by so many threads; `ends` hears of the nodes of the first.
    pub fn search(&self, threads: usize, ends: Ends<'_>) -> Answer<i32> {
        let empties = self.shape.cells() - self.state.count;
        let nodes = if threads < 2 || empties <= NEAR {
            self.lead(ends, &mut || {})
        } else {
            thread::scope(|scope| {
                self.lead(ends, &mut || {
                    for number in 1..threads {
                        // It goes without the threads that the system does not give.
                        let _ = thread::Builder::new().spawn_scoped(scope, move || self.help(number as u64));
                    }
                })
            })
        };
        let (least, most) = self.window();
        let nodes = nodes + self.helpers_nodes.load(Ordering::Relaxed);
        Answer { result: (least >= most).then_some(least), nodes }
    }

    fn window(&self) -> (i32, i32) {
        (self.least.load(Ordering::Relaxed), self.most.load(Ordering::Relaxed))
    }

    /// The first thread: it calls for help once it has worked for a while. Returns its nodes.
    fn lead(&self, ends: Ends<'_>, call: &mut dyn FnMut()) -> u64 {
        let asked = Cell::new(0);
        let mut called = false;
        let mut until = |nodes: u64| {
            if !called && nodes >= HELP_NODES {
                called = true;
                call();
            }
            if ends(nodes) {
                self.stopped.store(true, Ordering::Relaxed);
            }
            self.is_done(asked.get())
        };
        let mut walker = Walker::new(self.shape, self.tables, self.state, None, &mut until);
        self.narrow(&mut walker, &asked);
        self.tried.store(walker.trying.unwrap_or(NOTHING), Ordering::Relaxed);
        walker.nodes
    }

    /// The number of the cell of the move that was being searched when the search was ended, if it was searching one. Those that
    /// seemed better had been refuted.
    pub fn tried(&self) -> Option<u8> {
        Some(self.tried.load(Ordering::Relaxed)).filter(|&cell| cell != NOTHING)
    }

    fn help(&self, number: u64) {
        let asked = Cell::new(0);
        let mut until = |_: u64| self.is_done(asked.get());
        let noise = Some(fastrand::Rng::with_seed(number));
        let mut walker = Walker::new(self.shape, self.tables, self.state, noise, &mut until);
        self.narrow(&mut walker, &asked);
        self.helpers_nodes.fetch_add(walker.nodes, Ordering::Relaxed);
    }

    /// Whether nobody has to find out any more if the score is more than `alpha`.
    fn is_done(&self, alpha: i32) -> bool {
        let (least, most) = self.window();
        alpha < least || alpha >= most || self.stopped.load(Ordering::Relaxed)
    }

    /// Asks until the score is known.
    fn narrow(&self, walker: &mut Walker<'_, S>, asked: &Cell<i32>) {
        loop {
            let (least, most) = self.window();
            if least >= most || self.stopped.load(Ordering::Relaxed) {
                break;
            }
            let alpha = question((least, most), self.bounds);
            asked.set(alpha);
            walker.ended = false;
            let score = walker.ask(self.state, self.moves, alpha);
            if walker.ended {
                continue; // somebody else has answered
            }
            if score > alpha {
                self.least.fetch_max(score, Ordering::Relaxed);
            } else {
                self.most.fetch_min(score, Ordering::Relaxed);
            }
        }
    }
}

/// What to ask next of a score from `least` to `most`: in an early position, whether somebody wins soon; who wins; then how soon,
/// nearer to a draw than to the middle, since the more decided a game is, the easier is the answer. `bounds` are those before the first
/// question.
fn question((least, most): (i32, i32), bounds: (i32, i32)) -> i32 {
    let open = least < 0 && most > 0;
    if open && bounds.1 > MIDDLE_GAME && most > bounds.1 - SOON {
        bounds.1 - SOON
    } else if open && bounds.0 < -MIDDLE_GAME && least < bounds.0 + SOON {
        bounds.0 + SOON - 1
    } else if least >= 0 {
        least + (most - least) / 3
    } else if most <= 0 {
        most - 1 - (most - 1 - least) / 3
    } else {
        0
    }
}
