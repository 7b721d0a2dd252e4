//! A game in progress: a board on which only legal moves are played, and its outcome.

use super::board::{Board, Cell, Move};
use super::game::{Color, Game, Variant};
use super::renju::Foul;
use super::square::Square;
use std::fmt;

/// How a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Someone is to move.
    Ongoing,
    /// This player has a winning line.
    Win(Color),
    /// Nobody has one, and the board is full or the side to move has no legal move.
    Draw,
}

/// Why a move cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalMove {
    /// The square is not on this board.
    OffBoard(Square),
    /// There is a stone already.
    Occupied(Square),
    /// Under gravity a stone does not stay here; it would fall to the second square.
    Floating(Square, Square),
    /// The column (from 0) has no empty cell.
    ColumnFull(u8),
    /// There is no such column (from 0).
    NoColumn(u8),
    /// Renju forbids it to Black.
    Foul(Square, Foul),
    /// The game is over.
    GameOver,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalMove::OffBoard(square) => write!(f, "{square} is off the board"),
            IllegalMove::Occupied(square) => write!(f, "{square} is occupied"),
            IllegalMove::Floating(square, landing) => {
                write!(f, "{square} has no support, the stone falls to {landing}")
            }
            IllegalMove::ColumnFull(column) => write!(f, "column {} is full", char::from(b'a' + column)),
            IllegalMove::NoColumn(column) => write!(f, "there is no column {}", u16::from(*column) + 1),
            IllegalMove::Foul(square, foul) => write!(f, "{square} is a foul of Black, {foul}"),
            IllegalMove::GameOver => write!(f, "the game is over"),
        }
    }
}

impl std::error::Error for IllegalMove {}

/// Why no game leads to a position with these stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// Under gravity this stone would fall.
    Floating(Square),
    /// Under gravity these numbers of stones cannot come about with this side to move.
    Counts(usize, usize),
    /// Both colours have a winning line.
    BothWin,
    /// The side to move has a winning line: the game was over before the other side's last move.
    WonBefore,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::Floating(square) => write!(f, "the stone on {square} has no support"),
            SetupError::Counts(first, second) => {
                write!(f, "{first} stones of x and {second} of o do not fit the side to move")
            }
            SetupError::BothWin => write!(f, "both colours have a winning line"),
            SetupError::WonBefore => write!(f, "the side to move has a winning line; expected the other one to move"),
        }
    }
}

impl std::error::Error for SetupError {}

/// A board and what has become of the game on it.
#[derive(Clone)]
pub struct Position {
    board: Board,
    outcome: Outcome,
}

impl Position {
    /// The empty board of a game.
    pub fn new(game: Game) -> Position {
        Position { board: Board::new(game), outcome: Outcome::Ongoing }
    }

    /// A board with stones on it, in whatever order they came.
    ///
    /// # Errors
    /// No game leads there.
    pub fn with_stones(game: Game, stones: &[(Square, Color)], side: Color) -> Result<Position, SetupError> {
        let board = Board::with_stones(game, stones, side);
        let wins = |color| stones.iter().any(|&(square, stone)| stone == color && board.wins_at(square, color));
        let outcome = match (wins(Color::First), wins(Color::Second)) {
            (true, true) => return Err(SetupError::BothWin),
            (first, second) if [first, second][side.index()] => return Err(SetupError::WonBefore),
            (true, false) => Outcome::Win(Color::First),
            (false, true) => Outcome::Win(Color::Second),
            (false, false) if has_legal_move(&board) => Outcome::Ongoing,
            (false, false) => Outcome::Draw,
        };
        if game.gravity() {
            check_gravity(&board, stones)?;
        }
        Ok(Position { board, outcome })
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The rules.
    pub fn game(&self) -> &Game {
        self.board.game()
    }

    /// How the game stands.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Whether nobody is to move any more.
    pub fn is_over(&self) -> bool {
        self.outcome != Outcome::Ongoing
    }

    /// Why a move is not legal here, if it is not.
    pub fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        let square = mv.square();
        if self.is_over() {
            return Err(IllegalMove::GameOver);
        }
        match self.board.cell(square) {
            Cell::Wall => Err(IllegalMove::OffBoard(square)),
            Cell::Stone(_) => Err(IllegalMove::Occupied(square)),
            Cell::Empty if self.board.is_playable(square) => match self.board.foul(square) {
                Some(foul) => Err(IllegalMove::Foul(square, foul)),
                None => Ok(()),
            },
            Cell::Empty => {
                let landing = self.board.landing(square.column()).unwrap_or(square);
                Err(IllegalMove::Floating(square, landing))
            }
        }
    }

    /// Plays a move.
    ///
    /// # Errors
    /// The move is not legal; the position is as it was.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.check(mv)?;
        let mover = self.board.side();
        self.board.make(mv);
        if self.board.wins_at(mv.square(), mover) {
            self.outcome = Outcome::Win(mover);
        } else if !has_legal_move(&self.board) {
            self.outcome = Outcome::Draw;
        }
        Ok(())
    }

    /// Plays a stone of Black that renju forbids: it stays, and White has won. `false`, with nothing done, if it is no foul.
    pub fn play_foul(&mut self, mv: Move) -> bool {
        let is_foul = matches!(self.check(mv), Err(IllegalMove::Foul(..)));
        if is_foul {
            self.outcome = Outcome::Win(!self.board.side());
            self.board.make(mv);
        }
        is_foul
    }

    /// Takes the last move back; `false` if there is none.
    pub fn undo(&mut self) -> bool {
        if self.board.moves().is_empty() {
            return false;
        }
        self.board.unmake();
        self.outcome = Outcome::Ongoing; // a move was made here
        true
    }

    /// The legal moves, in the order of their squares; none when the game is over.
    pub fn legal_moves(&self) -> Vec<Move> {
        if self.is_over() {
            return Vec::new();
        }
        legal_squares(&self.board).map(Move::to).collect()
    }

    /// The points that renju forbids to the side to move, in the order of their squares.
    pub fn forbidden(&self) -> Vec<Square> {
        self.board.empty().iter().filter(|&square| self.board.foul(square).is_some()).collect()
    }
}

fn check_gravity(board: &Board, stones: &[(Square, Color)]) -> Result<(), SetupError> {
    let floating = |&(square, _): &(Square, Color)| {
        board.landing(square.column()).filter(|landing| landing.row() < square.row()).map(|_| square)
    };
    if let Some(square) = stones.iter().find_map(floating) {
        return Err(SetupError::Floating(square));
    }
    let first = stones.iter().filter(|(_, color)| *color == Color::First).count();
    let second = stones.len() - first;
    let expected = if board.side() == Color::First { second } else { second + 1 };
    if first == expected { Ok(()) } else { Err(SetupError::Counts(first, second)) }
}

/// The squares that can be played in a game that goes on.
fn legal_squares(board: &Board) -> impl Iterator<Item = Square> + '_ {
    board.empty().iter().filter(|&square| board.is_playable(square) && board.foul(square).is_none())
}

fn has_legal_move(board: &Board) -> bool {
    board.empties() > 0 && (board.game().variant() != Variant::Renju || legal_squares(board).next().is_some())
}

/// The board as people look at it, the first player's stones as `x`, with letters and numbers at its sides.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let game = self.game();
        let last = self.board.moves().last().map(|mv| mv.square());
        for row in (0..game.rows()).rev() {
            write!(f, "{:>2} ", row + 1)?;
            for column in 0..game.columns() {
                let Some(square) = Square::new(column, row) else { continue };
                let stone = match self.board.cell(square) {
                    Cell::Stone(color) if last == Some(square) => color.letter().to_ascii_uppercase(),
                    Cell::Stone(color) => color.letter(),
                    _ => '.',
                };
                write!(f, " {stone}")?;
            }
            writeln!(f)?;
        }
        write!(f, "   ")?;
        for column in 0..game.columns() {
            write!(f, " {}", char::from(b'a' + column))?;
        }
        Ok(())
    }
}
