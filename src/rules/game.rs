//! What is played: the board's size, the length of a line, gravity, what an overline is worth, and the named variants.

use super::square::{MAX_SIDE, Square};
use std::fmt;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Color {
    /// The player who moves first: `x`, Black in five in a row, "white" in the UCI dialect.
    First,
    /// The other: `o`.
    Second,
}

impl Color {
    /// Both.
    pub const ALL: [Color; 2] = [Color::First, Color::Second];

    /// 0 for the first player, 1 for the second.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }

    /// `x` or `o`.
    pub fn letter(self) -> char {
        match self {
            Color::First => 'x',
            Color::Second => 'o',
        }
    }
}

impl std::ops::Not for Color {
    type Output = Color;
    #[inline]
    fn not(self) -> Color {
        match self {
            Color::First => Color::Second,
            Color::Second => Color::First,
        }
    }
}

/// What a line longer than it needs to be is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overline {
    /// It wins like any other.
    Wins,
    /// It is nothing: only a line of the exact length wins.
    Nothing,
}

impl Overline {
    /// Both.
    pub const ALL: [Overline; 2] = [Overline::Wins, Overline::Nothing];

    /// `wins` or `nothing`.
    pub fn name(self) -> &'static str {
        match self {
            Overline::Wins => "wins",
            Overline::Nothing => "nothing",
        }
    }

    /// The rule of a name.
    pub fn from_name(name: &str) -> Option<Overline> {
        Overline::ALL.into_iter().find(|overline| overline.name() == name)
    }
}

/// The named games of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Five in a row on 15x15, five or more win.
    GomokuFreestyle,
    /// Five in a row on 15x15, exactly five win.
    Gomoku,
    /// Five in a row on 15x15 where Black may not make overlines, double-fours and double-threes.
    Renju,
    /// Exactly five, and not with an opponent's stone at both ends.
    Caro,
    /// Three in a row on 3x3.
    TicTacToe,
    /// Connect Four on 7x6.
    ConnectFour,
    /// Connect Four on 7x7.
    ConnectFour7x7,
    /// The start of any board of your own.
    Mnk,
}

impl Variant {
    /// All of them, the default first.
    pub const ALL: [Variant; 8] = [
        Variant::GomokuFreestyle,
        Variant::Gomoku,
        Variant::Renju,
        Variant::Caro,
        Variant::TicTacToe,
        Variant::ConnectFour,
        Variant::ConnectFour7x7,
        Variant::Mnk,
    ];

    /// The names it answers to, its own first. They are those of cutechess and Fairy-Stockfish where those have one.
    pub fn names(self) -> &'static [&'static str] {
        match self {
            Variant::GomokuFreestyle => &["gomokufreestyle", "freestyle"],
            Variant::Gomoku => &["gomoku", "standard"],
            Variant::Renju => &["renju"],
            Variant::Caro => &["caro"],
            Variant::TicTacToe => &["tictactoe"],
            Variant::ConnectFour => &["cfour", "connect4", "connectfour"],
            Variant::ConnectFour7x7 => &["connect4-7x7"],
            Variant::Mnk => &["mnk"],
        }
    }

    /// Its own name.
    pub fn name(self) -> &'static str {
        self.names()[0]
    }

    /// The variant of a name in any case.
    pub fn from_name(name: &str) -> Option<Variant> {
        Variant::ALL.into_iter().find(|variant| variant.names().iter().any(|known| known.eq_ignore_ascii_case(name)))
    }
}

/// The rules of one game: a variant, possibly with another size, line length, gravity or overline rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Game {
    variant: Variant,
    columns: u8,
    rows: u8,
    line: u8,
    gravity: bool,
    overline: Overline,
}

/// A setting that no game can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameError {
    /// Columns or rows outside 1..=26.
    Side(u8),
    /// A line length outside 3..=8.
    Line(u8),
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::Side(side) => write!(f, "a side of {side} cells; expected 1 to {MAX_SIDE}"),
            GameError::Line(line) => {
                write!(f, "a line of {line}; expected {} to {}", Game::LINES.start(), Game::LINES.end())
            }
        }
    }
}

impl std::error::Error for GameError {}

impl Game {
    /// The line lengths that can be played.
    pub const LINES: std::ops::RangeInclusive<u8> = 3..=8;

    /// A variant as it is by itself.
    pub fn new(variant: Variant) -> Game {
        let (columns, rows, line, gravity, overline) = match variant {
            Variant::GomokuFreestyle | Variant::Mnk => (15, 15, 5, false, Overline::Wins),
            Variant::Gomoku | Variant::Renju | Variant::Caro => (15, 15, 5, false, Overline::Nothing),
            Variant::TicTacToe => (3, 3, 3, false, Overline::Wins),
            Variant::ConnectFour => (7, 6, 4, true, Overline::Wins),
            Variant::ConnectFour7x7 => (7, 7, 4, true, Overline::Wins),
        };
        Game { variant, columns, rows, line, gravity, overline }
    }

    /// The m,n,k-game: `columns` x `rows`, `line` or more in a row.
    pub fn mnk(columns: u8, rows: u8, line: u8) -> Result<Game, GameError> {
        Game::new(Variant::Mnk).with_columns(columns)?.with_rows(rows)?.with_line(line)
    }

    /// The same game with another number of columns.
    pub fn with_columns(self, columns: u8) -> Result<Game, GameError> {
        let columns = side(columns)?;
        Ok(Game { columns, ..self })
    }

    /// The same game with another number of rows.
    pub fn with_rows(self, rows: u8) -> Result<Game, GameError> {
        let rows = side(rows)?;
        Ok(Game { rows, ..self })
    }

    /// The same game with another line length.
    pub fn with_line(self, line: u8) -> Result<Game, GameError> {
        if Game::LINES.contains(&line) { Ok(Game { line, ..self }) } else { Err(GameError::Line(line)) }
    }

    /// The same game with or without gravity.
    pub fn with_gravity(self, gravity: bool) -> Game {
        Game { gravity, ..self }
    }

    /// The same game with another overline rule.
    pub fn with_overline(self, overline: Overline) -> Game {
        Game { overline, ..self }
    }

    /// The variant that this game is, or was made from.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The number of columns, 1 to 26.
    pub fn columns(&self) -> u8 {
        self.columns
    }

    /// The number of rows, 1 to 26.
    pub fn rows(&self) -> u8 {
        self.rows
    }

    /// How many in a row win, 3 to 8.
    pub fn line(&self) -> u8 {
        self.line
    }

    /// Whether stones fall to the lowest empty cell of a column.
    pub fn gravity(&self) -> bool {
        self.gravity
    }

    /// What an overline is worth.
    pub fn overline(&self) -> Overline {
        self.overline
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        usize::from(self.columns) * usize::from(self.rows)
    }

    /// Whether a square is on this board.
    pub fn contains(&self, square: Square) -> bool {
        square.column() < self.columns && square.row() < self.rows
    }

    /// The squares of the board, from the bottom row up, each from the left.
    pub fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        let columns = self.columns;
        (0..self.rows).flat_map(move |row| (0..columns).filter_map(move |column| Square::new(column, row)))
    }

    /// Whether a full line of `length` stones of `color` wins. `closed`: the opponent has a stone at both of its ends.
    #[inline]
    pub fn line_wins(&self, color: Color, length: usize, closed: impl FnOnce() -> bool) -> bool {
        match length.cmp(&usize::from(self.line)) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Equal => self.variant != Variant::Caro || !closed(),
            std::cmp::Ordering::Greater if self.variant == Variant::Renju => color == Color::Second,
            std::cmp::Ordering::Greater => self.overline == Overline::Wins,
        }
    }
}

fn side(cells: u8) -> Result<u8, GameError> {
    if (1..=MAX_SIDE).contains(&cells) { Ok(cells) } else { Err(GameError::Side(cells)) }
}

/// `gomokufreestyle 15x15, 5 in a row`.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}x{}, {} in a row", self.variant.name(), self.columns, self.rows, self.line)?;
        if self.overline == Overline::Nothing && self.variant != Variant::Renju {
            write!(f, ", overlines are nothing")?;
        }
        if self.gravity {
            write!(f, ", stones fall")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_finds_its_variant_in_any_case() {
        for variant in Variant::ALL {
            for name in variant.names() {
                assert_eq!(Variant::from_name(&name.to_uppercase()), Some(variant));
            }
        }
        assert_eq!(Variant::from_name("chess"), None);
        assert_eq!(Variant::from_name("gomok"), None);
    }

    #[test]
    fn sizes_and_lines_out_of_range_are_refused() {
        let game = Game::new(Variant::Mnk);
        assert_eq!(game.with_columns(27), Err(GameError::Side(27)));
        assert_eq!(game.with_rows(0), Err(GameError::Side(0)));
        assert_eq!(game.with_line(2), Err(GameError::Line(2)));
        assert_eq!(game.with_line(9), Err(GameError::Line(9)));
        assert_eq!(Game::mnk(7, 5, 4).map(|game| game.cells()), Ok(35));
    }
}
