//! The value of a position by questions that narrow it down, for boards of one shape.

use super::book::{self, Book, BookError, Contents};
use super::shape::Shape;
use super::state::{Settled, State};
use super::tables::Tables;
use super::team::Team;
use super::word::Word;
use crate::memory::OutOfMemory;
use std::sync::OnceLock;

/// Forced replies take the positions of an opening table, from which its lines begin, hardly more plies on than so many.
const FORCED_PLIES: u32 = 6;

/// Told the nodes so far now and then; `true` ends the work.
pub type Ends<'a> = &'a mut dyn FnMut(u64) -> bool;

/// What came out, `None` if the work was ended before, and the nodes it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer<T> {
    /// The answer.
    pub result: Option<T>,
    /// Positions searched.
    pub nodes: u64,
}

/// How an attempt went to find out whether a score is at least so much.
pub struct Attempt {
    /// Whether it is.
    pub answer: Answer<bool>,
    /// The cell, as [`Stones`] has it, of the move that was being searched when it was ended: all that had seemed better
    /// are refuted.
    pub trying: Option<u128>,
}

/// The stones of the side to move and of the other, numbered as [`Shape`] does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stones {
    /// Of the side to move.
    pub own: u128,
    /// Of the other side.
    pub other: u128,
}

/// Exact play on boards of one shape. Scores count the stones that the winner has left when it wins, the winning one among
/// them; they are negative for a loss of the side to move, and 0 for a draw.
pub trait Exact: Send + Sync {
    /// The score of a position.
    fn score(&self, stones: Stones, ends: Ends<'_>) -> Answer<i32>;
    /// Whether the score of a position is at least this.
    fn is_at_least(&self, stones: Stones, score: i32, ends: Ends<'_>) -> Answer<bool>;
    /// The same, but worked out even if the opening table tells it: what the moves are worth is known then, too.
    fn work_out(&self, stones: Stones, score: i32, ends: Ends<'_>) -> Attempt;
    /// The score of a position if it is known without a search: the game is decided, or the opening table has it.
    fn score_at_sight(&self, stones: Stones) -> Option<i32>;
    /// Works with so many threads from now on.
    fn use_threads(&mut self, threads: usize);
    /// Forgets everything.
    fn clear(&mut self);
    /// Answers from an opening table of this shape from now on, or from none.
    fn take_book(&mut self, contents: Option<Contents>);
    /// Opens the opening table, if there is one, which is done otherwise when it is needed.
    ///
    /// # Errors
    /// It does not have as many scores as there are positions, a line cannot be played, or a position has two scores.
    fn open_book(&self) -> Result<(), BookError>;
    /// The positions of an opening table, in its order.
    fn openings(&self, plies: u32) -> Vec<Stones>;
    /// The bytes of memory in use.
    fn occupied_bytes(&self) -> u64;
    /// How full the table is, in thousandths.
    fn permille_full(&self) -> u16;
}

/// A shape and its tables.
pub struct Core<S: Shape> {
    shape: S,
    tables: Tables<S>,
    threads: usize,
    book: Option<Shelved<S::Word>>,
}

/// An opening table that is opened when it is needed; nothing comes of one that does not fit.
struct Shelved<T> {
    contents: Contents,
    open: OnceLock<Option<Book<T>>>,
}

impl<S: Shape> Core<S> {
    /// Empty tables of about so many bytes.
    ///
    /// # Errors
    /// The system refuses the memory.
    pub fn new(shape: S, bytes: usize) -> Result<Core<S>, OutOfMemory> {
        Ok(Core { shape, tables: Tables::new(&shape, bytes)?, threads: 1, book: None })
    }

    /// The position with its forced replies played out; decided if somebody has a line.
    fn settle(&self, stones: Stones) -> Settled<S::Word> {
        let word = |bits: u128| S::Word::from_halves((bits >> 64) as u64, bits as u64);
        let (own, other) = (word(stones.own), word(stones.other));
        let state = State::new(&self.shape, own, other);
        if self.shape.has_line(other) {
            // The last stone has won.
            return Settled::Over(-((self.shape.cells() + 2 - state.count) / 2));
        }
        state.settle(&self.shape)
    }

    /// The score of a settled position that there was before its forced replies, if the opening table tells it.
    fn booked(&self, before: Stones, state: &State<S::Word>) -> Option<i32> {
        let shelved = self.book.as_ref()?;
        // No need to open it for a late position.
        let Contents { plies, lines, .. } = &shelved.contents;
        if (before.own | before.other).count_ones() > plies + FORCED_PLIES + u32::from(lines.plies) {
            return None;
        }
        shelved.open(&self.shape).and_then(|book| book.score(&self.shape, state))
    }
}

impl<T: Word> Shelved<T> {
    fn open<S: Shape<Word = T>>(&self, shape: &S) -> Option<&Book<T>> {
        self.open.get_or_init(|| Book::open(shape, &self.contents)).as_ref()
    }
}

impl<S: Shape> Exact for Core<S> {
    fn score(&self, stones: Stones, ends: Ends<'_>) -> Answer<i32> {
        let (state, moves, swapped) = match self.settle(stones) {
            Settled::Over(score) => return Answer { result: Some(score), nodes: 0 },
            Settled::Open { state, moves, swapped } => (state, moves, swapped),
        };
        let found = self.booked(stones, &state).map(|score| Answer { result: Some(score), nodes: 0 });
        let Answer { result, nodes } = found.unwrap_or_else(|| {
            let window = (state.least(&self.shape), state.most(&self.shape));
            Team::new(self.shape, &self.tables, &state, moves, window).search(self.threads, ends)
        });
        Answer { result: result.map(|score| if swapped { -score } else { score }), nodes }
    }

    fn is_at_least(&self, stones: Stones, score: i32, ends: Ends<'_>) -> Answer<bool> {
        match self.score_at_sight(stones) {
            Some(known) => Answer { result: Some(known >= score), nodes: 0 },
            None => self.work_out(stones, score, ends).answer,
        }
    }

    fn work_out(&self, stones: Stones, score: i32, ends: Ends<'_>) -> Attempt {
        let (state, moves, swapped) = match self.settle(stones) {
            Settled::Over(known) => {
                return Attempt { answer: Answer { result: Some(known >= score), nodes: 0 }, trying: None };
            }
            Settled::Open { state, moves, swapped } => (state, moves, swapped),
        };
        let alpha = if swapped { -score } else { score - 1 };
        let team = Team::new(self.shape, &self.tables, &state, moves, (alpha, alpha + 1));
        let Answer { result, nodes } = team.search(self.threads, ends);
        // After forced replies it is a move of another position.
        let forced = state.count as u32 != (stones.own | stones.other).count_ones();
        let trying = team.tried().filter(|_| result.is_none() && !forced).map(|cell| 1 << cell);
        Attempt { answer: Answer { result: result.map(|score| (score > alpha) != swapped), nodes }, trying }
    }

    fn score_at_sight(&self, stones: Stones) -> Option<i32> {
        match self.settle(stones) {
            Settled::Over(score) => Some(score),
            Settled::Open { state, swapped, .. } => {
                let score = self.booked(stones, &state)?;
                Some(if swapped { -score } else { score })
            }
        }
    }

    fn use_threads(&mut self, threads: usize) {
        self.threads = threads;
    }

    fn clear(&mut self) {
        self.tables.clear();
    }

    fn take_book(&mut self, contents: Option<Contents>) {
        self.book = contents.map(|contents| Shelved { contents, open: OnceLock::new() });
    }

    fn open_book(&self) -> Result<(), BookError> {
        let Some(shelved) = &self.book else { return Ok(()) };
        shelved.open(&self.shape).map(|_| ()).ok_or(BookError::Damaged)
    }

    fn openings(&self, plies: u32) -> Vec<Stones> {
        let bits = |word: S::Word| u128::from(word.bits_from(64)) << 64 | u128::from(word.low());
        let states = book::openings(&self.shape, plies);
        states.iter().map(|state| Stones { own: bits(state.own), other: bits(state.other()) }).collect()
    }

    fn occupied_bytes(&self) -> u64 {
        self.tables.occupied_bytes()
    }

    fn permille_full(&self) -> u16 {
        self.tables.permille_full()
    }
}
