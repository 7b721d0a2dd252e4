//! Continuation history: how well moves have done right after a certain move, the opponent's last or the own last.

use super::history::{bonus, raise};
use crate::rules::{Game, Move, Square};
use crate::units::Depth;

/// The squares played last, the opponent's first, then the own.
pub type Recent = [Option<Square>; 2];

/// A score for each of the two recent moves, and each move that may follow. Squares tell the sides apart well enough: a square
/// belongs to one of them for most of a search.
pub struct Continuations {
    columns: usize,
    cells: usize,
    /// By which of the recent moves, its cell, and the cell of the move.
    scores: Vec<i16>,
}

impl Continuations {
    /// Nothing learnt yet, for the boards of a game.
    pub fn new(game: &Game) -> Continuations {
        let cells = game.cells();
        let columns = usize::from(game.columns());
        Continuations { columns, cells, scores: vec![0; 2 * cells * cells] }
    }

    /// Makes what was learnt in earlier searches count half.
    pub fn fade(&mut self) {
        self.scores.iter_mut().for_each(|score| *score /= 2);
    }

    /// How well a move has done after the recent ones, within ±2 [`HISTORY_LIMIT`](super::history::HISTORY_LIMIT).
    #[inline]
    pub fn score(&self, recent: Recent, square: Square) -> i32 {
        let score = |which: usize| {
            let at = recent[which].map(|before| self.index(which, before, square));
            at.map_or(0, |at| i32::from(self.scores[at]))
        };
        score(0) + score(1)
    }

    /// `best` refuted after `tried` had failed to.
    pub fn reward(&mut self, best: Move, tried: impl Iterator<Item = Move>, recent: Recent, depth: Depth) {
        let bonus = bonus(depth);
        self.adjust(best, recent, bonus);
        tried.for_each(|mv| self.adjust(mv, recent, -bonus));
    }

    fn adjust(&mut self, mv: Move, recent: Recent, bonus: i32) {
        for (which, before) in recent.into_iter().enumerate() {
            if let Some(before) = before {
                let at = self.index(which, before, mv.square());
                raise(&mut self.scores[at], bonus);
            }
        }
    }

    #[inline]
    fn index(&self, which: usize, before: Square, square: Square) -> usize {
        let cell = |square: Square| usize::from(square.row()) * self.columns + usize::from(square.column());
        (which * self.cells + cell(before)) * self.cells + cell(square)
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::HISTORY_LIMIT;
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn a_move_is_worth_what_it_was_after_the_same_moves() {
        let game = Game::new(Variant::Gomoku).with_columns(26).unwrap().with_rows(7).unwrap();
        let mut history = Continuations::new(&game);
        let square = |column, row| Square::new(column, row).unwrap();
        let (first, last) = (square(0, 0), square(25, 6));
        let (good, bad) = (square(12, 3), square(13, 3));
        history.reward(Move::to(good), [Move::to(bad)].into_iter(), [Some(last), Some(first)], Depth(9));
        assert_eq!(history.score([Some(last), Some(first)], good), 2 * bonus(Depth(9)));
        assert_eq!(history.score([Some(last), None], bad), -bonus(Depth(9)));
        assert_eq!(history.score([Some(first), Some(last)], good), 0);
        assert_eq!(history.score([None, None], good), 0);
        for _ in 0..1000 {
            history.reward(Move::to(last), [].into_iter(), [Some(last), Some(last)], Depth(20));
        }
        let most = history.score([Some(last), Some(last)], last);
        assert!((HISTORY_LIMIT * 3 / 2..=2 * HISTORY_LIMIT).contains(&most), "{most}");
        history.fade();
        assert!(history.score([Some(last), Some(last)], last) <= most / 2);
    }
}
