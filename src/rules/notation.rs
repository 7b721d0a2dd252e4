//! Moves as text: `h8`, `P@h8`, and under gravity a bare column, `d` or `4`.

use super::board::Move;
use super::game::Game;
use super::position::{IllegalMove, Position};
use super::square::{MAX_SIDE, Square};
use std::fmt;

/// The forms a move is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveForm {
    /// `h8`
    Plain,
    /// `P@h8`, as Fairy-Stockfish and cutechess write a drop.
    Drop,
    /// `d`; under gravity only.
    ColumnLetter,
    /// `4`, counted from 1; under gravity only.
    ColumnDigit,
}

/// Why a text is not a move that can be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// It has none of the forms.
    Malformed(String),
    /// It is a move, but not a legal one.
    Illegal(String, IllegalMove),
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveError::Malformed(text) => write!(f, "'{text}' is not a move"),
            MoveError::Illegal(text, why) => write!(f, "'{text}' is illegal: {why}"),
        }
    }
}

impl std::error::Error for MoveError {}

/// Reads a move and checks that it is legal in `position`.
///
/// # Errors
/// The text is no move, or the move is not legal.
pub fn parse_move(text: &str, position: &Position) -> Result<(Move, MoveForm), MoveError> {
    let malformed = || MoveError::Malformed(shown(text));
    let illegal = |why| MoveError::Illegal(shown(text), why);
    let (place, form) = parse_place(text, position.game()).ok_or_else(malformed)?;
    if position.is_over() {
        return Err(illegal(IllegalMove::GameOver));
    }
    let square = match place {
        Place::Square(square) => square,
        Place::Column(column) if column >= position.game().columns() => {
            return Err(illegal(IllegalMove::NoColumn(column)));
        }
        Place::Column(column) => {
            position.board().landing(column).ok_or_else(|| illegal(IllegalMove::ColumnFull(column)))?
        }
    };
    let mv = Move::to(square);
    position.check(mv).map_err(illegal)?;
    Ok((mv, form))
}

/// Writes a move. Column forms are plain in games without gravity.
pub fn format_move(mv: Move, form: MoveForm, game: &Game) -> String {
    let square = mv.square();
    match form {
        MoveForm::Drop => format!("P@{square}"),
        MoveForm::ColumnLetter if game.gravity() => char::from(b'a' + square.column()).to_string(),
        MoveForm::ColumnDigit if game.gravity() => (square.column() + 1).to_string(),
        _ => square.to_string(),
    }
}

enum Place {
    Square(Square),
    Column(u8),
}

fn parse_place(text: &str, game: &Game) -> Option<(Place, MoveForm)> {
    let (text, dropped) = match text.strip_prefix("P@").or_else(|| text.strip_prefix("p@")) {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let first = text.bytes().next()?;
    if !text.is_ascii() {
        return None;
    }
    if first.is_ascii_digit() {
        let number = column_number(text).filter(|_| game.gravity() && !dropped)?;
        return Some((Place::Column(number - 1), MoveForm::ColumnDigit));
    }
    let column = first.to_ascii_lowercase().checked_sub(b'a').filter(|&column| column < MAX_SIDE)?;
    if text.len() == 1 {
        let form = MoveForm::ColumnLetter;
        return (game.gravity() && !dropped).then_some((Place::Column(column), form));
    }
    let row = column_number(&text[1..])?;
    let form = if dropped { MoveForm::Drop } else { MoveForm::Plain };
    Some((Place::Square(Square::new(column, row - 1)?), form))
}

/// A number from 1 to 26 without leading zeros.
fn column_number(text: &str) -> Option<u8> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    text.parse().ok().filter(|number| plain && (1..=MAX_SIDE).contains(number))
}

/// At most 40 characters of a foreign text, without control characters: fit for an error line.
pub fn shown(text: &str) -> String {
    let mut out: String =
        text.chars().take(40).map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect();
    if text.chars().nth(40).is_some() {
        out.push_str("...");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::game::Variant;

    fn position(variant: Variant) -> Position {
        Position::new(Game::new(variant))
    }

    #[test]
    fn every_form_is_read_and_written() {
        let free = position(Variant::GomokuFreestyle);
        let gravity = position(Variant::ConnectFour);
        for (text, position, square, form) in [
            ("h8", &free, "h8", MoveForm::Plain),
            ("H8", &free, "h8", MoveForm::Plain),
            ("P@o15", &free, "o15", MoveForm::Drop),
            ("d", &gravity, "d1", MoveForm::ColumnLetter),
            ("4", &gravity, "d1", MoveForm::ColumnDigit),
            ("P@d1", &gravity, "d1", MoveForm::Drop),
        ] {
            let (mv, read) = parse_move(text, position).unwrap();
            assert_eq!((mv.square().to_string().as_str(), read), (square, form), "{text}");
            assert_eq!(format_move(mv, form, position.game()), text.replace('H', "h"));
        }
    }

    #[test]
    fn texts_that_are_no_moves_are_told_from_illegal_ones() {
        let free = position(Variant::GomokuFreestyle);
        for text in
            ["", "8", "h", "h0", "h08", "h27", "hh8", "h8h9", "P@", "P@h", "e2e4", "0000", "h-1", "h+1", "é8", "\0"]
        {
            assert!(matches!(parse_move(text, &free), Err(MoveError::Malformed(_))), "{text}");
        }
        assert!(matches!(parse_move("p1", &free), Err(MoveError::Illegal(_, IllegalMove::OffBoard(_)))));
        assert!(matches!(parse_move("a16", &free), Err(MoveError::Illegal(_, IllegalMove::OffBoard(_)))));
        let gravity = position(Variant::ConnectFour);
        assert!(matches!(parse_move("d2", &gravity), Err(MoveError::Illegal(_, IllegalMove::Floating(..)))));
        assert!(matches!(parse_move("8", &gravity), Err(MoveError::Illegal(_, IllegalMove::NoColumn(7)))));
        assert!(matches!(parse_move("h", &gravity), Err(MoveError::Illegal(_, IllegalMove::NoColumn(7)))));
        let mut full = gravity.clone();
        for _ in 0..6 {
            let (mv, _) = parse_move("d", &full).unwrap();
            full.play(mv).unwrap();
        }
        assert!(matches!(parse_move("d", &full), Err(MoveError::Illegal(_, IllegalMove::ColumnFull(3)))));
    }
}
