//! What a search tells while it runs and when it ends: plain values, no text.

use super::table::Bound;
use crate::rules::Move;
use crate::units::{Depth, Ply, Score};
use std::time::Duration;

/// Work done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Positions visited by all threads.
    pub nodes: u64,
    /// Time since the command.
    pub time: Duration,
    /// How full the hash table is, in thousandths.
    pub permille_full: u16,
}

impl Work {
    /// Positions a second.
    pub fn nodes_per_second(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000 / micros).unwrap_or(u64::MAX)
    }
}

/// One line of play found by an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The iteration.
    pub depth: Depth,
    /// The deepest ply reached.
    pub selective_depth: Ply,
    /// Which of the best lines this is, from 1.
    pub rank: usize,
    /// The score for the side to move.
    pub score: Score,
    /// Whether the score is the value or a bound of it.
    pub bound: Bound,
    /// The score is the value of the game itself.
    pub proven: bool,
    /// The line; legal to its end.
    pub line: Vec<Move>,
    /// Work up to here.
    pub work: Work,
}

/// Chances in thousandths; they add up to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chances {
    /// The side to move wins.
    pub win: u16,
    /// Nobody wins.
    pub draw: u16,
    /// The side to move loses.
    pub loss: u16,
}

/// Chances from a score: sure ones if it is `proven` or a forced win or loss, else by a logistic curve around 0.
pub fn chances(score: Score, proven: bool) -> Chances {
    if score.is_win() {
        return Chances { win: 1000, draw: 0, loss: 0 };
    }
    if score.is_loss() {
        return Chances { win: 0, draw: 0, loss: 1000 };
    }
    if proven {
        return Chances { win: 0, draw: 1000, loss: 0 };
    }
    let curve = |hundredths: f64| (1000.0 / (1.0 + (-hundredths / 120.0).exp())).round() as u16;
    let hundredths = f64::from(score.raw());
    let (win, loss) = (curve(hundredths - 60.0), curve(-hundredths - 60.0));
    Chances { win, draw: 1000 - win - loss, loss }
}

/// What a running search tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An iteration has found a line, or a bound of its value.
    Line(Report),
    /// A sign of life between iterations.
    Work(Work),
    /// This first move, the so-manieth (from 1), is being searched.
    Trying(Depth, Move, usize),
}

/// How a search ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finding {
    /// The move to play; `None` only if there is no legal one.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// The line of play that begins with `best`.
    pub line: Vec<Move>,
    /// The value of `best`.
    pub score: Score,
    /// The game is proven a draw.
    pub proven_draw: bool,
    /// Positions visited.
    pub nodes: u64,
    /// The last completed iteration.
    pub depth: Depth,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_mirror() {
        for raw in (-3000..3000).step_by(7) {
            let (own, other) = (chances(Score::eval(raw), false), chances(Score::eval(-raw), false));
            assert_eq!(own.win + own.draw + own.loss, 1000);
            assert_eq!((own.win, own.draw, own.loss), (other.loss, other.draw, other.win));
        }
        assert_eq!(chances(Score::win_in(Ply(5)), false).win, 1000);
        assert_eq!(chances(Score::DRAW, true).draw, 1000);
    }
}
