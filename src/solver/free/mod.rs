//! Exact play on small boards without gravity.
//!
//! Most of these games are drawn, and mostly the draw is proven in the [weak game](weak) of each side: what one cannot
//! complete even if the other one only defends, it does not win. Where that does not decide, the [real game](strong) is asked
//! who wins with one stone, with two, and so on. Below these: `lines` has the geometry, `reduce`, `pairing` and `fours`
//! what is known without searching, `memo` the memory, `pace` the limits of the work.

mod fours;
mod lines;
mod memo;
mod pace;
mod pairing;
mod reduce;
mod strong;
mod weak;

use super::book::{BookError, Contents};
use super::core::{Answer, Attempt, Ends, Exact, Stones};
use super::word::Word;
use crate::memory::OutOfMemory;
use lines::{Field, Lines};
use memo::Memo;
use pace::Pace;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicU16, Ordering};
use strong::{Duel, Strong};
use weak::Weak;

/// Nodes of the first attempt at a question, and how much longer each one after it may be.
const FIRST_ATTEMPT: u64 = 4000;
const GROWTH: u64 = 4;
/// A win with more stones than so many does not come soon.
const SOON: u32 = 7;
/// The real game gets this part of the nodes while the weak one may still decide.
const STRONG_SHARE: u64 = 8;

/// Whether a board is small enough.
pub fn serves(columns: u32, rows: u32, length: u32) -> bool {
    Lines::<u128>::fit(columns, rows, length)
}

/// A solver for a board, with a memory of about so many bytes; `None` if the board is too large.
///
/// # Errors
/// The system refuses the memory.
pub fn solver(columns: u32, rows: u32, length: u32, bytes: usize) -> Result<Option<Box<dyn Exact>>, OutOfMemory> {
    if let Some(few) = Lines::<u64>::new(columns, rows, length) {
        return Ok(Some(Box::new(Free::new(few, bytes)?)));
    }
    match Lines::<u128>::new(columns, rows, length) {
        Some(many) => Ok(Some(Box::new(Free::new(many, bytes)?))),
        None => Ok(None),
    }
}

/// A board with its memory.
struct Free<T> {
    lines: Lines<T>,
    memory: Mutex<Memory>,
    /// How full the memory was when somebody last looked, in thousandths. While it is at work nobody can look.
    full: AtomicU16,
}

struct Memory {
    weak: Memo<2>,
    strong: Memo<3>,
}

impl Memory {
    fn permille_full(&self) -> u16 {
        self.weak.permille_full().max(self.strong.permille_full())
    }
}

/// One side's hope to win a position with at most so many stones.
struct Hope<T> {
    duel: Duel<T>,
    /// It is to move.
    moves_first: bool,
    /// So many stones are what is asked about.
    enough: u32,
    /// It does not win with so many.
    fails: u32,
    /// It wins with `enough`.
    wins: bool,
    /// The least number of stones is wanted then.
    exactly: bool,
    /// It completes a line if the other side's lines count for nothing.
    wins_weak: bool,
}

impl<T: Word> Hope<T> {
    fn new(lines: &Lines<T>, own: u64, other: u64, moves_first: bool) -> Hope<T> {
        let duel = Duel::new(lines, own, other);
        let most = (duel.empty.count_ones() + u32::from(moves_first)) / 2;
        Hope { duel, moves_first, enough: most, fails: 0, wins: false, exactly: true, wins_weak: false }
    }

    /// Only whether it wins with so many stones.
    fn with(self, stones: u32) -> Hope<T> {
        Hope { enough: self.enough.min(stones), exactly: false, ..self }
    }

    /// Whether it is known that it does not come true.
    fn is_lost(&self) -> bool {
        self.fails >= self.enough
    }

    /// Whether it is known that it does, and with how many stones if that is wanted.
    fn is_fulfilled(&self) -> bool {
        self.wins && (!self.exactly || self.fails + 1 == self.enough)
    }

    /// Works for about so many nodes.
    fn pursue(&mut self, lines: &Lines<T>, memory: &mut Memory, pace: &mut Pace<'_>, nodes: u64) {
        let share = if self.wins_weak { nodes } else { nodes / STRONG_SHARE };
        // Who does not win soon seldom wins at all: then it need not be found out for each number of stones.
        if self.fails >= SOON && !self.wins && !self.is_lost() {
            pace.allow(share);
            self.ask(self.enough, lines, memory, pace);
        }
        pace.allow(share);
        while !self.is_lost() && !self.is_fulfilled() && self.ask(self.fails + 1, lines, memory, pace) {}
        if !self.is_lost() && !self.wins && !self.wins_weak && !pace.ended {
            pace.allow(nodes);
            let mut replies = Vec::new();
            let mut weak = Weak::new(lines, &mut memory.weak, pace, &mut replies);
            let field = Field { empty: self.duel.empty, live: self.duel.attack };
            let proof = if self.moves_first { weak.maker(field) } else { weak.breaker(field) };
            match proof {
                Some(proof) if proof.made => self.wins_weak = true,
                Some(_) => self.fails = self.enough,
                None => {}
            }
        }
    }

    /// Asks whether it wins the real game with so many stones; returns whether there was time for an answer.
    fn ask(&mut self, moves: u32, lines: &Lines<T>, memory: &mut Memory, pace: &mut Pace<'_>) -> bool {
        let mut strong = Strong::new(lines, &mut memory.strong, &mut memory.weak, pace);
        let wins = match self.moves_first {
            true => strong.attacker(self.duel, moves),
            false => strong.defender(self.duel, moves),
        };
        match wins {
            Some(true) => (self.wins, self.enough) = (true, moves),
            Some(false) => self.fails = moves,
            None => {}
        }
        wins.is_some()
    }
}

impl<T: Word> Free<T> {
    fn new(lines: Lines<T>, bytes: usize) -> Result<Free<T>, OutOfMemory> {
        let memory = Memory { weak: Memo::new(bytes / 2)?, strong: Memo::new(bytes / 2)? };
        Ok(Free { lines, memory: Mutex::new(memory), full: AtomicU16::new(0) })
    }

    /// The score of a position in which somebody has a line.
    fn over(&self, own: u64, other: u64) -> Option<i32> {
        let over = self.lines.has_line(own) || self.lines.has_line(other);
        over.then(|| -(self.cells() + 2 - stones(own, other)) / 2)
    }

    fn cells(&self) -> i32 {
        self.lines.board().count_ones() as i32
    }

    /// What a win with no stone at all would be worth, to the side to move and to the other one: each stone costs one.
    fn best(&self, own: u64, other: u64) -> (i32, i32) {
        let left = self.cells() - stones(own, other);
        ((left + 3) / 2, (left + 2) / 2)
    }
}

fn stones(own: u64, other: u64) -> i32 {
    (own | other).count_ones() as i32
}

/// Longer and longer attempts at an answer, until there is one or the work is ended.
fn attempts<R>(pace: &mut Pace<'_>, mut attempt: impl FnMut(&mut Pace<'_>, u64) -> Option<R>) -> Answer<R> {
    let mut nodes = FIRST_ATTEMPT;
    loop {
        let result = attempt(pace, nodes);
        if result.is_some() || pace.ended {
            return Answer { result, nodes: pace.nodes };
        }
        nodes = nodes.saturating_mul(GROWTH);
    }
}

impl<T: Word> Exact for Free<T> {
    fn score(&self, stones: Stones, ends: Ends<'_>) -> Answer<i32> {
        let (own, other) = self.lines.stones(stones);
        if let Some(score) = self.over(own, other) {
            return Answer { result: Some(score), nodes: 0 };
        }
        let (best, worst) = self.best(own, other);
        let mut win = Hope::new(&self.lines, own, other, true);
        let mut loss = Hope::new(&self.lines, other, own, false);
        let mut memory = self.memory.lock();
        attempts(&mut Pace::new(ends), |pace, nodes| {
            win.pursue(&self.lines, &mut memory, pace, nodes);
            if win.is_fulfilled() {
                return Some(best - win.enough as i32);
            }
            // Both cannot win; but it takes time to find out who does.
            if !win.wins {
                loss.pursue(&self.lines, &mut memory, pace, nodes);
            }
            if loss.is_fulfilled() {
                return Some(loss.enough as i32 - worst);
            }
            (win.is_lost() && loss.is_lost()).then_some(0)
        })
    }

    fn is_at_least(&self, stones: Stones, score: i32, ends: Ends<'_>) -> Answer<bool> {
        let (own, other) = self.lines.stones(stones);
        if let Some(known) = self.over(own, other) {
            return Answer { result: Some(known >= score), nodes: 0 };
        }
        let (best, worst) = self.best(own, other);
        let asks_win = score > 0;
        // A win with so many stones, or a loss to so many, decides.
        let enough = if asks_win { best - score } else { worst + score - 1 };
        let enough = u32::try_from(enough).unwrap_or(0);
        let mut hope = match asks_win {
            true => Hope::new(&self.lines, own, other, true),
            false => Hope::new(&self.lines, other, own, false),
        }
        .with(enough);
        let mut memory = self.memory.lock();
        attempts(&mut Pace::new(ends), |pace, nodes| {
            hope.pursue(&self.lines, &mut memory, pace, nodes);
            (hope.is_fulfilled() || hope.is_lost()).then_some(hope.wins == asks_win)
        })
    }

    fn work_out(&self, stones: Stones, score: i32, ends: Ends<'_>) -> Attempt {
        Attempt { answer: self.is_at_least(stones, score, ends), trying: None }
    }

    fn score_at_sight(&self, stones: Stones) -> Option<i32> {
        let (own, other) = self.lines.stones(stones);
        self.over(own, other)
    }

    /// It works alone: its memory is not shared.
    fn use_threads(&mut self, _threads: usize) {}

    fn clear(&mut self) {
        let memory = self.memory.get_mut();
        memory.weak.clear();
        memory.strong.clear();
    }

    fn take_book(&mut self, _contents: Option<Contents>) {}

    fn open_book(&self) -> Result<(), BookError> {
        Ok(())
    }

    fn openings(&self, _plies: u32) -> Vec<Stones> {
        Vec::new()
    }

    fn occupied_bytes(&self) -> u64 {
        self.memory.try_lock().map_or(0, |memory| memory.weak.occupied_bytes() + memory.strong.occupied_bytes())
    }

    fn permille_full(&self) -> u16 {
        if let Some(memory) = self.memory.try_lock() {
            self.full.store(memory.permille_full(), Ordering::Relaxed);
        }
        self.full.load(Ordering::Relaxed)
    }
}
