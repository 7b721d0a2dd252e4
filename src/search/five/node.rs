//! One node of the search of five in a row.

use super::selection;
use super::situation::{Situation, block_moves, defences, situation};
use super::vcf::{LEAF_FOURS, LEAF_NODES};
use crate::eval::{Evaluator, Shapes, Trait};
use crate::rules::{Board, Move, Square};
use crate::search::continuation::Recent;
use crate::search::node::{Window, usable};
use crate::search::order::{Hints, Ranked};
use crate::search::table::{Bound, Entry};
use crate::search::worker::{Value, Worker};
use crate::units::{FineDepth, Ply, Score};

/// Continuation history is worth this much less than the evaluator's opinion.
const CONTINUATION_SHARE: i32 = 64;

/// What is expected of a node (Marsland and Popowich 1985).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It lies on the line of best play, and its value is wanted.
    Principal,
    /// Some move will refute; all that is asked is whether.
    Cut,
    /// No move will do.
    All,
}

impl Kind {
    /// What is expected after the first move.
    fn after_first(self) -> Kind {
        match self {
            Kind::Principal => Kind::Principal,
            Kind::Cut => Kind::All,
            Kind::All => Kind::Cut,
        }
    }
}

/// A node whose moves are worth trying.
struct Node {
    kind: Kind,
    window: Window,
    depth: FineDepth,
    ply: Ply,
    situation: Situation,
    /// What it looks like, by the shapes and by what the table knows; nothing where a five must be stopped.
    estimate: Option<Score>,
    improving: bool,
    known: Option<Entry>,
    /// How much deeper than others the table's move is searched.
    extension: f32,
}

impl Node {
    fn is_principal(&self) -> bool {
        self.kind == Kind::Principal
    }

    fn is_forced(&self) -> bool {
        matches!(self.situation, Situation::Block(_) | Situation::BlockAround)
    }

    fn table_move(&self) -> Option<Move> {
        self.known?.best
    }
}

impl Worker<'_, Shapes> {
    /// The value of the present position: see [`NodeSearch::node`](crate::search::NodeSearch::node).
    pub(super) fn five_node(&mut self, kind: Kind, window: Window, depth: FineDepth, ply: Ply) -> Value {
        self.visit(ply);
        if self.aborted {
            return Value::estimate(Score::DRAW);
        }
        let found = self
            .look(kind, window, depth, ply)
            .and_then(|node| self.cut_short(node))
            .and_then(|node| self.weigh_table_move(node))
            .map(|node| self.try_moves(node));
        match found {
            Ok(value) | Err(value) => value,
        }
    }

    /// Looks at the position, which settles some: those are the errors.
    fn look(&mut self, kind: Kind, window: Window, mut depth: FineDepth, ply: Ply) -> Result<Node, Value> {
        let window = window.within(Score::loss_in(ply), Score::win_in(ply.next()));
        if window.is_empty() {
            return Err(Value::proven(window.alpha));
        }
        if self.board.empties() == 0 {
            return Err(Value::proven(Score::DRAW));
        }
        let situation = situation(&self.board, &self.eval);
        match situation {
            Situation::Won(plies, square) => {
                self.lines[ply.index()].push(Move::to(square));
                return Err(Value::proven(Score::win_in(Ply(ply.0 + plies))));
            }
            Situation::Lost(square) => return Err(self.lost(square, ply)),
            Situation::Block(_) | Situation::BlockAround => depth = selection::reply_depth(depth),
            Situation::Defend | Situation::Free => {}
        }
        let (least, most) = self.reachable();
        let window = window.within(least, most);
        if window.is_empty() {
            return Err(Value::proven(Score::DRAW));
        }
        let mut node =
            Node { kind, window, depth, ply, situation, estimate: None, improving: false, known: None, extension: 0.0 };
        if node.is_forced() {
            self.frames[ply.index()].estimate =
                ply.before().and_then(|ply| self.frames[ply.index()].estimate).map(|x| -x);
        } else {
            let estimate = self.eval.evaluate(self.board.side()).clamp(least, most);
            self.frames[ply.index()].estimate = Some(estimate);
            node.estimate = Some(estimate);
            if depth <= FineDepth::ZERO {
                return Err(self.horizon(estimate, window.beta, ply));
            }
        }
        node.known = self.shared.table.probe(self.board.key(), ply);
        if self.frames[ply.index()].excluded.is_none()
            && let Some(value) = node.known.and_then(|entry| usable(&entry, window, depth.whole()))
        {
            if node.is_principal() {
                self.recall_line(ply);
            }
            return Err(value);
        }
        node.improving = self.is_improving(&node);
        node.estimate = node.estimate.map(|estimate| corrected(estimate, node.known));
        Ok(node)
    }

    /// Hands up an estimate where it lies so far outside the window that moves are not worth trying.
    fn cut_short(&mut self, node: Node) -> Result<Node, Value> {
        let Some(estimate) = node.estimate.filter(|_| !self.exhaustive) else { return Ok(node) };
        if node.is_principal() || self.frames[node.ply.index()].excluded.is_some() {
            return Ok(node);
        }
        let Window { alpha, beta } = node.window;
        let hasty = node.kind == Kind::Cut && node.known.is_none();
        let margin = selection::futility_margin(node.depth, node.improving, hasty);
        if !beta.is_decided() && !estimate.is_decided() && estimate >= beta.offset(margin) {
            return Err(Value::estimate(estimate));
        }
        let margin = selection::razor_margin(node.depth);
        if !alpha.is_decided() && margin.is_some_and(|margin| estimate.offset(margin) <= alpha) {
            return Err(self.horizon(estimate, beta, node.ply));
        }
        Ok(node)
    }

    /// Singular extension (Anantharaman, Campbell and Hsu 1990): if all other moves are worse than the table's, that one
    /// is searched deeper; if they refute as well, the node is done.
    fn weigh_table_move(&mut self, mut node: Node) -> Result<Node, Value> {
        let Node { depth, ply, window, .. } = node;
        if self.exhaustive || node.is_forced() || self.frames[ply.index()].excluded.is_some() {
            return Ok(node);
        }
        let Some((best, score)) = selection::singular_candidate(depth, node.known) else { return Ok(node) };
        let target = score.offset(-selection::singular_margin(depth));
        let kind = if node.is_principal() { Kind::Cut } else { node.kind };
        let noted = self.frames[ply.index()];
        self.frames[ply.index()].excluded = Some(best);
        let others = self.five_node(kind, Window::below(target), selection::singular_depth(depth), ply);
        self.frames[ply.index()] = noted;
        self.lines[ply.index()].clear();
        if self.aborted {
            return Err(others);
        }
        if others.score < target {
            let by_far = others.score < target.offset(-selection::DOUBLE_MARGIN);
            let double = !node.is_principal() && by_far && noted.extended < selection::MOST_EXTENDED;
            node.extension = if double { 2.0 } else { 1.0 };
        } else if !node.is_principal() && target >= window.beta {
            return Err(Value::estimate(target));
        } else if score >= window.beta {
            node.extension = -1.5;
        }
        Ok(node)
    }

    /// Searches the moves, the most promising first.
    fn try_moves(&mut self, mut node: Node) -> Value {
        let Node { ply, situation, window, .. } = node;
        let excluded = self.frames[ply.index()].excluded;
        let list = self.list_five(&node);
        let mut best = Value::estimate(-Score::INFINITE);
        let (mut best_move, mut alpha, mut all_proven) = (None, window.alpha, true);
        let (mut number, mut left_out) = (0, 0);
        while let Some(ranked) = self.picker.pick(list, number + left_out) {
            if self.is_foul(ranked.mv.square()) || excluded == Some(ranked.mv) {
                left_out += 1;
                continue;
            }
            number += 1;
            let may_stop = !self.exhaustive && !node.is_forced() && !best.score.is_loss();
            if may_stop && selection::is_late(number, node.depth, node.improving) {
                all_proven = false;
                break;
            }
            let value = self.try_move(&node, &ranked, number, Window { alpha, beta: window.beta });
            if self.aborted {
                self.picker.end(list);
                return value;
            }
            all_proven &= value.proven;
            if value.score <= best.score {
                continue;
            }
            best = value;
            if value.score <= alpha {
                continue;
            }
            alpha = value.score;
            best_move = Some(ranked.mv);
            if node.is_principal() {
                self.extend_line(ply, ranked.mv);
            }
            if alpha >= window.beta {
                if excluded.is_none() {
                    self.learn_continued(ranked.mv, list, number + left_out, &node);
                }
                break;
            }
            if !self.exhaustive && !node.is_forced() && !alpha.is_decided() {
                node.depth = selection::after_success(node.depth);
            }
        }
        self.picker.end(list);
        match (number, excluded) {
            (0, Some(_)) => return Value::estimate(window.alpha),
            (0, None) => return self.without_moves(situation, ply),
            (_, Some(_)) => return Value::estimate(best.score),
            _ => {}
        }
        let (least, most) = self.reachable();
        best.score = best.score.clamp(least, most);
        let complete = node.is_forced() || situation == Situation::Defend || self.candidates.is_complete(&self.board);
        self.conclude(best, best_move, window, all_proven && complete, node.depth.whole(), ply)
    }

    /// `best` has refuted: remember it, and that the `tried - 1` moves before it did not.
    fn learn_continued(&mut self, best: Move, list: usize, tried: usize, node: &Node) {
        let depth = node.depth.whole();
        self.learn(best, list, tried, depth, node.ply);
        if self.features.history {
            let failed = self.picker.moves(list)[..tried - 1].iter().map(|ranked| ranked.mv);
            self.history.continuations.reward(best, failed, recent(&self.board), depth);
        }
    }

    /// Searches one of the moves, the later ones to less depth and with a null window first.
    fn try_move(&mut self, node: &Node, ranked: &Ranked, number: usize, window: Window) -> Value {
        let Node { ply, kind, .. } = *node;
        let mv = ranked.mv;
        let mut extension = if node.table_move() == Some(mv) { node.extension } else { 0.0 };
        if self.is_likely_high(node) && !self.eval.has(mv.square(), self.board.side(), Trait::Four) {
            extension -= 1.0;
        }
        let depth = node.depth - 1.0 + extension;
        let reduction = if number > 1 { self.reduction_of(node, mv, number, window) } else { None };
        let reduced = reduction.map_or(depth, |reduction| selection::reduced(depth, reduction));
        self.frames[ply.next().index()].extended = self.frames[ply.index()].extended + (extension - 1.0).max(0.0);
        self.make(mv);
        let value = match number {
            1 => -self.five_node(kind.after_first(), -window, depth, ply.next()),
            _ => self.later_move(kind, window, depth, reduced, ply.next()),
        };
        self.unmake(mv);
        value
    }

    /// The value for its maker of a move that was just made and is not expected to be the best.
    fn later_move(&mut self, kind: Kind, window: Window, depth: FineDepth, reduced: FineDepth, ply: Ply) -> Value {
        let narrow = -window.above_alpha();
        let mut value = -self.five_node(Kind::Cut, narrow, reduced, ply);
        if reduced < depth && value.score > window.alpha && !self.aborted {
            let kind = if kind == Kind::Principal { Kind::Cut } else { kind.after_first() };
            value = -self.five_node(kind, narrow, depth, ply);
        }
        let is_principal = kind == Kind::Principal && value.score > window.alpha && value.score < window.beta;
        if is_principal && !self.aborted {
            value = -self.five_node(Kind::Principal, -window, depth, ply);
        }
        value
    }

    /// See [`NodeSearch::later_first_move`](crate::search::NodeSearch::later_first_move).
    pub(super) fn later_first_move(&mut self, window: Window, depth: FineDepth, number: usize) -> Value {
        let late = !self.exhaustive && depth >= FineDepth(1.0) && number > 2;
        let reduction = if late { selection::late_reduction(depth + 1.0, number) - 1.0 } else { 0.0 };
        let reduced = if reduction > 0.0 { selection::reduced(depth, reduction) } else { depth };
        self.later_move(Kind::Principal, window, depth, reduced, Ply(1))
    }

    /// How much less deep a later move is searched at first, if that is in question at all.
    fn reduction_of(&self, node: &Node, mv: Move, number: usize, window: Window) -> Option<f32> {
        if self.exhaustive || node.depth < FineDepth(2.0) || node.is_forced() {
            return None;
        }
        let threat = Trait::Four.bit() | Trait::OpenThree.bit();
        let is_threat = self.eval.traits(mv.square(), self.board.side()) & threat != 0;
        let mut reduction = selection::late_reduction(node.depth, number);
        if node.is_principal() {
            reduction = (reduction - window.width() as f32 / self.root_width as f32).max(0.0);
        } else if !node.improving && reduction > 1.0 {
            reduction += 1.0;
        }
        let is_killer = self.killers.at(node.ply).contains(&Some(mv));
        if node.kind == Kind::Cut && !(is_killer && node.situation == Situation::Free && !is_threat) {
            reduction += 1.0;
        }
        if is_threat {
            reduction -= 0.5;
        }
        if node.situation == Situation::Defend {
            reduction -= 0.7;
        }
        Some(reduction)
    }

    /// Whether a node will probably refute, by its estimate.
    fn is_likely_high(&self, node: &Node) -> bool {
        let margin = selection::high_margin(node.depth, node.situation == Situation::Defend);
        let beta = node.window.beta;
        node.kind == Kind::Cut
            && !self.exhaustive
            && !beta.is_decided()
            && node.estimate.is_some_and(|estimate| estimate >= beta.offset(margin))
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
    fn is_improving(&self, node: &Node) -> bool {
        let before = node.ply.before().and_then(Ply::before).and_then(|ply| self.frames[ply.index()].estimate);
        node.estimate.is_some_and(|now| before.is_none_or(|before| now > before))
    }

    fn is_foul(&self, square: Square) -> bool {
        self.eval.has(square, self.board.side(), Trait::Suspect) && self.board.foul(square).is_some()
    }

    /// Lists the moves to try; what it returns names the list.
    fn list_five(&mut self, node: &Node) -> usize {
        let (table, ply) = (node.table_move(), node.ply);
        let last = self.board.moves().last().copied();
        let side = self.board.side();
        let hints = Hints { table, killers: self.killers.at(ply), counter: self.history.counter(last, side) };
        let list = self.picker.begin();
        let Worker { picker, board, eval, history, candidates, .. } = self;
        let recent = recent(board);
        let mut push = |square| {
            let learnt = history.continuations.score(recent, square) / CONTINUATION_SHARE;
            let promise = eval.move_score(square, side) + eval.nearness(square, side, recent) + learnt;
            picker.push_promising(square, side, promise, history, &hints);
        };
        match node.situation {
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

/// The squares played last, the opponent's first.
fn recent(board: &Board) -> Recent {
    let mut squares = board.moves().iter().rev().map(|mv| mv.square());
    [squares.next(), squares.next()]
}

/// An estimate corrected by what the table knows of the position.
fn corrected(estimate: Score, known: Option<Entry>) -> Score {
    let better = known.filter(|entry| match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score > estimate,
        Bound::Upper => entry.score < estimate,
    });
    better.map(|entry| entry.score).filter(|score| !score.is_decided()).unwrap_or(estimate)
}
