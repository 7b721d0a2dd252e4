//! Stopping every line without looking ahead: pairs of cells, of which the other side takes one when this side takes the other.
//!
//! If each live line holds a pair, and no two pairs share a cell, none is ever completed. Lines along the same row that have
//! two empty cells in common can do with one pair, which makes all the difference on boards not much longer than a line.
//! That such pairs exist is found as a matching: each bundle of lines needs two cells of its own.

use super::super::word::Word;
use super::lines::{CELLS, Field, Lines, each};

/// The most bundles that are matched; with more lines there are never enough cells.
const BUNDLES: usize = CELLS / 2;

/// How often bundles are split for a pairing that lacks one cell.
const SPLITS: u32 = 4;

/// The cells of a pairing that stops all lines; or how many are missing for one.
///
/// # Errors
/// No pairing was found.
pub fn pairing<T: Word>(lines: &Lines<T>, field: Field<T>) -> Result<u64, u32> {
    let mut bundles = Bundles { all: [Bundle { lines: T::ZERO, common: 0 }; BUNDLES], count: 0 };
    let mut open = field.live;
    while !open.is_empty() {
        if bundles.count == BUNDLES {
            return Err(2 * (BUNDLES as u32 + open.count()) - CELLS as u32);
        }
        let bundle = longest(lines, field, open & lines.kin(open.index() as usize));
        open &= !bundle.lines;
        bundles.all[bundles.count] = bundle;
        bundles.count += 1;
    }
    // Who has the least choice comes first.
    bundles.all[..bundles.count].sort_unstable_by_key(|bundle| bundle.common.count_ones());
    // What is missing says more about a position before bundles are split than after.
    match matching(lines, field, &mut bundles, 0) {
        Err(1) => matching(lines, field, &mut bundles, SPLITS).map_err(|_| 1),
        result => result,
    }
}

/// Gives each bundle two cells, splitting some so many times at most; or counts what is missing.
fn matching<T: Word>(lines: &Lines<T>, field: Field<T>, bundles: &mut Bundles<T>, mut splits: u32) -> Result<u64, u32> {
    let mut matching = Matching { owners: [0; CELLS], shares: [0; BUNDLES], used: 0 };
    let (mut bundle, mut lack) = (0, 0);
    while bundle < bundles.count {
        let mut seen = 0;
        let share = matching.shares[bundle];
        if share == 2 {
            bundle += 1;
        } else if matching.give(bundles, bundle, &mut seen) {
            matching.shares[bundle] += 1;
        } else {
            // Some bundle in the way, or this one, may have more choice as two.
            let rivals = each(seen).fold(1u64 << bundle, |set, cell| set | 1 << matching.owners[cell]);
            match bundles.most_choice(lines, field, rivals) {
                Some((at, halves)) if splits > 0 => {
                    splits -= 1;
                    matching.release(at);
                    bundles.replace(at, halves);
                    (bundle, lack) = (0, 0);
                }
                _ => {
                    lack += u32::from(2 - share);
                    bundle += 1;
                }
            }
        }
    }
    if lack == 0 { Ok(matching.used) } else { Err(lack) }
}

/// Lines along the same row, and the empty cells that they have in common.
#[derive(Clone, Copy)]
struct Bundle<T> {
    lines: T,
    common: u64,
}

/// The bundles that are matched.
struct Bundles<T> {
    all: [Bundle<T>; BUNDLES],
    count: usize,
}

impl<T: Word> Bundles<T> {
    /// The one of some bundles that has the most choice when it is split, with its halves; if there is room for one more.
    fn most_choice(&self, lines: &Lines<T>, field: Field<T>, some: u64) -> Option<(usize, [Bundle<T>; 2])> {
        let halves = |at: usize| Some((at, split(lines, field, self.all[at])?));
        let best = each(some).filter_map(halves).max_by_key(|(_, halves)| choice(halves));
        best.filter(|_| self.count < BUNDLES)
    }

    fn replace(&mut self, at: usize, [one, other]: [Bundle<T>; 2]) {
        self.all[at] = one;
        self.all[self.count] = other;
        self.count += 1;
    }
}

/// The cells that two bundles can choose from.
fn choice<T>(halves: &[Bundle<T>; 2]) -> u32 {
    (halves[0].common | halves[1].common).count_ones()
}

/// As many of some lines along a row, from the first on, as have two cells in common.
#[inline(always)]
fn longest<T: Word>(lines: &Lines<T>, field: Field<T>, from: T) -> Bundle<T> {
    let first = from.lowest();
    let mut bundle = Bundle { lines: first, common: lines.cells(first.index() as usize) & field.empty };
    for next in from.without_lowest().cells() {
        let both = bundle.common & lines.cells(next.index() as usize);
        if both.count_ones() < 2 {
            break;
        }
        bundle = Bundle { lines: bundle.lines | next, common: both };
    }
    bundle
}

/// The two bundles with the most choice that a bundle can be split into; `None` if it has only one line.
fn split<T: Word>(lines: &Lines<T>, field: Field<T>, bundle: Bundle<T>) -> Option<[Bundle<T>; 2]> {
    let of = |set: T| {
        let common = each(set).fold(field.empty, |cells, line| cells & lines.cells(line));
        Bundle { lines: set, common }
    };
    let mut best: Option<[Bundle<T>; 2]> = None;
    let mut first = T::ZERO;
    for next in bundle.lines.cells() {
        first |= next;
        let rest = bundle.lines & !first;
        if rest.is_empty() {
            break;
        }
        let halves = [of(first), of(rest)];
        if best.as_ref().is_none_or(|best| choice(best) < choice(&halves)) {
            best = Some(halves);
        }
    }
    best
}

/// Which bundle of lines has which cells.
struct Matching {
    /// The bundle that has a cell.
    owners: [u8; CELLS],
    /// How many cells each bundle has, at most two.
    shares: [u8; BUNDLES],
    /// Cells that a bundle has.
    used: u64,
}

impl Matching {
    /// Takes all its cells from a bundle.
    fn release(&mut self, bundle: usize) {
        self.shares[bundle] = 0;
        for cell in each(self.used) {
            if usize::from(self.owners[cell]) == bundle {
                self.used &= !(1 << cell);
            }
        }
    }

    /// Gives a bundle one more cell, if need be by moving others along an augmenting path.
    fn give<T: Word>(&mut self, bundles: &Bundles<T>, bundle: usize, seen: &mut u64) -> bool {
        let common = bundles.all[bundle].common;
        let free = common & !self.used;
        if free != 0 {
            self.used |= free.lowest();
            self.owners[free.index() as usize] = bundle as u8;
            return true;
        }
        for cell in each(common) {
            let owner = usize::from(self.owners[cell]);
            if owner == bundle || *seen >> cell & 1 == 1 {
                continue;
            }
            *seen |= 1 << cell;
            if self.give(bundles, owner, seen) {
                self.owners[cell] = bundle as u8;
                return true;
            }
        }
        false
    }
}
