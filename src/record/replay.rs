//! A game that is being read: moves are played one by one, and what cannot be played is refused with its number.

use super::Record;
use super::fault::{Fault, Found, Located};
use super::note::Note;
use crate::rules::{Color, IllegalMove, Move, MoveError, Position, Square, parse_move};

pub(super) struct Replay {
    position: Position,
    notes: Vec<Note>,
    /// A stone that renju forbids to Black: it loses, so it must be the last one.
    foul: Option<Located>,
}

impl Replay {
    pub fn new(start: Position) -> Replay {
        Replay { position: start, notes: Vec::new(), foul: None }
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Plays the move written at this byte as a column from the left and a row from the top, both from 0.
    pub fn play_from_top(&mut self, at: usize, color: Color, text: &str, (column, row): (usize, usize)) -> Found<()> {
        let game = *self.position.game();
        let square = square_from_top(usize::from(game.columns()), usize::from(game.rows()), column, row);
        let off_board = || Fault::OffBoard(self.number(), text.into(), game.columns(), game.rows()).at(at);
        let square = square.ok_or_else(off_board)?;
        self.play(at, color, &square.to_string())
    }

    /// Plays the move written at this byte.
    pub fn play(&mut self, at: usize, color: Color, text: &str) -> Found<()> {
        let number = self.number();
        if let Some(foul) = self.foul.take() {
            return Err(foul);
        }
        if color != self.position.board().side() && !self.position.is_over() {
            return Err(Fault::Turn(number, color).at(at));
        }
        let illegal = |error| Fault::Move(number, error).at(at);
        match parse_move(text, &self.position) {
            Ok((mv, _)) => {
                let played = self.position.play(mv);
                played.map_err(|why| illegal(MoveError::Illegal(text.into(), why)))?;
            }
            Err(MoveError::Illegal(text, IllegalMove::Foul(square, why))) => {
                self.position.play_foul(Move::to(square));
                self.foul = Some(illegal(MoveError::Illegal(text, IllegalMove::Foul(square, why))));
            }
            Err(error) => return Err(illegal(error)),
        }
        self.notes.push(Note::default());
        Ok(())
    }

    /// Adds what is known of the last move.
    pub fn note(&mut self, note: Note) {
        if let Some(last) = self.notes.last_mut() {
            *last = note;
        }
    }

    /// The number of the next move, from 1.
    pub fn number(&self) -> usize {
        self.notes.len() + 1
    }

    pub fn finish(self) -> Record {
        Record { position: self.position, notes: self.notes }
    }
}

/// The square in a column from the left and a row from the top of a board, all from 0.
pub(super) fn square_from_top(columns: usize, rows: usize, column: usize, row: usize) -> Option<Square> {
    let row = rows.checked_sub(row.checked_add(1)?)?;
    let column = Some(column).filter(|&column| column < columns)?;
    Square::new(u8::try_from(column).ok()?, u8::try_from(row).ok()?)
}

/// The row of a square from the top of a board, from 0.
pub(super) fn row_from_top(square: Square, rows: u8) -> u8 {
    rows - 1 - square.row()
}
