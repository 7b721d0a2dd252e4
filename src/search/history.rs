//! What the search has learnt about moves: history heuristic, killer moves and counter-moves.

use super::continuation::Continuations;
use crate::rules::{Color, GRID, Game, Move, Square};
use crate::units::{Depth, Ply};

/// The greatest absolute value of a history score.
pub const HISTORY_LIMIT: i32 = 8192;

/// How often moves have refuted, wherever they were played (Schaeffer 1983), and which move refuted which.
///
/// It outlives a search: the next one starts with it.
pub struct History {
    quiet: Box<[[i16; GRID]; 2]>,
    counters: Box<[[Option<Square>; GRID]; 2]>,
    /// How often they have after others.
    pub continuations: Continuations,
}

impl History {
    /// Nothing learnt yet of a game.
    pub fn new(game: &Game) -> History {
        History {
            quiet: Box::new([[0; GRID]; 2]),
            counters: Box::new([[None; GRID]; 2]),
            continuations: Continuations::new(game),
        }
    }

    /// Makes what was learnt in earlier searches count half.
    pub fn fade(&mut self) {
        self.quiet.iter_mut().flatten().for_each(|score| *score /= 2);
        self.continuations.fade();
    }

    /// How well a move of `side` has done, within ±[`HISTORY_LIMIT`].
    #[inline]
    pub fn score(&self, mv: Move, side: Color) -> i32 {
        i32::from(self.quiet[side.index()][mv.square().index()])
    }

    /// The move of `side` that last refuted `previous`.
    #[inline]
    pub fn counter(&self, previous: Option<Move>, side: Color) -> Option<Move> {
        self.counters[side.index()][previous?.square().index()].map(Move::to)
    }

    /// `best` refuted after `tried` had failed to.
    pub fn reward(
        &mut self,
        best: Move,
        tried: impl Iterator<Item = Move>,
        previous: Option<Move>,
        side: Color,
        depth: Depth,
    ) {
        let bonus = bonus(depth);
        self.adjust(best, side, bonus);
        for mv in tried {
            self.adjust(mv, side, -bonus);
        }
        if let Some(previous) = previous {
            self.counters[side.index()][previous.square().index()] = Some(best.square());
        }
    }

    fn adjust(&mut self, mv: Move, side: Color, bonus: i32) {
        raise(&mut self.quiet[side.index()][mv.square().index()], bonus);
    }
}

/// What a refutation is worth, found by a search of this depth.
pub fn bonus(depth: Depth) -> i32 {
    (i32::from(depth.0.clamp(1, 20)).pow(2) * 8).min(1200)
}

/// Moves a score by `bonus`, the less the nearer it is to its limit.
pub fn raise(score: &mut i16, bonus: i32) {
    let old = i32::from(*score);
    *score = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
}

/// Per ply the last two moves that refuted there (Akl and Newborn 1977).
pub struct Killers(Vec<[Option<Move>; 2]>);

impl Killers {
    /// No killers yet, for searches of up to `plies` plies.
    pub fn new(plies: usize) -> Killers {
        Killers(vec![[None; 2]; plies])
    }

    /// The killers of a ply, the latest first.
    #[inline]
    pub fn at(&self, ply: Ply) -> [Option<Move>; 2] {
        self.0[ply.index()]
    }

    /// Notes a refutation.
    #[inline]
    pub fn add(&mut self, ply: Ply, mv: Move) {
        let killers = &mut self.0[ply.index()];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_stays_within_its_limit() {
        let mut history = History::new(&Game::new(crate::rules::Variant::Gomoku));
        let mv = |column| Move::to(Square::new(column, 0).unwrap());
        for _ in 0..10_000 {
            history.reward(mv(0), [mv(1)].into_iter(), Some(mv(2)), Color::First, Depth(30));
        }
        let (good, bad) = (history.score(mv(0), Color::First), history.score(mv(1), Color::First));
        assert!(good > HISTORY_LIMIT * 3 / 4 && good <= HISTORY_LIMIT, "{good}");
        assert!((-HISTORY_LIMIT..-HISTORY_LIMIT * 3 / 4).contains(&bad), "{bad}");
        assert_eq!(history.score(mv(0), Color::Second), 0);
        assert_eq!(history.counter(Some(mv(2)), Color::First), Some(mv(0)));
    }
}
