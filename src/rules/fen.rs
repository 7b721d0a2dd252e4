//! Positions as text: our own FEN and Fairy-Stockfish's.
//!
//! ```text
//! 7/7/7/7/3o3/3x3 x                       rows from the top, runs of empty cells, side to move
//! 7/7/7/7/3p3/3P3[PPPppp] w - - 0 1       the same as Fairy-Stockfish writes it, stones in hand in brackets
//! ```

use super::board::Cell;
use super::game::{Color, Game};
use super::notation::shown;
use super::position::{Position, SetupError};
use super::square::Square;
use std::fmt;

/// Why a text is not a position of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenError {
    /// There is no text.
    Missing,
    /// The number of rows given, and the one expected.
    Rows(usize, u8),
    /// In this row (counted from the top, from 1) there are so many cells instead of so many.
    Columns(usize, usize, u8),
    /// A character that means nothing here.
    Letter(char),
    /// The side to move is missing or unknown.
    Side(String),
    /// No game leads there.
    Setup(SetupError),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::Missing => write!(f, "a FEN is missing; expected rows and a side to move, such as '3/1x1/3 o'"),
            FenError::Rows(found, expected) => write!(f, "the FEN has {found} rows; expected {expected}"),
            FenError::Columns(row, found, expected) => {
                write!(f, "row {row} of the FEN has {found} cells; expected {expected}")
            }
            FenError::Letter(letter) => {
                write!(f, "'{}' in the FEN; expected x, o, P, p, numbers and '/'", letter.escape_default())
            }
            FenError::Side(text) => write!(f, "side to move '{text}' in the FEN; expected x or o (or w or b)"),
            FenError::Setup(error) => write!(f, "in the FEN {error}"),
        }
    }
}

impl std::error::Error for FenError {}

/// Reads a FEN of either form for a game. What stands after the side to move is ignored.
///
/// # Errors
/// The text does not describe a position of this game.
pub fn parse_fen(text: &str, game: Game) -> Result<Position, FenError> {
    let mut words = text.split_ascii_whitespace();
    let placement = words.next().ok_or(FenError::Missing)?;
    let stones = parse_placement(placement, &game)?;
    let side = match words.next() {
        Some("x" | "X" | "w" | "W") => Color::First,
        Some("o" | "O" | "b" | "B") => Color::Second,
        other => return Err(FenError::Side(shown(other.unwrap_or("")))),
    };
    Position::with_stones(game, &stones, side).map_err(FenError::Setup)
}

fn parse_placement(placement: &str, game: &Game) -> Result<Vec<(Square, Color)>, FenError> {
    let rows: Vec<&str> = placement.split('[').next().unwrap_or("").split('/').collect();
    if rows.len() != usize::from(game.rows()) {
        return Err(FenError::Rows(rows.len(), game.rows()));
    }
    let mut stones = Vec::new();
    for ((nth, row), text) in (1..).zip((0..game.rows()).rev()).zip(rows) {
        let (mut column, mut run) = (0usize, 0usize);
        for letter in text.chars() {
            if let Some(digit) = letter.to_digit(10) {
                run = run.saturating_mul(10).saturating_add(digit as usize);
                continue;
            }
            column = column.saturating_add(std::mem::take(&mut run));
            let color = match letter {
                'x' | 'X' | 'P' => Color::First,
                'o' | 'O' | 'p' => Color::Second,
                other => return Err(FenError::Letter(other)),
            };
            // A stone beyond the edge is caught below, where the cells of the row are counted.
            stones.extend(u8::try_from(column).ok().and_then(|at| Square::new(at, row)).map(|square| (square, color)));
            column = column.saturating_add(1);
        }
        column = column.saturating_add(run);
        if column != usize::from(game.columns()) {
            return Err(FenError::Columns(nth, column, game.columns()));
        }
    }
    Ok(stones)
}

/// Writes a position in our own form.
pub fn format_fen(position: &Position) -> String {
    format!("{} {}", placement(position, ['x', 'o']), position.board().side().letter())
}

/// Writes a position in Fairy-Stockfish's form. Each side's hand holds what is missing of its half of the board.
pub fn format_fairy_fen(position: &Position) -> String {
    let board = position.board();
    let on_board = |color| position.game().squares().filter(|&s| board.cell(s) == Cell::Stone(color)).count();
    let cells = position.game().cells();
    let first = cells.div_ceil(2).saturating_sub(on_board(Color::First));
    let second = (cells / 2).saturating_sub(on_board(Color::Second));
    let side = if board.side() == Color::First { 'w' } else { 'b' };
    let hand = "P".repeat(first) + &"p".repeat(second);
    format!("{}[{hand}] {side} - - 0 {}", placement(position, ['P', 'p']), board.stones() / 2 + 1)
}

fn placement(position: &Position, letters: [char; 2]) -> String {
    let game = position.game();
    let mut text = String::new();
    for row in (0..game.rows()).rev() {
        if !text.is_empty() {
            text.push('/');
        }
        let mut run = 0;
        for column in 0..game.columns() {
            match Square::new(column, row).map(|square| position.board().cell(square)) {
                Some(Cell::Stone(color)) => {
                    if run > 0 {
                        text.push_str(&run.to_string());
                    }
                    run = 0;
                    text.push(letters[color.index()]);
                }
                _ => run += 1,
            }
        }
        if run > 0 {
            text.push_str(&run.to_string());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::game::Variant;
    use crate::rules::position::Outcome;

    fn cfour(text: &str) -> Result<Position, FenError> {
        parse_fen(text, Game::new(Variant::ConnectFour))
    }

    #[test]
    fn both_forms_are_read_and_written() {
        let own = "7/7/7/7/3o3/3x3 x";
        let fairy = "7/7/7/7/3p3/3P3[PPPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] w - - 0 2";
        for text in
            [own, fairy, "7/7/7/7/3O3/3X3 W", "7/7/7/7/3p3/3P3 w", "7/7/7/7/3p3/3P3[ w", "7/7/7/7/3p3/3P3[]] w x"]
        {
            let position = cfour(text).unwrap();
            assert_eq!(format_fen(&position), own);
            assert_eq!(format_fairy_fen(&position), fairy);
        }
        let free = Game::new(Variant::GomokuFreestyle);
        let text = "15/15/15/15/15/15/15/7x7/6o1x6/15/15/15/15/15/o13x o";
        assert_eq!(format_fen(&parse_fen(text, free).unwrap()), text);
    }

    #[test]
    fn what_is_no_position_of_the_game_is_refused_with_the_reason() {
        use FenError::*;
        let square = |column, row| Square::new(column, row).unwrap();
        assert_eq!(cfour("").err(), Some(Missing));
        assert_eq!(cfour("7/7/7 x").err(), Some(Rows(3, 6)));
        assert_eq!(cfour("7/7/7/8/7/7 x").err(), Some(Columns(4, 8, 7)));
        assert_eq!(cfour("7/7/7/7/7/6 x").err(), Some(Columns(6, 6, 7)));
        assert_eq!(cfour("7/7/7/7/7/99999999999999999999999x x").err(), Some(Columns(6, usize::MAX, 7)));
        assert_eq!(cfour("7/7/7/7/7/3q3 o").err(), Some(Letter('q')));
        assert_eq!(cfour("7/7/7/7/7/3x3").err(), Some(Side(String::new())));
        assert_eq!(cfour("7/7/7/7/7/3x3 z").err(), Some(Side("z".into())));
        assert_eq!(cfour("7/7/7/7/3x3/7 o").err(), Some(Setup(SetupError::Floating(square(3, 1)))));
        assert_eq!(cfour("7/7/7/7/7/3xx2 x").err(), Some(Setup(SetupError::Counts(2, 0))));
        assert_eq!(cfour("7/7/7/7/7/3x3 x").err(), Some(Setup(SetupError::Counts(1, 0))));
        assert_eq!(cfour("7/7/7/7/oooo3/xxxx3 x").err(), Some(Setup(SetupError::BothWin)));
        // With the stones of seven moves it is the second player's turn, whose line this is not.
        assert!(cfour("7/7/7/7/7/xxxxooo o").is_ok());
        let tictactoe = |text| parse_fen(text, Game::new(Variant::TicTacToe));
        assert!(tictactoe("3/3/xxx o").is_ok());
        for text in ["3/3/xxx x", "ooo/x1x/3 o"] {
            assert_eq!(tictactoe(text).err(), Some(Setup(SetupError::WonBefore)), "{text}");
        }
        assert_eq!(cfour("7/7/7/7/ooo4/xxxx3 o").unwrap().outcome(), Outcome::Win(Color::First));
    }
}
