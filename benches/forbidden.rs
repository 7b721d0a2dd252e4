//! How fast renju's forbidden points are found: `cargo bench --bench forbidden`.
//!
//! Every empty point of every position in `tests/data/gomoku/forbidden.jsonl`, again and again, set-up excluded.

use inarow::rules::{Color, Game, Position, Square, Variant};
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 40;
/// Forbidden points in the file: the count that is timed must be the right one.
const FORBIDDEN: usize = 596;

fn square(text: &str) -> Option<Square> {
    let column = text.bytes().next()?.checked_sub(b'a')?;
    Square::new(column, text.get(1..)?.parse::<u8>().ok()?.checked_sub(1)?)
}

fn positions() -> Vec<Position> {
    let text = std::fs::read_to_string("tests/data/gomoku/forbidden.jsonl").expect("run it from the project's root");
    let position = |line: &str| {
        let case: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        let stones = |list: &str, color| {
            let list = case[list].as_array().into_iter().flatten();
            list.filter_map(|text| Some((square(text.as_str()?)?, color))).collect::<Vec<_>>()
        };
        let all = [stones("black", Color::First), stones("white", Color::Second)].concat();
        Position::with_stones(Game::new(Variant::Renju), &all, Color::First).expect("a position")
    };
    text.lines().map(position).collect()
}

fn main() {
    let positions = positions();
    let tests: usize = positions.iter().map(|position| position.board().empties()).sum();
    let mut speeds = Vec::new();
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let found: usize = positions.iter().map(|position| black_box(position).forbidden().len()).sum();
        speeds.push(tests as f64 / start.elapsed().as_secs_f64());
        assert_eq!(found, FORBIDDEN);
    }
    speeds.sort_by(f64::total_cmp);
    #[expect(clippy::print_stdout, reason = "a benchmark prints its figure")]
    {
        println!("{tests} points, median of {ROUNDS} rounds: {:.1} million tests a second", speeds[ROUNDS / 2] / 1e6);
    }
}
