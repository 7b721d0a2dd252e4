//! What the node searches of all games have in common.

use super::table::{Bound, Entry};
use super::worker::{Value, Worker};
use crate::eval::{Evaluator, LineCounts};
use crate::rules::Move;
use crate::units::{Depth, Ply, Score};

/// The values that a node is asked about: at or below `alpha`, or at or above `beta`, it is enough to know just that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The best that the side to move is sure of elsewhere.
    pub alpha: Score,
    /// The best that the other side will allow.
    pub beta: Score,
}

impl Window {
    /// Every value.
    pub const FULL: Window = Window { alpha: Score::MINUS_INFINITE, beta: Score::INFINITE };
}

impl Window {
    /// What lies below `target` and what does not.
    pub fn below(target: Score) -> Window {
        Window { alpha: target.offset(-1), beta: target }
    }

    /// What lies above this window's alpha and what does not.
    pub fn above_alpha(self) -> Window {
        Window { alpha: self.alpha, beta: self.alpha.offset(1) }
    }

    /// The part between `least` and `most`.
    #[must_use]
    pub fn within(self, least: Score, most: Score) -> Window {
        Window { alpha: self.alpha.max(least), beta: self.beta.min(most) }
    }

    /// Whether no value is left to ask about.
    pub fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }

    /// Its width in hundredths.
    pub fn width(self) -> i32 {
        self.beta.raw() - self.alpha.raw()
    }
}

impl std::ops::Neg for Window {
    type Output = Window;
    fn neg(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// An evaluator that the search can be built on: it says how a node of its games is searched.
pub trait NodeSearch: Evaluator {
    /// Half the width of the first aspiration window, in hundredths.
    const ASPIRATION: i32;

    /// The value of the present position for the side to move. A score at or below alpha is an upper bound, one at or
    /// above beta a lower bound (fail-soft). `PV` nodes leave their best line behind. Means nothing once the worker is
    /// aborted.
    fn node<const PV: bool>(worker: &mut Worker<'_, Self>, window: Window, depth: Depth, ply: Ply) -> Value;

    /// The value for its maker of a first move that was just made and is not expected to be the best: it came `number`-th
    /// in its iteration.
    fn later_first_move(worker: &mut Worker<'_, Self>, window: Window, depth: Depth, number: usize) -> Value;

    /// A forced win at the root that is found without the search proper, with its line.
    fn forced_win(worker: &mut Worker<'_, Self>) -> Option<(Value, Vec<Move>)>;
}

impl NodeSearch for LineCounts {
    const ASPIRATION: i32 = 60;

    fn node<const PV: bool>(worker: &mut Worker<'_, LineCounts>, window: Window, depth: Depth, ply: Ply) -> Value {
        worker.negamax::<PV>(window.alpha, window.beta, depth, ply)
    }

    fn later_first_move(worker: &mut Worker<'_, LineCounts>, window: Window, depth: Depth, number: usize) -> Value {
        let late = worker.features.selective && !worker.exhaustive && depth >= Depth(2) && number > 4;
        let reduction = if late { Worker::<LineCounts>::reduction(depth + 1, number) / 2 } else { 0 };
        worker.search_later::<true>(window, depth, reduction, Ply(1))
    }

    fn forced_win(_: &mut Worker<'_, LineCounts>) -> Option<(Value, Vec<Move>)> {
        None
    }
}

impl<E: NodeSearch> Worker<'_, E> {
    /// A node has seen its moves: notes what it found in the table and hands it up. `searched` is the window that was
    /// asked about, `complete` says that every move there is was seen, and the whole of what follows from it.
    pub(super) fn conclude(
        &mut self,
        mut best: Value,
        best_move: Option<Move>,
        searched: Window,
        complete: bool,
        depth: Depth,
        ply: Ply,
    ) -> Value {
        let bound = match best.score {
            score if score >= searched.beta => Bound::Lower,
            score if score > searched.alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        // One proven reply refutes; otherwise every move there is must have been seen to its end.
        best.proven = best.score.is_decided() || if bound == Bound::Lower { best.proven } else { complete };
        if self.features.hash {
            let entry = Entry { best: best_move, score: best.score, bound, depth, proven: best.proven };
            self.shared.table.store(self.board.key(), ply, entry);
        }
        best
    }

    /// The worst and the best that can still happen: who has no line left cannot win.
    pub(super) fn reachable(&self) -> (Score, Score) {
        let side = self.board.side();
        let least = if self.eval.can_win(!side) { -Score::INFINITE } else { Score::DRAW };
        let most = if self.eval.can_win(side) { Score::INFINITE } else { Score::DRAW };
        (least, most)
    }

    /// `best` has refuted: remember it, and that the `tried - 1` moves before it did not.
    pub(super) fn learn(&mut self, best: Move, list: usize, tried: usize, depth: Depth, ply: Ply) {
        if !self.features.history {
            return;
        }
        self.killers.add(ply, best);
        let previous = self.board.moves().last().copied();
        let failed = self.picker.moves(list)[..tried - 1].iter().map(|ranked| ranked.mv);
        self.history.reward(best, failed, previous, self.board.side(), depth);
    }
}

impl<E: Evaluator> Worker<'_, E> {
    /// Fills in the best line at `ply`, whose node the table has settled, as far as the table knows it.
    pub(super) fn recall_line(&mut self, ply: Ply) {
        let Worker { shared, board, lines, .. } = self;
        let line = &mut lines[ply.index()];
        line.clear();
        while let Some(mv) = shared.table.probe(board.key(), ply).and_then(|entry| entry.best) {
            let (square, side) = (mv.square(), board.side());
            if !board.is_playable(square) || board.foul(square).is_some() {
                break;
            }
            let ends = board.wins_at(square, side);
            line.push(mv);
            board.make(mv);
            if ends {
                break;
            }
        }
        line.iter().for_each(|_| board.unmake());
    }
}

/// What a table entry says about a node, if that settles it.
pub(super) fn usable(entry: &Entry, window: Window, depth: Depth) -> Option<Value> {
    // A forced win or loss holds at every depth.
    let proven = entry.proven || entry.score.is_decided();
    let deep = proven || entry.depth >= depth;
    let settles = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= window.beta,
        Bound::Upper => entry.score <= window.alpha,
    };
    (deep && settles).then_some(Value { score: entry.score, proven })
}
