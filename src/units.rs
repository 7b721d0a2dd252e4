//! The small types that every layer shares: scores, depths and plies.
//!
//! They know nothing of boards or moves. Each is a type of its own because mixing them up (depth left for distance from
//! the root, a score for a count) is the classic bug of game programs.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// The most cells a board can have (26 x 26), and so the most plies a game can last.
pub const MAX_CELLS: usize = 26 * 26;

/// Distance from the root of a search, in moves of either side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ply(pub u16);

impl Ply {
    /// The next ply.
    pub fn next(self) -> Ply {
        Ply(self.0 + 1)
    }

    /// The ply before, if there is one.
    pub fn before(self) -> Option<Ply> {
        self.0.checked_sub(1).map(Ply)
    }

    /// This ply as an index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Plies still to be searched. Zero or less asks for the static value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Depth(pub i16);

impl Depth {
    /// Nothing left to search.
    pub const ZERO: Depth = Depth(0);
    /// The deepest iteration: more plies than any board has cells.
    pub const MAX: Depth = Depth(700);

    /// A depth from a number of plies, saturating at [`Depth::MAX`].
    pub fn saturating(plies: u64) -> Depth {
        Depth(plies.min(Depth::MAX.0 as u64) as i16)
    }
}

impl Add<i16> for Depth {
    type Output = Depth;
    fn add(self, plies: i16) -> Depth {
        Depth(self.0 + plies)
    }
}

impl Sub<i16> for Depth {
    type Output = Depth;
    fn sub(self, plies: i16) -> Depth {
        Depth(self.0 - plies)
    }
}

/// Plies still to be searched where they are counted in fractions.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct FineDepth(pub f32);

impl FineDepth {
    /// Nothing left to search.
    pub const ZERO: FineDepth = FineDepth(0.0);

    /// The whole plies, none if less than nothing is left.
    pub fn whole(self) -> Depth {
        Depth(self.0.max(0.0) as i16)
    }
}

impl From<Depth> for FineDepth {
    fn from(depth: Depth) -> FineDepth {
        FineDepth(f32::from(depth.0))
    }
}

impl Add<f32> for FineDepth {
    type Output = FineDepth;
    fn add(self, plies: f32) -> FineDepth {
        FineDepth(self.0 + plies)
    }
}

impl Sub<f32> for FineDepth {
    type Output = FineDepth;
    fn sub(self, plies: f32) -> FineDepth {
        FineDepth(self.0 - plies)
    }
}

/// The worth of a position for the side to move: a distance to a forced win or loss, or an estimate.
///
/// The greater the better. Wins stand above every estimate, quicker wins above slower ones; losses mirror them.
/// An estimate is in hundredths of a "point", within ±[`Score::EVAL_LIMIT`]; a draw is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i16);

/// What a [`Score`] says, for whoever writes it down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreKind {
    /// The side to move wins with its n-th move from here (n ≥ 1).
    Win(u16),
    /// The side to move loses to the opponent's n-th move from here (0: the game is lost already).
    Loss(u16),
    /// An estimate in hundredths.
    Eval(i16),
}

impl Score {
    const WIN: i16 = 32_000;
    const DECIDED: i16 = Score::WIN - 1_000;

    /// An equal or drawn game.
    pub const DRAW: Score = Score(0);
    /// Above every score.
    pub const INFINITE: Score = Score(32_500);
    /// Below every score.
    pub const MINUS_INFINITE: Score = Score(-Score::INFINITE.0);
    /// The greatest absolute value of an estimate.
    pub const EVAL_LIMIT: i32 = 30_000;

    /// An estimate, clamped below the wins.
    pub fn eval(hundredths: i32) -> Score {
        Score(hundredths.clamp(-Score::EVAL_LIMIT, Score::EVAL_LIMIT) as i16)
    }

    /// A win by the stone placed at `ply` plies from the root (1: the next move wins).
    pub fn win_in(ply: Ply) -> Score {
        Score(Score::WIN - ply.0 as i16)
    }

    /// A loss to the stone placed at `ply` plies from the root (0: the game is over).
    pub fn loss_in(ply: Ply) -> Score {
        -Score::win_in(ply)
    }

    /// The raw number, for arithmetic on estimates and for statistics.
    pub fn raw(self) -> i32 {
        i32::from(self.0)
    }

    /// Whether this is a forced win.
    pub fn is_win(self) -> bool {
        self.0 >= Score::DECIDED
    }

    /// Whether this is a forced loss.
    pub fn is_loss(self) -> bool {
        self.0 <= -Score::DECIDED
    }

    /// Whether this is a forced win or loss.
    pub fn is_decided(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// The score moved by `delta`, for search windows: it saturates at ±[`Score::INFINITE`].
    pub fn offset(self, delta: i32) -> Score {
        let limit = i32::from(Score::INFINITE.0);
        Score((i32::from(self.0) + delta).clamp(-limit, limit) as i16)
    }

    /// The number of plies to the deciding stone, if the game is decided.
    pub fn plies_to_end(self) -> Option<Ply> {
        self.is_decided().then(|| Ply((Score::WIN - self.0.abs()) as u16))
    }

    /// What this score says, with distances in the mover's own moves.
    pub fn kind(self) -> ScoreKind {
        match self.plies_to_end() {
            Some(plies) if self.is_win() => ScoreKind::Win(plies.0.div_ceil(2)),
            Some(plies) => ScoreKind::Loss(plies.0 / 2),
            None => ScoreKind::Eval(self.0),
        }
    }

    /// Seen from a node `ply` plies below the root, as a transposition table must hold it: a distance counts from the node.
    pub fn to_table(self, ply: Ply) -> Score {
        match (self.is_win(), self.is_loss()) {
            (true, _) => Score(self.0 + ply.0 as i16),
            (_, true) => Score(self.0 - ply.0 as i16),
            _ => self,
        }
    }

    /// The inverse of [`Score::to_table`].
    pub fn from_table(self, ply: Ply) -> Score {
        match (self.is_win(), self.is_loss()) {
            (true, _) => Score(self.0 - ply.0 as i16),
            (_, true) => Score(self.0 + ply.0 as i16),
            _ => self,
        }
    }

    /// The 16 bits that a table entry holds.
    pub fn to_bits(self) -> u16 {
        self.0 as u16
    }

    /// The inverse of [`Score::to_bits`].
    pub fn from_bits(bits: u16) -> Score {
        Score(bits as i16)
    }
}

impl Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// `mate 3`, `mate -2` or `cp 31`, as the UCI protocol writes a score.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            ScoreKind::Win(moves) => write!(f, "mate {moves}"),
            ScoreKind::Loss(0) => write!(f, "mate 0"),
            ScoreKind::Loss(moves) => write!(f, "mate -{moves}"),
            ScoreKind::Eval(hundredths) => write!(f, "cp {hundredths}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_ordered_by_what_they_are_worth() {
        let ladder = [
            Score::loss_in(Ply(0)),
            Score::loss_in(Ply(2)),
            Score::loss_in(Ply(676)),
            Score::eval(i32::MIN),
            Score::DRAW,
            Score::eval(i32::MAX),
            Score::win_in(Ply(676)),
            Score::win_in(Ply(1)),
            Score::INFINITE,
        ];
        assert!(ladder.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn mate_distances_count_the_own_moves_of_the_side_that_wins() {
        let said = |score: Score| score.to_string();
        assert_eq!(said(Score::win_in(Ply(1))), "mate 1");
        assert_eq!(said(Score::win_in(Ply(3))), "mate 2");
        assert_eq!(said(Score::loss_in(Ply(2))), "mate -1");
        assert_eq!(said(Score::loss_in(Ply(0))), "mate 0");
        assert_eq!(said(Score::eval(-31)), "cp -31");
    }

    #[test]
    fn a_table_holds_distances_from_its_node() {
        for score in [Score::win_in(Ply(9)), Score::loss_in(Ply(8)), Score::eval(77)] {
            let stored = score.to_table(Ply(4));
            assert_eq!(stored.from_table(Ply(4)), score);
        }
        assert_eq!(Score::win_in(Ply(9)).to_table(Ply(4)), Score::win_in(Ply(5)));
    }
}
