//! One node of the search of five in a row.

use super::situation::{Situation, block_moves, defences, situation};
use super::vcf::{LEAF_FOURS, LEAF_NODES};
use crate::eval::{Evaluator, Shapes, Trait};
use crate::rules::{Move, Square};
use crate::search::node::{Window, usable};
use crate::search::order::{Hints, Ranked};
use crate::search::worker::{Value, Worker};
use crate::units::{Depth, Ply, Score};

/// How far above the window an estimate must lie to be believed, per ply of depth.
const FUTILITY_MARGIN: i32 = 70;
const FUTILITY_DEPTH: Depth = Depth(8);
/// How far below the window a node must be for nothing but fours to be tried, per ply of depth.
const RAZOR_MARGIN: i32 = 60;
const RAZOR_DEPTH: Depth = Depth(2);

impl Worker<'_, Shapes> {
    /// The value of the present position: see [`NodeSearch::node`](crate::search::NodeSearch::node).
    pub(super) fn five_node<const PV: bool>(
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
        alpha = alpha.max(Score::loss_in(ply));
        beta = beta.min(Score::win_in(ply.next()));
        if alpha >= beta {
            return Value::proven(alpha);
        }
        if self.board.empties() == 0 {
            return Value::proven(Score::DRAW);
        }
        let situation = situation(&self.board, &self.eval);
        let depth = match situation {
            Situation::Won(plies, square) => {
                self.lines[ply.index()].push(Move::to(square));
                return Value::proven(Score::win_in(Ply(ply.0 + plies)));
            }
            Situation::Lost(square) => return self.lost(square, ply),
            // A forced reply costs no depth.
            Situation::Block(_) | Situation::BlockAround => depth.max(Depth::ZERO) + 1,
            Situation::Defend | Situation::Free => depth,
        };
        let (least, most) = self.reachable();
        (alpha, beta) = (alpha.max(least), beta.min(most));
        if alpha >= beta {
            return Value::proven(Score::DRAW);
        }
        let forced = matches!(situation, Situation::Block(_) | Situation::BlockAround);
        let estimate = match forced {
            true => None,
            false => Some(self.eval.evaluate(self.board.side()).clamp(least, most)),
        };
        self.estimates[ply.index()] = estimate;
        if let (true, Some(estimate)) = (depth <= Depth::ZERO, estimate) {
            return self.horizon(estimate, beta, ply);
        }
        let known = self.shared.table.probe(self.board.key(), ply);
        if let Some(value) = known.and_then(|entry| usable::<PV>(&entry, alpha, beta, depth)) {
            return value;
        }
        let may_prune = !self.exhaustive && !PV && !forced;
        let improving = self.is_improving(estimate, ply);
        if let (true, Some(estimate)) = (may_prune, estimate) {
            let margin = FUTILITY_MARGIN * (i32::from(depth.0) - i32::from(improving)).max(1);
            if depth <= FUTILITY_DEPTH && !beta.is_decided() && estimate >= beta.offset(margin) {
                return Value::estimate(estimate);
            }
            if depth <= RAZOR_DEPTH && !alpha.is_decided() {
                let margin = RAZOR_MARGIN * i32::from(depth.0);
                if estimate.offset(margin) <= alpha && situation == Situation::Free {
                    return self.horizon(estimate, beta, ply);
                }
            }
        }
        let list = self.list_five(situation, known.and_then(|entry| entry.best), ply);
        let mut best = Value::estimate(-Score::INFINITE);
        let mut best_move = None;
        let mut all_proven = true;
        let floor = alpha;
        let (mut number, mut fouls) = (0, 0);
        while let Some(ranked) = self.picker.pick(list, number + fouls) {
            if self.is_foul(ranked.mv.square()) {
                fouls += 1;
                continue;
            }
            number += 1;
            if may_prune && situation == Situation::Free && !best.score.is_loss() && is_late(number, depth, improving) {
                all_proven = false;
                break;
            }
            let reduction = self.reduction_of(&ranked, situation, number, depth, improving, PV);
            self.make(ranked.mv);
            let value = if number == 1 {
                -self.five_node::<PV>(-beta, -alpha, depth - 1, ply.next())
            } else {
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
                if value.score > alpha {
                    best_move = Some(ranked.mv);
                    if PV {
                        self.extend_line(ply, ranked.mv);
                    }
                }
                alpha = alpha.max(value.score);
                if alpha >= beta {
                    self.learn(ranked.mv, list, number + fouls, depth, ply);
                    break;
                }
            }
        }
        self.picker.end(list);
        if number == 0 {
            return self.without_moves(situation, ply);
        }
        best.score = best.score.clamp(least, most);
        let complete = forced || situation == Situation::Defend || self.candidates.is_complete(&self.board);
        self.conclude(best, best_move, Window { alpha: floor, beta }, all_proven && complete, depth, ply)
    }

    /// The value at the horizon: what is estimated, or a win by fours.
    fn horizon(&mut self, estimate: Score, beta: Score, ply: Ply) -> Value {
        // The first iteration cannot be broken off, so it must be over at once.
        if self.has_result
            && estimate < beta
            && self.eval.count(self.board.side(), Trait::Four) > 0
            && let Some(score) = self.vcf(LEAF_FOURS, LEAF_NODES, ply)
        {
            return Value::proven(score);
        }
        Value::estimate(estimate)
    }

    /// Whether the side to move stands better than before its last move.
    fn is_improving(&self, estimate: Option<Score>, ply: Ply) -> bool {
        let before = ply.index().checked_sub(2).and_then(|ply| self.estimates[ply]);
        estimate.is_some_and(|now| before.is_none_or(|before| now > before))
    }

    fn is_foul(&self, square: Square) -> bool {
        self.eval.has(square, self.board.side(), Trait::Suspect) && self.board.foul(square).is_some()
    }

    /// How much less deep a move is searched at first.
    fn reduction_of(
        &self,
        ranked: &Ranked,
        situation: Situation,
        number: usize,
        depth: Depth,
        improving: bool,
        pv: bool,
    ) -> i16 {
        if self.exhaustive || depth < Depth(3) || number <= 1 {
            return 0;
        }
        let side = self.board.side();
        let square = ranked.mv.square();
        let mut reduction = self.late_reduction(depth, number);
        let threat = Trait::Four.bit() | Trait::OpenThree.bit();
        if self.eval.traits(square, side) & threat != 0 || situation == Situation::Defend {
            reduction -= 1.0;
        }
        if !improving {
            reduction += 0.5;
        }
        if pv {
            reduction -= 0.5;
        }
        (reduction as i16).clamp(0, depth.0 - 1)
    }

    /// The logarithms of depth and move number.
    fn late_reduction(&self, depth: Depth, number: usize) -> f32 {
        let log = |n: usize| self.logarithms[n.min(self.logarithms.len() - 1)];
        0.2 + log(depth.0.max(1) as usize) * log(number) * 0.5
    }

    /// Lists the moves to try; what it returns names the list.
    fn list_five(&mut self, situation: Situation, table: Option<Move>, ply: Ply) -> usize {
        let last = self.board.moves().last().copied();
        let side = self.board.side();
        let hints = Hints { table, killers: self.killers.at(ply), counter: self.history.counter(last, side) };
        let list = self.picker.begin();
        let Worker { picker, board, eval, history, candidates, .. } = self;
        let mut recent = board.moves().iter().rev().map(|mv| mv.square());
        let recent = [recent.next(), recent.next()];
        let mut push = |square| {
            let promise = eval.move_score(square, side) + eval.nearness(square, side, recent);
            picker.push_promising(square, side, promise, history, &hints);
        };
        match situation {
            Situation::Block(square) => push(square),
            Situation::BlockAround => block_moves(board, eval).iter().for_each(push),
            Situation::Defend => defences(board, eval).iter().for_each(push),
            _ => candidates.for_each(board, push),
        }
        list
    }

    /// The opponent wins with its next stone on `win`, whatever is played now.
    fn lost(&mut self, win: Square, ply: Ply) -> Value {
        let mut replies = self.board.empty().iter().filter(|&square| self.board.foul(square).is_none());
        // Without a legal move Black draws.
        let Some(first) = replies.next() else { return Value::proven(Score::DRAW) };
        if let Some(reply) = Some(first).filter(|&reply| reply != win).or_else(|| replies.next()) {
            self.lines[ply.index()].extend([reply, win].map(Move::to));
        }
        Value::proven(Score::loss_in(Ply(ply.0 + 2)))
    }

    /// The value where none of the listed moves may be played.
    fn without_moves(&mut self, situation: Situation, ply: Ply) -> Value {
        let Some(any) = self.board.empty().iter().find(|&square| self.board.foul(square).is_none()) else {
            return Value::proven(Score::DRAW);
        };
        match situation {
            // All that could have stopped the open four is forbidden.
            Situation::Defend => {
                self.lines[ply.index()].push(Move::to(any));
                Value::proven(Score::loss_in(Ply(ply.0 + 4)))
            }
            _ => Value::estimate(self.eval.evaluate(self.board.side())),
        }
    }
}

/// Whether a move comes so late that it need not be tried.
fn is_late(number: usize, depth: Depth, improving: bool) -> bool {
    let depth = f32::from(depth.0.max(1));
    let most = 3.0 + depth.powf(1.3);
    number as f32 > if improving { most } else { most / 2.0 + 1.0 }
}
