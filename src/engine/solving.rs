//! The benchmark of the solver: sets of Connect Four positions whose scores are known.

use crate::rules::{Game, Position, Variant, parse_move};
use crate::solver::Solver;
use crate::units::{Ply, Score};
use std::time::{Duration, Instant};

/// Bytes of the table.
const TABLE: usize = 64 << 20;

/// One set: a line is the columns of the moves, from 1, and how many stones the winner has left when it wins.
pub struct Set {
    /// What it is.
    pub name: &'static str,
    variant: Variant,
    text: &'static str,
}

/// What came out of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sum {
    /// How many there are.
    pub positions: usize,
    /// Positions searched.
    pub nodes: u64,
    /// How long it took, without setting up the boards.
    pub time: Duration,
    /// How many scores are not the known ones.
    pub wrong: usize,
}

macro_rules! set {
    ($name:literal, $variant:ident, $file:literal) => {
        Set {
            name: $name,
            variant: Variant::$variant,
            text: include_str!(concat!("../../tests/data/connect4/", $file, ".txt")),
        }
    };
}

/// All sets.
pub fn sets() -> [Set; 5] {
    [
        set!("7x6 end", ConnectFour, "c4_7x6_end"),
        set!("7x6 middle", ConnectFour, "c4_7x6_mid"),
        set!("7x6 early", ConnectFour, "c4_7x6_early"),
        set!("7x7 end", ConnectFour7x7, "c4_7x7_end"),
        set!("7x7 middle", ConnectFour7x7, "c4_7x7_mid"),
    ]
}

impl Set {
    /// The positions with their scores.
    pub fn positions(&self) -> Vec<(Position, Score)> {
        let lines = self.text.lines().filter(|line| !line.starts_with('#'));
        lines.filter_map(|line| read(line, Game::new(self.variant))).collect()
    }

    /// Solves them all, with one table that is kept from each to the next.
    pub fn run(&self) -> Sum {
        let positions = self.positions();
        let mut sum = Sum { positions: positions.len(), nodes: 0, time: Duration::ZERO, wrong: positions.len() };
        let Ok(Some(solver)) = Solver::new(&Game::new(self.variant), TABLE) else { return sum };
        let start = Instant::now();
        for (position, score) in &positions {
            let found = solver.value(position, &mut |_| false);
            sum.nodes += found.nodes;
            sum.wrong -= usize::from(found.result == Some(*score));
        }
        sum.time = start.elapsed();
        sum
    }
}

fn read(line: &str, game: Game) -> Option<(Position, Score)> {
    let (moves, score) = line.split_once(' ')?;
    let mut position = Position::new(game);
    for text in moves.split_inclusive(|_: char| true) {
        let (mv, _) = parse_move(text, &position).ok()?;
        position.play(mv).ok()?;
    }
    Some((position, score_of(score.trim().parse().ok()?, moves.len(), game.cells())?))
}

/// The score for a number of stones left, after so many stones: see [`Set`].
fn score_of(left: i32, stones: usize, cells: usize) -> Option<Score> {
    if left == 0 {
        return Some(Score::DRAW);
    }
    let plies = (1..=cells - stones).find(|plies| {
        let last = stones + plies;
        (cells + 2 - last) / 2 == left.unsigned_abs() as usize && (plies % 2 == 1) == (left > 0)
    })?;
    let plies = Ply(plies as u16);
    Some(if left > 0 { Score::win_in(plies) } else { Score::loss_in(plies) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_of_every_set_is_found() {
        for set in sets() {
            let sum = set.run();
            assert!(sum.positions == 30 || sum.positions == 150, "{}: {}", set.name, sum.positions);
            assert_eq!(sum.wrong, 0, "{}", set.name);
        }
    }
}
