//! The search of one node: principal variation search over alpha-beta, in negamax form.

use super::node::{Window, usable};
use super::order::Hints;
use super::worker::{Value, Worker};
use crate::eval::{Evaluator, LineCounts, Wins};
use crate::rules::{Move, Square};
use crate::units::{Depth, Ply, Score};

/// Static pruning: how far above the window an estimate must lie, per ply of depth, and up to which depth.
const FUTILITY_MARGIN: i32 = 120;
const FUTILITY_DEPTH: Depth = Depth(4);

/// Up to this depth late moves are left out.
const MOVE_COUNT_DEPTH: usize = 4;

/// What a node is faced with before any search.
enum Threat {
    /// The value is known.
    Settled(Value),
    /// Only this move does not lose at once.
    Forced(Square),
    /// The opponent threatens to win, and there may be several ways to stop it.
    Threatened,
    /// Nothing.
    Quiet,
}

impl Worker<'_, LineCounts> {
    /// The value of the present position: see [`NodeSearch::node`](super::NodeSearch::node).
    pub(super) fn negamax<const PV: bool>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        depth: Depth,
        ply: Ply,
    ) -> Value {
        self.visit(ply);
        if self.aborted {
            return Value::estimate(Score::DRAW);
        }
        let selective = self.features.selective;
        if selective {
            // Mate-distance pruning: nothing here is quicker than a win by the next stone, or worse than being lost now.
            alpha = alpha.max(Score::loss_in(ply));
            beta = beta.min(Score::win_in(ply.next()));
            if alpha >= beta {
                return Value::proven(alpha);
            }
        }
        let threat = if selective { self.threat(ply) } else { self.terminal(ply) };
        let (forced, threatened) = match threat {
            Threat::Settled(value) => return value,
            Threat::Forced(square) => (Some(square), true),
            Threat::Threatened => (None, true),
            Threat::Quiet => (None, false),
        };
        // A forced reply costs no depth.
        let depth = if threatened { depth.max(Depth::ZERO) + 1 } else { depth };
        let (least, most) = if selective { self.reachable() } else { (-Score::INFINITE, Score::INFINITE) };
        (alpha, beta) = (alpha.max(least), beta.min(most));
        if alpha >= beta {
            return Value::proven(Score::DRAW);
        }
        if depth <= Depth::ZERO {
            return Value::estimate(self.eval.evaluate(self.board.side()).clamp(least, most));
        }

        let known = if self.features.hash { self.shared.table.probe(self.board.key(), ply) } else { None };
        if let Some(value) = known.and_then(|entry| usable(&entry, Window { alpha, beta }, depth)) {
            if PV {
                self.recall_line(ply);
            }
            return value;
        }
        let may_prune = selective && !self.exhaustive && !threatened && !PV;
        if may_prune && depth <= FUTILITY_DEPTH && !beta.is_decided() {
            let estimate = self.eval.evaluate(self.board.side());
            if estimate >= beta.offset(FUTILITY_MARGIN * i32::from(depth.0)) {
                return Value::estimate(estimate);
            }
        }

        let list = self.list_moves(forced, known.and_then(|entry| entry.best), ply);
        let mut best = Value::estimate(-Score::INFINITE);
        let mut best_move = None;
        let mut all_proven = true;
        let floor = alpha;
        let (mut number, mut fouls) = (0, 0);
        while let Some(ranked) = self.picker.pick(list, number + fouls) {
            if self.board.foul(ranked.mv.square()).is_some() {
                fouls += 1;
                continue;
            }
            number += 1;
            // Move-count pruning: late quiet moves hardly ever matter near the leaves, once something holds.
            if may_prune && is_late(number, depth) && ranked.promise < LineCounts::URGENT && !best.score.is_loss() {
                all_proven = false;
                continue;
            }
            self.make(ranked.mv);
            let value = if !self.features.alpha_beta {
                -self.negamax::<PV>(-Score::INFINITE, Score::INFINITE, depth - 1, ply.next())
            } else if number == 1 || !self.features.pvs {
                -self.negamax::<PV>(-beta, -alpha, depth - 1, ply.next())
            } else {
                let late = selective && !self.exhaustive && !threatened && depth >= Depth(3) && number > 2;
                let reduction = match late {
                    true if ranked.promise >= LineCounts::URGENT => Self::reduction(depth, number) / 2,
                    true => Self::reduction(depth, number),
                    false => 0,
                };
                self.search_later::<PV>(Window { alpha, beta }, depth - 1, reduction, ply.next())
            };
            self.unmake(ranked.mv);
            if self.aborted {
                self.picker.end(list);
                return value;
            }
            all_proven &= value.proven;
            if value.score > best.score {
                best = value;
                if value.score > alpha || !self.features.alpha_beta {
                    best_move = Some(ranked.mv);
                    if PV {
                        self.extend_line(ply, ranked.mv);
                    }
                }
                alpha = alpha.max(value.score);
                if alpha >= beta && self.features.alpha_beta {
                    self.learn(ranked.mv, list, number + fouls, depth, ply);
                    break;
                }
            }
        }
        self.picker.end(list);
        if number == 0 {
            return self.without_candidates();
        }
        best.score = best.score.clamp(least, most);
        let complete = forced.is_some() || self.candidates.is_complete(&self.board);
        self.conclude(best, best_move, Window { alpha: floor, beta }, all_proven && complete, depth, ply)
    }

    /// Searches a move that is not expected to be the best (made already): with a null window and perhaps to less depth
    /// first, and again in full if it does better than expected.
    pub(super) fn search_later<const PV: bool>(
        &mut self,
        window: Window,
        depth: Depth,
        reduction: i16,
        ply: Ply,
    ) -> Value {
        let Window { alpha, beta } = window;
        let narrow = -window.above_alpha();
        let mut value = -self.negamax::<false>(narrow.alpha, narrow.beta, (depth - reduction).max(Depth::ZERO), ply);
        if reduction > 0 && value.score > alpha && !self.aborted {
            value = -self.negamax::<false>(narrow.alpha, narrow.beta, depth, ply);
        }
        if PV && value.score > alpha && value.score < beta && !self.aborted {
            value = -self.negamax::<true>(-beta, -alpha, depth, ply);
        }
        value
    }

    /// Wins and losses that can be read off the board.
    fn threat(&mut self, ply: Ply) -> Threat {
        let side = self.board.side();
        if let Some(square) = self.eval.wins(&self.board, side).first() {
            self.lines[ply.index()].push(Move::to(square));
            return Threat::Settled(Value::proven(Score::win_in(ply.next())));
        }
        if self.board.empties() == 0 {
            return Threat::Settled(Value::proven(Score::DRAW));
        }
        match self.eval.wins(&self.board, !side) {
            Wins::None => Threat::Quiet,
            _ if !self.one_block => Threat::Threatened,
            Wins::One(square) if self.board.foul(square).is_none() => Threat::Forced(square),
            Wins::One(square) => Threat::Settled(self.lost_to(square, square, ply)),
            Wins::Many(first, second) => Threat::Settled(self.lost_to(first, second, ply)),
        }
    }

    /// The opponent wins with its next stone: on `second`, or on `first` if that is not or cannot be taken.
    fn lost_to(&mut self, first: Square, second: Square, ply: Ply) -> Value {
        let legal = |square: &Square| self.board.foul(*square).is_none();
        let (reply, win) = match (first != second && legal(&first), self.board.empty().iter().find(legal)) {
            (true, _) => (first, second),
            (false, Some(any)) if any != first => (any, first),
            (false, Some(any)) => (any, second),
            // Black has no legal move left, and so the game is drawn.
            (false, None) => return Value::proven(Score::DRAW),
        };
        if reply != win {
            self.lines[ply.index()].extend([reply, win].map(Move::to));
        }
        Value::proven(Score::loss_in(Ply(ply.0 + 2)))
    }

    /// The value where every candidate is a foul: a draw if there is no other move, else an estimate.
    fn without_candidates(&self) -> Value {
        match self.board.empty().iter().find(|&square| self.board.foul(square).is_none()) {
            Some(_) => Value::estimate(self.eval.evaluate(self.board.side())),
            None => Value::proven(Score::DRAW),
        }
    }

    /// The end of the game as the rules have it, without looking ahead.
    fn terminal(&self, ply: Ply) -> Threat {
        let last = self.board.moves().last();
        if last.is_some_and(|mv| self.board.wins_at(mv.square(), !self.board.side())) {
            return Threat::Settled(Value::proven(Score::loss_in(ply)));
        }
        if self.board.empties() == 0 { Threat::Settled(Value::proven(Score::DRAW)) } else { Threat::Quiet }
    }

    /// Lists the moves to try; what it returns names the list.
    fn list_moves(&mut self, forced: Option<Square>, table: Option<Move>, ply: Ply) -> usize {
        let last = self.board.moves().last().copied();
        let hints =
            Hints { table, killers: self.killers.at(ply), counter: self.history.counter(last, self.board.side()) };
        let list = self.picker.begin();
        let Worker { picker, board, eval, history, features, candidates, .. } = self;
        let mut push = |square| picker.push(square, board, eval, history, &hints, *features);
        match forced {
            Some(square) => push(square),
            None => candidates.for_each(board, push),
        }
        list
    }
}

/// Whether a move comes so late that near the leaves it need not be tried.
fn is_late(number: usize, depth: Depth) -> bool {
    let depth = depth.0.max(1) as usize;
    depth <= MOVE_COUNT_DEPTH && number > 5 + 2 * depth * depth
}
