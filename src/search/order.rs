//! In which order moves are tried: the table's move, forced replies, what the evaluator likes, what history has taught.

use super::features::Features;
use super::history::History;
use crate::eval::Evaluator;
use crate::rules::{Board, Color, Move, Square};

const FIRST: i32 = 1 << 30;
const KILLER: i32 = 60;
const COUNTER: i32 = 40;
/// History is worth this much less than the evaluator's opinion.
const HISTORY_SHARE: i32 = 64;

/// A move and how early it should be tried.
#[derive(Clone, Copy)]
pub struct Ranked {
    pub mv: Move,
    pub rank: i32,
    /// What the evaluator alone says.
    pub promise: i32,
}

/// Moves that have proved good: at this node, at this ply, against the last move.
#[derive(Clone, Copy, Default)]
pub struct Hints {
    pub table: Option<Move>,
    pub killers: [Option<Move>; 2],
    pub counter: Option<Move>,
}

/// The lists of moves of all nodes on the present line, in one stack.
pub struct Picker {
    stack: Vec<Ranked>,
}

impl Picker {
    /// A stack that lines of play on `empties` empty cells never outgrow.
    pub fn new(empties: usize) -> Picker {
        Picker { stack: Vec::with_capacity(empties * (empties + 1) / 2 + 1) }
    }

    /// Begins a node's list; what it returns names the list.
    pub fn begin(&self) -> usize {
        self.stack.len()
    }

    /// Ends the list, and all that were begun after it.
    pub fn end(&mut self, list: usize) {
        self.stack.truncate(list);
    }

    /// The moves of the latest list.
    pub fn moves(&self, list: usize) -> &[Ranked] {
        &self.stack[list..]
    }

    /// Adds a move with its rank.
    #[inline]
    pub fn push<E: Evaluator>(
        &mut self,
        square: Square,
        board: &Board,
        eval: &E,
        history: &History,
        hints: &Hints,
        features: Features,
    ) {
        let (mv, side) = (Move::to(square), board.side());
        let promise = if features.ordering { eval.move_score(square, side) } else { 0 };
        if features.history {
            return self.push_promising(square, side, promise, history, hints);
        }
        let rank = if hints.table == Some(mv) { FIRST } else { promise };
        self.stack.push(Ranked { mv, rank, promise });
    }

    /// Adds a move of `side` whose promise is known; what has been learnt is added to it.
    #[inline]
    pub fn push_promising(&mut self, square: Square, side: Color, promise: i32, history: &History, hints: &Hints) {
        let mv = Move::to(square);
        let mut rank = promise + history.score(mv, side) / HISTORY_SHARE;
        if hints.killers.contains(&Some(mv)) {
            rank += KILLER;
        }
        if hints.counter == Some(mv) {
            rank += COUNTER;
        }
        if hints.table == Some(mv) {
            rank = FIRST;
        }
        self.stack.push(Ranked { mv, rank, promise });
    }

    /// Adds a move with a rank that is known.
    #[inline]
    pub fn push_ranked(&mut self, square: Square, rank: i32) {
        self.stack.push(Ranked { mv: Move::to(square), rank, promise: rank });
    }

    /// The `nth` best move of the latest list; the ones before it must have been asked for.
    #[inline]
    pub fn pick(&mut self, list: usize, nth: usize) -> Option<Ranked> {
        let rest = self.stack.get_mut(list + nth..)?;
        let mut best = 0;
        for (at, ranked) in rest.iter().enumerate().skip(1) {
            if ranked.rank > rest[best].rank {
                best = at;
            }
        }
        let chosen = *rest.get(best)?;
        // Keep the others in their order, so that equal ranks are tried by square.
        rest.copy_within(0..best, 1);
        rest[0] = chosen;
        Some(chosen)
    }
}
