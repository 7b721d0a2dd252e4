//! The solver beside the crate `connect-four-ai`, on the same positions in the same run: `cargo bench --bench solver`.
//!
//! One thread, exact scores, no opening table; each solver keeps its table from one position to the next.

use connect_four_ai::{Position as Other, Solver as OtherSolver};
use inarow::rules::{Game, Position, Variant, parse_move};
use inarow::solver::Solver;
use std::time::{Duration, Instant};

const SETS: [&str; 3] = ["end", "mid", "early"];
/// Each solver goes through each set so often, from an empty table; the quickest time counts.
const ROUNDS: usize = 3;

struct Case {
    ours: Position,
    other: Other,
    /// Stones left, negative for a loss.
    score: i8,
}

fn cases(set: &str) -> Vec<Case> {
    let path = format!("tests/data/connect4/c4_7x6_{set}.txt");
    let text = std::fs::read_to_string(path).expect("run it from the project's root");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let case = |line: &str| {
        let (moves, score) = line.split_once(' ').expect("moves and a score");
        let mut ours = Position::new(Game::new(Variant::ConnectFour));
        for text in moves.split_inclusive(|_: char| true) {
            let (mv, _) = parse_move(text, &ours).expect("a move");
            ours.play(mv).expect("a legal move");
        }
        Case { ours, other: Other::from_moves(moves).expect("moves"), score: score.parse().expect("a score") }
    };
    lines.map(case).collect()
}

fn ours(cases: &[Case]) -> Duration {
    let game = Game::new(Variant::ConnectFour);
    let solver = Solver::new(&game, 64 << 20).expect("memory").expect("a solver");
    let start = Instant::now();
    for case in cases {
        let score = solver.value(&case.ours, &mut |_| false).result.expect("a score");
        assert_eq!(score.raw().signum(), i32::from(case.score).signum());
    }
    start.elapsed()
}

fn other(cases: &[Case]) -> Duration {
    let mut solver = OtherSolver::empty();
    let start = Instant::now();
    for case in cases {
        assert_eq!(solver.solve(&case.other), case.score);
    }
    start.elapsed()
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn main() {
    println!("{:<6} {:>9} {:>14} {:>24} {:>7}", "set", "positions", "inarow us", "connect-four-ai us", "ratio");
    for set in SETS {
        let cases = cases(set);
        let quickest = |run: fn(&[Case]) -> Duration| {
            let times = (0..ROUNDS).map(|_| run(&cases).as_secs_f64() * 1e6 / cases.len() as f64);
            times.fold(f64::INFINITY, f64::min)
        };
        let (ours, other) = (quickest(ours), quickest(other));
        println!("{set:<6} {:>9} {ours:>14.2} {other:>24.2} {:>7.1}", cases.len(), other / ours);
    }
}
