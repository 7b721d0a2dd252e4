//! The symmetries of a board: 8 of a square, 4 of a rectangle, the mirror alone under gravity.

use super::board::Board;
use super::game::Game;
use super::square::Square;

/// One way to lay a board onto itself: first the diagonal is swapped, then columns, then rows are reversed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    transpose: bool,
    mirror: bool,
    flip: bool,
}

impl Symmetry {
    /// The symmetries of a game, the identity first.
    pub fn of(game: &Game) -> impl Iterator<Item = Symmetry> + use<> {
        let square = game.columns() == game.rows();
        let gravity = game.gravity();
        (0..8u8)
            .map(|bits| Symmetry { mirror: bits & 1 != 0, flip: bits & 2 != 0, transpose: bits & 4 != 0 })
            .filter(move |symmetry| (square && !gravity) || !symmetry.transpose)
            .filter(move |symmetry| !(gravity && symmetry.flip))
    }

    /// The symmetries that leave the stones of a board as they are, the identity first.
    pub fn preserving(board: &Board) -> impl Iterator<Item = Symmetry> + '_ {
        let game = board.game();
        let same = |symmetry: &Symmetry| game.squares().all(|s| board.cell(s) == board.cell(symmetry.apply(s, game)));
        Symmetry::of(game).filter(move |symmetry| same(symmetry))
    }

    /// Where a square of the board goes.
    pub fn apply(self, square: Square, game: &Game) -> Square {
        let (mut column, mut row) = (square.column(), square.row());
        if self.transpose {
            (column, row) = (row, column);
        }
        if self.mirror {
            column = game.columns() - 1 - column;
        }
        if self.flip {
            row = game.rows() - 1 - row;
        }
        // Only squares of the board come in, and the board goes onto itself.
        Square::new(column, row).unwrap_or(square)
    }
}
