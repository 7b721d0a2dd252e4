//! What the shapes around a cell are worth: numbers fitted on games of the engine against itself (`inarow tune`).
//!
//! A file holds little-endian 16-bit numbers: for each colour (one, where the rules treat both alike) per code the four
//! numbers of [`CellWorth`] and [`MoveWorth`], and then per threat mask a worth. Where there is no file, a plain guess
//! serves; it is also what a fit begins with.
//!
//! How the present files came about: `inarow datagen --games 12000 --nodes 1500` with the weights before, `inarow tune`,
//! and with what that gave, for `freestyle.bin`, `datagen --games 24000 --nodes 2000` and `tune` on all 36,000 games; for
//! `standard.bin` (caro, too) and `renju.bin` 12,000 games of their own (`--variant gomoku`, `renju`) with freestyle's
//! weights, and `tune`.

use super::shape::Shape;
use super::tables::{CODES, multisets};
use crate::rules::{Game, Overline, Square, Variant};

/// Fractions of a hundredth that [`CellWorth`] counts in.
pub const FRACTION: i32 = 8;

/// Numbers of one colour in a file.
const SET: usize = 4 * CODES + MASKS + 2 * OFFSETS;

/// How many kinds of offset between two squares there are: up to five columns and rows, whichever is more first, and
/// one kind for all that are farther.
pub const OFFSETS: usize = (FAR + 1) * (FAR + 1) + 1;
const FAR: usize = 5;

/// The number of threat masks: six bits for either side, and one for what must be answered at once.
pub const MASKS: usize = 1 << 13;

/// The worth of an empty cell for the colour whose shapes these are, in 1/[`FRACTION`] of a hundredth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellWorth {
    /// With that colour to move.
    pub mover: i16,
    /// With the other one to move.
    pub waiter: i16,
}

/// How good a move on a cell looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveWorth {
    /// For the colour whose shapes these are.
    pub attack: i16,
    /// For the other one.
    pub defend: i16,
}

/// The weights of one game, by colour.
pub struct Weights {
    /// Per code what a cell is worth.
    pub worth: [Box<[CellWorth]>; 2],
    /// Per code what a move is worth.
    pub moves: [Box<[MoveWorth]>; 2],
    /// Per threat mask of the side to move a worth in hundredths.
    pub threats: [Box<[i16]>; 2],
    /// Per kind of offset from the last move what a move is worth, and then the same for the move before the last.
    pub near: [Box<[i16]>; 2],
}

impl Weights {
    /// The weights for a game.
    pub fn of(game: &Game) -> Weights {
        Weights::from_bytes(file(game)).unwrap_or_else(Weights::guess)
    }

    /// Reads a file of weights; `None` if it has not the right size.
    fn from_bytes(bytes: &[u8]) -> Option<Weights> {
        let numbers: Vec<i16> = bytes.as_chunks().0.iter().map(|&pair| i16::from_le_bytes(pair)).collect();
        let sets: Vec<&[i16]> = numbers.chunks(SET).collect();
        let [first, second] = match *sets {
            [one] => [one, one],
            [first, second] => [first, second],
            _ => return None,
        };
        if second.len() != SET {
            return None;
        }
        let cells = |set: &[i16]| {
            let rows = set[..4 * CODES].as_chunks::<4>().0.iter();
            rows.map(|&[mover, waiter, ..]| CellWorth { mover, waiter }).collect()
        };
        let moves = |set: &[i16]| {
            let rows = set[..4 * CODES].as_chunks::<4>().0.iter();
            rows.map(|&[.., attack, defend]| MoveWorth { attack, defend }).collect()
        };
        Some(Weights {
            worth: [cells(first), cells(second)],
            moves: [moves(first), moves(second)],
            threats: [first, second].map(|set| set[4 * CODES..4 * CODES + MASKS].into()),
            near: [first, second].map(|set| set[4 * CODES + MASKS..].into()),
        })
    }

    /// The weights as a file for a game.
    pub fn to_bytes(&self, game: &Game) -> Vec<u8> {
        let sets = if game.variant() == Variant::Renju { 2 } else { 1 };
        let mut bytes = Vec::with_capacity(2 * SET * sets);
        for set in 0..sets {
            for (worth, moves) in self.worth[set].iter().zip(&self.moves[set]) {
                let row = [worth.mover, worth.waiter, moves.attack, moves.defend];
                bytes.extend(row.into_iter().flat_map(i16::to_le_bytes));
            }
            let rest = self.threats[set].iter().chain(&self.near[set]);
            bytes.extend(rest.flat_map(|worth| worth.to_le_bytes()));
        }
        bytes
    }

    /// A plain guess.
    pub fn guess() -> Weights {
        let worth: Box<[CellWorth]> = multisets().map(guess_worth).collect();
        let moves: Box<[MoveWorth]> = multisets().map(guess_move).collect();
        let threats: Box<[i16]> = vec![0; MASKS].into();
        debug_assert_eq!(worth.len(), CODES);
        let near: Box<[i16]> = vec![0; 2 * OFFSETS].into();
        Weights {
            worth: [worth.clone(), worth],
            moves: [moves.clone(), moves],
            threats: [threats.clone(), threats],
            near: [near.clone(), near],
        }
    }
}

/// What `inarow tune` has made of games of `inarow datagen`, played with the weights before these: 36,000 of freestyle, 12,000 of standard
/// and of renju, 10,000 of caro, the last three at 1,500 nodes a move.
fn file(game: &Game) -> &'static [u8] {
    match (game.variant(), game.overline()) {
        (Variant::Renju, _) => include_bytes!("renju.bin"),
        (Variant::Caro, _) => include_bytes!("caro.bin"),
        (_, Overline::Wins) => include_bytes!("freestyle.bin"),
        (_, Overline::Nothing) => include_bytes!("standard.bin"),
    }
}

/// The kind of offset between two squares: below [`OFFSETS`], and the same for all eight ways to see it.
#[inline]
pub fn offset_kind(a: Square, b: Square) -> usize {
    let (columns, rows) = (usize::from(a.column().abs_diff(b.column())), usize::from(a.row().abs_diff(b.row())));
    let (more, less) = (columns.max(rows), columns.min(rows));
    if more > FAR { OFFSETS - 1 } else { more * (FAR + 1) + less }
}

fn sum(shapes: [Shape; 4], worth: [i32; Shape::COUNT]) -> i32 {
    shapes.into_iter().map(|shape| worth[shape as usize]).sum()
}

fn guess_worth(shapes: [Shape; 4]) -> CellWorth {
    let lines = sum(shapes, [0, 1, 3, 5, 8, 11, 14, 14, 40, 44, 40, 80, 160, 0, 160]);
    let fours = shapes.iter().filter(|shape| shape.is_four()).count();
    let threes = shapes.iter().filter(|shape| shape.is_open_three()).count();
    let combined = if fours > 0 && threes > 0 { 200 } else { 0 } + if threes > 1 { 80 } else { 0 };
    CellWorth { mover: ((lines + combined) * 10) as i16, waiter: ((lines + combined / 2) * 7) as i16 }
}

fn guess_move(shapes: [Shape; 4]) -> MoveWorth {
    let lines = sum(shapes, [0, 2, 6, 10, 20, 26, 32, 34, 120, 130, 110, 400, 2000, 0, 4000]);
    let fours = shapes.iter().filter(|shape| shape.is_four()).count();
    let threes = shapes.iter().filter(|shape| shape.is_open_three()).count();
    let combined = if fours > 0 && threes > 0 { 800 } else { 0 } + if threes > 1 { 400 } else { 0 };
    MoveWorth { attack: (lines + combined) as i16, defend: ((lines + combined) * 7 / 10) as i16 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_file_that_is_read_and_written_alike() {
        for variant in [Variant::GomokuFreestyle, Variant::Gomoku, Variant::Renju, Variant::Caro] {
            let game = Game::new(variant);
            let weights = Weights::from_bytes(file(&game)).unwrap();
            assert_eq!(weights.to_bytes(&game), file(&game), "{game}");
            assert_ne!(weights.to_bytes(&game), Weights::guess().to_bytes(&game), "{game}");
        }
        assert!(Weights::from_bytes(&file(&Game::new(Variant::Renju))[2..]).is_none());
        assert!(Weights::from_bytes(&[]).is_none());
    }
}
