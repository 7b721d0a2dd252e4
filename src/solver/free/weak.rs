//! The weak game: one side, the maker, wants to complete a line, the other one, the breaker, only wants to stop that. His own lines
//! count for nothing, so where he succeeds the maker does not win the real game either.
//!
//! Each outcome is proven together with the cells that its proof needs. If the breaker stops everything even though the
//! maker is given all other cells, then a stone of the maker on any of those is answered the same way; so once some moves are
//! refuted, only the cells that all refutations need are left to try. Of a maker's win the same holds for the breaker.

use super::super::word::Word;
use super::fours::forced;
use super::lines::{CELLS, Field, Lines, each};
use super::memo::{Entry, Memo};
use super::pace::Pace;
use super::pairing::pairing;
use super::reduce::{Look, Rest, reduce};

/// How much a line counts for a cell, by its empty cells: 1.5 to the minus that, in thousandths.
const WEIGHTS: [i32; 9] = [1000, 667, 444, 296, 198, 132, 88, 59, 39];
/// Who only defends looks at so many replies first: one of them is the right one nearly always, and to look at all takes longer than
/// to search one.
pub const FIRST_LOOKS: usize = 4;
/// Up to so many stones of the maker symmetric positions are one.
const FOLDED: u32 = 6;

/// An outcome and the cells that its proof needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The maker completes a line.
    pub made: bool,
    /// He does so even if the breaker is given all other cells; or fails even if he is given all others himself.
    pub cells: u64,
}

/// A reply of the breaker that needs a search.
#[derive(Clone, Copy)]
pub struct Reply<T> {
    cell: usize,
    rest: Rest<T>,
}

/// The search of the weak game.
pub struct Weak<'a, 'p, T> {
    lines: &'a Lines<T>,
    memo: &'a mut Memo<2>,
    pace: &'a mut Pace<'p>,
    replies: &'a mut Vec<Reply<T>>,
}

impl<'a, 'p, T: Word> Weak<'a, 'p, T> {
    /// A search with a memory, and with room for replies.
    pub fn new(
        lines: &'a Lines<T>,
        memo: &'a mut Memo<2>,
        pace: &'a mut Pace<'p>,
        replies: &'a mut Vec<Reply<T>>,
    ) -> Weak<'a, 'p, T> {
        replies.clear();
        Weak { lines, memo, pace, replies }
    }

    /// Whether the maker, to move, completes a line; `None` if there was not enough time for it.
    pub fn maker(&mut self, field: Field<T>) -> Option<Proof> {
        let proof = self.move_of_maker(field);
        (!self.pace.is_over()).then_some(proof)
    }

    /// The same with the breaker to move.
    pub fn breaker(&mut self, field: Field<T>) -> Option<Proof> {
        if field.live.is_empty() {
            return Some(Proof { made: false, cells: 0 });
        }
        let proof = self.move_of_breaker(field, field.live);
        (!self.pace.is_over()).then_some(proof)
    }

    fn move_of_maker(&mut self, field: Field<T>) -> Proof {
        match self.look(field) {
            Look::Made(cells) => Proof { made: true, cells },
            Look::Stopped(cells) => Proof { made: false, cells },
            Look::Open(rest) => self.expand(rest),
        }
    }

    /// What can be said without searching, with the maker to move.
    fn look(&mut self, field: Field<T>) -> Look<T> {
        self.pace.tick();
        let mut rest = match reduce(self.lines, field) {
            Look::Open(rest) => rest,
            decided => return decided,
        };
        match pairing(self.lines, rest.field) {
            Ok(cells) => return Look::Stopped(rest.to_stop | cells),
            Err(lack) => rest.lack = lack,
        }
        if let Some(cells) = forced(self.lines, rest.field) {
            return Look::Made(rest.to_make | cells);
        }
        match self.known(rest.field) {
            Some(Proof { made: true, cells }) => Look::Made(rest.to_make | cells),
            Some(Proof { made: false, cells }) => Look::Stopped(rest.to_stop | cells),
            None => Look::Open(rest),
        }
    }

    /// The key of a field in the memory, and the symmetry that leads to it. Empty cells and stones on live lines are all that matters,
    /// and say which lines are live.
    fn key(&self, field: Field<T>) -> (Entry, usize) {
        let cells = self.lines.union(field.live);
        let (empty, stones) = (cells & field.empty, cells & !field.empty);
        let mut least = (empty, stones, 0);
        if stones.count_ones() <= FOLDED {
            for symmetry in 1..self.lines.symmetries() {
                let image = (self.lines.image(symmetry, empty), self.lines.image(symmetry, stones), symmetry);
                least = least.min(image);
            }
        }
        ([least.0, least.1, 0, 0], least.2)
    }

    fn known(&self, field: Field<T>) -> Option<Proof> {
        let (key, symmetry) = self.key(field);
        let &[_, _, cells, rest] = self.memo.find(&key)?;
        Some(Proof { made: rest & 1 == 1, cells: self.lines.preimage(symmetry, cells) })
    }

    /// Searches what a look has left open, with the maker to move.
    fn expand(&mut self, rest: Rest<T>) -> Proof {
        let mut proof = match self.component(rest.field) {
            Some(part) => self.in_parts(rest.field, part),
            None => self.search(rest.field),
        };
        proof.cells |= if proof.made { rest.to_make } else { rest.to_stop };
        proof
    }

    /// The lines that hang together by their empty cells with the first one, if those are not all.
    fn component(&self, field: Field<T>) -> Option<T> {
        let mut part = field.live.lowest();
        let mut cells = field.empty & self.lines.union(part);
        loop {
            let before = part;
            for line in each(field.live & !part) {
                let own = self.lines.cells(line) & field.empty;
                if own & cells != 0 {
                    part |= T::ONE << line as u32;
                    cells |= own;
                }
            }
            if part == before {
                return (part != field.live).then_some(part);
            }
        }
    }

    /// The breaker answers in the part in which the maker has moved, so each is a game of its own.
    fn in_parts(&mut self, field: Field<T>, part: T) -> Proof {
        let other = field.live & !part;
        let (small, large) = if part.count() < other.count() { (part, other) } else { (other, part) };
        let first = self.move_of_maker(Field { live: small, ..field });
        if first.made || self.pace.is_over() {
            return first;
        }
        let second = self.move_of_maker(Field { live: large, ..field });
        let cells = if second.made { second.cells } else { first.cells | second.cells };
        Proof { made: second.made, cells }
    }

    fn search(&mut self, field: Field<T>) -> Proof {
        let before = self.pace.nodes;
        let proof = self.try_moves(field);
        if !self.pace.is_over() {
            let (mut entry, symmetry) = self.key(field);
            entry[2] = self.lines.image(symmetry, proof.cells);
            entry[3] = u64::from(proof.made);
            self.memo.store(entry, self.pace.nodes - before);
        }
        proof
    }

    fn try_moves(&mut self, field: Field<T>) -> Proof {
        let cells = field.cells(self.lines);
        let scores = scores(self.lines, field);
        let (dominated, dominators) = self.dominated(field, cells);
        // Cells whose stones are not refuted yet, and those that the refutations need.
        let (mut open, mut needed) = (cells, 0);
        while let Some(cell) = each(open & !dominated).max_by_key(|&cell| scores[cell]) {
            open &= !(1 << cell);
            let last = self.lines.through(cell) & field.live;
            let proof = self.move_of_breaker(field.taken(cell), last);
            if proof.made || self.pace.is_over() {
                return Proof { made: proof.made, cells: proof.cells | 1 << cell };
            }
            open &= proof.cells;
            needed |= proof.cells;
        }
        // The refutation of the better cell holds for the other one, with the roles of the two swapped.
        each(open).for_each(|cell| needed |= 1 << dominators[cell]);
        Proof { made: false, cells: needed }
    }

    /// Cells that are on no line but those of another cell, which is better for both sides; and that cell for each.
    fn dominated(&self, field: Field<T>, cells: u64) -> (u64, [u8; CELLS]) {
        let lines_of = |cell: usize| self.lines.through(cell) & field.live;
        let better = |cell: usize, other: usize| {
            let (own, others) = (lines_of(cell), lines_of(other));
            (own & !others).is_empty() && (own != others || other < cell)
        };
        let mut dominated = 0;
        let neighbours = |cell: usize| self.lines.cells(lines_of(cell).index() as usize) & field.empty & !(1 << cell);
        for cell in each(cells) {
            if each(neighbours(cell)).any(|other| better(cell, other)) {
                dominated |= 1 << cell;
            }
        }
        let mut dominators = [0; CELLS];
        for cell in each(dominated) {
            let best = each(neighbours(cell) & !dominated).find(|&other| better(cell, other));
            dominators[cell] = best.unwrap_or(cell) as u8;
        }
        (dominated, dominators)
    }

    /// The breaker is to move; of the lines only those in `recent` may have a single empty cell.
    fn move_of_breaker(&mut self, field: Field<T>, recent: T) -> Proof {
        let last = self.lines.last_cells(recent, field.empty);
        if last.count_ones() > 1 {
            return Proof { made: true, cells: last };
        }
        if last != 0 {
            let proof = self.move_of_maker(field.stopped(self.lines, last.index() as usize));
            return Proof { made: proof.made, cells: proof.cells | last };
        }
        let first = self.replies.len();
        let proof = self.try_replies(field, first);
        self.replies.truncate(first);
        proof
    }

    fn try_replies(&mut self, field: Field<T>, first: usize) -> Proof {
        // Cells whose stones do not fail yet, and those that the maker needs against the others.
        let (mut open, mut needed) = (field.cells(self.lines), 0);
        if let Some(cells) = forced(self.lines, field) {
            open &= cells;
            needed |= cells;
        }
        let scores = scores(self.lines, field);
        let (mut left, mut looks) = (open, FIRST_LOOKS);
        loop {
            while looks > 0
                && let Some(cell) = each(left & open).max_by_key(|&cell| scores[cell])
            {
                left &= !(1 << cell);
                looks -= 1;
                match self.look(field.stopped(self.lines, cell)) {
                    Look::Stopped(cells) => return Proof { made: false, cells: cells | 1 << cell },
                    Look::Made(cells) => {
                        open &= cells;
                        needed |= cells;
                    }
                    Look::Open(rest) => self.replies.push(Reply { cell, rest }),
                }
            }
            looks = CELLS;
            // The nearer to a pairing, the more promising.
            let rest = &self.replies[first..];
            let not_failed = (0..rest.len()).filter(|&at| open >> rest[at].cell & 1 == 1);
            let Some(best) = not_failed.min_by_key(|&at| rest[at].rest.lack) else {
                if left & open == 0 {
                    return Proof { made: true, cells: needed };
                }
                continue;
            };
            let Reply { cell, rest } = self.replies.swap_remove(first + best);
            let Proof { made, cells } = self.expand(rest);
            if !made || self.pace.is_over() {
                return Proof { made, cells: cells | 1 << cell };
            }
            open &= cells;
            needed |= cells;
        }
    }
}

/// How much each empty cell is worth: the more lines are on it and the fewer empty cells these have, the more.
pub fn scores<T: Word>(lines: &Lines<T>, field: Field<T>) -> [i32; CELLS] {
    let mut scores = [0; CELLS];
    for line in each(field.live) {
        let cells = lines.cells(line) & field.empty;
        let weight = WEIGHTS[cells.count_ones() as usize];
        each(cells).for_each(|cell| scores[cell] += weight);
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// The weak game by plain search.
    struct Plain<'a> {
        lines: &'a Lines<u64>,
        known: HashMap<(u64, u64, bool), bool>,
    }

    impl Plain<'_> {
        fn makes(&mut self, field: Field<u64>, to_move: bool) -> bool {
            let made = each(field.live).any(|line| self.lines.cells(line) & field.empty == 0);
            let cells = field.cells(self.lines);
            if made || cells == 0 {
                return made;
            }
            let key = (field.empty & cells, field.live, to_move);
            if let Some(&known) = self.known.get(&key) {
                return known;
            }
            let makes = match to_move {
                true => each(cells).any(|cell| self.makes(field.taken(cell), false)),
                false => each(cells).all(|cell| self.makes(field.stopped(self.lines, cell), true)),
            };
            self.known.insert(key, makes);
            makes
        }
    }

    #[test]
    fn outcomes_and_the_cells_they_need_are_those_of_plain_search() {
        let mut random = fastrand::Rng::with_seed(3);
        let mut outcomes = [[0; 2]; 2];
        for (columns, rows, length) in [
            (3, 3, 3),
            (4, 4, 3),
            (4, 4, 4),
            (5, 4, 4),
            (5, 3, 3),
            (6, 4, 4),
            (5, 5, 4),
            (6, 5, 5),
            (7, 4, 4),
            (7, 3, 3),
        ] {
            let lines = Lines::<u64>::new(columns, rows, length).unwrap();
            let mut memo = Memo::new(1 << 20).unwrap();
            let mut plain = Plain { lines: &lines, known: HashMap::new() };
            for _ in 0..300 {
                let mut field = Field { empty: lines.board(), live: lines.all() };
                let cells = lines.board().count_ones() as usize;
                let maker_moves = random.bool();
                let empties = random.usize(5..=13);
                while (field.empty.count_ones() as usize) > empties.min(cells) {
                    let all: Vec<usize> = each(field.empty).collect();
                    let cell = all[random.usize(..all.len())];
                    // More stones of the maker make the outcome less clear.
                    field = if random.u8(..5) < 3 { field.taken(cell) } else { field.stopped(&lines, cell) };
                }
                if each(field.live).any(|line| lines.cells(line) & field.empty == 0) {
                    continue;
                }
                let mut never = |_| false;
                let mut pace = Pace::new(&mut never);
                let mut replies = Vec::new();
                let mut weak = Weak::new(&lines, &mut memo, &mut pace, &mut replies);
                let proof = if maker_moves { weak.maker(field) } else { weak.breaker(field) }.unwrap();
                assert_eq!(proof.made, plain.makes(field, maker_moves), "{field:?}");
                // The other side is given all other cells.
                let others = field.empty & !proof.cells;
                let given = each(others).fold(field, |field, cell| match proof.made {
                    true => field.stopped(&lines, cell),
                    false => field.taken(cell),
                });
                assert_eq!(proof.made, plain.makes(given, maker_moves), "{field:?} with {:x}", proof.cells);
                outcomes[usize::from(proof.made)][usize::from(maker_moves)] += 1;
            }
        }
        assert!(outcomes.iter().flatten().all(|&count| count > 100), "{outcomes:?}");
    }

    #[test]
    fn a_side_is_stopped_on_boards_where_that_is_known() {
        for (columns, rows, length, made) in
            [(3, 3, 3, true), (4, 4, 4, false), (6, 4, 4, false), (5, 5, 4, true), (6, 6, 5, false), (7, 7, 5, false)]
        {
            let lines = Lines::<u64>::new(columns, rows, length).unwrap();
            let mut never = |_| false;
            let mut pace = Pace::new(&mut never);
            let mut memo = Memo::new(1 << 22).unwrap();
            let proof = Weak::new(&lines, &mut memo, &mut pace, &mut Vec::new())
                .maker(Field { empty: lines.board(), live: lines.all() });
            assert_eq!(proof.map(|proof| proof.made), Some(made), "{columns},{rows},{length}");
        }
    }
}
