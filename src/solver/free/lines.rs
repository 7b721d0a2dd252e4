//! The geometry of a board without gravity: its lines as sets of cells, and the sets of lines through its cells.
//!
//! Cells are numbered from the bottom left, row by row; lines so that those of one row, column or diagonal follow one another.

use super::super::core::Stones;
use super::super::word::Word;

/// The most cells that a board can have.
pub const CELLS: usize = 64;

/// The cells of a set, as numbers from the lowest.
#[inline(always)]
pub fn each<T: Word>(set: T) -> impl Iterator<Item = usize> {
    set.cells().map(|cell| cell.index() as usize)
}

/// A board and its lines; `T` has a bit for each line.
pub struct Lines<T> {
    columns: u32,
    rows: u32,
    /// The cells of each line.
    cells: Vec<u64>,
    /// For each line, all lines along the same row, column or diagonal.
    kin: Vec<T>,
    /// The lines through each cell.
    through: [T; CELLS],
    /// For each symmetry of the board, the identity first, where it takes the cells of each byte of a set.
    images: Vec<[[u64; 256]; 8]>,
    /// The symmetry that undoes each of them.
    inverses: Vec<usize>,
}

/// What is left for one side, who wants to complete a line while the other side wants to stop that: the empty cells and the
/// lines without a stone of the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field<T> {
    /// Empty cells; those on no live line do not matter.
    pub empty: u64,
    /// Live lines.
    pub live: T,
}

impl<T: Word> Lines<T> {
    /// Whether a board has few enough cells and lines.
    pub fn fit(columns: u32, rows: u32, length: u32) -> bool {
        let (along, up) = ((columns + 1).saturating_sub(length), (rows + 1).saturating_sub(length));
        columns * rows <= CELLS as u32 && along * rows + up * columns + 2 * along * up <= T::BITS
    }

    /// The lines of a board; `None` if it is too large.
    pub fn new(columns: u32, rows: u32, length: u32) -> Option<Lines<T>> {
        if !Lines::<T>::fit(columns, rows, length) {
            return None;
        }
        let (wide, high, length) = (columns as i32, rows as i32, length as i32);
        let inside = |x: i32, y: i32| (0..wide).contains(&x) && (0..high).contains(&y);
        let cell = |x: i32, y: i32| 1u64 << (y * wide + x);
        let (mut cells, mut kin) = (Vec::new(), Vec::new());
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            for (x, y) in (0..high).flat_map(|y| (0..wide).map(move |x| (x, y))) {
                if inside(x - dx, y - dy) {
                    continue;
                }
                // A row of cells from edge to edge.
                let run: Vec<u64> =
                    (0..).map_while(|n| inside(x + n * dx, y + n * dy).then(|| cell(x + n * dx, y + n * dy))).collect();
                let first = cells.len() as u32;
                cells.extend(run.windows(length as usize).map(|line| line.iter().fold(0, |set, cell| set | cell)));
                let end = cells.len() as u32;
                kin.resize(end as usize, T::first(end) & !T::first(first));
            }
        }
        let mut through = [T::ZERO; CELLS];
        for (line, &set) in (0u32..).zip(&cells) {
            each(set).for_each(|cell| through[cell] |= T::ONE << line);
        }
        let (symmetries, inverses) = symmetries(columns as usize, rows as usize);
        let images = symmetries.iter().map(images_of_bytes).collect();
        Some(Lines { columns, rows, cells, kin, through, images, inverses })
    }

    /// Every line.
    pub fn all(&self) -> T {
        T::first(self.cells.len() as u32)
    }

    /// Every cell.
    pub fn board(&self) -> u64 {
        u64::first(self.columns * self.rows)
    }

    /// The cells of a line.
    #[inline(always)]
    pub fn cells(&self, line: usize) -> u64 {
        self.cells[line]
    }

    /// The lines along the same row, column or diagonal as a line.
    #[inline(always)]
    pub fn kin(&self, line: usize) -> T {
        self.kin[line]
    }

    /// The lines through a cell.
    #[inline(always)]
    pub fn through(&self, cell: usize) -> T {
        self.through[cell % CELLS]
    }

    /// The lines that a set of cells meets.
    pub fn meeting(&self, cells: u64) -> T {
        each(cells).fold(T::ZERO, |lines, cell| lines | self.through(cell))
    }

    /// The cells of a set of lines.
    #[inline(always)]
    pub fn union(&self, lines: T) -> u64 {
        each(lines).fold(0, |cells, line| cells | self.cells(line))
    }

    /// Whether a set of cells holds a line.
    pub fn has_line(&self, cells: u64) -> bool {
        self.cells.iter().any(|line| line & !cells == 0)
    }

    /// The cells that complete one of some lines: the last empty cell of each that has only one.
    #[inline(always)]
    pub fn last_cells(&self, lines: T, empty: u64) -> u64 {
        each(lines).map(|line| self.cells(line) & empty).filter(|rest| rest.without_lowest() == 0).fold(0, |a, b| a | b)
    }

    /// The lines with two empty cells.
    #[inline(always)]
    pub fn pairs(&self, field: Field<T>) -> T {
        let two = |line: &usize| (self.cells(*line) & field.empty).count_ones() == 2;
        each(field.live).filter(two).fold(T::ZERO, |lines, line| lines | T::ONE << line as u32)
    }

    /// How many symmetries the board has.
    pub fn symmetries(&self) -> usize {
        self.images.len()
    }

    /// Where a symmetry takes a set of cells.
    #[inline(always)]
    pub fn image(&self, symmetry: usize, set: u64) -> u64 {
        let images = self.images[symmetry].iter().zip(set.to_le_bytes());
        images.fold(0, |image, (images, byte)| image | images[usize::from(byte)])
    }

    /// Where a symmetry takes a set of cells back to.
    pub fn preimage(&self, symmetry: usize, set: u64) -> u64 {
        self.image(self.inverses[symmetry], set)
    }

    /// A set of cells from the numbering that the solver's front has for all boards.
    fn by_rows(&self, set: u128) -> u64 {
        let (columns, rows) = (self.columns, self.rows);
        let taken = |column: u32, row: u32| set >> (column * (rows + 1) + row) & 1 == 1;
        let squares = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        squares
            .filter(|&(column, row)| taken(column, row))
            .fold(0, |cells, (column, row)| cells | 1 << (row * columns + column))
    }

    /// The stones of the side to move and of the other.
    pub fn stones(&self, stones: Stones) -> (u64, u64) {
        (self.by_rows(stones.own), self.by_rows(stones.other))
    }
}

impl<T: Word> Field<T> {
    /// After a stone of the side itself.
    #[inline(always)]
    pub fn taken(self, cell: usize) -> Field<T> {
        Field { empty: self.empty & !(1 << cell), live: self.live }
    }

    /// After a stone of the other side.
    #[inline(always)]
    pub fn stopped(self, lines: &Lines<T>, cell: usize) -> Field<T> {
        Field { empty: self.empty & !(1 << cell), live: self.live & !lines.through(cell) }
    }

    /// The empty cells on live lines.
    #[inline(always)]
    pub fn cells(self, lines: &Lines<T>) -> u64 {
        lines.union(self.live) & self.empty
    }
}

/// The symmetries of a board as images of its cells, and for each the one that undoes it.
fn symmetries(columns: usize, rows: usize) -> (Vec<[u8; CELLS]>, Vec<usize>) {
    let mut maps: Vec<[u8; CELLS]> = Vec::new();
    for (transpose, mirror, flip) in (0..8).map(|n| (n & 4 != 0, n & 1 != 0, n & 2 != 0)) {
        if transpose && columns != rows {
            continue;
        }
        let mut map = [0; CELLS];
        for (cell, image) in map.iter_mut().enumerate().take(columns * rows) {
            let (mut column, mut row) = (cell % columns, cell / columns);
            if transpose {
                (column, row) = (row, column);
            }
            if mirror {
                column = columns - 1 - column;
            }
            if flip {
                row = rows - 1 - row;
            }
            *image = (row * columns + column) as u8;
        }
        maps.push(map);
    }
    let undoes = |one: &[u8; CELLS], other: &[u8; CELLS]| {
        (0..columns * rows).all(|cell| usize::from(other[usize::from(one[cell])]) == cell)
    };
    let inverses = maps.iter().map(|one| maps.iter().position(|other| undoes(one, other)).unwrap_or(0)).collect();
    (maps, inverses)
}

fn images_of_bytes(map: &[u8; CELLS]) -> [[u64; 256]; 8] {
    let mut images = [[0; 256]; 8];
    for (byte, images) in images.iter_mut().enumerate() {
        for (set, image) in (0u64..).zip(images) {
            *image = each(set).fold(0, |image, cell| image | 1 << map[8 * byte + cell]);
        }
    }
    images
}
