//! Exact play on small boards, with gravity and without: the value of a position and the moves that keep it.
//!
//! [`Solver`] speaks of boards and moves. Below it nearly everything is bits. Boards without gravity are in `free`. With gravity, `shape` has
//! the geometry, `state` a position and its forced replies, `bounds` what is known without searching, `node` the search of one
//! yes-or-no question, `history` what has answered such questions, `table` its memory, `tables` two of them, `team` the
//! threads, `core` what there is to ask of a position; `book` is the opening table, `openings` how one is made. It knows nothing of the ordinary search.
//! Tests: `tests/solver.rs`.

mod book;
mod bounds;
mod core;
mod floor;
mod free;
mod history;
mod node;
mod openings;
mod shape;
mod state;
mod table;
mod tables;
mod team;
mod word;

pub use self::core::{Answer, Ends};
pub use book::BookError;
pub use floor::{Floor, Safe};
pub use openings::{FalseScore, Openings};

use self::core::{Core, Exact, Stones};
use crate::memory::OutOfMemory;
use crate::rules::{Board, Cell, Color, Game, Move, Overline, Position, Variant};
use crate::units::{Ply, Score};
use book::{Contents, Size};
use shape::{Any, Fixed};

/// A move and the value that it leads to, for the side that makes it.
pub type Valued = (Move, Score);

/// A value and the moves that keep it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The value for the side to move.
    pub score: Score,
    /// Every move that wins fastest, loses slowest or draws, by column; none if the game is over.
    pub best: Vec<Move>,
}

/// A solver for the boards of one game, with its memory.
pub struct Solver {
    core: Box<dyn Exact>,
    game: Game,
    /// Whether it has an opening table, or there is none for its board.
    booked: bool,
}

impl Solver {
    /// Which boards are small enough.
    pub const BOARDS: &str = "with gravity columns x (rows + 1) at most 128, without it 64 cells and 128 lines";

    /// Whether there is a solver for a game: a longer line wins too, and the board is one of [`Solver::BOARDS`].
    pub fn serves(game: &Game) -> bool {
        let plain = !matches!(game.variant(), Variant::Caro | Variant::Renju) && game.overline() == Overline::Wins;
        let (columns, rows, line) = (u32::from(game.columns()), u32::from(game.rows()), u32::from(game.line()));
        plain
            && match game.gravity() {
                true => columns * (rows + 1) <= u128::BITS,
                false => free::serves(columns, rows, line),
            }
    }

    /// A solver with a table of about so many bytes; `None` for a game that it does not serve.
    ///
    /// # Errors
    /// The system refuses the memory.
    pub fn new(game: &Game, bytes: usize) -> Result<Option<Solver>, OutOfMemory> {
        if !Solver::serves(game) {
            return Ok(None);
        }
        let (columns, rows, line) = (u32::from(game.columns()), u32::from(game.rows()), u32::from(game.line()));
        let core: Box<dyn Exact> = match (columns, rows, line) {
            _ if !game.gravity() => match free::solver(columns, rows, line, bytes)? {
                Some(core) => core,
                None => return Ok(None),
            },
            (7, 6, 4) => Box::new(Core::new(Fixed::<7, 6>, bytes)?),
            (7, 7, 4) => Box::new(Core::new(Fixed::<7, 7>, bytes)?),
            _ => match (Any::<u64>::new(columns, rows, line), Any::<u128>::new(columns, rows, line)) {
                (Some(small), _) => Box::new(Core::new(small, bytes)?),
                (None, Some(large)) => Box::new(Core::new(large, bytes)?),
                (None, None) => return Ok(None),
            },
        };
        Ok(Some(Solver { core, game: *game, booked: false }))
    }

    /// Whether early positions are answered from the opening table that comes along, if there is one for the board. At first
    /// they are not.
    pub fn use_book(&mut self, on: bool) {
        if on != self.booked {
            self.booked = on;
            let contents = on.then(|| Contents::from_bytes(book::SHIPPED, Size::of(&self.game)).ok());
            self.core.take_book(contents.flatten());
        }
    }

    /// Answers early positions from another opening table.
    ///
    /// # Errors
    /// The bytes are not a table for this board. There is then no table.
    pub fn read_book(&mut self, bytes: &[u8]) -> Result<(), BookError> {
        self.use_book(false);
        self.core.take_book(Some(Contents::from_bytes(bytes, Size::of(&self.game))?));
        self.booked = true;
        let opened = self.core.open_book();
        if opened.is_err() {
            self.use_book(false);
        }
        opened
    }

    /// Opens the opening table, if there is one; otherwise the first early position does that, which takes some hundredths of a
    /// second.
    pub fn open_book(&self) {
        // What comes along fits; what was read was opened then.
        let _ = self.core.open_book();
    }

    /// The positions of an opening table with so many stones on the board.
    pub fn openings(&self, plies: u32) -> Openings<'_> {
        Openings::new(self, plies)
    }

    /// Works with so many threads from now on, at first with one. What takes milliseconds is still done by one alone.
    pub fn use_threads(&mut self, threads: usize) {
        self.core.use_threads(threads);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.core.clear();
    }

    /// The bytes of memory in use.
    pub fn occupied_bytes(&self) -> u64 {
        self.core.occupied_bytes()
    }

    /// How full the table is, in thousandths.
    pub fn permille_full(&self) -> u16 {
        self.core.permille_full()
    }

    /// The value of a position, until `ends` says that it is enough.
    pub fn value(&self, position: &Position, ends: Ends<'_>) -> Answer<Score> {
        let board = position.board();
        let Answer { result, nodes } = self.core.score(stones(board), ends);
        Answer { result: result.map(|score| self.to_score(score, board)), nodes }
    }

    /// The value of a position and all moves that keep it.
    pub fn solve(&self, position: &Position, ends: Ends<'_>) -> Answer<Solution> {
        let board = position.board();
        let found = self.core.score(stones(board), ends);
        let mut total = found.nodes;
        let Some(score) = found.result else { return Answer { result: None, nodes: total } };
        let mut best = Vec::new();
        for mv in middle_first(position) {
            let kept = self.keeps(board, mv, score, &mut |nodes| ends(total + nodes));
            total += kept.nodes;
            match kept.result {
                None => return Answer { result: None, nodes: total },
                Some(true) => best.push(mv),
                Some(false) => {}
            }
        }
        best.sort_by_key(|mv| (mv.square().column(), mv.square().row()));
        Answer { result: Some(Solution { score: self.to_score(score, board), best }), nodes: total }
    }

    /// The value of a position and one move that keeps it, `None` if the game is over.
    pub fn best_move(&self, position: &Position, ends: Ends<'_>) -> Answer<(Score, Option<Move>)> {
        let board = position.board();
        let found = self.core.score(stones(board), ends);
        let mut total = found.nodes;
        let Some(score) = found.result else { return Answer { result: None, nodes: total } };
        let Safe { proven, nodes, .. } = self.safe_move(position, Floor(score), &mut |nodes| ends(total + nodes));
        total += nodes;
        Answer { result: proven.map(|mv| (self.to_score(score, board), mv)), nodes: total }
    }

    /// Whether a move is worth at least `score`: the reply cannot make more of it.
    fn keeps(&self, board: &Board, mv: Move, score: i32, ends: Ends<'_>) -> Answer<bool> {
        let Answer { result, nodes } = self.core.is_at_least(stones_after(board, mv), 1 - score, ends);
        Answer { result: result.map(|loses| !loses), nodes }
    }

    /// The value of each of some moves, the best first.
    pub fn values(&self, position: &Position, moves: &[Move], ends: Ends<'_>) -> Answer<Vec<Valued>> {
        let board = position.board();
        let mut total = 0;
        let mut values = Vec::new();
        for &mv in moves {
            let found = self.core.score(stones_after(board, mv), &mut |nodes| ends(total + nodes));
            total += found.nodes;
            let Some(score) = found.result else { return Answer { result: None, nodes: total } };
            values.push((mv, self.to_score(-score, board)));
        }
        values.sort_by_key(|&(_, score)| std::cmp::Reverse(score));
        Answer { result: Some(values), nodes: total }
    }

    /// Best play of both sides that begins with `first`, as far as it is found before `ends` says that it is enough. Returns the
    /// nodes it took, too.
    pub fn line(&self, position: &Position, first: Move, ends: Ends<'_>) -> (Vec<Move>, u64) {
        let mut line = vec![first];
        let mut total = 0;
        let mut after = position.clone();
        while let Some(mv) = line.last() {
            if after.play(*mv).is_err() || after.is_over() {
                break;
            }
            let found = self.best_move(&after, &mut |nodes| ends(total + nodes));
            total += found.nodes;
            let Some((_, Some(next))) = found.result else { break };
            line.push(next);
        }
        (line, total)
    }

    /// The cells of the board.
    fn cells(&self) -> i32 {
        self.game.cells() as i32
    }

    /// The score of a solver's count of stones left.
    fn to_score(&self, score: i32, board: &Board) -> Score {
        let stones = self.cells() - board.empties() as i32;
        if score == 0 {
            return Score::DRAW;
        }
        // The winning stone has one of two numbers; only one of them is the winner's.
        let last = self.cells() + 2 - 2 * score.abs();
        let own_win = score > 0;
        let plies = if ((last - stones) % 2 != 0) == own_win { last - stones } else { last - 1 - stones };
        let plies = Ply(plies.max(0) as u16);
        if own_win { Score::win_in(plies) } else { Score::loss_in(plies) }
    }
}

/// The legal moves, the middle first: that is where good moves are.
fn middle_first(position: &Position) -> Vec<Move> {
    let game = position.game();
    let (columns, rows) = (i32::from(game.columns()), i32::from(game.rows()));
    let mut moves = position.legal_moves();
    moves.sort_by_key(|mv| {
        let (column, row) = (i32::from(mv.square().column()), i32::from(mv.square().row()));
        let up = if game.gravity() { 0 } else { 2 * row - rows + 1 };
        (2 * column - columns + 1).abs() + up.abs()
    });
    moves
}

/// The stones of a board as bits.
fn stones(board: &Board) -> Stones {
    let mut sets = [0u128; 2];
    let game = board.game();
    for square in game.squares() {
        if let Cell::Stone(color) = board.cell(square) {
            sets[color.index()] |= bit(game, square.column(), square.row());
        }
    }
    let [first, second] = sets;
    match board.side() {
        Color::First => Stones { own: first, other: second },
        Color::Second => Stones { own: second, other: first },
    }
}

/// The stones after a move, from the view of the other side.
fn stones_after(board: &Board, mv: Move) -> Stones {
    let Stones { own, other } = stones(board);
    let cell = bit(board.game(), mv.square().column(), mv.square().row());
    Stones { own: other, other: own | cell }
}

fn bit(game: &Game, column: u8, row: u8) -> u128 {
    1 << (u32::from(column) * (u32::from(game.rows()) + 1) + u32::from(row))
}
