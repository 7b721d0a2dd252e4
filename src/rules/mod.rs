//! The rules: games, boards, positions, and their notations. No search, no floats, no input or output.

mod board;
mod fen;
mod game;
mod notation;
mod perft;
mod position;
mod renju;
mod square;
mod symmetry;

pub use board::{Board, Cell, Key, Move};
pub use fen::{FenError, format_fairy_fen, format_fen, parse_fen};
pub use game::{Color, Game, GameError, Overline, Variant};
pub use notation::{MoveError, MoveForm, format_move, parse_move, shown};
pub use perft::{divide, perft};
pub use position::{IllegalMove, Outcome, Position, SetupError};
pub use renju::Foul;
pub use square::{Direction, GRID, MAX_SIDE, Square, SquareSet};
pub use symmetry::Symmetry;
