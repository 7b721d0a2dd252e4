//! The textbook ladder on fixed positions: what each idea of the search is worth.

use super::GeneralSearch;
use crate::rules::{Game, Position, Variant, parse_move};
use crate::search::{Control, Features, Limits, Settings, Table};
use crate::units::{Depth, Score};
use std::sync::Arc;
use std::time::{Duration, Instant};

const HASH: usize = 16;

/// A position of the ladder.
pub struct Test {
    /// What it is.
    pub name: &'static str,
    /// How deep it is searched.
    pub depth: Depth,
    position: Position,
}

/// What one rung did with one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rung {
    /// The idea added.
    pub name: &'static str,
    /// The value found: the same on every rung.
    pub score: Score,
    /// Positions visited.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

/// The positions of the ladder.
pub fn tests() -> Vec<Test> {
    let ten = Game::new(Variant::GomokuFreestyle).with_columns(10).and_then(|game| game.with_rows(10));
    [
        ("tic-tac-toe", Some(Game::new(Variant::TicTacToe)), "", 9),
        ("connect4-7x7", Some(Game::new(Variant::ConnectFour7x7)), "d1 d2 c1", 7),
        ("10x10 five in a row", ten.ok(), "e5 f6 e6 f5", 3),
        ("15x15 five in a row", Some(Game::new(Variant::GomokuFreestyle)), "h8 i9 g9 h9", 3),
    ]
    .into_iter()
    .filter_map(|(name, game, moves, depth)| {
        let mut position = Position::new(game?);
        for text in moves.split_ascii_whitespace() {
            let (mv, _) = parse_move(text, &position).ok()?;
            position.play(mv).ok()?;
        }
        Some(Test { name, depth: Depth(depth), position })
    })
    .collect()
}

impl Test {
    /// Climbs the ladder; each rung is reported as it is done. Nothing is carried from rung to rung.
    pub fn climb(&self, report: &mut dyn FnMut(Rung)) {
        for (name, features) in Features::LADDER {
            let Ok(table) = Table::new(HASH) else { return };
            let mut search = GeneralSearch::new(Arc::new(table));
            let limits = Limits { depth: Some(self.depth), ..Limits::default() };
            let settings = Settings { features, ..Settings::default() };
            let start = Instant::now();
            let control = Control::new(start, false);
            let finding = search.run(&self.position, &limits, &settings, &control, &mut |_| {});
            report(Rung { name, score: finding.score, nodes: finding.nodes, time: start.elapsed() });
        }
    }
}

#[cfg(test)]
mod tests_of_the_ladder {
    use super::*;

    #[test]
    fn every_rung_finds_the_same_value_and_the_top_visits_far_fewer_nodes() {
        let tests = tests();
        assert_eq!(tests.len(), 4);
        for test in tests {
            let mut rungs = Vec::new();
            test.climb(&mut |rung| rungs.push(rung));
            let (first, last) = (rungs.first().unwrap(), rungs.last().unwrap());
            assert!(rungs.iter().all(|rung| rung.score == first.score), "{}: {rungs:?}", test.name);
            assert!(last.nodes * 10 < first.nodes, "{}: {rungs:?}", test.name);
        }
    }
}
