//! PSQ, as Piskvork and Gomocup write it: columns and rows count from 1, rows from the top; then milliseconds.
//!
//! ```text
//! Piskvorky 15x15, 0:0, 0      sizes; levels of the players (0: a person); which of them begins
//! 8,8,0
//! 9,7,250
//! homo-1                       the players, or no such lines
//! homo-2
//! variant=gomoku ...           the rules, behind what Piskvork reads; the tournament script writes them too
//! -1                           a result code
//! ```
//!
//! The format itself holds neither the rule nor a start from stones.

use super::Record;
use super::fault::{Fault, Found};
use super::lines::{Line, lines};
use super::note::Note;
use super::replay::{Replay, row_from_top};
use super::settings::{format_settings, parse_settings};
use crate::rules::{Color, Game, Position, Variant, shown};
use std::fmt;
use std::time::Duration;

/// Why a game cannot be held by a PSQ file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotHeld {
    /// It is not five in a row, or stones fall.
    Game(Game),
    /// It began from stones, or with the second player.
    Start,
}

impl fmt::Display for NotHeld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotHeld::Game(game) => {
                write!(f, ".psq holds five in a row without gravity, not {game}; expected a name in .sgf or .txt")
            }
            NotHeld::Start => {
                write!(f, ".psq holds no game that began from a FEN; expected a name in .sgf or .txt")
            }
        }
    }
}

impl std::error::Error for NotHeld {}

fn holds(game: &Game) -> bool {
    game.line() == 5 && !game.gravity()
}

/// Writes a game of five in a row that began on the empty board.
pub(super) fn write(record: &Record) -> Result<String, NotHeld> {
    let game = record.position.game();
    if !holds(game) {
        return Err(NotHeld::Game(*game));
    }
    let start = record.start();
    if start.board().stones() > 0 || start.board().side() != Color::First {
        return Err(NotHeld::Start);
    }
    let mut text = format!("Piskvorky {}x{}, 0:0, 0\n", game.columns(), game.rows());
    for (_, mv, note) in record.moves() {
        let (column, row) = (mv.square().column() + 1, row_from_top(mv.square(), game.rows()) + 1);
        text += &format!("{column},{row},{}\n", note.time.unwrap_or_default().as_millis());
    }
    Ok(text + &format!("homo-1\nhomo-2\n{}\n-1\n", format_settings(game)))
}

const HEAD: &str = "a PSQ file, whose first line is like: Piskvorky 15x15, 0:0, 0";
const MOVE: &str = "a move, 'column,row,milliseconds'";
const TAIL: &str = "the end of the file: two names of players or none, and a number such as -1";

/// Reads a game. If the file does not name the rule, it is that of `present`, or freestyle if that is another kind of game.
pub(super) fn read(bytes: &[u8], present: &Game) -> Found<Record> {
    let mut lines = lines(bytes);
    let head = lines.next().ok_or_else(|| Fault::Ends(HEAD).at(0))?;
    let size = read_head(&head.text).ok_or_else(|| Fault::unexpected(head.text.as_bytes(), HEAD).at(head.at))?;
    let mut moves = Vec::new();
    let mut tail = Vec::new();
    for line in lines {
        match read_move(&line.text) {
            // More than there are cells cannot be played: one of those before will be refused.
            Some(_) if moves.len() > usize::from(size.0) * usize::from(size.1) => {}
            Some(mv) if tail.is_empty() => moves.push((line, mv)),
            None if tail.len() < 4 && !is_like_a_move(&line.text) => tail.push(line),
            _ => {
                let expected = if tail.is_empty() { MOVE } else { TAIL };
                return Err(Fault::unexpected(line.text.as_bytes(), expected).at(line.at));
            }
        }
    }
    let own = read_tail(&tail, bytes)?;
    let rule = if holds(present) { *present } else { Game::new(Variant::GomokuFreestyle) };
    let game = own.unwrap_or(rule);
    let sized = game.with_columns(size.0).and_then(|game| game.with_rows(size.1));
    let game = sized.map_err(|_| Fault::unexpected(head.text.as_bytes(), "sides of 1 to 26").at(head.at))?;
    let mut replay = Replay::new(Position::new(game));
    for (line, Move { column, row, millis }) in moves {
        let color = replay.position().board().side();
        let place = column.checked_sub(1).zip(row.checked_sub(1)).unwrap_or((usize::MAX, usize::MAX));
        replay.play_from_top(line.at, color, &shown(&line.text), place)?;
        let time = (millis > 0).then(|| Duration::from_millis(millis));
        replay.note(Note { time, score: None });
    }
    Ok(replay.finish())
}

/// Columns and rows.
fn read_head(line: &str) -> Option<(u8, u8)> {
    let mut parts = line.trim_start_matches('\u{feff}').strip_prefix("Piskvorky ")?.split(',').map(str::trim);
    let (columns, rows) = parts.next()?.split_once('x')?;
    let (one, other) = parts.next()?.split_once(':')?;
    let begins = parts.next()?;
    let numbers = [one, other, begins].iter().all(|text| text.trim().parse::<u32>().is_ok());
    (numbers && parts.next().is_none()).then_some((columns.trim().parse().ok()?, rows.trim().parse().ok()?))
}

struct Move {
    column: usize,
    row: usize,
    millis: u64,
}

fn read_move(line: &str) -> Option<Move> {
    let mut parts = line.split(',').map(str::trim);
    let (column, row) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let millis = parts.next().map_or(Some(0), |text| text.parse().ok())?;
    parts.next().is_none().then_some(Move { column, row, millis })
}

/// Rather a damaged move than a name.
fn is_like_a_move(line: &str) -> bool {
    line.starts_with(|first: char| first.is_ascii_digit()) && line.contains(',')
}

/// The game named after the moves, if there is one. The result code must be the last line: without it the file is cut off.
fn read_tail(tail: &[Line], bytes: &[u8]) -> Found<Option<Game>> {
    let cut_off = || Fault::Ends(TAIL).at(bytes.len());
    let (last, before) = tail.split_last().ok_or_else(cut_off)?;
    let code = last.text.parse::<i32>().map_err(|_| cut_off())?;
    if code >= 0 && !bytes.ends_with(b"\n") {
        return Err(cut_off()); // it may be the beginning of a move
    }
    let (names, settings) = match before {
        [names @ .., settings] if settings.text.starts_with("variant=") => (names, Some(settings)),
        names => (names, None),
    };
    match names {
        [] | [_, _] => {}
        [first, ..] => return Err(Fault::unexpected(first.text.as_bytes(), TAIL).at(first.at)),
    }
    let read = |line: &Line| parse_settings(&line.text).map_err(|error| Fault::Settings(error).at(line.at));
    let game = settings.map(|line| Ok((line, read(line)?))).transpose()?;
    match game {
        Some((line, game)) if !holds(&game) => {
            let expected = "five in a row without gravity in a .psq file";
            Err(Fault::unexpected(line.text.as_bytes(), expected).at(line.at))
        }
        game => Ok(game.map(|(_, game)| game)),
    }
}
