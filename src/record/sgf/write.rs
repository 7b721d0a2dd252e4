//! A game to SGF.

use super::{GAME_NUMBER, GAME_PROPERTY};
use crate::record::Record;
use crate::record::replay::row_from_top;
use crate::record::settings::format_settings;
use crate::rules::{Cell, Color, Game, Outcome, Position, Square};

/// Writes a game: its first node a line, and each move.
pub(in crate::record) fn write(record: &Record) -> String {
    let game = record.position.game();
    let (columns, rows) = (game.columns(), game.rows());
    let size = if columns == rows { columns.to_string() } else { format!("{columns}:{rows}") };
    let mut text = format!(
        "(;FF[4]GM[{GAME_NUMBER}]SZ[{size}]CA[UTF-8]AP[inarow:{}]RU[{}]{GAME_PROPERTY}[{}]{}",
        env!("CARGO_PKG_VERSION"),
        game.variant().name(),
        format_settings(game),
        setup(&record.start()),
    );
    if let Some(result) = result(&record.position) {
        text += &format!("RE[{result}]");
    }
    for (color, mv, note) in record.moves() {
        text += &format!("\n;{}[{}]", letter(color), point(mv.square(), game));
        if !note.is_empty() {
            text += &format!("C[{note}]");
        }
    }
    text + ")\n"
}

fn letter(color: Color) -> char {
    match color {
        Color::First => 'B',
        Color::Second => 'W',
    }
}

fn point(square: Square, game: &Game) -> String {
    let letters = [square.column(), row_from_top(square, game.rows())];
    letters.into_iter().map(|from_0| char::from(b'a' + from_0)).collect()
}

/// The stones and the side to move of a game that does not begin with the first player on an empty board.
fn setup(start: &Position) -> String {
    let (board, game) = (start.board(), start.game());
    if board.stones() == 0 && board.side() == Color::First {
        return String::new();
    }
    let mut text = String::new();
    for color in Color::ALL {
        let stones = game.squares().filter(|&square| board.cell(square) == Cell::Stone(color));
        let points: String = stones.map(|square| format!("[{}]", point(square, game))).collect();
        if !points.is_empty() {
            text += &format!("A{}{points}", letter(color));
        }
    }
    text + &format!("PL[{}]", letter(board.side()))
}

/// `B+`, `0`; `W+F` if Black has lost by a foul. `None` while the game goes on.
fn result(position: &Position) -> Option<String> {
    let winner = match position.outcome() {
        Outcome::Ongoing => return None,
        Outcome::Draw => return Some("0".into()),
        Outcome::Win(winner) => winner,
    };
    let last = position.board().moves().last();
    let by_foul = last.is_some_and(|mv| position.board().cell(mv.square()) == Cell::Stone(!winner));
    Some(format!("{}+{}", letter(winner), if by_foul { "F" } else { "" }))
}
