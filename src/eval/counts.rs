//! The evaluation for any m,n,k: how many stones of one colour alone each line holds, kept up to date with every stone.
//!
//! A line that holds stones of one colour only is *live* for that colour; one with both is dead for good. What is kept:
//! per colour the number of live lines by their stones (the evaluation), per square what a stone there would build or
//! break (the move ordering), and the lines that lack one stone (the wins and the forced replies).

use super::lines::LineTable;
use super::{Evaluator, Wins};
use crate::rules::{Board, Cell, Color, GRID, Square};
use crate::units::Score;
use std::sync::Arc;

/// The longest line, and so the most stones one can hold.
const LONGEST: usize = 8;

/// Worth of a live line in hundredths, by the number of stones it lacks, for the side to move and for the other one.
const MOVER: [i32; LONGEST + 1] = [0, 90, 42, 14, 4, 1, 0, 0, 0];
const WAITER: [i32; LONGEST + 1] = [0, 70, 26, 9, 3, 1, 0, 0, 0];

/// Worth of a stone in a live line, by the number of stones that the line lacks before it.
const BUILD: [i32; LONGEST + 1] = [0, 1000, 160, 30, 6, 1, 0, 0, 0];

/// Line counts of a board.
#[derive(Clone)]
pub struct LineCounts {
    table: Arc<LineTable>,
    /// Per line the stones of either colour.
    held: Vec<[u8; 2]>,
    /// Per colour: how many live lines hold so many stones.
    tally: [[i32; LONGEST + 1]; 2],
    /// Per square and colour: the summed worth of a stone there.
    build: Vec<[i32; 2]>,
    /// Per colour: the live lines that lack one stone.
    nearly: [Vec<u16>; 2],
}

impl LineCounts {
    /// The [`Evaluator::move_score`] from which a move makes or stops a direct threat: a stone in a line that lacks two.
    pub const URGENT: i32 = BUILD[2];

    fn of_table(table: Arc<LineTable>, board: &Board) -> LineCounts {
        let (lines, length) = (table.count(), table.length());
        let mut counts = LineCounts {
            held: vec![[0; 2]; lines],
            tally: [[0; LONGEST + 1]; 2],
            build: vec![[0; 2]; GRID],
            nearly: [Vec::with_capacity(lines), Vec::with_capacity(lines)],
            table,
        };
        for color in Color::ALL {
            counts.tally[color.index()][0] = lines as i32;
        }
        for line in 0..lines as u16 {
            for square in counts.table.squares(line) {
                counts.build[square.index()] = counts.build[square.index()].map(|worth| worth + BUILD[length]);
            }
        }
        for square in board.game().squares() {
            if let Cell::Stone(color) = board.cell(square) {
                counts.place(square, color);
            }
        }
        counts
    }

    /// Moves a line's worth for `color` from `before` to `after` stones; `None` stands for a dead line.
    #[inline]
    fn shift(&mut self, line: u16, color: Color, before: Option<u8>, after: Option<u8>) {
        let length = self.table.length();
        let worth = |stones: Option<u8>| stones.map_or(0, |n| BUILD[length - usize::from(n)]);
        let (side, delta) = (color.index(), worth(after) - worth(before));
        if let Some(n) = before {
            self.tally[side][usize::from(n)] -= 1;
            if usize::from(n) + 1 == length
                && let Some(at) = self.nearly[side].iter().rposition(|&known| known == line)
            {
                self.nearly[side].swap_remove(at);
            }
        }
        if let Some(n) = after {
            self.tally[side][usize::from(n)] += 1;
            if usize::from(n) + 1 == length {
                self.nearly[side].push(line);
            }
        }
        if delta != 0 {
            for square in self.table.squares(line) {
                self.build[square.index()][side] += delta;
            }
        }
    }

    /// Changes the stones of every line through `square`: `color` gets one more, or one less.
    #[inline]
    fn update(&mut self, square: Square, color: Color, placed: bool) {
        for position in self.table.range_through(square) {
            let line = self.table.through_at(position);
            let held = &mut self.held[usize::from(line)];
            let (own, other) = (held[color.index()], held[(!color).index()]);
            let (fewer, more) = if placed { (own, own + 1) } else { (own - 1, own) };
            held[color.index()] = if placed { more } else { fewer };
            if other == 0 {
                let (before, after) = if placed { (fewer, more) } else { (more, fewer) };
                self.shift(line, color, Some(before), Some(after));
            }
            // The first stone of a colour kills the line for the other, and gives it back when it goes.
            if fewer == 0 {
                let (before, after) = if placed { (Some(other), None) } else { (None, Some(other)) };
                self.shift(line, !color, before, after);
            }
        }
    }
}

impl Evaluator for LineCounts {
    fn new(board: &Board) -> LineCounts {
        LineCounts::of_table(Arc::new(LineTable::new(board.game())), board)
    }

    fn on(&self, board: &Board) -> LineCounts {
        LineCounts::of_table(self.table.clone(), board)
    }

    fn place(&mut self, square: Square, color: Color) {
        self.update(square, color, true);
    }

    fn remove(&mut self, square: Square, color: Color) {
        self.update(square, color, false);
    }

    fn evaluate(&self, side: Color) -> Score {
        let length = self.table.length();
        let (own, other) = (&self.tally[side.index()], &self.tally[(!side).index()]);
        let sum = (1..length).map(|n| own[n] * MOVER[length - n] - other[n] * WAITER[length - n]).sum();
        Score::eval(sum)
    }

    fn move_score(&self, square: Square, side: Color) -> i32 {
        let build = self.build[square.index()];
        build[side.index()] * 5 / 4 + build[(!side).index()]
    }

    fn wins(&self, board: &Board, color: Color) -> Wins {
        let mut wins = Wins::None;
        for &line in &self.nearly[color.index()] {
            let gap = self.table.squares(line).iter().copied().find(|&square| board.is_empty(square));
            // A full window is not yet a win where overlines or closed ends count, nor one that hangs in the air.
            if let Some(square) = gap.filter(|&s| board.is_playable(s) && board.wins_at(s, color)) {
                wins.add(square);
            }
        }
        wins
    }

    fn can_win(&self, color: Color) -> bool {
        self.tally[color.index()].iter().any(|&count| count != 0)
    }
}
