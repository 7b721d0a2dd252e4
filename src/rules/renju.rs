//! Renju's forbidden points, as the rules of the Renju International Federation define them (section 9).
//!
//! Black may not make an overline, two fours at once or two threes at once; a five comes before all of these. A three
//! counts only if one more stone can really make it a straight four, without making a five at the same time, and by a move
//! that is itself allowed when it is played: hence the recursion.
//!
//! ```text
//! straight four  . x x x x .      both ends make exactly five
//! four           o x x x x .      one end does; also  x x x . x  and the like
//! three          . . x x x .      one stone makes a straight four
//! ```

use super::board::{Board, Cell};
use super::game::Color;
use super::square::{Direction, GRID, Square};

/// Why a point is forbidden to Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Foul {
    /// Six or more in a row.
    Overline,
    /// Two fours at once.
    DoubleFour,
    /// Two threes at once.
    DoubleThree,
}

impl std::fmt::Display for Foul {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Foul::Overline => "an overline",
            Foul::DoubleFour => "a double-four",
            Foul::DoubleThree => "a double-three",
        })
    }
}

type Cells = [Cell; GRID];

/// How far a line is looked at on either side: a five and the cell beyond it.
const REACH: usize = 5;
/// The place of the point itself in a line of `2 * REACH + 1` cells.
const CENTRE: u32 = REACH as u32;

/// What a stone of Black on an empty point is.
#[derive(PartialEq)]
enum Verdict {
    Five,
    Foul(Foul),
    Fine,
}

/// Why Black must not play on an empty point, if it must not.
pub(super) fn foul(board: &Board, square: Square) -> Option<Foul> {
    match judge(board.cells(), square) {
        Verdict::Foul(foul) => Some(foul),
        Verdict::Five | Verdict::Fine => None,
    }
}

/// Whether a stone of Black on an empty point makes a three that counts.
pub(super) fn makes_three(board: &Board, square: Square) -> bool {
    let lines = lines_through(board.cells(), square);
    threes(board.cells(), square, lines.map(Line::straight_four_points)) > 0
}

fn lines_through(cells: &Cells, square: Square) -> [Line; 4] {
    Direction::ALL.map(|direction| Line::through(cells, square, direction))
}

fn judge(cells: &Cells, square: Square) -> Verdict {
    let lines = lines_through(cells, square);
    // Most points have too few stones around them for two threes, let alone for more.
    let with = |stones| lines.iter().filter(|line| line.stones.count_ones() >= stones).count();
    if with(3) < 2 && with(5) == 0 {
        return Verdict::Fine;
    }
    let runs = lines.map(Line::run);
    if runs.contains(&5) {
        return Verdict::Five;
    }
    if runs.iter().any(|&run| run > 5) {
        return Verdict::Foul(Foul::Overline);
    }
    if lines.iter().map(|line| line.fours()).sum::<u32>() >= 2 {
        return Verdict::Foul(Foul::DoubleFour);
    }
    let points = lines.map(Line::straight_four_points);
    if points.iter().filter(|&&points| points != 0).count() < 2 {
        return Verdict::Fine;
    }
    // Two shapes of three: how many of them are real?
    match threes(cells, square, points) {
        0 | 1 => Verdict::Fine,
        _ => Verdict::Foul(Foul::DoubleThree),
    }
}

/// How many real threes the point makes, whose lines have these cells that make a straight four.
fn threes(cells: &Cells, square: Square, points: [u32; 4]) -> usize {
    let mut after = *cells;
    after[square.index()] = Cell::Stone(Color::First);
    let is_real = |(direction, points): &(Direction, u32)| {
        let corner = square.index().wrapping_sub(REACH * direction.step());
        let mut ends = (0..=2 * CENTRE).filter(|bit| points & 1 << bit != 0);
        // A stone that makes a five at the same time is no straight four, and one that is forbidden cannot be played.
        ends.any(|bit| {
            let end = Square::from_index(corner.wrapping_add(bit as usize * direction.step()));
            end.is_some_and(|end| judge(&after, end) == Verdict::Fine)
        })
    };
    Direction::ALL.into_iter().zip(points).filter(is_real).count()
}

/// The cells of a line around a point, as bits; bit [`CENTRE`] is the point, taken as Black's.
#[derive(Clone, Copy)]
struct Line {
    stones: u32,
    empty: u32,
}

impl Line {
    fn through(cells: &Cells, square: Square, direction: Direction) -> Line {
        let first = square.index().wrapping_sub(REACH * direction.step());
        let mut line = Line { stones: 1 << CENTRE, empty: 0 };
        for bit in (0..=2 * CENTRE).filter(|&bit| bit != CENTRE) {
            // The walls around the board are wide enough that a walk of five never comes back onto it.
            match cells[first.wrapping_add(bit as usize * direction.step()) & (GRID - 1)] {
                Cell::Stone(Color::First) => line.stones |= 1 << bit,
                Cell::Empty => line.empty |= 1 << bit,
                _ => {}
            }
        }
        line
    }

    /// The length of the run of stones through the point.
    fn run(self) -> u32 {
        let up = (self.stones >> CENTRE).trailing_ones();
        let down = (self.stones << (31 - CENTRE)).leading_ones();
        up + down - 1
    }

    /// The lowest bit of that run.
    fn run_start(self) -> u32 {
        CENTRE + 1 - (self.stones << (31 - CENTRE)).leading_ones()
    }

    fn with(self, bit: u32) -> Line {
        Line { stones: self.stones | 1 << bit, empty: self.empty & !(1 << bit) }
    }

    /// The empty cells that make exactly five with the point.
    fn five_points(self) -> u32 {
        let makes_five = |bit: &u32| self.empty & 1 << bit != 0 && self.with(*bit).run() == 5;
        (CENTRE - 4..=CENTRE + 4).filter(makes_five).map(|bit| 1 << bit).sum()
    }

    /// How many fours the point makes in this line: a straight four is one, though two cells complete it.
    fn fours(self) -> u32 {
        // Three more stones at least.
        if self.stones.count_ones() < 4 {
            return 0;
        }
        let points = self.five_points();
        let straight = self.run() == 4 && points.count_ones() == 2;
        if straight { 1 } else { points.count_ones() }
    }

    /// The empty cells that make a straight four with the point, so that the point makes a three.
    fn straight_four_points(self) -> u32 {
        if self.stones.count_ones() < 3 {
            return 0;
        }
        let is_straight = |bit: &u32| {
            let line = self.with(*bit);
            if self.empty & 1 << bit == 0 || line.run() != 4 {
                return false;
            }
            let start = line.run_start();
            let within = (start..start + 4).contains(bit);
            within && line.five_points() == 1 << (start - 1) | 1 << (start + 4)
        };
        (CENTRE - 3..=CENTRE + 3).filter(is_straight).map(|bit| 1 << bit).sum()
    }
}
