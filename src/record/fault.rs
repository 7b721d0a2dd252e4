//! What is wrong with a file, and where.

use super::settings::SettingsError;
use crate::rules::{Color, FenError, MoveError, SetupError, shown};
use std::fmt;

/// What is wrong with the contents of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// This stands where something else was expected.
    Unexpected(String, &'static str),
    /// The file ends where something was expected.
    Ends(&'static str),
    /// The record is of another kind of game, SGF's number of it.
    Foreign(String),
    /// The record names no kind of game, which in SGF means Go.
    Go,
    /// This property of the first node is given twice.
    Repeated(&'static str),
    /// The size of the board is not that of the game, so many columns and rows.
    Size(String, u8, u8),
    /// The game is not described as it should be.
    Settings(SettingsError),
    /// The game begins from stones that no game leads to.
    Setup(SetupError),
    /// The start is no position of the game.
    Start(FenError),
    /// A move has this number instead of that.
    Number(usize, usize),
    /// This move (from 1) cannot be played.
    Move(usize, MoveError),
    /// This move is off a board of so many columns and rows.
    OffBoard(usize, String, u8, u8),
    /// This move is a pass.
    Pass(usize),
    /// This move is of this colour, whose turn it is not.
    Turn(usize, Color),
    /// The last line does not say how the game stands, but this would.
    Ending(String, String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Unexpected(found, expected) => write!(f, "'{found}'; expected {expected}"),
            Fault::Ends(expected) => write!(f, "the file ends; expected {expected}"),
            Fault::Foreign(number) => {
                write!(f, "GM[{number}] is no game of this engine; expected GM[4], five in a row and its kin")
            }
            Fault::Go => write!(f, "there is no GM, so it is a game of Go; expected GM[4], five in a row and its kin"),
            Fault::Repeated(name) => write!(f, "a second {name}; expected one"),
            Fault::Size(size, columns, rows) => {
                write!(f, "SZ[{size}], but a game of {columns}x{rows}; expected SZ[{columns}:{rows}]")
            }
            Fault::Settings(error) => write!(f, "{error}"),
            Fault::Setup(error) => write!(f, "{error}"),
            Fault::Start(error) => write!(f, "{error}"),
            Fault::Number(found, expected) => write!(f, "a move numbered {found}; expected move {expected}"),
            Fault::Move(number, error) => write!(f, "move {number}: {error}"),
            Fault::OffBoard(number, text, columns, rows) => {
                write!(f, "move {number}: '{text}' is off the board of {columns}x{rows}")
            }
            Fault::Pass(number) => write!(f, "move {number} is a pass; expected a move, these games have no passes"),
            Fault::Turn(number, color) => {
                let (found, expected) = (color.letter(), (!*color).letter());
                write!(f, "move {number} is of {found}; expected one of {expected}, whose turn it is")
            }
            Fault::Ending(found, expected) => {
                write!(f, "'{found}'; expected '{expected}', for so the game stands after these moves")
            }
        }
    }
}

impl Fault {
    /// This instead of what was expected.
    pub(super) fn unexpected(found: &[u8], expected: &'static str) -> Fault {
        // More is not shown of a text than forty characters, of at most four bytes.
        Fault::Unexpected(shown(&String::from_utf8_lossy(found.get(..170).unwrap_or(found))), expected)
    }

    /// The fault, found at this byte.
    pub(super) fn at(self, byte: usize) -> Located {
        Located { byte, fault: self }
    }
}

/// A fault, and the byte at which it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Located {
    byte: usize,
    fault: Fault,
}

/// What a reader has found, or what is wrong with the file.
pub(super) type Found<T> = Result<T, Located>;

impl Located {
    /// The fault with its line and column.
    pub fn in_file(self, bytes: &[u8]) -> ReadError {
        let before = bytes.get(..self.byte).unwrap_or(bytes);
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        ReadError { line, column: before.len() - line_start + 1, fault: self.fault }
    }
}

/// Why a file is no record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The line of the fault, from 1.
    pub line: usize,
    /// Its byte in the line, from 1.
    pub column: usize,
    /// What is wrong.
    pub fault: Fault,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.fault)
    }
}

impl std::error::Error for ReadError {}
