//! Leaving out what has no influence on whether a side completes a line while the other one only stops it.

use super::super::word::Word;
use super::lines::{CELLS, Field, Lines, each};

/// What a look at a field with the side itself to move has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look<T> {
    /// The side completes a line, even if it only gets these cells.
    Made(u64),
    /// It is stopped, even if the other side only gets cells among these.
    Stopped(u64),
    /// What remains is undecided.
    Open(Rest<T>),
}

/// The part of a field that decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest<T> {
    /// What remains; the outcome is the same as on the whole field.
    pub field: Field<T>,
    /// Cells that are needed outside it to complete a line.
    pub to_make: u64,
    /// Cells that are needed outside it to stop all lines.
    pub to_stop: u64,
    /// How far from a pairing it is.
    pub lack: u32,
}

/// Leaves out what has no influence: lines that hold another one, lines with a pair of cells that are on no others, and lines
/// of which one side takes the one cell as soon as the other takes the other.
pub fn reduce<T: Word>(lines: &Lines<T>, field: Field<T>) -> Look<T> {
    let mut rest = Rest { field, to_make: 0, to_stop: 0, lack: 0 };
    loop {
        if let Some(last) = drop_wider(lines, &mut rest.field) {
            return Look::Made(rest.to_make | last);
        }
        let changed = peel(lines, &mut rest);
        if rest.field.live.is_empty() {
            return Look::Stopped(rest.to_stop);
        }
        if !changed {
            return Look::Open(rest);
        }
    }
}

/// Drops lines whose empty cells are all those of another one, and more. Returns the cell that completes a line, if one does.
#[inline(always)]
fn drop_wider<T: Word>(lines: &Lines<T>, field: &mut Field<T>) -> Option<u64> {
    let mut kept = field.live;
    for line in each(field.live) {
        let own = lines.cells(line) & field.empty;
        if own.without_lowest() == 0 {
            return Some(own);
        }
        // Only lines along the same row have two cells in common.
        for other in each(kept & lines.kin(line) & T::first(line as u32)) {
            let others = lines.cells(other) & field.empty;
            if others & !own == 0 {
                kept &= !(T::ONE << line as u32);
                break;
            }
            if own & !others == 0 {
                kept &= !(T::ONE << other as u32);
            }
        }
    }
    field.live = kept;
    None
}

/// Takes out lines with two cells that are on these lines alone, whatever their number: they are a pair for all of them. If a
/// line with two empty cells has one of them for itself, the side may as well take the other at once.
#[inline(always)]
fn peel<T: Word>(lines: &Lines<T>, rest: &mut Rest<T>) -> bool {
    let mut changed = false;
    'again: loop {
        // Cells all of whose lines are along one row, with those lines.
        let mut local = [(T::ZERO, 0u64); CELLS];
        let mut count = 0;
        for cell in each(rest.field.cells(lines)) {
            let own = lines.through(cell) & rest.field.live;
            if !(own & !lines.kin(own.index() as usize)).is_empty() {
                continue;
            }
            if let Some(&(_, twin)) = local[..count].iter().find(|&&(other, _)| other == own) {
                rest.field.live &= !own;
                rest.to_stop |= twin | 1 << cell;
                changed = true;
                continue 'again;
            }
            local[count] = (own, 1 << cell);
            count += 1;
        }
        for &(own, _) in &local[..count] {
            let line = own.index() as usize;
            let cells = lines.cells(line) & rest.field.empty;
            if own.without_lowest().is_empty() && cells.count_ones() == 2 {
                rest.field = Field { empty: rest.field.empty & !cells, live: rest.field.live & !own };
                rest.to_make |= cells;
                rest.to_stop |= cells;
                return true;
            }
        }
        return changed;
    }
}
