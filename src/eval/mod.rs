//! What a position is worth without looking ahead, and which moves look good in it.
//!
//! An [`Evaluator`] is told of each stone that comes and goes. [`LineCounts`] serves every game; evaluators that know the
//! shapes of one game better implement the same trait. Knows the rules; knows no search.

mod counts;
mod lines;
pub mod shapes;

pub use counts::LineCounts;
pub use lines::LineTable;
pub use shapes::{Shape, Shapes, Trait};

use crate::rules::{Board, Color, Square};
use crate::units::Score;

/// The squares where a colour would win with its next stone: none, one, or at least two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wins {
    /// No square wins.
    None,
    /// This square, and no other.
    One(Square),
    /// At least these two; they have the lowest indices.
    Many(Square, Square),
}

impl Wins {
    /// Adds a winning square; the order in which they come does not matter.
    pub fn add(&mut self, square: Square) {
        *self = match *self {
            Wins::None => Wins::One(square),
            Wins::One(known) if known == square => Wins::One(known),
            Wins::One(known) => Wins::Many(known.min(square), known.max(square)),
            Wins::Many(first, second) if first == square || second == square => Wins::Many(first, second),
            Wins::Many(first, second) => {
                let mut three = [first, second, square];
                three.sort();
                Wins::Many(three[0], three[1])
            }
        };
    }

    /// The first of the squares.
    pub fn first(self) -> Option<Square> {
        match self {
            Wins::None => None,
            Wins::One(square) | Wins::Many(square, _) => Some(square),
        }
    }
}

/// Static knowledge of a game, kept up to date stone by stone.
///
/// What it says must depend on the stones alone, not on the order in which they came; they go in the reverse order.
pub trait Evaluator: Clone + Send + Sync {
    /// Takes a board in, and builds what its game needs.
    fn new(board: &Board) -> Self;

    /// Takes in another board of the same game, with what is built already.
    fn on(&self, board: &Board) -> Self;

    /// A stone of `color` has come to `square`.
    fn place(&mut self, square: Square, color: Color);

    /// The stone of `color` on `square`, the last one that came, has gone.
    fn remove(&mut self, square: Square, color: Color);

    /// The worth of the position for `side`, whose turn it is. Never a proven value.
    fn evaluate(&self, side: Color) -> Score;

    /// How promising a stone of `side` on an empty square looks: the greater the better, 0 for a pointless one.
    fn move_score(&self, square: Square, side: Color) -> i32;

    /// Where `color` would win with a stone placed now. Exact.
    fn wins(&self, board: &Board, color: Color) -> Wins;

    /// Whether `color` could still win if the other side never moved again: `false` proves that it cannot.
    fn can_win(&self, color: Color) -> bool;
}
