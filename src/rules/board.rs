//! The board: stones, whose turn it is, make and unmake, the hash key, and win detection around a stone.
//!
//! It trusts its caller: [`Board::make`] takes any empty square. What may be played at all, and when a game is over, is the
//! business of [`Position`](super::Position). Tests: below and `tests/properties.rs`.

use super::game::{Color, Game, Variant};
use super::renju::{self, Foul};
use super::square::{Direction, GRID, Square, SquareSet};
use crate::units::MAX_CELLS;

/// What a cell of the grid holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// No stone.
    Empty,
    /// A stone of this colour.
    Stone(Color),
    /// Off the board.
    Wall,
}

/// A move: a stone goes to this square. In a gravity game it is the square where the stone comes to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(Square);

impl Move {
    /// The move that puts a stone on `square`.
    #[inline]
    pub fn to(square: Square) -> Move {
        Move(square)
    }

    /// Where the stone goes.
    #[inline]
    pub fn square(self) -> Square {
        self.0
    }
}

/// A 64-bit number that tells positions apart: stones and side to move (Zobrist hashing).
pub type Key = u64;

/// A board of any game, with the moves that led to it.
#[derive(Clone)]
pub struct Board {
    game: Game,
    cells: [Cell; GRID],
    empty: SquareSet,
    empties: usize,
    side: Color,
    key: Key,
    moves: Vec<Move>,
}

impl Board {
    /// The empty board of a game.
    pub fn new(game: Game) -> Board {
        let mut cells = [Cell::Wall; GRID];
        for square in game.squares() {
            cells[square.index()] = Cell::Empty;
        }
        Board {
            game,
            cells,
            empty: game.squares().collect(),
            empties: game.cells(),
            side: Color::First,
            key: 0,
            moves: Vec::with_capacity(MAX_CELLS),
        }
    }

    /// A board with stones on it and no moves to take back. Later stones of the same square win.
    pub(super) fn with_stones(game: Game, stones: &[(Square, Color)], side: Color) -> Board {
        let mut board = Board::new(game);
        for &(square, color) in stones {
            board.side = color;
            board.make(Move::to(square));
        }
        board.moves.clear();
        board.side = side;
        board.key = board.recomputed_key();
        board
    }

    /// The rules.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// What a square holds; [`Cell::Wall`] off the board.
    #[inline]
    pub fn cell(&self, square: Square) -> Cell {
        self.cells[square.index()]
    }

    /// The cells of the grid.
    pub(super) fn cells(&self) -> &[Cell; GRID] {
        &self.cells
    }

    /// Why the side to move must not play on an empty square, if renju forbids it. Fouls are defined for lines of five.
    #[inline]
    pub fn foul(&self, square: Square) -> Option<Foul> {
        self.foul_of(square, self.side)
    }

    /// Why a colour must not play on an empty square, whoever is to move: see [`Board::foul`].
    #[inline]
    pub fn foul_of(&self, square: Square, color: Color) -> Option<Foul> {
        if self.has_fouls(color) { renju::foul(self, square) } else { None }
    }

    /// Whether an open three that a colour seems to make on an empty square is one: not if renju forbids every move that
    /// would turn it into an open four.
    pub fn three_counts(&self, square: Square, color: Color) -> bool {
        !self.has_fouls(color) || renju::makes_three(self, square)
    }

    #[inline]
    fn has_fouls(&self, color: Color) -> bool {
        self.game.variant() == Variant::Renju && self.game.line() == 5 && color == Color::First
    }

    /// Whether a square is on the board and empty.
    #[inline]
    pub fn is_empty(&self, square: Square) -> bool {
        self.cell(square) == Cell::Empty
    }

    /// The empty squares.
    #[inline]
    pub fn empty(&self) -> &SquareSet {
        &self.empty
    }

    /// How many squares are empty.
    #[inline]
    pub fn empties(&self) -> usize {
        self.empties
    }

    /// How many stones are on the board.
    pub fn stones(&self) -> usize {
        self.game.cells() - self.empties
    }

    /// Whose turn it is.
    #[inline]
    pub fn side(&self) -> Color {
        self.side
    }

    /// The hash key.
    #[inline]
    pub fn key(&self) -> Key {
        self.key
    }

    /// The moves made on this board, the first first. Stones that it was set up with are not among them.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The lowest empty square of a column: where a stone comes to rest under gravity.
    #[inline]
    pub fn landing(&self, column: u8) -> Option<Square> {
        (0..self.game.rows()).filter_map(|row| Square::new(column, row)).find(|&square| self.is_empty(square))
    }

    /// Whether a stone can come to rest here: an empty square, and under gravity one with support.
    #[inline]
    pub fn is_playable(&self, square: Square) -> bool {
        self.is_empty(square)
            && (!self.game.gravity() || self.cells[square.index() - Direction::Vertical.step()] != Cell::Empty)
    }

    /// Puts a stone of the side to move on an empty square; the turn passes.
    #[inline]
    pub fn make(&mut self, mv: Move) {
        let square = mv.square();
        debug_assert!(self.is_empty(square));
        self.cells[square.index()] = Cell::Stone(self.side);
        self.empty.remove(square);
        self.empties -= 1;
        self.key ^= stone_key(square, self.side) ^ SIDE_KEY;
        self.side = !self.side;
        self.moves.push(mv);
    }

    /// Takes the last move back. Does nothing if there is none.
    #[inline]
    pub fn unmake(&mut self) {
        let Some(mv) = self.moves.pop() else { return };
        let square = mv.square();
        self.side = !self.side;
        self.key ^= stone_key(square, self.side) ^ SIDE_KEY;
        self.cells[square.index()] = Cell::Empty;
        self.empty.insert(square);
        self.empties += 1;
    }

    /// Whether a stone of `color` on `square` (there already, or about to be) completes a winning line.
    #[inline]
    pub fn wins_at(&self, square: Square, color: Color) -> bool {
        Direction::ALL.into_iter().any(|direction| self.line_wins(square, color, direction).is_some())
    }

    /// The squares of the lines that the stone on `square` completes; empty if it wins nothing.
    pub fn winning_squares(&self, square: Square) -> Vec<Square> {
        let Cell::Stone(color) = self.cell(square) else { return Vec::new() };
        let lines = Direction::ALL.into_iter().filter_map(|direction| {
            let (before, after) = self.line_wins(square, color, direction)?;
            let first = square.index() - before * direction.step();
            Some((0..=before + after).filter_map(move |n| Square::from_index(first + n * direction.step())))
        });
        let set: SquareSet = lines.flatten().collect();
        set.iter().collect()
    }

    /// The colour's stones before and after `square` in one direction, if with it they win.
    #[inline]
    fn line_wins(&self, square: Square, color: Color, direction: Direction) -> Option<(usize, usize)> {
        let stone = Cell::Stone(color);
        let (at, step) = (square.index(), direction.step());
        // The grid has a wall all around: both walks end inside it.
        let mut before = 0;
        while self.cells[(at - (before + 1) * step) & (GRID - 1)] == stone {
            before += 1;
        }
        let mut after = 0;
        while self.cells[(at + (after + 1) * step) & (GRID - 1)] == stone {
            after += 1;
        }
        let opponent = Cell::Stone(!color);
        let closed = || {
            self.cells[(at - (before + 1) * step) & (GRID - 1)] == opponent
                && self.cells[(at + (after + 1) * step) & (GRID - 1)] == opponent
        };
        self.game.line_wins(color, before + after + 1, closed).then_some((before, after))
    }

    /// The key computed from nothing but the stones and the side: what [`Board::key`] must always equal.
    pub fn recomputed_key(&self) -> Key {
        let stones = self.game.squares().filter_map(|square| match self.cell(square) {
            Cell::Stone(color) => Some(stone_key(square, color)),
            _ => None,
        });
        let side = if self.side == Color::First { 0 } else { SIDE_KEY };
        stones.fold(side, |key, stone| key ^ stone)
    }
}

// One more than the numbers of the stones: no key is like another, and none is 0, as that of `u64::MAX` would be.
const SIDE_KEY: Key = split_mix(2 * GRID as u64);
static STONE_KEYS: [[Key; GRID]; 2] = stone_keys();

#[inline]
fn stone_key(square: Square, color: Color) -> Key {
    STONE_KEYS[color.index()][square.index()]
}

const fn stone_keys() -> [[Key; GRID]; 2] {
    let mut keys = [[0; GRID]; 2];
    let mut index = 0;
    while index < 2 * GRID {
        keys[index / GRID][index % GRID] = split_mix(index as u64);
        index += 1;
    }
    keys
}

/// The output function of the SplitMix64 generator (Steele, Lea, Flood 2014): a bijection that scatters its input.
const fn split_mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
