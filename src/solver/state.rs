//! A position as bits, and what can be read off it without searching.

use super::shape::Shape;
use super::word::Word;

/// The board from the view of the side to move. The game is not over, but the board may be full.
#[derive(Clone, Copy, Debug)]
pub struct State<T> {
    /// Stones of the side to move.
    pub own: T,
    /// Stones of both.
    pub stones: T,
    /// Where one more stone of the side to move makes a line; cells with a stone mean nothing.
    pub own_wins: T,
    /// The same for the other side.
    pub other_wins: T,
    /// How many stones there are.
    pub count: i32,
}

impl<T: Word> State<T> {
    /// A position from the stones of the side to move and of the other.
    pub fn new(shape: &impl Shape<Word = T>, own: T, other: T) -> State<T> {
        let stones = own | other;
        State {
            own,
            stones,
            own_wins: shape.completions(own),
            other_wins: shape.completions(other),
            count: stones.count() as i32,
        }
    }

    /// The cells on which a stone comes to rest.
    #[inline(always)]
    pub fn moves(&self, shape: &impl Shape<Word = T>) -> T {
        self.stones.plus(shape.bottom()) & shape.board()
    }

    /// The empty cells.
    #[inline(always)]
    pub fn empty(&self, shape: &impl Shape<Word = T>) -> T {
        shape.board() & !self.stones
    }

    /// Stones of the side that has moved last.
    #[inline(always)]
    pub fn other(&self) -> T {
        self.own ^ self.stones
    }

    /// The position after a stone on `cell`, from the view of the other side.
    #[inline(always)]
    pub fn play(&self, shape: &impl Shape<Word = T>, cell: T) -> State<T> {
        State {
            own: self.other(),
            stones: self.stones | cell,
            own_wins: self.other_wins,
            other_wins: shape.completions(self.own | cell),
            count: self.count + 1,
        }
    }

    /// A number that only this position has: the stones of the side to move, and a bit above the top stone of each column.
    #[inline(always)]
    pub fn key(&self, shape: &impl Shape<Word = T>) -> T {
        self.own.plus(self.stones).plus(shape.bottom())
    }

    /// The key that this position shares with its mirror image.
    #[inline(always)]
    pub fn mirror_key(&self, shape: &impl Shape<Word = T>) -> T {
        let key = self.key(shape);
        let (stride, columns) = (shape.stride(), shape.columns());
        let column = T::first(stride);
        let mirrored = (0..columns).fold(T::ZERO, |mirrored, number| {
            mirrored | (key >> (number * stride) & column) << ((columns - 1 - number) * stride)
        });
        let smaller = (key.bits_from(64), key.low()) <= (mirrored.bits_from(64), mirrored.low());
        if smaller { key } else { mirrored }
    }

    /// The score of a win by the next stone: how many stones the winner has left then, the winning one counted.
    #[inline(always)]
    pub fn win_now(&self, shape: &impl Shape<Word = T>) -> i32 {
        (shape.cells() + 1 - self.count) / 2
    }

    /// The score of a loss to the stone after the next one.
    #[inline(always)]
    pub fn loss_next(&self, shape: &impl Shape<Word = T>) -> i32 {
        -((shape.cells() - self.count) / 2)
    }

    /// The best score that is still possible if the next stone does not win.
    #[inline(always)]
    pub fn most(&self, shape: &impl Shape<Word = T>) -> i32 {
        (shape.cells() - 1 - self.count) / 2
    }

    /// The worst score that is still possible if the stone after the next one does not lose.
    #[inline(always)]
    pub fn least(&self, shape: &impl Shape<Word = T>) -> i32 {
        -((shape.cells() - 2 - self.count) / 2)
    }
}

/// What becomes of a position once every forced reply is played.
pub enum Settled<T> {
    /// The game is decided; the score is for the side to move at the beginning.
    Over(i32),
    /// There is a choice.
    Open {
        /// The position in which it is made.
        state: State<T>,
        /// The moves after which the other side does not win at once; there is at least one.
        moves: T,
        /// Whether the side to move has changed.
        swapped: bool,
    },
}

impl<T: Word> State<T> {
    /// Plays out what is forced: a win is taken, a winning cell of the other side is occupied.
    #[inline(always)]
    pub fn settle(mut self, shape: &impl Shape<Word = T>) -> Settled<T> {
        let mut swapped = false;
        let over = |score: i32, swapped: bool| Settled::Over(if swapped { -score } else { score });
        loop {
            let playable = self.moves(shape);
            if !(playable & self.own_wins).is_empty() {
                return over(self.win_now(shape), swapped);
            }
            let threats = playable & self.other_wins;
            if threats.is_empty() {
                // A stone under a winning cell of the other side loses.
                let moves = playable & !(self.other_wins >> 1);
                if playable.is_empty() {
                    return Settled::Over(0);
                }
                if moves.is_empty() {
                    return over(self.loss_next(shape), swapped);
                }
                return Settled::Open { state: self, moves, swapped };
            }
            let several = !threats.without_lowest().is_empty();
            if several || !(threats << 1 & self.other_wins).is_empty() {
                return over(self.loss_next(shape), swapped);
            }
            self = self.play(shape, threats);
            swapped = !swapped;
        }
    }
}
