//! How long to think: from clocks and limits to a soft and a hard bound.

use super::limits::{Clock, Limits};
use std::time::Duration;

/// The time bounds of one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// No new iteration after this.
    pub soft: Duration,
    /// The search is broken off at this.
    pub hard: Duration,
}

impl Budget {
    /// The bounds that follow from the limits, `None` if time is not limited. `overhead` is what a move loses on its way
    /// to the clock; `empties` are the empty cells of the board.
    pub fn new(limits: &Limits, overhead: Duration, empties: usize) -> Option<Budget> {
        let clock = limits.clock.map(|clock| Budget::of_clock(clock, overhead, empties));
        let fixed = limits.move_time.map(|time| {
            let hard = time.saturating_sub(overhead);
            Budget { soft: hard, hard }
        });
        match (clock, fixed) {
            (Some(a), Some(b)) => Some(Budget { soft: a.soft.min(b.soft), hard: a.hard.min(b.hard) }),
            (one, other) => one.or(other),
        }
    }

    fn of_clock(clock: Clock, overhead: Duration, empties: usize) -> Budget {
        // Games of this family are seldom longer than some 30 moves each, and are decided early.
        let expected = (empties.div_ceil(2) as u32).clamp(1, 20);
        let moves = clock.moves_to_go.map_or(expected, |moves| moves.clamp(1, expected));
        let left = clock.left.saturating_sub(overhead);
        let share = left / (moves + 1) + clock.increment * 7 / 10;
        // What is lost to overhead must be saved somewhere, or a game on increments alone ends in a fallen flag.
        let soft = share.saturating_sub(overhead).min(left / 2);
        let most = if clock.moves_to_go == Some(1) { left * 3 / 4 } else { left / 3 };
        Budget { soft, hard: (soft * 3).min(most).max(soft) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn clock(left: u64, increment: u64, moves_to_go: Option<u32>) -> Budget {
        let clock =
            Clock { left: Duration::from_millis(left), increment: Duration::from_millis(increment), moves_to_go };
        Budget::new(&Limits { clock: Some(clock), ..Limits::default() }, OVERHEAD, 200).unwrap()
    }

    #[test]
    fn no_time_limit_gives_no_budget() {
        assert_eq!(Budget::new(&Limits::default(), OVERHEAD, 9), None);
    }

    #[test]
    fn a_budget_never_exceeds_what_is_left() {
        for left in [0, 1, 5, 10, 11, 20, 100, 1_000, 60_000, u64::MAX / 2_000_000] {
            for increment in [0, 20, 10_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(1000)] {
                    let budget = clock(left, increment, moves);
                    let usable = Duration::from_millis(left).saturating_sub(OVERHEAD);
                    assert!(budget.soft <= budget.hard && budget.hard <= usable, "{left} {increment} {moves:?}");
                }
            }
        }
    }

    #[test]
    fn the_least_of_clock_and_move_time_holds() {
        let limits = Limits {
            clock: Some(Clock { left: Duration::from_secs(3600), ..Clock::default() }),
            move_time: Some(Duration::from_millis(100)),
            ..Limits::default()
        };
        assert_eq!(Budget::new(&limits, OVERHEAD, 200).unwrap().hard, Duration::from_millis(90));
    }

    #[test]
    fn a_game_on_increments_alone_does_not_run_dry() {
        let mut left = Duration::from_millis(1000);
        for _ in 0..200 {
            let budget = clock(left.as_millis() as u64, 20, None);
            // Each move takes its soft time and loses 8 ms on the way.
            left = (left + Duration::from_millis(20)).saturating_sub(budget.soft + Duration::from_millis(8));
            assert!(left > Duration::from_millis(100), "{left:?}");
        }
    }
}
