//! The real game as a question: does one side, the attacker, complete a line with so many of its stones, before the other one
//! completes one? The defender can win time with threats of his own.

use super::super::word::Word;
use super::fours::forced_before;
use super::lines::{CELLS, Field, Lines, each};
use super::memo::{Entry, Memo};
use super::pace::Pace;
use super::pairing::pairing;
use super::reduce::{Look, reduce};
use super::weak::{self, FIRST_LOOKS, Weak, scores as scores_of};

/// Up to so many stones symmetric positions are one.
const FOLDED: u32 = 8;
/// Nodes that the weak game is asked with: it is the cheaper one by far, where it decides.
const WEAK_NODES: u64 = 1000;
/// Room for the replies of a line of play.
const ROOM: usize = CELLS * CELLS / 2;
/// Bits of a number of moves in an entry.
const MOVES_BITS: u32 = 8;

/// The lines that each side can still complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duel<T> {
    /// Empty cells.
    pub empty: u64,
    /// Lines without a stone of the defender.
    pub attack: T,
    /// Lines without a stone of the attacker.
    pub defence: T,
}

/// What an entry says: the attacker wins with so many stones, and does not win with so many; 0 if that is not known.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    wins: u32,
    fails: u32,
    /// The weak game was asked already.
    asked: bool,
}

/// A move that needs a search.
#[derive(Clone, Copy)]
struct Reply<T> {
    duel: Duel<T>,
    lack: u32,
}

impl<T: Word> Duel<T> {
    /// The duel of two sides' stones.
    pub fn new(lines: &Lines<T>, attacker: u64, defender: u64) -> Duel<T> {
        let empty = lines.board() & !attacker & !defender;
        let all = lines.all();
        Duel { empty, attack: all & !lines.meeting(defender), defence: all & !lines.meeting(attacker) }
    }

    /// After a stone of the attacker.
    #[inline(always)]
    pub fn attacked(self, lines: &Lines<T>, cell: usize) -> Duel<T> {
        Duel { empty: self.empty & !(1 << cell), defence: self.defence & !lines.through(cell), ..self }
    }

    /// After a stone of the defender.
    #[inline(always)]
    pub fn defended(self, lines: &Lines<T>, cell: usize) -> Duel<T> {
        Duel { empty: self.empty & !(1 << cell), attack: self.attack & !lines.through(cell), ..self }
    }

    /// The attacker's lines that so many stones can complete.
    #[inline(always)]
    fn within(self, lines: &Lines<T>, moves: u32) -> Field<T> {
        let near = |line: &usize| (lines.cells(*line) & self.empty).count_ones() <= moves;
        let live = each(self.attack).filter(near).fold(T::ZERO, |set, line| set | T::ONE << line as u32);
        Field { empty: self.empty, live }
    }
}

/// The search of the real game.
pub struct Strong<'a, 'p, T> {
    lines: &'a Lines<T>,
    memo: &'a mut Memo<3>,
    weak: &'a mut Memo<2>,
    pace: &'a mut Pace<'p>,
    replies: Vec<Reply<T>>,
    weak_replies: Vec<weak::Reply<T>>,
}

impl<'a, 'p, T: Word> Strong<'a, 'p, T> {
    /// A search with its memory and that of the weak game.
    pub fn new(
        lines: &'a Lines<T>,
        memo: &'a mut Memo<3>,
        weak: &'a mut Memo<2>,
        pace: &'a mut Pace<'p>,
    ) -> Strong<'a, 'p, T> {
        let (replies, weak_replies) = (Vec::with_capacity(ROOM), Vec::with_capacity(ROOM));
        Strong { lines, memo, weak, pace, replies, weak_replies }
    }

    /// Whether the attacker, to move, wins with so many stones; `None` if there was not enough time for it.
    pub fn attacker(&mut self, duel: Duel<T>, moves: u32) -> Option<bool> {
        let wins = self.move_of_attacker(duel, moves);
        (!self.pace.is_over()).then_some(wins)
    }

    /// The same with the defender to move.
    pub fn defender(&mut self, duel: Duel<T>, moves: u32) -> Option<bool> {
        let wins = self.move_of_defender(duel, moves);
        (!self.pace.is_over()).then_some(wins)
    }

    fn move_of_attacker(&mut self, duel: Duel<T>, moves: u32) -> bool {
        match self.look(duel, moves) {
            Ok(wins) => wins,
            Err(_) => self.search(duel, moves),
        }
    }

    /// What can be said without searching, with the attacker to move; or how far the defender is from a pairing.
    fn look(&mut self, duel: Duel<T>, moves: u32) -> Result<bool, u32> {
        self.pace.tick();
        let Duel { empty, attack, defence } = duel;
        if moves == 0 {
            return Ok(false);
        }
        if self.lines.last_cells(attack, empty) != 0 {
            return Ok(true);
        }
        let blocks = self.lines.last_cells(defence, empty);
        if moves == 1 || blocks.count_ones() > 1 {
            return Ok(false);
        }
        let near = duel.within(self.lines, moves);
        if near.live.is_empty() {
            return Ok(false);
        }
        let lack = match reduce(self.lines, near) {
            Look::Stopped(_) => return Ok(false),
            Look::Made(_) => 0,
            Look::Open(rest) => match pairing(self.lines, rest.field) {
                Ok(_) => return Ok(false),
                Err(lack) => lack,
            },
        };
        if blocks == 0 && forced_before(self.lines, duel, moves).is_some() {
            return Ok(true);
        }
        let known = self.known(&self.key(duel));
        if known.wins != 0 && known.wins <= moves {
            return Ok(true);
        }
        if known.fails >= moves { Ok(false) } else { Err(lack) }
    }

    /// Empty cells and the stones of both sides on lines that are live for them: nothing else matters.
    fn key(&self, duel: Duel<T>) -> Entry {
        let (attack, defence) = (self.lines.union(duel.attack), self.lines.union(duel.defence));
        let empty = (attack | defence) & duel.empty;
        let (attackers, defenders) = (attack & !duel.empty, defence & !duel.empty);
        let mut least = [empty, attackers, defenders, 0];
        if (attackers | defenders).count_ones() <= FOLDED {
            for symmetry in 1..self.lines.symmetries() {
                let image = |set: u64| self.lines.image(symmetry, set);
                least = least.min([image(empty), image(attackers), image(defenders), 0]);
            }
        }
        least
    }

    fn known(&self, key: &Entry) -> Known {
        let data = self.memo.find(key).map_or(0, |entry| entry[3]);
        let number = |shift: u32| (data >> shift) as u32 & ((1 << MOVES_BITS) - 1);
        Known { wins: number(0), fails: number(MOVES_BITS), asked: data >> (2 * MOVES_BITS) & 1 == 1 }
    }

    fn search(&mut self, duel: Duel<T>, moves: u32) -> bool {
        let before = self.pace.nodes;
        let mut entry = self.key(duel);
        let asked = self.known(&entry).asked;
        let stopped = !asked && self.is_stopped(duel);
        let wins = !stopped && self.try_moves(duel, moves);
        if !self.pace.is_over() {
            let mut known = self.known(&entry);
            match (stopped, wins) {
                (true, _) => known.fails = CELLS as u32,
                (false, true) => known.wins = moves,
                (false, false) => known.fails = moves,
            }
            entry[3] = u64::from(known.wins) | u64::from(known.fails) << MOVES_BITS | 1 << (2 * MOVES_BITS);
            self.memo.store(entry, self.pace.nodes - before);
        }
        wins
    }

    /// Whether the attacker is seen to fail even if the defender's lines count for nothing.
    fn is_stopped(&mut self, duel: Duel<T>) -> bool {
        let limit = self.pace.restrict(WEAK_NODES);
        let mut weak = Weak::new(self.lines, self.weak, self.pace, &mut self.weak_replies);
        let proof = weak.maker(Field { empty: duel.empty, live: duel.attack });
        self.pace.restore(limit);
        proof.is_some_and(|proof| !proof.made)
    }

    fn try_moves(&mut self, duel: Duel<T>, moves: u32) -> bool {
        let blocks = self.lines.last_cells(duel.defence, duel.empty);
        let near = duel.within(self.lines, moves);
        let mut open = match blocks {
            0 => (self.lines.union(near.live | duel.defence)) & duel.empty,
            forced => forced,
        };
        let threat = Duel { attack: duel.defence, defence: duel.attack, ..duel };
        if blocks == 0
            && let Some(cells) = forced_before(self.lines, threat, CELLS as u32)
        {
            open &= self.against(cells, duel.empty, duel.attack);
        }
        let scores = self.scores(near, duel);
        while let Some(cell) = each(open).max_by_key(|&cell| scores[cell]) {
            open &= !(1 << cell);
            let wins = self.move_of_defender(duel.attacked(self.lines, cell), moves - 1);
            if wins || self.pace.is_over() {
                return wins;
            }
        }
        false
    }

    /// The cells that can help against a win by force that needs some cells: those, and the cells of `own` lines with which the
    /// answers to the threats may make threats themselves.
    fn against(&self, cells: u64, empty: u64, own: T) -> u64 {
        let quick = |line: &usize| (self.lines.cells(*line) & empty & !cells).count_ones() <= 2;
        each(own).filter(quick).fold(cells, |set, line| set | self.lines.cells(line))
    }

    /// How promising each cell is, for either side.
    fn scores(&self, near: Field<T>, duel: Duel<T>) -> [i32; CELLS] {
        let mut scores = scores_of(self.lines, near);
        let others = scores_of(self.lines, Field { empty: duel.empty, live: duel.defence });
        scores.iter_mut().zip(others).for_each(|(score, other)| *score = 4 * *score + other);
        scores
    }

    fn move_of_defender(&mut self, duel: Duel<T>, moves: u32) -> bool {
        if self.lines.last_cells(duel.defence, duel.empty) != 0 {
            return false;
        }
        let blocks = self.lines.last_cells(duel.attack, duel.empty);
        if blocks.count_ones() > 1 {
            return moves >= 1;
        }
        if blocks != 0 {
            return self.move_of_attacker(duel.defended(self.lines, blocks.index() as usize), moves);
        }
        let near = duel.within(self.lines, moves);
        if near.live.is_empty() {
            return false;
        }
        let first = self.replies.len();
        let wins = self.try_replies(duel, near, moves, first);
        self.replies.truncate(first);
        wins
    }

    fn try_replies(&mut self, duel: Duel<T>, near: Field<T>, moves: u32, first: usize) -> bool {
        let mut open = self.lines.union(near.live | duel.defence) & duel.empty;
        if let Some(cells) = forced_before(self.lines, duel, moves) {
            open &= self.against(cells, duel.empty, duel.defence);
        }
        let scores = self.scores(near, duel);
        let (mut left, mut looks) = (open, FIRST_LOOKS);
        loop {
            while looks > 0
                && let Some(cell) = each(left).max_by_key(|&cell| scores[cell])
            {
                left &= !(1 << cell);
                looks -= 1;
                let after = duel.defended(self.lines, cell);
                match self.look(after, moves) {
                    Ok(false) => return false,
                    Ok(true) => {}
                    Err(lack) => self.replies.push(Reply { duel: after, lack }),
                }
            }
            looks = CELLS;
            let rest = &self.replies[first..];
            let Some(best) = (0..rest.len()).min_by_key(|&at| rest[at].lack) else {
                if left == 0 {
                    return true;
                }
                continue;
            };
            let reply = self.replies.swap_remove(first + best);
            let wins = self.search(reply.duel, moves);
            if !wins || self.pace.is_over() {
                return wins;
            }
        }
    }
}
