//! Playing below full strength, for people and for weaker engines.

use super::root::RootMove;

/// How weakly to play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skill {
    /// The chance of a move picked at random from the candidates, 0 to 1.
    pub random: f64,
    /// How many positions to look at.
    pub nodes: u64,
    /// How much worse than the best, in hundredths, a move may look and still be played.
    pub tolerance: i32,
}

impl Skill {
    /// Full strength.
    pub const FULL: f64 = 20.0;
    /// How many lines a weakened search compares.
    pub const LINES: usize = 4;

    /// The skill of a level from 0 to below [`Skill::FULL`]; `None` for full strength.
    pub fn of_level(level: f64) -> Option<Skill> {
        if level >= Skill::FULL {
            return None;
        }
        let weakness = 1.0 - level.max(0.0) / Skill::FULL;
        Some(Skill {
            random: 0.4 * weakness * weakness,
            nodes: (40.0 * 1.45f64.powf(level.max(0.0))) as u64,
            tolerance: (120.0 * weakness) as i32,
        })
    }

    /// Which of the searched moves, best first, is played.
    pub(super) fn choose(self, moves: &[RootMove]) -> usize {
        if fastrand::f64() < self.random {
            return fastrand::usize(..moves.len());
        }
        let best = moves[0].value.score;
        let slack = fastrand::i32(0..=self.tolerance);
        let playable = |known: &&RootMove| {
            // A move that loses outright is no slight inaccuracy.
            let score = known.value.score;
            best.raw() - score.raw() <= slack && score.is_decided() == best.is_decided()
        };
        let last = moves.iter().take(Skill::LINES).take_while(playable).count();
        fastrand::usize(..last.max(1))
    }
}
