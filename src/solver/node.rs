//! One node: is the score of a position more than `alpha`, or not?
//!
//! A node is visited in two passes. The first looks at every move without searching: replies that are forced are played out,
//! the bounds of [`bounds`](super::bounds) and the table are asked. Often that answers the question. Only what is
//! left undecided is put in order and searched.

use super::bounds;
use super::history::History;
use super::shape::Shape;
use super::state::{Settled, State};
use super::table::{Bounds, Place, Table};
use super::tables::{NEAR, Tables};
use super::word::Word;

/// The most nodes between two looks at what may end the search.
const POLL_NODES: u64 = 128;
/// At first it looks after each node: one that touches a page of the table for the first time may take milliseconds. The pauses
/// grow with this part of the nodes.
const POLL_SHARE: u64 = 64;
/// With at most so many empty cells a position is searched again more quickly than it is looked up.
const SMALL: i32 = 6;
/// A search that begins with at most so many does without the tables altogether.
const SMALL_ROOT: i32 = NEAR;
/// Noise reaches so many plies deep.
const NOISY_PLIES: i32 = 8;
/// Noise in the order of moves is below this, a third of a threat.
const NOISE: i32 = 3;
/// Up to so many stones a position may still be the mirror image of another one.
const MIRRORED: i32 = 12;

/// A move that has to be searched.
#[derive(Clone, Copy)]
struct Candidate<T> {
    state: State<T>,
    moves: T,
    place: Place<T>,
    swapped: bool,
    /// The number of the cell of the move.
    cell: u8,
    weight: i32,
}

/// The search of one thread.
pub struct Walker<'a, S: Shape> {
    shape: S,
    tables: &'a Tables<S>,
    candidates: Vec<Candidate<S::Word>>,
    history: History,
    /// Stirs the order of moves near the root, which is to differ from thread to thread.
    noise: Option<fastrand::Rng>,
    /// Fewer stones than this are near the root.
    noisy: i32,
    /// The tables are used for positions with more empty cells than this.
    small: i32,
    /// The number of the cell of the move that is being searched at the root, if there is one yet.
    pub trying: Option<u8>,
    /// Nodes visited.
    pub nodes: u64,
    next_poll: u64,
    /// Asked now and then, with the nodes so far; `true` ends the search.
    ends: &'a mut dyn FnMut(u64) -> bool,
    /// The search was ended; what it has answered since means nothing.
    pub ended: bool,
}

impl<'a, S: Shape> Walker<'a, S> {
    /// A search of a position with its tables, with noise or without, until `ends` says so.
    pub fn new(
        shape: S,
        tables: &'a Tables<S>,
        root: &State<S::Word>,
        noise: Option<fastrand::Rng>,
        ends: &'a mut dyn FnMut(u64) -> bool,
    ) -> Walker<'a, S> {
        let empties = shape.cells() - root.count;
        let small = if empties <= SMALL_ROOT { SMALL_ROOT } else { SMALL };
        let noisy = root.count + NOISY_PLIES;
        let (candidates, history) = (Vec::with_capacity(64), History::new(empties));
        Walker {
            shape,
            tables,
            candidates,
            history,
            noise,
            noisy,
            small,
            trying: None,
            nodes: 0,
            next_poll: 1,
            ends,
            ended: false,
        }
    }

    /// Where a position is kept.
    #[inline(always)]
    fn table(&self, state: &State<S::Word>) -> &'a Table<S> {
        self.tables.of(self.shape.cells() - state.count)
    }

    /// Where a position is kept in its table.
    #[inline(always)]
    fn place(&self, state: &State<S::Word>) -> Place<S::Word> {
        self.table(state).place(match state.count <= MIRRORED {
            true => state.mirror_key(&self.shape),
            false => state.key(&self.shape),
        })
    }

    /// A bound of the score of an open position, on the right side of `alpha`: more than it, or not more.
    pub fn ask(&mut self, state: &State<S::Word>, moves: S::Word, alpha: i32) -> i32 {
        if let Some(score) = bounds::decide(&self.shape, state, alpha) {
            return score;
        }
        let place = self.place(state);
        if self.shape.cells() - state.count > self.small
            && let Some(score) = self.known(state, place, alpha)
        {
            return score;
        }
        self.node(state, moves, place, alpha)
    }

    /// What its table says of a position, if that answers the question.
    #[inline(always)]
    fn known(&self, state: &State<S::Word>, place: Place<S::Word>, alpha: i32) -> Option<i32> {
        let Bounds { lower, upper } = self.table(state).probe(place)?;
        if lower > alpha {
            return Some(lower);
        }
        (upper <= alpha).then_some(upper)
    }

    fn node(&mut self, state: &State<S::Word>, moves: S::Word, place: Place<S::Word>, alpha: i32) -> i32 {
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            self.next_poll = self.nodes + (self.nodes / POLL_SHARE).clamp(1, POLL_NODES);
            self.ended |= (self.ends)(self.nodes);
        }
        if self.ended {
            return alpha;
        }
        let shape = self.shape;
        let empties = shape.cells() - state.count;
        let before = self.nodes;
        let first = self.candidates.len();
        let score = self.visit(state, moves, alpha, first);
        self.candidates.truncate(first);
        if empties > self.small && !self.ended {
            let new = match score > alpha {
                true => Bounds { lower: score, upper: state.most(&shape) },
                false => Bounds { lower: state.least(&shape), upper: score },
            };
            self.table(state).store(place, new, self.nodes - before);
        }
        score
    }

    #[inline(always)]
    fn visit(&mut self, state: &State<S::Word>, moves: S::Word, alpha: i32, first: usize) -> i32 {
        let shape = self.shape;
        let empties = shape.cells() - state.count;
        let side = state.count as usize & 1;
        let mut best = -i32::MAX;
        for cell in moves.cells() {
            let score = match state.play(&shape, cell).settle(&shape) {
                // The position after the move is the other side's.
                Settled::Over(score) => -score,
                Settled::Open { state, moves, swapped } => {
                    let answer = bounds::decide(&shape, &state, toward(alpha, swapped));
                    match answer {
                        Some(score) if swapped => score,
                        Some(score) => -score,
                        None => {
                            let place = self.place(&state);
                            self.table(&state).prefetch(place);
                            let column = cell.index() / shape.stride();
                            let weight = column.min(shape.columns() - 1 - column) as i32;
                            let cell = cell.index() as u8;
                            self.candidates.push(Candidate { state, moves, place, swapped, cell, weight });
                            continue;
                        }
                    }
                }
            };
            if score > alpha {
                return score;
            }
            best = best.max(score);
        }
        if empties > self.small {
            let mut at = first;
            while at < self.candidates.len() {
                let Candidate { ref state, place, swapped, .. } = self.candidates[at];
                match self.known(state, place, toward(alpha, swapped)) {
                    Some(score) => {
                        let score = if swapped { score } else { -score };
                        if score > alpha {
                            return score;
                        }
                        best = best.max(score);
                        self.candidates.swap_remove(at);
                    }
                    None => at += 1,
                }
            }
        }
        for at in first..self.candidates.len() {
            let candidate = &self.candidates[at];
            let history = self.history.weight(side, candidate.cell);
            self.candidates[at].weight = 4 * candidate.weight + weight(&shape, candidate) + history;
        }
        if let Some(noise) = &mut self.noise
            && state.count < self.noisy
        {
            self.candidates[first..].iter_mut().for_each(|candidate| candidate.weight += noise.i32(0..NOISE));
        }
        for next in first..self.candidates.len() {
            let rest = &self.candidates[next..];
            let best_of_rest = (0..rest.len()).max_by_key(|&at| rest[at].weight).unwrap_or(0);
            self.candidates.swap(next, next + best_of_rest);
            let Candidate { state, moves, place, swapped, cell, .. } = self.candidates[next];
            if first == 0 {
                self.trying = Some(cell);
            }
            let answer = self.node(&state, moves, place, toward(alpha, swapped));
            let score = if swapped { answer } else { -answer };
            if self.ended {
                return alpha;
            }
            if score > alpha {
                // If the first one answers, the order was right.
                if next > first {
                    self.history.reward(side, self.candidates[next].cell);
                    self.candidates[first..next].iter().for_each(|tried| self.history.punish(side, tried.cell));
                }
                return score;
            }
            best = best.max(score);
        }
        best
    }
}

/// The question to ask of the position after a move in order to learn whether the move is worth more than `alpha`.
/// If the side to move has changed twice, it is the same question.
#[inline(always)]
fn toward(alpha: i32, swapped: bool) -> i32 {
    if swapped { alpha } else { -alpha - 1 }
}

/// How promising a position is for the side that has moved to it. The weights were fitted to the numbers of nodes of searches of
/// random positions.
#[inline(always)]
fn weight<S: Shape>(shape: &S, candidate: &Candidate<S::Word>) -> i32 {
    let Candidate { state, moves, swapped, .. } = candidate;
    let (mine, theirs) = if *swapped { (state.own_wins, state.other_wins) } else { (state.other_wins, state.own_wins) };
    let empty = state.empty(shape);
    let (mine, theirs) = (mine & empty, theirs & empty);
    // A winning cell right above one of the other side's is never reached.
    let (mine, theirs) = (mine & !(theirs << 1), theirs & !(mine << 1));
    let playable = state.moves(shape);
    // The rows whose cells fall to this side if everybody follows up.
    let odd = (shape.cells() - state.count) & 1 == 1;
    let rows = if odd != *swapped { !shape.answers() } else { shape.answers() };
    let count = |cells: S::Word| cells.count() as i32;
    let choice = if *swapped { count(*moves) } else { -count(*moves) };
    10 * count(mine & playable << 1)
        + 9 * count(mine & playable << 2)
        + 3 * (count(mine) + count(mine & rows) - count(theirs & rows))
        + 4 * count(mine & mine << 1)
        + choice
}
