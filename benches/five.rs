//! How fast the parts of five in a row are, single thread: `cargo bench --bench five`.
//!
//! Positions of `tests/data/gomoku/vcf.jsonl` on 15x15 freestyle boards: a stone comes to and goes from every empty cell
//! with all that is kept up to date (a pair), the same with an evaluation between, and the search for fours.

use inarow::eval::{Evaluator, Shapes};
use inarow::rules::{Board, Game, Move, Position, Square, Variant};
use inarow::search::{Candidates, Control, Limits, Search, Settings, Table};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

const ROUNDS: usize = 25;
/// Passes over all positions in a round.
const PASSES: usize = 40;

fn square(text: &str) -> Option<Square> {
    let column = text.bytes().next()?.checked_sub(b'a')?;
    Square::new(column, text.get(1..)?.parse::<u8>().ok()?.checked_sub(1)?)
}

fn boards() -> Vec<Board> {
    let text = std::fs::read_to_string("tests/data/gomoku/vcf.jsonl").expect("run it from the project's root");
    let cases = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a line of JSON"));
    let wanted =
        |case: &serde_json::Value| case["rule"] == "freestyle" && case["size"] == 15 && case["moves"].is_string();
    let freestyle = cases.filter(wanted);
    let board = |case: serde_json::Value| {
        let mut board = Board::new(Game::new(Variant::GomokuFreestyle));
        for text in case["moves"].as_str().expect("moves").split_whitespace() {
            board.make(Move::to(square(text).expect("a square")));
        }
        board
    };
    freestyle.map(board).collect()
}

/// The median over rounds of what is done a second.
fn measure(mut round: impl FnMut() -> usize) -> f64 {
    let mut speeds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            let done = round();
            done as f64 / start.elapsed().as_secs_f64()
        })
        .collect();
    speeds.sort_by(f64::total_cmp);
    speeds[ROUNDS / 2]
}

/// Makes and unmakes each move on each board; returns how many that were.
fn pairs(boards: &mut [(Board, Shapes, Candidates)], between: impl Fn(&Board, &Shapes)) -> usize {
    let mut count = 0;
    for _ in 0..PASSES {
        for (board, shapes, candidates) in boards.iter_mut() {
            for square in board.empty().clone().iter() {
                shapes.place(square, board.side());
                candidates.place(square);
                board.make(Move::to(square));
                between(board, shapes);
                board.unmake();
                candidates.remove();
                shapes.remove(square, board.side());
                count += 1;
            }
        }
    }
    count
}

fn main() {
    let boards = boards();
    let mut kept: Vec<(Board, Shapes, Candidates)> =
        boards.iter().map(|board| (board.clone(), Shapes::new(board), Candidates::new(board))).collect();
    let plain = measure(|| pairs(&mut kept, |_, _| {}));
    let evaluated = measure(|| {
        pairs(&mut kept, |board, shapes| {
            black_box(shapes.evaluate(board.side()));
        })
    });
    let mut search: Search<Shapes> = Search::new(Arc::new(Table::new(16).expect("memory")));
    let limits = Limits { nodes: Some(2_000), ..Limits::default() };
    let searched = measure(|| {
        search.clear(1);
        let mut think = |board: &Board| {
            let mut position = Position::new(*board.game());
            board.moves().iter().for_each(|&mv| position.play(mv).expect("a legal move"));
            let control = Control::new(Instant::now(), false);
            search.run(&position, &limits, &Settings::default(), &control, &mut |_| {}).nodes as usize
        };
        boards.iter().map(&mut think).sum()
    });
    #[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
    {
        println!("{} positions, medians of {ROUNDS} rounds, in thousands a second", boards.len());
        println!("make and unmake: {:.0}; with an evaluation: {:.0}", plain / 1e3, evaluated / 1e3);
        println!("nodes of forced wins: {:.0}", searched / 1e3);
    }
}
