//! Games on disk: SGF, PSQ (Piskvork's format) and plain text, written and read back as the same game.
//!
//! Files are foreign matter: every reader goes through the bytes without recursion, keeps no more than one game, and
//! names the line and column of what it refuses. Nothing of a refused file is used. Tests: in the modules, in
//! `tests/record.rs`, `tests/properties.rs` and `tests/daemon/record.rs`.
#![deny(clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::indexing_slicing))]

mod fault;
mod file;
mod lines;
mod note;
mod psq;
mod replay;
mod settings;
mod sgf;
mod text;

pub use fault::{Fault, ReadError};
pub use file::{FileError, MAX_BYTES};
pub use note::{Note, NoteBook};
pub use psq::NotHeld;
pub use settings::{SettingsError, format_settings, parse_settings};
pub use text::standing;

use crate::rules::{Color, Game, Move, Position, shown};
use std::fmt;
use std::path::Path;

/// A game as it is kept: the position that it has come to, and what is known of each of its moves.
#[derive(Clone)]
pub struct Record {
    /// Where the game stands, with the moves that led there.
    pub position: Position,
    /// One for each move.
    pub notes: Vec<Note>,
}

impl Record {
    /// Where the game began.
    pub fn start(&self) -> Position {
        let mut position = self.position.clone();
        while position.undo() {}
        position
    }

    /// The moves, whose they are, and what is known of them.
    pub fn moves(&self) -> impl Iterator<Item = (Color, Move, Note)> + '_ {
        let board = self.position.board();
        let made = board.moves().len();
        let first = if made.is_multiple_of(2) { board.side() } else { !board.side() };
        let colors = [first, !first].into_iter().cycle();
        let notes = self.notes.iter().copied().chain(std::iter::repeat(Note::default()));
        colors.zip(board.moves()).zip(notes).map(|((color, &mv), note)| (color, mv, note))
    }
}

/// The kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Smart Game Format, for every game.
    Sgf,
    /// Piskvork's, for five in a row from the empty board.
    Psq,
    /// Lines for people, for every game.
    Text,
}

impl Format {
    /// The format that a file's name asks for by its end.
    pub fn of(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "sgf" => Some(Format::Sgf),
            "psq" => Some(Format::Psq),
            "txt" => Some(Format::Text),
            _ => None,
        }
    }

    /// Writes a game.
    ///
    /// # Errors
    /// The format cannot hold it.
    pub fn write(self, record: &Record) -> Result<String, NotHeld> {
        match self {
            Format::Sgf => Ok(sgf::write(record)),
            Format::Psq => psq::write(record),
            Format::Text => Ok(text::write(record)),
        }
    }

    /// Reads a game. `present` is what a PSQ file that names no rule is played by, if it is five in a row.
    ///
    /// # Errors
    /// The bytes are not a whole record of a game that the rules allow.
    pub fn read(self, bytes: &[u8], present: &Game) -> Result<Record, ReadError> {
        let record = match self {
            Format::Sgf => sgf::read(bytes),
            Format::Psq => psq::read(bytes, present),
            Format::Text => text::read(bytes),
        };
        record.map_err(|located| located.in_file(bytes))
    }
}

/// Why a game was not saved or loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// The name ends in something else than a format.
    Name(String),
    /// The file cannot be read or written.
    File(FileError),
    /// The format cannot hold the game.
    NotHeld(NotHeld),
    /// The file is no record.
    Read(ReadError),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Name(name) => write!(f, "the name '{name}' does not end with .sgf, .psq or .txt"),
            RecordError::File(error) => write!(f, "{error}"),
            RecordError::NotHeld(error) => write!(f, "{error}"),
            RecordError::Read(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for RecordError {}

fn format_of(path: &Path) -> Result<Format, RecordError> {
    let name = || shown(&path.file_name().unwrap_or(path.as_os_str()).to_string_lossy());
    Format::of(path).ok_or_else(|| RecordError::Name(name()))
}

/// Saves a game in the format that the file's name asks for. There is the old file or the whole new one, never part of one.
///
/// # Errors
/// The name, the game or the file system does not allow it; a file that was there is as it was.
pub fn save(path: &Path, record: &Record) -> Result<(), RecordError> {
    let text = format_of(path)?.write(record).map_err(RecordError::NotHeld)?;
    file::write(path, &text).map_err(RecordError::File)
}

/// Loads a game from a file; see [`Format::read`].
///
/// # Errors
/// The file cannot be read, or is not a whole record of a game that the rules allow.
pub fn load(path: &Path, present: &Game) -> Result<Record, RecordError> {
    let format = format_of(path)?;
    let bytes = file::read(path).map_err(RecordError::File)?;
    format.read(&bytes, present).map_err(RecordError::Read)
}
