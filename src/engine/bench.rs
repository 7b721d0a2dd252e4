//! The benchmark: fixed positions of every game, searched to fixed depths, with a signature of all that was searched.
//!
//! A change that leaves the search as it was leaves the signature as it was. It folds nodes and score of each position, so
//! that errors cannot cancel; no time, no address, no hash-map order enters it.

use super::searcher::Searcher;
use crate::rules::{Game, Position, Variant, parse_move};
use crate::search::{Control, Finding, Limits, Settings, Table};
use crate::units::{Depth, Score};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The depth that the positions were chosen for, in hundredths of each position's own depth.
pub const DEPTH_SHARE: u32 = 100;
const HASH: usize = 16;

/// A position and the depth it is searched to.
struct Entry {
    name: &'static str,
    columns: u8,
    rows: u8,
    line: u8,
    variant: Variant,
    moves: &'static str,
    depth: i16,
}

const fn named(
    name: &'static str,
    variant: Variant,
    columns: u8,
    rows: u8,
    line: u8,
    moves: &'static str,
    depth: i16,
) -> Entry {
    Entry { name, columns, rows, line, variant, moves, depth }
}

const ENTRIES: [Entry; 16] = [
    named("freestyle, opening", Variant::GomokuFreestyle, 15, 15, 5, "h8 i9 g9", 8),
    named("freestyle, fight", Variant::GomokuFreestyle, 15, 15, 5, "h8 h7 i7 g9 h6 g5 g7 i6 g8 f8 f6", 8),
    named(
        "freestyle, must block",
        Variant::GomokuFreestyle,
        15,
        15,
        5,
        "h8 h7 i7 g9 h6 g5 g7 i6 g8 f8 f6 e5 f5 j10 i10 i11 k9 h10 j12 l10",
        8,
    ),
    named("freestyle 10x10", Variant::GomokuFreestyle, 10, 10, 5, "e5 f6 e6 f5 e7", 8),
    named("freestyle 20x20", Variant::GomokuFreestyle, 20, 20, 5, "j10 k11 l10 k10 k9 j8", 7),
    named("standard", Variant::Gomoku, 15, 15, 5, "h8 g8 i9 j10 h9 h10 g10", 8),
    named("caro", Variant::Caro, 15, 15, 5, "h8 i8 h7 h9 g8 i6 i7", 7),
    named("26x26, six in a row", Variant::Mnk, 26, 26, 6, "m13 n14 n13 o13 l12 m12", 5),
    named("5x5, four in a row", Variant::Mnk, 5, 5, 4, "c3 b2 b3", 22),
    named("6x5, four in a row", Variant::Mnk, 6, 5, 4, "", 30),
    named("tic-tac-toe", Variant::TicTacToe, 3, 3, 3, "", 9),
    named("Connect Four, empty", Variant::ConnectFour, 7, 6, 4, "", 16),
    named("Connect Four, middle", Variant::ConnectFour, 7, 6, 4, "d1 d2 d3 d4 d5 b1 b2 e1 c1 b3", 18),
    named(
        "Connect Four, late",
        Variant::ConnectFour,
        7,
        6,
        4,
        "g1 g2 b1 d1 e1 e2 b2 b3 e3 a1 e4 a2 d2 g3 b4 a3 a4 f1 g4 g5 e5",
        24,
    ),
    named("Connect Four 7x7", Variant::ConnectFour7x7, 7, 7, 4, "d1 d2 c1 e1 e2", 16),
    named("12x3, three in a row", Variant::Mnk, 12, 3, 3, "a1 l3", 12),
];

impl Entry {
    fn position(&self) -> Option<Position> {
        let game = Game::new(self.variant).with_columns(self.columns).ok()?.with_rows(self.rows).ok()?;
        let mut position = Position::new(game.with_line(self.line).ok()?);
        for text in self.moves.split_ascii_whitespace() {
            let (mv, _) = parse_move(text, &position).ok()?;
            position.play(mv).ok()?;
        }
        Some(position)
    }
}

/// One benchmark position done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it is.
    pub name: &'static str,
    /// Searched to this depth.
    pub depth: Depth,
    /// The value found.
    pub score: Score,
    /// Positions visited.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

/// All of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Positions visited.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
    /// Folds nodes and scores; changes exactly when what is searched changes.
    pub signature: u32,
}

/// Runs the benchmark to `share` hundredths of its depths; `None` if it was stopped.
pub fn run(share: u32, control: &Control, report: &mut dyn FnMut(Line)) -> Option<Summary> {
    let mut summary = Summary { nodes: 0, time: Duration::ZERO, signature: 0x811C_9DC5 };
    let table = Arc::new(Table::new(HASH).ok()?);
    for entry in &ENTRIES {
        table.clear(1);
        let position = entry.position()?;
        let mut search = Searcher::unaided(table.clone(), position.game());
        let depth = Depth((i32::from(entry.depth) * share as i32 / 100).max(1) as i16);
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let start = Instant::now();
        let Finding { nodes, score, .. } = search.run(&position, &limits, &Settings::default(), control, &mut |_| {});
        if control.is_stopped() {
            return None;
        }
        let time = start.elapsed();
        report(Line { name: entry.name, depth, score, nodes, time });
        summary.nodes += nodes;
        summary.time += time;
        // The FNV-1a hash of both numbers.
        for byte in nodes.to_le_bytes().into_iter().chain(score.to_bits().to_le_bytes()) {
            summary.signature = (summary.signature ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    }
    Some(summary)
}

/// The median time to take in a `position` with 225 moves on a 15x15 board without a winner.
pub fn intake(repetitions: usize) -> Option<Duration> {
    let (sender, _receiver) = crossbeam_channel::unbounded();
    let mut engine = super::Engine::new(sender).ok()?;
    let moves = full_board();
    let mut times: Vec<Duration> = Vec::with_capacity(repetitions);
    for _ in 0..repetitions.max(1) {
        let start = Instant::now();
        engine.set_position(None, moves.split_ascii_whitespace()).ok()?;
        times.push(start.elapsed());
    }
    times.sort();
    times.get(times.len() / 2).copied()
}

/// A game on 15x15 that fills the board with nobody having five: pairs of equal stones, shifted from row to row.
fn full_board() -> String {
    let game = Game::new(Variant::GomokuFreestyle);
    let first = |column: u8, row: u8| (column / 2 + row).is_multiple_of(2);
    let (x, o): (Vec<_>, Vec<_>) = game.squares().partition(|square| first(square.column(), square.row()));
    let (longer, shorter) = if x.len() > o.len() { (x, o) } else { (o, x) };
    let mut text = String::new();
    let mut shorter = shorter.into_iter();
    for square in longer {
        text.push_str(&format!("{square} "));
        if let Some(other) = shorter.next() {
            text.push_str(&format!("{other} "));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_long_game_has_225_legal_moves() {
        let mut position = Position::new(Game::new(Variant::GomokuFreestyle));
        for text in full_board().split_ascii_whitespace() {
            let (mv, _) = parse_move(text, &position).unwrap();
            position.play(mv).unwrap();
        }
        assert_eq!(position.board().moves().len(), 225);
    }

    #[test]
    fn the_signature_is_the_same_each_time() {
        let control = Control::new(Instant::now(), false);
        let sum = || run(50, &control, &mut |_| {}).map(|summary| (summary.nodes, summary.signature));
        let first = sum();
        assert!(first.is_some());
        assert_eq!(first, sum());
    }
}
