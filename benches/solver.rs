//! The solver beside the crate `connect-four-ai`, on the same positions in the same run: `cargo bench --bench solver`, or
//! `cargo bench --bench solver -- FILE...` for other sets of lines like `4455 -2`, of 7x6 unless the name has `7x7` in it.
//!
//! One thread, exact scores, no opening table; each solver keeps its table from one position to the next. The crate has
//! no 7x7.

use connect_four_ai::{Position as Other, Solver as OtherSolver};
use inarow::rules::{Game, Position, Variant, parse_move};
use inarow::solver::Solver;
use std::time::{Duration, Instant};

const SETS: [&str; 5] = ["7x6_end", "7x6_mid", "7x6_early", "7x7_end", "7x7_mid"];
/// A set is gone through again, from an empty table, until this time is up or it was so often; the quickest time counts.
const ENOUGH: Duration = Duration::from_secs(2);
const ROUNDS: usize = 100;

/// Moves, and stones left to the winner with the last one, negative for a loss.
type Case = (String, i8);

fn cases(path: &str) -> Vec<Case> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let case = |line: &str| {
        let (moves, score) =
            line.split_once(' ').unwrap_or_else(|| panic!("{path}: {line}: expected moves and a score"));
        (moves.to_string(), score.trim().parse().expect("a score"))
    };
    lines.map(case).collect()
}

/// The score of the sets, from how many plies the game still takes.
fn score(solver: &Solver, position: &Position, cells: i32) -> i8 {
    let found = solver.value(position, &mut |_| false).result.expect("a score");
    let Some(plies) = found.plies_to_end() else { return 0 };
    let last = (position.board().moves().len() + plies.index()) as i32;
    let left = (cells - last) / 2 + 1;
    (if found.is_win() { left } else { -left }) as i8
}

fn ours(game: Game, cases: &[Case]) -> Duration {
    let positions = cases.iter().map(|(moves, _)| {
        let mut position = Position::new(game);
        for text in moves.split_inclusive(|_: char| true) {
            let (mv, _) = parse_move(text, &position).expect("a move");
            position.play(mv).expect("a legal move");
        }
        position
    });
    let positions: Vec<Position> = positions.collect();
    let cells = game.squares().count() as i32;
    let solver = Solver::new(&game, 64 << 20).expect("memory").expect("a solver");
    let start = Instant::now();
    for (position, (moves, expected)) in positions.iter().zip(cases) {
        assert_eq!(score(&solver, position, cells), *expected, "{moves}");
    }
    start.elapsed()
}

fn other(cases: &[Case]) -> Duration {
    let positions: Vec<Other> = cases.iter().map(|(moves, _)| Other::from_moves(moves).expect("moves")).collect();
    let mut solver = OtherSolver::empty();
    let start = Instant::now();
    for (position, (moves, expected)) in positions.iter().zip(cases) {
        assert_eq!(solver.solve(position), *expected, "{moves}");
    }
    start.elapsed()
}

/// Microseconds a position.
fn quickest(cases: &[Case], run: impl Fn(&[Case]) -> Duration) -> f64 {
    let start = Instant::now();
    let mut least = run(cases);
    for _ in 1..ROUNDS {
        if start.elapsed() > ENOUGH {
            break;
        }
        least = least.min(run(cases));
    }
    least.as_secs_f64() * 1e6 / cases.len() as f64
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn main() {
    let named: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let sets = SETS.map(|set| format!("tests/data/connect4/c4_{set}.txt")).to_vec();
    println!("{:<20} {:>9} {:>14} {:>24} {:>7}", "set", "positions", "inarow us", "connect-four-ai us", "ratio");
    for path in if named.is_empty() { sets } else { named } {
        let cases = cases(&path);
        let name = path.rsplit('/').next().unwrap_or(&path);
        let count = cases.len();
        if name.contains("7x7") {
            let ours = quickest(&cases, |cases| ours(Game::new(Variant::ConnectFour7x7), cases));
            println!("{name:<20} {count:>9} {ours:>14.2} {:>24} {:>7}", "-", "-");
            continue;
        }
        let ours = quickest(&cases, |cases| ours(Game::new(Variant::ConnectFour), cases));
        let other = quickest(&cases, other);
        println!("{name:<20} {count:>9} {ours:>14.2} {other:>24.2} {:>7.1}", other / ours);
    }
}
