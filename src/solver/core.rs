//! The value of a position by questions that narrow it down, for boards of one shape.

use super::node::Walker;
use super::shape::Shape;
use super::state::{Settled, State};
use super::table::{OutOfMemory, Table};
use super::word::Word;

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
    /// Forgets everything.
    fn clear(&mut self);
    /// The bytes of memory in use.
    fn occupied_bytes(&self) -> u64;
    /// How full the table is, in thousandths.
    fn permille_full(&self) -> u16;
}

/// A shape and its table.
pub struct Core<S: Shape> {
    shape: S,
    table: Table<S>,
}

impl<S: Shape> Core<S> {
    /// An empty table of about so many bytes.
    ///
    /// # Errors
    /// The system refuses the memory.
    pub fn new(shape: S, bytes: usize) -> Result<Core<S>, OutOfMemory> {
        Ok(Core { shape, table: Table::new(&shape, bytes)? })
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
}

/// What to ask next of a score from `least` to `most`: who wins; then how soon, nearer to a draw than to the middle, since the
/// more decided a game is, the easier is the answer.
fn question(least: i32, most: i32) -> i32 {
    if least >= 0 {
        least + (most - least) / 3
    } else if most <= 0 {
        most - 1 - (most - 1 - least) / 3
    } else {
        0
    }
}

impl<S: Shape> Exact for Core<S> {
    fn score(&self, stones: Stones, ends: Ends<'_>) -> Answer<i32> {
        let (state, moves, swapped) = match self.settle(stones) {
            Settled::Over(score) => return Answer { result: Some(score), nodes: 0 },
            Settled::Open { state, moves, swapped } => (state, moves, swapped),
        };
        let mut walker = Walker::new(self.shape, &self.table, &state, ends);
        let (mut least, mut most) = (state.least(&self.shape), state.most(&self.shape));
        while least < most {
            let middle = question(least, most);
            let score = walker.ask(&state, moves, middle);
            if walker.ended {
                return Answer { result: None, nodes: walker.nodes };
            }
            if score > middle {
                least = score;
            } else {
                most = score;
            }
        }
        Answer { result: Some(if swapped { -least } else { least }), nodes: walker.nodes }
    }

    fn is_at_least(&self, stones: Stones, score: i32, ends: Ends<'_>) -> Answer<bool> {
        let (state, moves, swapped) = match self.settle(stones) {
            Settled::Over(known) => return Answer { result: Some(known >= score), nodes: 0 },
            Settled::Open { state, moves, swapped } => (state, moves, swapped),
        };
        let mut walker = Walker::new(self.shape, &self.table, &state, ends);
        let alpha = if swapped { -score } else { score - 1 };
        let more = walker.ask(&state, moves, alpha) > alpha;
        Answer { result: (!walker.ended).then_some(more != swapped), nodes: walker.nodes }
    }

    fn clear(&mut self) {
        self.table.clear();
    }

    fn occupied_bytes(&self) -> u64 {
        self.table.occupied_bytes()
    }

    fn permille_full(&self) -> u16 {
        self.table.permille_full()
    }
}
