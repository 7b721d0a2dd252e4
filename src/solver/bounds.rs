//! Bounds of a position's score that need no search: who can still make a line at all, and who runs out of good moves first.
//!
//! Both rest on one strategy. Who has an even number of empty cells before each of his opponent's moves can answer every
//! stone with one in the cell above it. A column with an odd number of empty cells has a single cell at its foot before
//! the pairs begin; there is an even number of such columns, and a stone in one single is answered in another. The
//! opponent's share of the board is then known beforehand: if there is no line in it, he will not win. The idea is the
//! "follow-up" rule of Allis ("A knowledge-based approach of Connect-Four", 1988), as a test on whole boards at once.

use super::shape::Shape;
use super::state::State;
use super::word::Word;

/// A bound of the score of an open position that shows on which side of `alpha` it lies, `alpha` or less or more than it; `None`
/// if none of the bounds does.
#[inline(always)]
pub fn decide<S: Shape>(shape: &S, state: &State<S::Word>, alpha: i32) -> Option<i32> {
    let (most, least) = (state.most(shape), state.least(shape));
    if most <= alpha {
        return Some(most);
    }
    if least > alpha {
        return Some(least);
    }
    let empty = state.empty(shape);
    let odd = (shape.cells() - state.count) & 1 == 1;
    if odd {
        if let Some(score) = zugzwang(shape, state, empty, alpha) {
            return Some(score);
        }
        if alpha >= 0 && !shape.has_line(state.own | empty) {
            return Some(0);
        }
    } else if let Some(score) = follow_up(shape, state, empty, alpha) {
        return Some(score);
    }
    (alpha < 0 && !shape.has_line(state.other() | empty)).then_some(0)
}

/// With an even number of cells left, the side to move gets no line if the other side follows it up; and it loses if the
/// other side's answers make one.
#[inline(always)]
fn follow_up<S: Shape>(shape: &S, state: &State<S::Word>, empty: S::Word, alpha: i32) -> Option<i32> {
    let playable = state.moves(shape);
    let answers = empty & shape.answers() & !playable;
    if alpha < 0 {
        // The longer the line of answers can be put off, the less it is worth: those too high up do not count.
        let rows = shape.rows() as i32 - 2 * (-alpha - 1);
        if rows <= 0 || !shape.has_line(state.other() | answers & shape.rows_up_to(rows as u32)) {
            return None;
        }
    }
    let share = state.own | empty & !answers;
    harmless(shape, share, playable & shape.answers()).then_some(alpha.min(0))
}

/// With an odd number of cells left, who owns a winning cell of the right height gets it in the end if he follows up
/// everywhere else: nothing is left to the side to move but the cell under it.
#[inline(always)]
fn zugzwang<S: Shape>(shape: &S, state: &State<S::Word>, empty: S::Word, alpha: i32) -> Option<i32> {
    let playable = state.moves(shape);
    let targets = state.other_wins & empty & !shape.answers() & !playable;
    for target in targets.cells() {
        let above = shape.rows() as i32 - 1 - shape.row_of(target) as i32;
        let score = -(1 + above / 2);
        if score > alpha {
            continue;
        }
        let column = shape.column_of(target);
        let under = column & target.minus(S::Word::ONE);
        // In the column of the target the pairs end below the cell under it, so they lie one row lower than elsewhere.
        let own_rows = under & (shape.answers() | playable) | !column & (!shape.answers() | playable);
        let singles = playable & (!column & shape.answers() | under & !shape.answers());
        if harmless(shape, state.own | empty & own_rows, singles) {
            return Some(score);
        }
    }
    None
}

/// Whether there is no line in a side's share of the board. Of the `singles` in it, it gets only one of each pair, and the
/// other side may choose the pairs.
#[inline(always)]
fn harmless<S: Shape>(shape: &S, share: S::Word, singles: S::Word) -> bool {
    !shape.has_line(share) || pairing(shape, share, singles)
}

#[inline(never)]
fn pairing<S: Shape>(shape: &S, share: S::Word, singles: S::Word) -> bool {
    let count = singles.count();
    if !(count == 2 || count == 4) || shape.has_line(share & !singles) {
        return false;
    }
    let without = |cells: S::Word| !shape.has_line(share & !cells);
    let first = singles.lowest();
    let rest = singles & !first;
    if count == 2 {
        return without(first) && without(rest);
    }
    rest.cells().any(|partner| {
        let others = rest & !partner;
        let (third, fourth) = (others.lowest(), others.without_lowest());
        without(first | third) && without(first | fourth) && without(partner | third) && without(partner | fourth)
    })
}

#[cfg(test)]
mod tests {
    use super::super::shape::{Any, Fixed};
    use super::super::state::Settled;
    use super::*;

    /// The score by plain search, without any bound or forced reply.
    fn plain<S: Shape>(shape: &S, state: &State<S::Word>, alpha: i32, beta: i32) -> i32 {
        let (mut best, mut alpha) = (-i32::MAX, alpha);
        for cell in state.moves(shape).cells() {
            let score = match shape.has_line(state.own | cell) {
                true => state.win_now(shape),
                false => -plain(shape, &state.play(shape, cell), -beta, -alpha),
            };
            (best, alpha) = (best.max(score), alpha.max(score));
            if alpha >= beta {
                break;
            }
        }
        if best == -i32::MAX { 0 } else { best }
    }

    /// Checks every bound of random positions with at most so many empty cells; returns how many said something of interest.
    fn check<S: Shape>(shape: &S, empties: i32, positions: usize, seed: u64) -> usize {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut told = 0;
        for _ in 0..positions {
            let mut state = State::new(shape, S::Word::ZERO, S::Word::ZERO);
            let stones = random.i32((shape.cells() - empties).max(0)..shape.cells());
            let mut over = false;
            while state.count < stones && !over {
                let moves: Vec<_> = state.moves(shape).cells().collect();
                state = state.play(shape, moves[random.usize(..moves.len())]);
                over = shape.has_line(state.other());
            }
            let Settled::Open { state, .. } = state.settle(shape) else { continue };
            if over {
                continue;
            }
            let score = plain(shape, &state, -99, 99);
            for alpha in state.least(shape) - 1..=state.most(shape) {
                match decide(shape, &state, alpha) {
                    Some(bound) if bound > alpha => assert!(score >= bound, "{state:?} {alpha}: {score} {bound}"),
                    Some(bound) => assert!(score <= bound, "{state:?} {alpha}: {score} {bound}"),
                    None => {}
                }
                let plain_bounds = state.most(shape) <= alpha || state.least(shape) > alpha;
                told += usize::from(!plain_bounds && decide(shape, &state, alpha).is_some());
            }
        }
        told
    }

    #[test]
    fn every_bound_holds() {
        let any = |columns, rows, line| Any::<u64>::new(columns, rows, line).unwrap();
        let mut told = check(&Fixed::<7, 6>, 12, 1500, 1) + check(&Fixed::<7, 7>, 12, 1500, 2);
        for (columns, rows, line) in [(4, 4, 4), (5, 4, 4), (4, 5, 4), (4, 4, 3), (5, 4, 3), (4, 6, 4), (6, 4, 4)] {
            told += check(&any(columns, rows, line), 13, 800, 3);
        }
        told += check(&Any::<u128>::new(9, 8, 4).unwrap(), 12, 600, 4);
        assert!(told > 1000, "{told} bounds say little");
    }
}
