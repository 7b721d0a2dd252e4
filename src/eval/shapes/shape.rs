//! What a stone would make in one line: the shapes of five in a row, generated from the rules.
//!
//! A shape is what a colour's stone on an empty cell makes in one of the cell's four lines, seen in a window around the
//! cell. Each is defined by what one more stone makes of it, down to the five, which [`Game::line_wins`] defines; so edges,
//! overlines, closed ends and false threes need no rules of their own.
//!
//! ```text
//! x ours, o theirs, * the cell        five      x x x * x
//! open four   . x x * x .             four      o x x * x .     x x * . x
//! open three  . . x * x . .           three     o x x * . .     . x . * . x
//! ```

use crate::rules::{Color, Game, Overline, Variant};

/// What a stone makes in a line, from the least to the most. What reads "can still" supposes more stones of one's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Shape {
    /// No five can come of it.
    Dead,
    /// One more stone makes a two.
    One,
    /// One more stone makes an open two.
    OpenOne,
    /// One more stone makes a three.
    Two,
    /// One or two cells make an open three.
    WeakOpenTwo,
    /// Three cells make an open three.
    OpenTwo,
    /// Four or more cells make an open three.
    StrongOpenTwo,
    /// One more stone makes a four, but none an open four.
    Three,
    /// One cell makes an open four.
    OpenThree,
    /// Two or more cells make an open four.
    StrongOpenThree,
    /// One cell makes a five (or several, and a single reply stops them all).
    Four,
    /// Two fours in one line where that is a foul (renju's Black); elsewhere it is an open four.
    DoubleFour,
    /// Cells that make a five, and no reply stops them all.
    OpenFour,
    /// Too long, where that does not win.
    Overline,
    /// A win.
    Five,
}

impl Shape {
    /// How many shapes there are.
    pub const COUNT: usize = 15;
    /// All, in order.
    pub const ALL: [Shape; Shape::COUNT] = [
        Shape::Dead,
        Shape::One,
        Shape::OpenOne,
        Shape::Two,
        Shape::WeakOpenTwo,
        Shape::OpenTwo,
        Shape::StrongOpenTwo,
        Shape::Three,
        Shape::OpenThree,
        Shape::StrongOpenThree,
        Shape::Four,
        Shape::DoubleFour,
        Shape::OpenFour,
        Shape::Overline,
        Shape::Five,
    ];

    /// Whether the next stone can make a five, of whatever worth.
    pub fn is_four(self) -> bool {
        matches!(self, Shape::Four | Shape::DoubleFour | Shape::OpenFour)
    }

    /// Whether the next stone can make an open four.
    pub fn is_open_three(self) -> bool {
        matches!(self, Shape::OpenThree | Shape::StrongOpenThree)
    }

    /// Whether this is one of the open twos.
    pub fn is_open_two(self) -> bool {
        (Shape::WeakOpenTwo..=Shape::StrongOpenTwo).contains(&self)
    }
}

/// How many neighbours on either side decide about shapes: with the exact length the cell beyond a five counts, too.
pub fn reach(game: &Game) -> usize {
    // Renju's Black and caro need the cell beyond a five whatever an overline is worth.
    let exact = matches!(game.variant(), Variant::Renju | Variant::Caro);
    if game.overline() == Overline::Wins && !exact { 4 } else { 5 }
}

/// A window around a cell: two bits for each neighbour, the first neighbour lowest, the cell itself left out.
///
/// A neighbour is 0 if empty, [`OWN`] or [`OTHER`] if there is a stone, 3 if it is off the board.
pub type Window = u32;

pub(super) const OWN: u32 = 1;
pub(super) const OTHER: u32 = 2;
pub(super) const WALL: u32 = 3;

/// The shapes of one colour, worked out window by window.
pub struct Generator {
    game: Game,
    color: Color,
    reach: usize,
    /// Per window the shape, once it is known.
    known: Vec<Option<Shape>>,
}

impl Generator {
    /// A generator for `color`'s stones under the rules of a game.
    pub fn new(game: &Game, color: Color) -> Generator {
        let reach = reach(game);
        Generator { game: *game, color, reach, known: vec![None; 1 << (4 * reach)] }
    }

    /// What a stone in the middle of a window makes.
    pub fn shape(&mut self, window: Window) -> Shape {
        if let Some(shape) = self.known[window as usize] {
            return shape;
        }
        let shape = self.work_out(window);
        self.known[window as usize] = Some(shape);
        shape
    }

    fn cells(&self) -> u32 {
        2 * self.reach as u32
    }

    fn work_out(&mut self, window: Window) -> Shape {
        let (before, after) = self.run(window);
        let length = before + after + 1;
        let end = |place: Option<u32>| place.is_some_and(|place| at(window, place) == OTHER);
        let middle = self.reach as u32;
        let closed = || {
            end((middle - 1).checked_sub(before as u32)) && end(Some(middle + after as u32).filter(|&p| p < 2 * middle))
        };
        if self.game.line_wins(self.color, length, closed) {
            return Shape::Five;
        }
        match length.cmp(&usize::from(self.game.line())) {
            std::cmp::Ordering::Less => self.unfinished(window),
            std::cmp::Ordering::Equal => Shape::Dead,
            std::cmp::Ordering::Greater => Shape::Overline,
        }
    }

    /// The stones next to the middle, before and after it.
    fn run(&self, window: Window) -> (usize, usize) {
        let middle = self.reach as u32;
        let before = (0..middle).rev().take_while(|&place| at(window, place) == OWN).count();
        let after = (middle..2 * middle).take_while(|&place| at(window, place) == OWN).count();
        (before, after)
    }

    fn unfinished(&mut self, window: Window) -> Shape {
        let (mut fives, mut open_fours, mut open_threes) = (0, 0, 0);
        let mut best = Shape::Dead;
        for place in (0..self.cells()).filter(|&place| at(window, place) == 0) {
            let next = self.shape(with(window, place, OWN));
            fives += u32::from(next == Shape::Five);
            open_fours += u32::from(next == Shape::OpenFour);
            open_threes += u32::from(next.is_open_three());
            if next != Shape::Overline {
                best = best.max(next);
            }
        }
        match best {
            Shape::Five if fives >= 2 && self.is_unstoppable(window) => self.open_four(window),
            Shape::Five => Shape::Four,
            _ if open_fours >= 2 => Shape::StrongOpenThree,
            _ if open_fours == 1 => Shape::OpenThree,
            Shape::Four | Shape::DoubleFour => Shape::Three,
            _ if open_threes >= 4 => Shape::StrongOpenTwo,
            _ if open_threes == 3 => Shape::OpenTwo,
            _ if open_threes >= 1 => Shape::WeakOpenTwo,
            Shape::Three => Shape::Two,
            _ if best.is_open_two() => Shape::OpenOne,
            Shape::Two | Shape::OpenOne | Shape::One => Shape::One,
            _ => Shape::Dead,
        }
    }

    /// Whether the fives that a window threatens cannot all be stopped with one stone.
    fn is_unstoppable(&mut self, window: Window) -> bool {
        let empty = |place: &u32| at(window, *place) == 0;
        (0..self.cells()).filter(empty).all(|reply| {
            let replied = with(window, reply, OTHER);
            let mut rest = (0..self.cells()).filter(|&place| place != reply && at(window, place) == 0);
            rest.any(|place| self.shape(with(replied, place, OWN)) == Shape::Five)
        })
    }

    /// Renju tells the straight four from two fours in one line.
    fn open_four(&self, window: Window) -> Shape {
        let (before, after) = self.run(window);
        let straight = before + after + 2 == usize::from(self.game.line());
        let foul = self.game.variant() == Variant::Renju && self.color == Color::First;
        if foul && !straight { Shape::DoubleFour } else { Shape::OpenFour }
    }
}

fn at(window: Window, place: u32) -> u32 {
    window >> (2 * place) & 3
}

fn with(window: Window, place: u32, what: u32) -> Window {
    window | what << (2 * place)
}

/// All windows that a board can show: off the board is only what lies beyond its edges.
pub fn windows(reach: usize) -> impl Iterator<Item = Window> {
    let middle = reach as u32;
    let inside = move |first: u32, last: u32| {
        (0..3u32.pow(last - first)).map(move |number| {
            let mut rest = number;
            (0..2 * middle).fold(0, |window, place| {
                if place < first || place >= last {
                    return with(window, place, WALL);
                }
                let what = rest % 3;
                rest /= 3;
                with(window, place, what)
            })
        })
    };
    (0..=middle).flat_map(move |first| (middle..=2 * middle).flat_map(move |last| inside(first, last)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The window of a picture: `x`, `o`, `.`, `#`, and one `*` in the middle.
    fn shape(variant: Variant, color: Color, picture: &str) -> Shape {
        let game = Game::new(variant);
        let reach = reach(&game);
        let cells: Vec<char> = picture.chars().filter(|c| !c.is_whitespace()).collect();
        let star = cells.iter().position(|&c| c == '*').unwrap();
        let code = |offset: isize| match star.checked_add_signed(offset).and_then(|at| cells.get(at)) {
            Some('x') => OWN,
            Some('o') => OTHER,
            Some('.') => 0,
            _ => WALL,
        };
        let offsets = (1..=reach as isize).rev().map(|n| -n).chain(1..=reach as isize);
        let window = (0..).zip(offsets).fold(0, |window, (place, offset)| with(window, place, code(offset)));
        Generator::new(&game, color).shape(window)
    }

    #[test]
    fn pictures_of_the_books() {
        let free = |picture| shape(Variant::GomokuFreestyle, Color::First, picture);
        assert_eq!(free("....xx*xx...."), Shape::Five);
        assert_eq!(free("...xxx*xx...."), Shape::Five);
        assert_eq!(free(".....x*xx...."), Shape::OpenFour);
        assert_eq!(free("...x.x*x.x..."), Shape::OpenFour);
        assert_eq!(free("....ox*xx...."), Shape::Four);
        assert_eq!(free("#xxx*...."), Shape::Four);
        assert_eq!(free(".....x*x....."), Shape::StrongOpenThree);
        assert_eq!(free("...o.x*x.o..."), Shape::Three);
        assert_eq!(free("...o.x*x....."), Shape::OpenThree);
        assert_eq!(free("....x.*x....."), Shape::OpenThree);
        assert_eq!(free("....ox*x....."), Shape::Three);
        assert_eq!(free("..o.xx*.o...."), Shape::Four.min(Shape::Three));
        assert_eq!(free("...o.x*.o...."), Shape::Dead);
        assert_eq!(free("......*......"), Shape::OpenOne);
        assert_eq!(free("....#*....#"), Shape::One);
    }

    #[test]
    fn overlines_spoil_what_must_be_exact() {
        let exact = |picture| shape(Variant::Gomoku, Color::Second, picture);
        assert_eq!(exact("..x.xx*x....."), Shape::Four);
        assert_eq!(exact("....xxx*xx..."), Shape::Overline);
        assert_eq!(exact("..x.xx*x.x..."), Shape::Dead);
        assert_eq!(exact("..x..x*x..x.."), Shape::Three);
        assert_eq!(exact(".....x*x....."), Shape::StrongOpenThree);
    }

    #[test]
    fn renju_tells_black_from_white() {
        let picture = "...x.x*x.x...";
        assert_eq!(shape(Variant::Renju, Color::First, picture), Shape::DoubleFour);
        assert_eq!(shape(Variant::Renju, Color::Second, picture), Shape::OpenFour);
        assert_eq!(shape(Variant::Renju, Color::First, "...xxx*xx...."), Shape::Overline);
        assert_eq!(shape(Variant::Renju, Color::Second, "...xxx*xx...."), Shape::Five);
    }

    #[test]
    fn caro_needs_an_end_that_is_not_closed() {
        let caro = |picture| shape(Variant::Caro, Color::First, picture);
        assert_eq!(caro("....oxx*xxo.."), Shape::Dead);
        assert_eq!(caro("....oxx*xx..."), Shape::Five);
        assert_eq!(caro("#xx*xxo...."), Shape::Five);
        // Either end can be stopped, and the stone then closes the other one's far end too.
        assert_eq!(caro("...o.xx*x.o.."), Shape::Four);
        assert_eq!(caro(".....xx*x...."), Shape::OpenFour);
    }
}
