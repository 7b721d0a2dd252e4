//! Iterative deepening: the root of the search in one thread.

use super::node::{NodeSearch, Window};
use super::order::Hints;
use super::proof::Proof;
use super::report::{Event, Report};
use super::table::Bound;
use super::worker::{Value, Worker};
use crate::eval::Wins;
use crate::rules::{Move, Square, SquareSet, Symmetry};
use crate::units::{Depth, Ply, Score};
use std::sync::atomic::Ordering;

/// The iteration from which there is an aspiration window.
const ASPIRATION_DEPTH: Depth = Depth(4);

/// How much of its time is spent on a move that has no alternative: enough for a value and an expected reply.
const LONE_SHARE: f64 = 0.02;

/// A first move and what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove {
    pub mv: Move,
    /// Its value in this iteration, or below all if it is only known to be no better than others.
    pub value: Value,
    /// The best line that begins with it.
    pub line: Vec<Move>,
}

/// What bounds a thread's iterations.
pub struct Iterations {
    /// The deepest one.
    pub depth: Depth,
    /// How many best lines are searched.
    pub lines: usize,
    /// How many of them are told.
    pub told: usize,
    /// A win in at most so many plies is looked for; nothing else is.
    pub mate_plies: Option<Ply>,
    /// On a clock there is time to be saved.
    pub hurry: bool,
}

impl<E: NodeSearch> Worker<'_, E> {
    /// Fills the list of first moves, the most promising first. `wanted`: only these, unless empty. `at_least` asks for
    /// moves beyond the candidates if those are fewer. For one line, moves that are mirror images of others are left out,
    /// and so are those that fail to stop a loss at once where another does.
    pub fn list_root_moves(&mut self, wanted: &[Move], at_least: usize) {
        let mut squares = self.first_squares(wanted, at_least);
        if wanted.is_empty() && at_least <= 1 && self.features.selective {
            self.leave_out_images(&mut squares);
            self.leave_out_all_but_the_block(&mut squares);
        }
        let table = self.shared.table.probe(self.board.key(), Ply(0)).and_then(|entry| entry.best);
        let hints = Hints { table, ..Hints::default() };
        let list = self.picker.begin();
        for &square in &squares {
            self.picker.push(square, &self.board, &self.eval, &self.history, &hints, self.features);
        }
        let side = self.board.side();
        let blocks = match self.eval.wins(&self.board, !side) {
            Wins::None => [None, None],
            Wins::One(square) => [Some(square), None],
            Wins::Many(first, second) => [Some(first), Some(second)],
        };
        let urgency = |mv: Move| match mv.square() {
            square if self.board.wins_at(square, side) => 2,
            square if blocks.contains(&Some(square)) => 1,
            _ => 0,
        };
        let mut moves = self.picker.moves(list).to_vec();
        // Whatever happens, the first move of the list is one that wins at once or stops such a win.
        moves.sort_by_key(|ranked| std::cmp::Reverse((urgency(ranked.mv), ranked.rank)));
        let unknown = Value::estimate(-Score::INFINITE);
        self.root_moves =
            moves.iter().map(|ranked| RootMove { mv: ranked.mv, value: unknown, line: vec![ranked.mv] }).collect();
        self.no_choice = wanted.is_empty() && self.all_moves_known && self.root_moves.len() == 1;
        self.picker.end(list);
    }

    /// The squares of first moves: the candidates, or all that are legal, or those that are wanted.
    fn first_squares(&mut self, wanted: &[Move], at_least: usize) -> Vec<Square> {
        let legal = |&square: &Square| self.board.is_playable(square) && self.board.foul(square).is_none();
        let mut squares = Vec::new();
        self.candidates.for_each(&self.board, |square| squares.push(square));
        squares.retain(legal);
        self.all_moves_known = self.candidates.is_complete(&self.board);
        if squares.len() < at_least.max(1) || !wanted.is_empty() {
            squares = self.board.empty().iter().filter(legal).collect();
            self.all_moves_known = true;
        }
        if !wanted.is_empty() {
            squares.retain(|&square| wanted.contains(&Move::to(square)));
        }
        squares
    }

    fn leave_out_images(&self, squares: &mut Vec<Square>) {
        let symmetries: Vec<Symmetry> = Symmetry::preserving(&self.board).collect();
        let listed: SquareSet = squares.iter().copied().collect();
        let image = |square, symmetry: &Symmetry| symmetry.apply(square, self.board.game());
        let is_first = |square| {
            let images = symmetries.iter().map(|symmetry| image(square, symmetry));
            images.filter(|&image| listed.contains(image)).all(|image| image >= square)
        };
        squares.retain(|&square| is_first(square));
    }

    fn leave_out_all_but_the_block(&mut self, squares: &mut Vec<Square>) {
        let side = self.board.side();
        let may_win = self.eval.wins(&self.board, side) != Wins::None;
        if let (Wins::One(block), false, true) = (self.eval.wins(&self.board, !side), may_win, self.one_block)
            && squares.contains(&block)
        {
            *squares = vec![block];
            self.all_moves_known = true;
        }
    }

    /// Searches deeper and deeper until a limit is reached or the value is proven; the best move is then the first of
    /// `root_moves`. Returns the last iteration that was completed.
    pub fn iterate(&mut self, iterations: &Iterations) -> Depth {
        if !self.is_main() {
            self.shared.gate.pass();
        }
        let mut proof = Proof::new(self, iterations);
        let mut completed = Depth::ZERO;
        let lines = iterations.lines.min(self.root_moves.len());
        // Deeper than this there are no more stones to place, even if every move on the way was reduced.
        let deepest = iterations.depth.min(Depth(2 * self.board.empties() as i16 + 2));
        let mut changes = 0.0;
        let mut depth = self.next_depth(if self.features.iterative { Depth::ZERO } else { deepest - 1 });
        while depth <= deepest {
            let before = self.root_moves[0].mv;
            self.exhaustive = depth.0 as usize >= self.board.empties() || iterations.mate_plies.is_some();
            self.selective_depth = Ply(0);
            for rank in 0..lines {
                self.aspire(depth, rank, rank < iterations.told);
                if self.aborted {
                    break;
                }
            }
            if self.aborted {
                break;
            }
            completed = depth;
            self.has_result = true;
            if self.is_main() {
                self.shared.gate.open();
            }
            self.sort_lines(0, lines);
            self.report(depth, lines.min(iterations.told));
            if proof.attempt(self, depth) {
                break;
            }
            if self.is_settled(lines) || self.finds_mate(iterations) {
                break;
            }
            if depth == Depth(1) && self.finds_forced_win(iterations) {
                break;
            }
            changes = changes / 2.0 + f64::from(u8::from(self.root_moves[0].mv != before));
            if self.is_main() && self.should_rest(changes, iterations) || self.must_end() {
                break;
            }
            depth = self.next_depth(depth);
        }
        self.publish_nodes();
        completed
    }

    /// Looks for a win that needs no search; reports it, and leaves its move first.
    fn finds_forced_win(&mut self, iterations: &Iterations) -> bool {
        if !self.is_main() || iterations.lines > 1 || !self.features.selective {
            return false;
        }
        let found = E::forced_win(self);
        let wanted = |score: Score| iterations.mate_plies.is_none_or(|plies| score >= Score::win_in(plies));
        let Some((value, line)) = found.filter(|(value, _)| wanted(value.score)) else { return false };
        let Some(at) = line.first().and_then(|&mv| self.root_moves.iter().position(|known| known.mv == mv)) else {
            return false;
        };
        self.root_moves[..=at].rotate_right(1);
        self.root_moves[0].value = value;
        self.root_moves[0].line = line;
        self.selective_depth = value.score.plies_to_end().unwrap_or_default();
        self.report_line(Depth(1), 0, value.score, Bound::Exact);
        true
    }

    /// The depth of the iteration after one. Every other helper is a ply ahead of the main thread, to leave it what it finds;
    /// none is behind it.
    fn next_depth(&self, last: Depth) -> Depth {
        let next = last + 1;
        if self.is_main() {
            self.shared.depth.store(next.0, Ordering::Relaxed);
            return next;
        }
        let ahead = (self.index % 2) as i16;
        next.max(Depth(self.shared.depth.load(Ordering::Relaxed) + ahead))
    }

    /// Finds the `rank`-th best line (from 0) at a depth, with a window around the last value that widens as it must.
    fn aspire(&mut self, depth: Depth, rank: usize, told: bool) {
        let last = self.root_moves[rank].value.score;
        let narrow = self.features.selective && depth > ASPIRATION_DEPTH && !last.is_decided() && !self.exhaustive;
        let mut width = E::ASPIRATION;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if narrow && last > -Score::INFINITE {
            (alpha, beta) = (last.offset(-width), last.offset(width));
        }
        loop {
            let value = self.search_root(alpha, beta, depth, rank);
            if self.aborted {
                return; // the best move so far is in front
            }
            self.root_moves[rank..].sort_by_key(|known| std::cmp::Reverse(known.value.score));
            if value.score > alpha && value.score < beta || (alpha, beta) == (-Score::INFINITE, Score::INFINITE) {
                return;
            }
            let bound = if value.score >= beta { Bound::Lower } else { Bound::Upper };
            if told {
                self.report_line(depth, rank, value.score, bound);
            }
            width *= 4;
            if bound == Bound::Lower {
                beta = if value.score.is_decided() { Score::INFINITE } else { value.score.offset(width) };
            } else {
                alpha = if value.score.is_decided() { -Score::INFINITE } else { value.score.offset(-width) };
            }
        }
    }

    /// Searches the first moves from the `from`-th on.
    pub fn search_root(&mut self, mut alpha: Score, beta: Score, depth: Depth, from: usize) -> Value {
        self.visit(Ply(0));
        let mut best = Value::estimate(-Score::INFINITE);
        let mut best_at = from;
        let mut all_proven = true;
        self.root_width = Window { alpha, beta }.width();
        for at in from..self.root_moves.len() {
            let mv = self.root_moves[at].mv;
            let number = at - from + 1;
            self.trying = Some((depth, mv, at + 1));
            self.tell_trying();
            let value = self.search_first_move(mv, Window { alpha, beta }, depth, number);
            if self.aborted {
                // What this iteration has found out counts, though it is not complete.
                self.root_moves[from..=best_at].rotate_right(1);
                return value;
            }
            all_proven &= value.proven;
            let known = &mut self.root_moves[at];
            if number == 1 || value.score > alpha {
                known.value = value;
                known.line.clear();
                known.line.push(mv);
                known.line.extend_from_slice(&self.lines[1]);
            } else {
                known.value = Value { score: -Score::INFINITE, ..value };
            }
            if value.score > alpha {
                best_at = at;
            }
            if value.score > best.score {
                best = value;
                alpha = alpha.max(value.score);
                if alpha >= beta && self.features.alpha_beta {
                    break;
                }
            }
        }
        best.proven = best.score.is_decided()
            || if best.score >= beta { best.proven } else { all_proven && self.all_moves_known };
        if let Some(first) = self.root_moves[from..].iter_mut().find(|known| known.value.score == best.score) {
            first.value.proven = best.proven;
        }
        best
    }

    fn search_first_move(&mut self, mv: Move, window: Window, depth: Depth, number: usize) -> Value {
        if self.board.wins_at(mv.square(), self.board.side()) {
            self.lines[1].clear();
            return Value::proven(Score::win_in(Ply(1)));
        }
        self.make(mv);
        let value = if !self.features.alpha_beta {
            -E::node::<true>(self, Window::FULL, depth - 1, Ply(1))
        } else if number == 1 || !self.features.pvs {
            -E::node::<true>(self, -window, depth - 1, Ply(1))
        } else {
            E::later_first_move(self, window, depth - 1, number)
        };
        self.unmake(mv);
        value
    }

    /// Puts the best `lines` moves in order, best first; equals stay as they were.
    fn sort_lines(&mut self, from: usize, lines: usize) {
        self.root_moves[from..lines].sort_by_key(|known| std::cmp::Reverse(known.value.score));
    }

    /// Whether there is nothing more to find out about the wanted lines.
    fn is_settled(&self, lines: usize) -> bool {
        self.features.selective && self.root_moves[..lines].iter().all(|known| known.value.proven)
    }

    fn finds_mate(&self, iterations: &Iterations) -> bool {
        let score = self.root_moves[0].value.score;
        iterations.mate_plies.is_some_and(|plies| score >= Score::win_in(plies))
    }

    /// Whether the clock says that another iteration is not worth it. `changes` is large when the best move keeps changing.
    fn should_rest(&self, changes: f64, iterations: &Iterations) -> bool {
        let (Some(budget), Some(used)) = (self.budget, self.time_used()) else { return false };
        // A fixed time is there to be used; of a clock less is taken the steadier the best move is.
        let share = match iterations.hurry {
            _ if self.no_choice || iterations.hurry && self.root_moves.len() == 1 => LONE_SHARE,
            true => 0.7 + 0.6 * changes.min(1.5),
            false => 1.0,
        };
        used >= budget.soft.mul_f64(share)
    }

    fn report(&mut self, depth: Depth, lines: usize) {
        (0..lines).for_each(|rank| self.report_line(depth, rank, self.root_moves[rank].value.score, Bound::Exact));
    }

    pub fn report_line(&mut self, depth: Depth, rank: usize, score: Score, bound: Bound) {
        if self.sink.is_none() {
            return;
        }
        self.publish_nodes();
        let known = &self.root_moves[rank];
        let report = Report {
            depth,
            selective_depth: self.selective_depth.max(Ply(1)),
            rank: rank + 1,
            score,
            bound,
            proven: known.value.proven && bound == Bound::Exact,
            line: known.line.clone(),
            work: self.shared.work(),
        };
        self.tell(Event::Line(report));
    }
}

#[cfg(test)]
mod tests {
    use super::super::features::Features;
    use super::super::history::History;
    use super::super::limits::Control;
    use super::super::table::Table;
    use super::super::worker::{Gate, Prepared, Shared};
    use super::*;
    use crate::eval::LineCounts;
    use crate::rules::{Board, Game, Variant};
    use std::sync::atomic::{AtomicBool, AtomicI16, AtomicU64};
    use std::time::Instant;

    #[test]
    fn an_iteration_that_is_broken_off_has_its_best_move_in_front() {
        let (table, control) = (Table::new(1).unwrap(), Control::new(Instant::now(), false));
        let shared = Shared {
            table: &table,
            control: &control,
            done: AtomicBool::new(false),
            gate: Gate::default(),
            nodes: vec![AtomicU64::new(0)],
            depth: AtomicI16::new(0),
        };
        let game = Game::new(Variant::GomokuFreestyle);
        let prepared: Prepared<LineCounts> = Prepared::new(game);
        let mut board = Board::new(game);
        for (column, row) in [(7, 7), (8, 8), (6, 8), (7, 9), (9, 6)] {
            board.make(Move::to(crate::rules::Square::new(column, row).unwrap()));
        }
        let mut changed = 0;
        for limit in (200..20_000).step_by(400) {
            table.clear(1);
            let mut worker = Worker::new(&shared, 0, &prepared, board.clone(), History::new(&game), Features::FULL);
            worker.list_root_moves(&[], 1);
            // The least promising first, so that better ones are found on the way.
            worker.root_moves.reverse();
            let first = worker.root_moves[0].mv;
            worker.set_own_node_limit(limit);
            worker.search_root(-Score::INFINITE, Score::INFINITE, Depth(3), 0);
            if worker.aborted {
                let best = worker.root_moves.iter().map(|known| known.value.score).max();
                assert_eq!(Some(worker.root_moves[0].value.score), best, "{limit} nodes");
                changed += usize::from(worker.root_moves[0].mv != first);
            }
        }
        assert!(changed > 5, "{changed} searches found a better move on the way");
    }
}
