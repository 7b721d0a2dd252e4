//! What is looked up for each cell: the shapes of its lines by their windows, and what the four shapes are together.

use super::shape::{Generator, OTHER, OWN, Shape, WALL, reach, windows};
use super::weights::{CellWorth, MoveWorth, Weights};
use crate::rules::{Color, Game, Variant};

/// The shapes of one colour in the four lines of a cell, four bits each: the index of [`Tables::codes`].
pub type Shapes4 = u16;

/// The number of a multiset of four shapes.
pub type Code = u16;

/// How many codes there are: multisets of 4 out of 15.
pub const CODES: usize = 3060;

/// What a stone on a cell makes in all of its lines together; a cell can have several of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trait {
    /// A five: it wins.
    Five,
    /// An open four, or two fours at once: no single reply stops it.
    OpenFour,
    /// A four in some line.
    Four,
    /// A four and an open three at once.
    FourThree,
    /// An open three in some line.
    OpenThree,
    /// Two open threes at once.
    DoubleThree,
    /// What renju may forbid to Black: overlines, double-fours and what looks like a double-three. Of the other traits
    /// such a cell has [`Trait::Four`] at most, though it may turn out to be allowed.
    Suspect,
    /// A five can still come of it.
    Live,
}

impl Trait {
    /// How many traits there are.
    pub const COUNT: usize = 8;

    /// The bit of this trait in a set of traits.
    #[inline]
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The tables of one game.
pub struct Tables {
    /// How far windows reach on either side.
    pub reach: usize,
    /// Per window, with the first player's stones as the own ones: the shapes of both colours, the first's in the low bits.
    pub shapes: Box<[u8]>,
    /// Per four shapes their code.
    pub codes: Box<[Code]>,
    /// Per colour and code the [`Trait`] bits.
    pub traits: [Box<[u8]>; 2],
    /// Per colour and code what such a cell is worth.
    pub worth: [Box<[CellWorth]>; 2],
    /// Per colour and code how good a move there is.
    pub moves: [Box<[MoveWorth]>; 2],
    /// Per side to move and its threat mask a worth.
    pub threats: [Box<[i16]>; 2],
    /// Per side to move and offset from the last two moves what a move is worth.
    pub near: [Box<[i16]>; 2],
}

impl Tables {
    /// Builds the tables: some 50 ms where the exact length matters, 5 ms elsewhere.
    pub fn new(game: &Game) -> Tables {
        let weights = Weights::of(game);
        let traits = Color::ALL.map(|color| multisets().map(|shapes| traits(shapes, game, color)).collect());
        Tables {
            reach: reach(game),
            shapes: shapes_of_windows(game),
            codes: codes(),
            traits,
            worth: weights.worth,
            moves: weights.moves,
            threats: weights.threats,
            near: weights.near,
        }
    }
}

fn shapes_of_windows(game: &Game) -> Box<[u8]> {
    let reach = reach(game);
    let mut first = Generator::new(game, Color::First);
    let mut second = Generator::new(game, Color::Second);
    let mut shapes = vec![0; 1 << (4 * reach)];
    for window in windows(reach) {
        let pair = first.shape(window) as u8 | (second.shape(swapped(window)) as u8) << 4;
        shapes[window as usize] = pair;
    }
    shapes.into()
}

/// The window with the colours swapped.
fn swapped(window: u32) -> u32 {
    const _: () = assert!(OWN == 1 && OTHER == 2 && WALL == 3);
    (window & 0x5555_5555) << 1 | (window & 0xAAAA_AAAA) >> 1
}

/// All multisets of four shapes, each in falling order; the place of each is its code.
pub fn multisets() -> impl Iterator<Item = [Shape; 4]> {
    let up_to = |most: Shape| Shape::ALL.into_iter().filter(move |&shape| shape <= most);
    Shape::ALL
        .into_iter()
        .flat_map(move |a| up_to(a).flat_map(move |b| up_to(b).flat_map(move |c| up_to(c).map(move |d| [a, b, c, d]))))
}

fn codes() -> Box<[Code]> {
    let mut by_sorted = vec![0; 1 << 16];
    for (code, shapes) in (0..).zip(multisets()) {
        by_sorted[packed(shapes)] = code;
    }
    let sorted = |shapes: Shapes4| {
        let mut shapes = unpacked(shapes);
        shapes.sort();
        shapes.reverse();
        packed(shapes)
    };
    (0..=Shapes4::MAX).map(|shapes| by_sorted[sorted(shapes)]).collect()
}

/// The four shapes, that in the lowest bits first.
pub fn unpacked(shapes: Shapes4) -> [Shape; 4] {
    [0, 4, 8, 12].map(|shift| Shape::ALL.get(usize::from(shapes >> shift & 15)).copied().unwrap_or(Shape::Dead))
}

fn packed(shapes: [Shape; 4]) -> usize {
    shapes.into_iter().fold(0, |packed, shape| packed << 4 | shape as usize)
}

/// What four shapes are together.
fn traits(shapes: [Shape; 4], game: &Game, color: Color) -> u8 {
    let count = |is: fn(Shape) -> bool| shapes.iter().filter(|&&shape| is(shape)).count();
    let (fours, open_threes) = (count(Shape::is_four), count(Shape::is_open_three));
    let has = |shape: Shape| shapes.contains(&shape);
    let black = game.variant() == Variant::Renju && color == Color::First;
    let bit = |which: Trait, holds: bool| if holds { which.bit() } else { 0 };
    let foul = has(Shape::Overline) || has(Shape::DoubleFour) || fours >= 2 || open_threes >= 2;
    let live = bit(Trait::Live, shapes.iter().any(|&shape| shape != Shape::Dead && shape != Shape::Overline));
    let four = bit(Trait::Four, fours >= 1);
    if has(Shape::Five) {
        return bit(Trait::Five, true) | live;
    }
    if black && foul {
        return bit(Trait::Suspect, true) | four | live;
    }
    live | four
        | bit(Trait::OpenFour, has(Shape::OpenFour) || fours >= 2)
        | bit(Trait::FourThree, fours >= 1 && open_threes >= 1)
        | bit(Trait::OpenThree, open_threes >= 1)
        | bit(Trait::DoubleThree, open_threes >= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_multiset_has_its_own_code() {
        let all: Vec<[Shape; 4]> = multisets().collect();
        assert_eq!(all.len(), CODES);
        let codes = codes();
        for (code, shapes) in all.into_iter().enumerate() {
            let [a, b, c, d] = shapes;
            for order in [[a, b, c, d], [d, c, b, a], [b, a, d, c], [c, d, b, a]] {
                assert_eq!(usize::from(codes[packed(order)]), code);
            }
        }
    }

    #[test]
    fn swapping_colours_swaps_the_shapes_where_the_rules_are_alike() {
        let tables = Tables::new(&Game::new(Variant::Gomoku));
        for window in windows(5).step_by(97) {
            let (here, there) = (tables.shapes[window as usize], tables.shapes[swapped(window) as usize]);
            assert_eq!(here.rotate_left(4), there, "{window:x}");
        }
    }
}
