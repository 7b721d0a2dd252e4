//! What a search is for, and what is said when it ends.

use crate::rules::{Color, Square};
use crate::search::{Finding, Report};
use crate::units::Score;

/// A search in progress and what it is for.
pub(super) struct Thinking {
    pub purpose: Purpose,
    /// How many lines are searched.
    pub lines: usize,
    /// The best lines of the last iteration, by rank.
    pub reports: Vec<Report>,
    /// The last iteration has been told.
    pub told: bool,
    /// Nothing but the client ends it.
    pub unlimited: bool,
    /// The client has ended it, and what was to follow it.
    pub stopped: bool,
}

/// What a search is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To play a move.
    Play,
    /// To name so many moves after which the position is worth about a bias, in hundredths for who moves now.
    Balance { moves: u8, bias: i64, found: Vec<Square> },
    /// To put the third of three stones, so that neither colour is better off.
    Open { yixin: bool, stones: [Square; 2] },
    /// To choose a colour after three or five stones.
    Choose { yixin: bool, stones: u8 },
}

/// Which colour to take where one may choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// The first player's.
    First,
    /// The second player's.
    Second,
}

/// The colour that is better off by the value for the side to move.
pub(super) fn choose(side: Color, score: Score) -> Choice {
    if (score >= Score::DRAW) == (side == Color::First) { Choice::First } else { Choice::Second }
}

impl Purpose {
    /// How many searches it takes, among which the time of a turn is divided.
    pub fn searches(&self) -> u32 {
        match self {
            Purpose::Balance { moves, .. } => u32::from(*moves),
            _ => 1,
        }
    }
}

impl Thinking {
    pub fn new(purpose: Purpose, lines: usize, unlimited: bool) -> Thinking {
        Thinking { purpose, lines, reports: Vec::new(), told: true, unlimited, stopped: false }
    }

    /// Keeps a line of the search.
    pub fn note(&mut self, report: Report) {
        // A deeper iteration replaces the last one line by line.
        match self.reports.iter_mut().find(|known| known.rank == report.rank) {
            Some(known) => *known = report,
            None => self.reports.push(report),
        }
    }

    /// The move after which the position is worth most nearly `bias` for who moves now.
    pub fn balanced(&self, bias: i64, finding: &Finding) -> Option<Square> {
        let distance = |report: &&Report| (i64::from(report.score.raw()) - bias).abs();
        let nearest = self.reports.iter().min_by_key(distance).and_then(|report| report.line.first());
        nearest.or(finding.best.as_ref()).map(|mv| mv.square())
    }
}
