//! The evaluation of five in a row: what a stone would make on each empty cell, kept up to date stone by stone.
//!
//! Each empty cell has for either colour a shape in each of its four lines, found in a table by the neighbours in that line.
//! The four together give the cell a code; codes have traits (it makes a five, an open four ...), which are kept as sets of
//! squares, and weights, whose sum is the evaluation. Reading order: `shape` (one line), `tables` (a cell), here (a board).

#[cfg(test)]
mod oracle;
mod shape;
mod tables;
mod weights;

pub use shape::Shape;
pub use tables::{CODES, Trait, multisets};
pub use weights::{CellWorth, FRACTION, MASKS, MoveWorth, OFFSETS, Weights, offset_kind};

use super::{Evaluator, Wins};
use crate::rules::{Board, Cell, Color, Direction, GRID, Game, Square, SquareSet};
use crate::units::Score;
use std::sync::Arc;
use tables::{Code, Shapes4, Tables};

/// Cells off the board on either side of a line: windows of windows reach that far.
const MARGIN: usize = 10;
const LINES: usize = 64;

/// What is known of an empty cell. Of an occupied one: what was known when the stone came.
#[derive(Clone, Copy, Default)]
struct CellShapes {
    /// Per direction the shapes of both colours, as the table of windows has them.
    lines: [u8; 4],
    /// Per colour the four shapes together.
    shapes: [Shapes4; 2],
    codes: [Code; 2],
    traits: [u8; 2],
}

/// What the sums and counts are at one point of a game.
#[derive(Clone, Copy, Default)]
struct Totals {
    /// Per colour the worth of all empty cells, if it is to move and if it is not.
    mover: [i32; 2],
    waiter: [i32; 2],
    /// Per colour and trait the number of cells.
    counts: [[u16; Trait::COUNT]; 2],
    /// How many cells were saved before.
    saved: usize,
}

/// The shapes of a board.
#[derive(Clone)]
pub struct Shapes {
    tables: Arc<Tables>,
    /// Per direction the lines of the board, two bits a cell.
    lines: Box<[[u128; LINES]; 4]>,
    field: Field,
    past: Vec<Totals>,
}

/// All cells, and what is known of them together.
#[derive(Clone)]
struct Field {
    cells: Box<[CellShapes; GRID]>,
    sets: [[SquareSet; Trait::COUNT]; 2],
    now: Totals,
    /// The cells that stones have changed, as they were before.
    saved: Vec<(u16, CellShapes)>,
}

/// Where a square lies in the line through it: the line's number, and how many bits its cell is from the lowest.
#[inline]
fn place(square: Square, direction: Direction) -> (usize, usize) {
    let (column, row) = (usize::from(square.column()), usize::from(square.row()));
    let (line, along) = match direction {
        Direction::Horizontal => (row, column),
        Direction::Vertical => (column, row),
        Direction::Rising => (row + 25 - column, column),
        Direction::Falling => (row + column, row),
    };
    (line & (LINES - 1), 2 * (along + MARGIN))
}

impl Shapes {
    /// Whether this evaluator knows the game: five in a row on a board that stones do not fall down.
    pub fn serve(game: &Game) -> bool {
        game.line() == 5 && !game.gravity() && game.columns().min(game.rows()) >= 5 && game.cells() > 36
    }

    fn of_tables(tables: Arc<Tables>, board: &Board) -> Shapes {
        let game = board.game();
        let mut lines = Box::new([[u128::MAX; LINES]; 4]);
        for square in game.squares() {
            for direction in Direction::ALL {
                let (line, bit) = place(square, direction);
                lines[direction as usize][line] &= !(3 << bit);
            }
        }
        let mut field = Field {
            cells: Box::new([CellShapes::default(); GRID]),
            sets: [const { [SquareSet::EMPTY; Trait::COUNT] }; 2],
            now: Totals::default(),
            saved: Vec::with_capacity(8 * tables.reach * game.cells()),
        };
        for square in game.squares() {
            let pairs = Direction::ALL.map(|direction| {
                let (line, bit) = place(square, direction);
                let span = (lines[direction as usize][line] >> (bit - 2 * tables.reach)) as u64;
                tables.shapes[window(span, tables.reach)]
            });
            field.begin(square, pairs, &tables);
        }
        let past = Vec::with_capacity(game.cells() + 1);
        let mut shapes = Shapes { tables, lines, field, past };
        for square in game.squares() {
            if let Cell::Stone(color) = board.cell(square) {
                shapes.place(square, color);
            }
        }
        shapes
    }

    /// Looks at the cells around a square again, in which a stone has just come.
    #[inline]
    fn refresh<const REACH: usize>(&mut self, square: Square) {
        for direction in Direction::ALL {
            let (line, bit) = place(square, direction);
            let span = (self.lines[direction as usize][line] >> (bit - 4 * REACH)) as u64;
            let first = square.index().wrapping_sub(REACH * direction.step());
            for n in 0..=2 * REACH {
                let here = span >> (2 * n);
                if here >> (2 * REACH) & 3 != 0 {
                    continue; // not empty
                }
                let pair = self.tables.shapes[window(here, REACH)];
                let index = first.wrapping_add(n * direction.step()) & (GRID - 1);
                if self.field.cells[index].lines[direction as usize] != pair {
                    self.field.change(index, direction, pair, &self.tables);
                }
            }
        }
    }

    /// How many empty cells have a trait for a colour.
    #[inline]
    pub fn count(&self, color: Color, which: Trait) -> usize {
        usize::from(self.field.now.counts[color.index()][which as usize])
    }

    /// The empty cells that have a trait for a colour.
    #[inline]
    pub fn cells(&self, color: Color, which: Trait) -> &SquareSet {
        &self.field.sets[color.index()][which as usize]
    }

    /// Whether an empty cell has a trait for a colour.
    #[inline]
    pub fn has(&self, square: Square, color: Color, which: Trait) -> bool {
        self.traits(square, color) & which.bit() != 0
    }

    /// The traits of an empty cell for a colour, as [`Trait::bit`]s.
    #[inline]
    pub fn traits(&self, square: Square, color: Color) -> u8 {
        self.field.cells[square.index()].traits[color.index()]
    }

    /// What a stone of a colour on an empty cell makes in each of its lines, in the order of [`Direction::ALL`].
    pub fn shapes(&self, square: Square, color: Color) -> [Shape; 4] {
        tables::unpacked(self.field.cells[square.index()].shapes[color.index()])
    }

    /// Per colour the code of an empty cell, below [`CODES`].
    #[inline]
    pub fn codes(&self, square: Square) -> [u16; 2] {
        self.field.cells[square.index()].codes
    }

    /// What a move of `side` gains by lying near the last move and the one before it.
    #[inline]
    pub fn nearness(&self, square: Square, side: Color, last: [Option<Square>; 2]) -> i32 {
        let near = &self.tables.near[side.index()];
        let worth = |at: usize, from: Option<Square>| {
            from.map_or(0, |from| i32::from(near[at * OFFSETS + offset_kind(square, from)]))
        };
        worth(0, last[0]) + worth(1, last[1])
    }

    /// The threats on the board as an index: what `side`, which is to move, could make, and what the other one could. Below [`MASKS`].
    #[inline]
    pub fn mask(&self, side: Color) -> usize {
        let some = |color, which| usize::from(self.count(color, which) > 0);
        // A line that can become a four, or an open three, has two cells for it as a rule.
        let lines = |color, which| self.count(color, which).div_ceil(2).min(3);
        let threats = |color| {
            let single = lines(color, Trait::Four) | lines(color, Trait::OpenThree) << 2;
            single | some(color, Trait::FourThree) << 4 | some(color, Trait::DoubleThree) << 5
        };
        threats(side) | threats(!side) << 6 | some(!side, Trait::OpenFour) << 12
    }
}

impl Field {
    /// Takes in an empty cell with the shapes of its lines.
    fn begin(&mut self, square: Square, pairs: [u8; 4], tables: &Tables) {
        let cell = &mut self.cells[square.index()];
        cell.lines = pairs;
        for color in Color::ALL {
            let side = color.index();
            let lines = pairs.iter().rev().map(|pair| Shapes4::from(pair >> (4 * side) & 15));
            let cell = &mut self.cells[square.index()];
            cell.shapes[side] = lines.fold(0, |shapes, shape| shapes << 4 | shape);
            cell.codes[side] = tables.codes[usize::from(cell.shapes[side])];
            cell.traits[side] = tables.traits[side][usize::from(cell.codes[side])];
            let (worth, traits) = (tables.worth[side][usize::from(cell.codes[side])], cell.traits[side]);
            self.now.mover[side] += i32::from(worth.mover);
            self.now.waiter[side] += i32::from(worth.waiter);
            self.toggle(square, color, traits, true);
        }
    }

    /// An empty cell gets a stone.
    #[inline]
    fn occupy(&mut self, square: Square, tables: &Tables) {
        let CellShapes { codes, traits, .. } = self.cells[square.index()];
        for color in Color::ALL {
            let side = color.index();
            let worth = tables.worth[side][usize::from(codes[side])];
            self.now.mover[side] -= i32::from(worth.mover);
            self.now.waiter[side] -= i32::from(worth.waiter);
            self.toggle(square, color, traits[side], false);
        }
    }

    /// A line of an empty cell has new shapes.
    #[inline]
    fn change(&mut self, index: usize, direction: Direction, pair: u8, tables: &Tables) {
        let old = self.cells[index];
        self.saved.push((index as u16, old));
        let mut cell = old;
        let direction = direction as usize;
        let changed = cell.lines[direction] ^ pair;
        cell.lines[direction] = pair;
        let shift = 4 * direction;
        for side in 0..2 {
            if changed >> (4 * side) & 15 == 0 {
                continue;
            }
            let shape = Shapes4::from(pair >> (4 * side) & 15);
            cell.shapes[side] = cell.shapes[side] & !(15 << shift) | shape << shift;
            cell.codes[side] = tables.codes[usize::from(cell.shapes[side])];
            let worth = &tables.worth[side];
            let (before, after) = (worth[usize::from(old.codes[side])], worth[usize::from(cell.codes[side])]);
            self.now.mover[side] += i32::from(after.mover) - i32::from(before.mover);
            self.now.waiter[side] += i32::from(after.waiter) - i32::from(before.waiter);
            cell.traits[side] = tables.traits[side][usize::from(cell.codes[side])];
        }
        self.cells[index] = cell;
        self.move_between_sets(index, old.traits, cell.traits);
    }

    /// Gives a cell back what it was.
    #[inline]
    fn restore(&mut self, index: usize, old: CellShapes) {
        let new = std::mem::replace(&mut self.cells[index & (GRID - 1)], old);
        self.move_between_sets(index, new.traits, old.traits);
    }

    #[inline]
    fn move_between_sets(&mut self, index: usize, had: [u8; 2], has: [u8; 2]) {
        if had == has {
            return;
        }
        let Some(square) = Square::from_index(index) else { return };
        for color in Color::ALL {
            let (had, has) = (had[color.index()], has[color.index()]);
            self.toggle(square, color, had & !has, false);
            self.toggle(square, color, has & !had, true);
        }
    }

    /// Adds a square to the sets of some traits, or takes it out of them.
    #[inline]
    fn toggle(&mut self, square: Square, color: Color, mut traits: u8, add: bool) {
        while traits != 0 {
            let which = traits.trailing_zeros() as usize;
            traits &= traits - 1;
            let set = &mut self.sets[color.index()][which];
            let count = &mut self.now.counts[color.index()][which];
            if add {
                set.insert(square);
                *count += 1;
            } else {
                set.remove(square);
                *count -= 1;
            }
        }
    }
}

/// The window around the cell `reach` cells above the lowest one of `span`.
#[inline]
fn window(span: u64, reach: usize) -> usize {
    let low = (1 << (2 * reach)) - 1;
    (span & low | span >> 2 & low << (2 * reach)) as usize
}

impl Evaluator for Shapes {
    fn new(board: &Board) -> Shapes {
        Shapes::of_tables(Arc::new(Tables::new(board.game())), board)
    }

    fn on(&self, board: &Board) -> Shapes {
        Shapes::of_tables(self.tables.clone(), board)
    }

    #[inline]
    fn place(&mut self, square: Square, color: Color) {
        self.past.push(Totals { saved: self.field.saved.len(), ..self.field.now });
        self.field.occupy(square, &self.tables);
        for direction in Direction::ALL {
            let (line, bit) = place(square, direction);
            self.lines[direction as usize][line] |= 1 << (bit + color.index());
        }
        match self.tables.reach {
            4 => self.refresh::<4>(square),
            _ => self.refresh::<5>(square),
        }
    }

    #[inline]
    fn remove(&mut self, square: Square, color: Color) {
        let Some(before) = self.past.pop() else { return };
        for direction in Direction::ALL {
            let (line, bit) = place(square, direction);
            self.lines[direction as usize][line] &= !(1 << (bit + color.index()));
        }
        while self.field.saved.len() > before.saved {
            let Some((index, old)) = self.field.saved.pop() else { break };
            self.field.restore(usize::from(index), old);
        }
        let traits = self.field.cells[square.index()].traits;
        for color in Color::ALL {
            self.field.toggle(square, color, traits[color.index()], true);
        }
        self.field.now = before;
    }

    #[inline]
    fn evaluate(&self, side: Color) -> Score {
        let (own, other) = (side.index(), (!side).index());
        let cells = (self.field.now.mover[own] - self.field.now.waiter[other]) / FRACTION;
        Score::eval(cells + i32::from(self.tables.threats[own][self.mask(side)]))
    }

    #[inline]
    fn move_score(&self, square: Square, side: Color) -> i32 {
        let codes = self.field.cells[square.index()].codes;
        let attack = self.tables.moves[side.index()][usize::from(codes[side.index()])].attack;
        let defend = self.tables.moves[(!side).index()][usize::from(codes[(!side).index()])].defend;
        i32::from(attack) + i32::from(defend)
    }

    fn wins(&self, _: &Board, color: Color) -> Wins {
        let mut wins = Wins::None;
        if self.count(color, Trait::Five) > 0 {
            self.cells(color, Trait::Five).iter().take(2).for_each(|square| wins.add(square));
        }
        wins
    }

    fn can_win(&self, color: Color) -> bool {
        self.count(color, Trait::Live) > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Move, Variant};

    /// Everything that is kept, in a form that can be compared.
    fn state(shapes: &Shapes, board: &Board) -> String {
        let mut text = String::new();
        for square in board.game().squares().filter(|&square| board.is_empty(square)) {
            let cell = &shapes.field.cells[square.index()];
            text += &format!("{square} {:?} {:?} {:?} {:?}\n", cell.lines, cell.shapes, cell.codes, cell.traits);
        }
        let Totals { mover, waiter, counts, .. } = shapes.field.now;
        text + &format!("{mover:?} {waiter:?} {counts:?} {:?}", shapes.field.sets)
    }

    #[test]
    fn what_is_kept_equals_what_is_worked_out_afresh() {
        for variant in [Variant::GomokuFreestyle, Variant::Gomoku, Variant::Renju, Variant::Caro] {
            for (columns, rows) in [(15, 15), (26, 26), (7, 7), (9, 20)] {
                let game = Game::new(variant).with_columns(columns).unwrap().with_rows(rows).unwrap();
                let mut board = Board::new(game);
                let mut shapes = Shapes::new(&board);
                let empty = state(&shapes, &board);
                let mut random = fastrand::Rng::with_seed(7);
                for stones in 0..usize::min(60, game.cells()) {
                    let squares: Vec<Square> = board.empty().iter().collect();
                    let square = squares[random.usize(..squares.len())];
                    let before = state(&shapes, &board);
                    shapes.place(square, board.side());
                    shapes.remove(square, board.side());
                    assert_eq!(before, state(&shapes, &board));
                    shapes.place(square, board.side());
                    board.make(Move::to(square));
                    if stones % 10 == 9 {
                        assert_eq!(state(&shapes, &board), state(&shapes.on(&board), &board));
                    }
                }
                while let Some(&mv) = board.moves().last() {
                    board.unmake();
                    shapes.remove(mv.square(), board.side());
                }
                assert_eq!(empty, state(&shapes, &board));
            }
        }
    }

    #[test]
    fn fives_are_where_the_rules_have_them() {
        for variant in [Variant::GomokuFreestyle, Variant::Gomoku, Variant::Renju, Variant::Caro] {
            let mut board = Board::new(Game::new(variant).with_columns(9).unwrap().with_rows(9).unwrap());
            let mut shapes = Shapes::new(&board);
            let mut random = fastrand::Rng::with_seed(3);
            for _ in 0..70 {
                let squares: Vec<Square> = board.empty().iter().collect();
                let square = squares[random.usize(..squares.len())];
                shapes.place(square, board.side());
                board.make(Move::to(square));
                for square in board.empty().iter() {
                    for color in Color::ALL {
                        assert_eq!(shapes.has(square, color, Trait::Five), board.wins_at(square, color), "{square}");
                    }
                }
            }
        }
    }
}
