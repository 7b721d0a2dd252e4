//! The lines of a board: every run of k neighbouring cells, in each of the four directions.
//!
//! A 10x10 board has 192 lines of five, 15x15 has 572, Connect Four's 7x6 has 69 lines of four.

use crate::rules::{Direction, GRID, Game, Square};

/// All lines of a game's board, and for each square the lines that run through it.
pub struct LineTable {
    length: usize,
    squares: Vec<Square>,
    through: Vec<u16>,
    starts: Vec<u16>,
}

impl LineTable {
    /// The lines of a game.
    pub fn new(game: &Game) -> LineTable {
        let length = usize::from(game.line());
        let runs = game.squares().flat_map(|from| Direction::ALL.map(|direction| run(game, from, direction, length)));
        let squares: Vec<Square> = runs.flatten().flatten().collect();
        let mut lists: Vec<Vec<u16>> = vec![Vec::new(); GRID];
        for (line, cells) in (0u16..).zip(squares.chunks(length)) {
            for square in cells {
                lists[square.index()].push(line);
            }
        }
        let mut starts = vec![0];
        let mut through = Vec::new();
        for list in &lists {
            through.extend(list);
            starts.push(through.len() as u16);
        }
        LineTable { length, squares, through, starts }
    }

    /// How many lines there are.
    pub fn count(&self) -> usize {
        self.squares.len() / self.length
    }

    /// How many cells a line has.
    #[inline]
    pub fn length(&self) -> usize {
        self.length
    }

    /// The cells of a line.
    #[inline]
    pub fn squares(&self, line: u16) -> &[Square] {
        let start = usize::from(line) * self.length;
        &self.squares[start..start + self.length]
    }

    /// The positions, in [`LineTable::through_at`], of the lines through a square.
    #[inline]
    pub fn range_through(&self, square: Square) -> std::ops::Range<usize> {
        let index = square.index();
        usize::from(self.starts[index])..usize::from(self.starts[index + 1])
    }

    /// The line at a position of [`LineTable::range_through`].
    #[inline]
    pub fn through_at(&self, position: usize) -> u16 {
        self.through[position]
    }
}

/// The cells of the line that starts at `from`, if it fits on the board.
fn run(game: &Game, from: Square, direction: Direction, length: usize) -> Option<Vec<Square>> {
    let (columns, rows) = direction.delta();
    let mut cells = vec![from];
    while cells.len() < length {
        let last = *cells.last()?;
        let column = last.column().checked_add_signed(columns)?;
        let row = last.row().checked_add_signed(rows)?;
        cells.push(Square::new(column, row).filter(|&square| game.contains(square))?);
    }
    Some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn boards_have_the_number_of_lines_that_geometry_says() {
        let count = |game: Game| LineTable::new(&game).count();
        assert_eq!(count(Game::mnk(10, 10, 5).unwrap()), 192);
        assert_eq!(count(Game::new(Variant::GomokuFreestyle)), 572);
        assert_eq!(count(Game::new(Variant::ConnectFour)), 69);
        assert_eq!(count(Game::new(Variant::TicTacToe)), 8);
        assert_eq!(count(Game::mnk(4, 2, 5).unwrap()), 0);
        assert_eq!(count(Game::mnk(26, 26, 3).unwrap()), 2 * 26 * 24 + 2 * 24 * 24);
    }
}
