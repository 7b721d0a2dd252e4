//! Victory by continuous fours (VCF): the attacker makes nothing but fours, so the defender has one reply to each.

use crate::eval::{Evaluator, Shapes, Trait, Wins};
use crate::rules::{Move, Square};
use crate::search::table::{Bound, Entry};
use crate::search::worker::{Value, Worker};
use crate::units::{Depth, Ply, Score};

/// Keeps what is known of fours apart from what is known of the position.
const SALT: u64 = 0x5F0D_52C8_31A7_94EB;

/// Fours in a row that the horizon looks for, and the positions it may spend on them.
pub(super) const LEAF_FOURS: i16 = 8;
pub(super) const LEAF_NODES: u64 = 100;
/// The same for the root.
const ROOT_FOURS: i16 = 60;
const ROOT_NODES: u64 = 20_000;

impl Worker<'_, Shapes> {
    /// Looks for a win by fours of the side to move, up to `fours` of them, in at most `nodes` positions. A win is certain,
    /// and its line is left at `ply`; it need not be the shortest.
    pub(super) fn vcf(&mut self, fours: i16, nodes: u64, ply: Ply) -> Option<Score> {
        let end = self.nodes + nodes;
        self.fours(fours, end, ply)
    }

    pub(super) fn root_vcf(&mut self) -> Option<(Value, Vec<Move>)> {
        // Where positions are rationed the search proper gets most of them.
        let share = self.node_limit.map_or(ROOT_NODES, |limit| ROOT_NODES.min(limit / 4));
        let end = self.nodes + share;
        for fours in [4, 8, 16, ROOT_FOURS] {
            if let Some(score) = self.vcf(fours, end.saturating_sub(self.nodes), Ply(0)) {
                return Some((Value::proven(score), self.lines[0].clone()));
            }
            if self.aborted {
                break;
            }
        }
        None
    }

    fn fours(&mut self, fours: i16, end: u64, ply: Ply) -> Option<Score> {
        self.visit(ply);
        if self.aborted || self.nodes >= end {
            return None;
        }
        let side = self.board.side();
        if let Some(square) = self.eval.wins(&self.board, side).first() {
            self.lines[ply.index()].push(Move::to(square));
            return Some(Score::win_in(ply.next()));
        }
        // A four of the defender must be answered, and the answer must itself be a four.
        let only = match self.eval.wins(&self.board, !side) {
            Wins::None => None,
            Wins::One(square) => Some(square),
            Wins::Many(..) => return None,
        };
        let wanted = |square: &Square| only.is_none_or(|only| only == *square);
        if self.eval.count(side, Trait::OpenFour) > 0
            && let Some(square) = self.eval.cells(side, Trait::OpenFour).iter().find(wanted)
        {
            self.lines[ply.index()].push(Move::to(square));
            return Some(Score::win_in(Ply(ply.0 + 3)));
        }
        if fours <= 0 || self.eval.count(side, Trait::Four) == 0 {
            return None;
        }
        let key = self.board.key() ^ SALT;
        if let Some(known) = self.shared.table.probe(key, ply) {
            if known.score.is_win() {
                self.lines[ply.index()].extend(known.best);
                return Some(known.score);
            }
            if known.depth.0 >= fours {
                return None;
            }
        }
        let found = self.try_fours(fours, only, end, ply);
        if self.aborted {
            return None;
        }
        // What was given up for lack of nodes is not known to fail.
        if found.is_some() || self.nodes < end {
            let score = found.unwrap_or(Score::DRAW);
            let best = self.lines[ply.index()].first().copied().filter(|_| found.is_some());
            let bound = if found.is_some() { Bound::Lower } else { Bound::Upper };
            self.shared.table.store(key, ply, Entry { best, score, bound, depth: Depth(fours), proven: false });
        }
        found
    }

    fn try_fours(&mut self, fours: i16, only: Option<Square>, end: u64, ply: Ply) -> Option<Score> {
        let side = self.board.side();
        let list = self.picker.begin();
        for square in self.eval.cells(side, Trait::Four).iter().filter(|&square| only.is_none_or(|only| only == square))
        {
            self.picker.push_ranked(square, self.eval.move_score(square, side));
        }
        let mut nth = 0;
        let mut found = None;
        while let Some(ranked) = self.picker.pick(list, nth) {
            nth += 1;
            let square = ranked.mv.square();
            if self.eval.has(square, side, Trait::Suspect) && self.board.foul(square).is_some() {
                continue;
            }
            self.make(ranked.mv);
            found = self.after_four(fours, end, ply);
            self.unmake(ranked.mv);
            if found.is_some() {
                self.lines[ply.index()].insert(0, ranked.mv);
                break;
            }
            if self.aborted || self.nodes >= end {
                break;
            }
        }
        self.picker.end(list);
        found
    }

    /// The attacker has made a four: whether it wins after the only reply. Leaves the line from the reply on at `ply`.
    fn after_four(&mut self, fours: i16, end: u64, ply: Ply) -> Option<Score> {
        let attacker = !self.board.side();
        self.lines[ply.index()].clear();
        let block = match self.eval.wins(&self.board, attacker) {
            Wins::None => return None,
            Wins::Many(..) if self.one_block => return Some(Score::win_in(Ply(ply.0 + 3))),
            Wins::One(square) | Wins::Many(square, _) => square,
        };
        if self.board.foul(block).is_some() {
            return Some(Score::win_in(Ply(ply.0 + 3)));
        }
        // Where a five can be stopped at its ends as well, a four does not force one reply.
        if !self.one_block {
            return None;
        }
        let reply = Move::to(block);
        self.make(reply);
        let found = self.fours(fours - 1, end, Ply(ply.0 + 2));
        self.unmake(reply);
        if found.is_some() {
            let (upper, lower) = self.lines.split_at_mut(ply.index() + 2);
            let line = &mut upper[ply.index()];
            line.push(reply);
            if let Some(rest) = lower.first() {
                line.extend_from_slice(rest);
            }
        }
        found
    }
}
