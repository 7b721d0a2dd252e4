//! The textbook ladder on fixed positions: what each idea of the search is worth.

use crate::eval::LineCounts;
use crate::rules::{Game, Position, Variant, parse_move};
use crate::search::{Control, Features, Limits, Search, Settings, Table};
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
    /// The first rung: minimax, or on positions too deep for it the next one.
    first: usize,
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

/// The positions of the ladder: first those that plain minimax can still search, then deeper ones without it.
pub fn tests() -> Vec<Test> {
    let ten = Game::new(Variant::GomokuFreestyle).with_columns(10).and_then(|game| game.with_rows(10)).ok();
    let fifteen = Some(Game::new(Variant::GomokuFreestyle));
    let seven = Some(Game::new(Variant::ConnectFour7x7));
    [
        ("tic-tac-toe", Some(Game::new(Variant::TicTacToe)), "", 9, 0),
        ("connect4-7x7", seven, "d1 d2 c1", 7, 0),
        ("10x10 five in a row", ten, "e5 f6 e6 f5", 3, 0),
        ("15x15 five in a row", fifteen, "h8 i9 g9 h9", 3, 0),
        ("connect4-7x7", seven, "d1 d2 c1", 11, 1),
        ("10x10 five in a row", ten, "e5 f6 e6 f5", 4, 1),
        ("15x15 five in a row", fifteen, "h8 i9 g9 h9", 4, 1),
    ]
    .into_iter()
    .filter_map(|(name, game, moves, depth, first)| {
        let mut position = Position::new(game?);
        for text in moves.split_ascii_whitespace() {
            let (mv, _) = parse_move(text, &position).ok()?;
            position.play(mv).ok()?;
        }
        Some(Test { name, depth: Depth(depth), first, position })
    })
    .collect()
}

impl Test {
    /// Climbs the ladder; each rung is reported as it is done. Nothing is carried from rung to rung.
    pub fn climb(&self, report: &mut dyn FnMut(Rung)) {
        for &(name, features) in &Features::LADDER[self.first..] {
            let Ok(table) = Table::new(HASH) else { return };
            let mut search = Search::<LineCounts>::new(Arc::new(table));
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
        for test in tests() {
            let mut rungs = Vec::new();
            test.climb(&mut |rung| rungs.push(rung));
            let (first, last) = (rungs.first().unwrap(), rungs.last().unwrap());
            assert!(rungs.iter().all(|rung| rung.score == first.score), "{}: {rungs:?}", test.name);
            assert!(last.nodes * 5 < first.nodes, "{}: {rungs:?}", test.name);
            if test.name == "tic-tac-toe" {
                assert_eq!(first.nodes, 549_946, "the positions of the whole game tree, counted with multiplicity");
            }
        }
    }
}
