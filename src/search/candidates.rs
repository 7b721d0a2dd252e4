//! Which moves are worth looking at: everything on small boards and under gravity, the neighbourhood of stones on big ones.

use crate::rules::{Board, Direction, GRID, Game, Square, SquareSet};
use std::sync::Arc;

/// Boards of up to this many cells are searched whole.
const SMALL_BOARD: usize = 49;
/// How far a square sees along its eight rays, and how far all around.
const RAY: i8 = 4;
const AROUND: i8 = 3;

/// The candidate squares of a line of play, one set per ply.
#[derive(Clone)]
pub struct Candidates {
    scope: Scope,
    /// Squares near the stones; the last set belongs to the present position.
    near: Vec<SquareSet>,
}

#[derive(Clone)]
enum Scope {
    /// Every empty square, or under gravity every open column.
    Whole,
    /// What is near a stone, by the neighbourhood of each square.
    Near(Arc<[SquareSet]>),
}

impl Candidates {
    /// The candidates of a board and of what follows from it.
    pub fn new(board: &Board) -> Candidates {
        let game = board.game();
        if game.gravity() || game.cells() <= SMALL_BOARD {
            return Candidates { scope: Scope::Whole, near: Vec::new() };
        }
        let neighbours = (0..GRID).map(|index| neighbourhood(index, game)).collect();
        Candidates { scope: Scope::Near(neighbours), near: Vec::new() }.on(board)
    }

    /// The candidates of another board of the same game.
    pub fn on(&self, board: &Board) -> Candidates {
        let Scope::Near(neighbours) = &self.scope else { return self.clone() };
        let mut near = SquareSet::EMPTY;
        for square in board.game().squares().filter(|&square| !board.is_empty(square)) {
            near.union(&neighbours[square.index()]);
        }
        let mut sets = Vec::with_capacity(board.empties() + 1);
        sets.push(near);
        Candidates { scope: self.scope.clone(), near: sets }
    }

    /// A stone comes to `square`.
    #[inline]
    pub fn place(&mut self, square: Square) {
        if let Scope::Near(neighbours) = &self.scope {
            let mut near = self.near.last().cloned().unwrap_or(SquareSet::EMPTY);
            near.union(&neighbours[square.index()]);
            self.near.push(near);
        }
    }

    /// The last stone goes.
    #[inline]
    pub fn remove(&mut self) {
        self.near.pop();
    }

    /// Hands over each candidate of the board, in the order of their squares.
    #[inline]
    pub fn for_each(&self, board: &Board, visit: impl FnMut(Square)) {
        let game = board.game();
        match self.near.last() {
            None if game.gravity() => (0..game.columns()).filter_map(|column| board.landing(column)).for_each(visit),
            None => board.empty().iter().for_each(visit),
            Some(near) if near.common(board.empty()) > 0 => near.iter_common(board.empty()).for_each(visit),
            // An empty board is begun in its centre.
            Some(_) if board.stones() == 0 => {
                Square::new((game.columns() - 1) / 2, game.rows() / 2).into_iter().for_each(visit);
            }
            // Stones in a corner can leave nothing empty near them, though the board is not full.
            Some(_) => board.empty().iter().for_each(visit),
        }
    }

    /// Whether the candidates are all the moves there are.
    pub fn is_complete(&self, board: &Board) -> bool {
        let Some(near) = self.near.last() else { return true };
        board.stones() > 0 && [0, board.empties()].contains(&near.common(board.empty()))
    }
}

fn neighbourhood(index: usize, game: &Game) -> SquareSet {
    let Some(centre) = Square::from_index(index).filter(|&square| game.contains(square)) else {
        return SquareSet::EMPTY;
    };
    let ray = RAY.max(game.line() as i8 - 1);
    let shifted = |columns: i8, rows: i8| {
        let square = Square::new(centre.column().checked_add_signed(columns)?, centre.row().checked_add_signed(rows)?)?;
        game.contains(square).then_some(square)
    };
    let around = (-AROUND..=AROUND).flat_map(|columns| (-AROUND..=AROUND).map(move |rows| (columns, rows)));
    let rays = Direction::ALL.into_iter().flat_map(|direction| {
        let (columns, rows) = direction.delta();
        (-ray..=ray).map(move |n| (columns * n, rows * n))
    });
    around.chain(rays).filter_map(|(columns, rows)| shifted(columns, rows)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Move, Variant};

    fn list(candidates: &Candidates, board: &Board) -> Vec<Square> {
        let mut squares = Vec::new();
        candidates.for_each(board, |square| squares.push(square));
        squares
    }

    #[test]
    fn an_empty_big_board_has_its_centre_and_a_stone_its_56_neighbours() {
        let mut board = Board::new(Game::new(Variant::GomokuFreestyle));
        let mut candidates = Candidates::new(&board);
        let centre = Square::new(7, 7).unwrap();
        assert_eq!(list(&candidates, &board), [centre]);
        board.make(Move::to(centre));
        candidates.place(centre);
        assert_eq!(list(&candidates, &board).len(), 7 * 7 - 1 + 8);
        assert_eq!(list(&candidates, &board), list(&Candidates::new(&board), &board));
        board.unmake();
        candidates.remove();
        assert_eq!(list(&candidates, &board), [centre]);
    }

    #[test]
    fn small_boards_and_columns_are_seen_whole() {
        let small = Board::new(Game::mnk(7, 7, 5).unwrap());
        assert_eq!(list(&Candidates::new(&small), &small).len(), 49);
        let gravity = Board::new(Game::new(Variant::ConnectFour));
        assert_eq!(list(&Candidates::new(&gravity), &gravity).len(), 7);
        assert!(Candidates::new(&gravity).is_complete(&gravity));
    }

    #[test]
    fn a_long_board_never_runs_out_of_candidates() {
        let game = Game::mnk(26, 26, 3).unwrap();
        let mut board = Board::new(game);
        let mut candidates = Candidates::new(&board);
        while let Some(&square) = list(&candidates, &board).first() {
            board.make(Move::to(square));
            candidates.place(square);
        }
        assert_eq!(board.empties(), 0);
    }
}
