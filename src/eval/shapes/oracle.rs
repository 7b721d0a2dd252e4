//! Shapes and traits against nothing but the rules: every line is laid out on a real board, and the board is asked what
//! wins there. The generator sees a window and works backwards from the five; here whole lines are looked at, and forwards.

use super::shape::{Generator, OTHER, OWN, Shape, WALL, Window, reach};
use super::{Shapes, Trait};
use crate::eval::Evaluator;
use crate::rules::{Board, Cell, Color, Direction, Foul, Game, Move, Overline, Position, Square, Variant};

/// The rules under which shapes differ, among them mixtures that only options make.
fn games() -> Vec<Game> {
    let named = [Variant::GomokuFreestyle, Variant::Gomoku, Variant::Renju, Variant::Caro].map(Game::new);
    let odd = [Variant::Caro, Variant::Renju].map(|variant| Game::new(variant).with_overline(Overline::Wins));
    named.into_iter().chain(odd).collect()
}

/// A line of cells, as the bottom row of a board of its own. The stones that must come in between to make the colours
/// take turns go to rows so far up that the line does not notice.
struct Line {
    board: Board,
    length: u8,
    far: Vec<Square>,
}

impl Line {
    fn new(game: &Game, cells: &[Option<Color>]) -> Line {
        let length = cells.len() as u8;
        let game = game.with_columns(length).unwrap().with_rows(26).unwrap();
        let far = (12..26).flat_map(|row| (0..length).filter_map(move |column| Square::new(column, row))).collect();
        let mut line = Line { board: Board::new(game), length, far };
        for (at, cell) in (0..).zip(cells) {
            if let Some(color) = cell {
                line.put(at, *color);
            }
        }
        line
    }

    fn square(at: u8) -> Square {
        Square::new(at, 0).unwrap()
    }

    fn turn_to(&mut self, color: Color) {
        if self.board.side() != color {
            // Each number of stones has its own far square, so that none is ever taken twice.
            self.board.make(Move::to(self.far[self.board.moves().len()]));
        }
    }

    fn put(&mut self, at: u8, color: Color) {
        self.turn_to(color);
        self.board.make(Move::to(Line::square(at)));
    }

    /// What a question finds, with the line as it was before.
    fn ask<T>(&mut self, question: impl FnOnce(&mut Line) -> T) -> T {
        let stones = self.board.moves().len();
        let answer = question(self);
        while self.board.moves().len() > stones {
            self.board.unmake();
        }
        answer
    }

    fn with<T>(&mut self, at: u8, color: Color, question: impl FnOnce(&mut Line) -> T) -> T {
        self.ask(|line| {
            line.put(at, color);
            question(line)
        })
    }

    fn empty(&self) -> Vec<u8> {
        (0..self.length).filter(|&at| self.board.is_empty(Line::square(at))).collect()
    }

    fn has_win(&self) -> bool {
        (0..self.length).any(|at| match self.board.cell(Line::square(at)) {
            Cell::Stone(color) => self.board.wins_at(Line::square(at), color),
            _ => false,
        })
    }

    /// The cells that win with the stone on `at` in the winning line.
    fn fives_through(&mut self, at: u8, color: Color) -> Vec<u8> {
        let wins = |line: &mut Line, five: &u8| {
            line.board.wins_at(Line::square(*five), color)
                && line.with(*five, color, |line| {
                    line.board.winning_squares(Line::square(*five)).contains(&Line::square(at))
                })
        };
        self.empty().into_iter().filter(|five| wins(self, five)).collect()
    }

    /// How many stones of a colour stand together once one has come to `at`.
    fn run(&self, at: u8, color: Color) -> usize {
        let own = |at: &u8| self.board.cell(Line::square(*at)) == Cell::Stone(color);
        1 + (0..at).rev().take_while(own).count() + (at + 1..self.length).take_while(own).count()
    }

    /// The shape of `at`, if it is a five, an overline or some four.
    fn strong_shape(&mut self, at: u8, color: Color) -> Option<Shape> {
        let square = Line::square(at);
        if self.board.wins_at(square, color) {
            return Some(Shape::Five);
        }
        if self.run(at, color) > 5 {
            return Some(Shape::Overline);
        }
        let foul = self.ask(|line| {
            line.turn_to(color);
            line.board.foul(square)
        });
        let (is_four, is_open) = self.with(at, color, |line| {
            let fives = line.fives_through(at, color);
            let left = |line: &Line, five: &u8| {
                line.board.is_empty(Line::square(*five)) && line.board.wins_at(Line::square(*five), color)
            };
            let mut replies = line.empty().into_iter();
            let is_open =
                replies.all(|reply| line.with(reply, !color, |line| fives.iter().any(|five| left(line, five))));
            (!fives.is_empty(), is_open)
        });
        match (is_four, foul) {
            (false, _) => None,
            (_, Some(Foul::DoubleFour)) => Some(Shape::DoubleFour),
            _ if is_open => Some(Shape::OpenFour),
            _ => Some(Shape::Four),
        }
    }

    /// The shape of `at`; all that lie between [`Shape::Dead`] and [`Shape::Three`] are `None`.
    fn shape(&mut self, at: u8, color: Color) -> Option<Shape> {
        if let Some(shape) = self.strong_shape(at, color) {
            return Some(shape);
        }
        let others: Vec<u8> = self.empty().into_iter().filter(|&other| other != at).collect();
        let next: Vec<Option<Shape>> =
            others.iter().map(|&other| self.with(other, color, |line| line.strong_shape(at, color))).collect();
        match next.iter().filter(|&&shape| shape == Some(Shape::OpenFour)).count() {
            0 if next.iter().flatten().any(|shape| shape.is_four()) => Some(Shape::Three),
            0 if !self.can_become_five(at, color) => Some(Shape::Dead),
            0 => None,
            1 => Some(Shape::OpenThree),
            _ => Some(Shape::StrongOpenThree),
        }
    }

    /// Whether some five cells around `at`, filled up, are a five. To fill others too would help nothing.
    fn can_become_five(&mut self, at: u8, color: Color) -> bool {
        let length = self.length;
        (at.saturating_sub(4)..=at).filter(|first| first + 5 <= length).any(|first| {
            self.ask(|line| {
                (first..first + 5).for_each(|other| {
                    if other != at && line.board.is_empty(Line::square(other)) {
                        line.put(other, color);
                    }
                });
                line.board.wins_at(Line::square(at), color)
            })
        })
    }
}

/// The window around a cell of a line, for the generator of a colour.
fn window(cells: &[Option<Color>], at: usize, color: Color, reach: usize) -> Window {
    let offsets = (1..=reach as isize).rev().map(|n| -n).chain(1..=reach as isize);
    let codes = offsets.map(|offset| match at.checked_add_signed(offset).and_then(|at| cells.get(at)) {
        None => WALL,
        Some(None) => 0,
        Some(Some(stone)) if *stone == color => OWN,
        Some(Some(_)) => OTHER,
    });
    (0..).zip(codes).fold(0, |window, (place, code)| window | code << (2 * place))
}

fn picture(cells: &[Option<Color>], at: usize) -> String {
    let letter = |(n, cell): (usize, &Option<Color>)| if n == at { '*' } else { cell.map_or('.', Color::letter) };
    cells.iter().enumerate().map(letter).collect()
}

/// Compares all that the generators of both colours say about an empty cell of a line; how many answers were compared.
fn compare(generators: &mut [Generator; 2], game: &Game, cells: &[Option<Color>], at: usize) -> usize {
    let mut line = Line::new(game, cells);
    if line.has_win() {
        return 0;
    }
    for color in Color::ALL {
        let said = generators[color.index()].shape(window(cells, at, color, reach(game)));
        let wanted = line.shape(at as u8, color);
        let between = (Shape::One..=Shape::StrongOpenTwo).contains(&said);
        let right = wanted.map_or(between, |wanted| said == wanted);
        assert!(right, "{game} {} {color:?}: {said:?}, not {wanted:?}", picture(cells, at));
    }
    2
}

fn generators(game: &Game) -> [Generator; 2] {
    Color::ALL.map(|color| Generator::new(game, color))
}

const CONTENTS: [Option<Color>; 3] = [None, Some(Color::First), Some(Color::Second)];

/// Every window there is, each as a line that ends where the window does.
fn every_window(game: &Game) -> usize {
    let mut generators = generators(game);
    let reach = reach(game);
    let mut compared = 0;
    for (before, after) in (0..=reach).flat_map(|before| (0..=reach).map(move |after| (before, after))) {
        for number in 0..3usize.pow((before + after) as u32) {
            let digit = |place: usize| CONTENTS[number / 3usize.pow(place as u32) % 3];
            let mut cells: Vec<Option<Color>> = (0..before + after).map(digit).collect();
            cells.insert(before, None);
            compared += compare(&mut generators, game, &cells, before);
        }
    }
    compared
}

#[test]
fn every_window_of_freestyle_is_what_the_rules_say() {
    assert!(every_window(&games()[0]) > 20_000);
}

#[test]
fn every_window_of_gomoku_is_what_the_rules_say() {
    assert!(every_window(&games()[1]) > 200_000);
}

#[test]
fn every_window_of_renju_is_what_the_rules_say() {
    assert!(every_window(&games()[2]) > 200_000);
}

#[test]
fn every_window_of_caro_is_what_the_rules_say() {
    assert!(every_window(&games()[3]) > 200_000);
}

/// What lies beyond a window must not matter.
#[test]
fn long_lines_are_what_the_rules_say() {
    const LINES: usize = 4_000;
    let mut random = fastrand::Rng::with_seed(11);
    for game in games() {
        let mut generators = generators(&game);
        for _ in 0..LINES {
            // From nearly empty to nearly full, and from balanced to one-sided: all shapes come up.
            let (stones, first) = (random.f32(), random.f32());
            let cells: Vec<Option<Color>> = (0..random.usize(10..=15))
                .map(|_| {
                    let color = if random.f32() < first { Color::First } else { Color::Second };
                    (random.f32() < stones).then_some(color)
                })
                .collect();
            for at in (0..cells.len()).filter(|&at| cells[at].is_none()) {
                compare(&mut generators, &game, &cells, at);
            }
        }
    }
}

/// The cells of the line through a square from wall to wall, and where in it the square is.
fn line_through(board: &Board, square: Square, direction: Direction) -> (Vec<Option<Color>>, u8) {
    let on_board = |index: usize| Square::from_index(index).filter(|&near| board.game().contains(near));
    let before = (1..).map_while(|n| on_board(square.index().wrapping_sub(n * direction.step()))).count();
    let first = square.index() - before * direction.step();
    let cells = (0..).map_while(|n| on_board(first + n * direction.step())).map(|near| match board.cell(near) {
        Cell::Stone(color) => Some(color),
        _ => None,
    });
    (cells.collect(), before as u8)
}

/// The traits of an empty cell, from the shapes of its four lines.
fn traits_of(board: &Board, square: Square, color: Color) -> u8 {
    let game = board.game();
    let shapes = Direction::ALL.map(|direction| {
        let (cells, at) = line_through(board, square, direction);
        Line::new(game, &cells).shape(at, color)
    });
    let count = |is: &dyn Fn(Shape) -> bool| shapes.iter().flatten().filter(|&&shape| is(shape)).count();
    let (fours, threes) = (count(&Shape::is_four), count(&Shape::is_open_three));
    let has = |shape: Shape| shapes.contains(&Some(shape));
    let lost = count(&|shape| shape == Shape::Dead || shape == Shape::Overline);
    let black = game.variant() == Variant::Renju && color == Color::First;
    let suspect = black && (has(Shape::Overline) || has(Shape::DoubleFour) || fours >= 2 || threes >= 2);
    let all = [
        (Trait::Five, has(Shape::Five)),
        (Trait::OpenFour, !suspect && (has(Shape::OpenFour) || fours >= 2)),
        (Trait::Four, fours >= 1),
        (Trait::FourThree, !suspect && fours >= 1 && threes >= 1),
        (Trait::OpenThree, !suspect && threes >= 1),
        (Trait::DoubleThree, !suspect && threes >= 2),
        (Trait::Suspect, suspect),
        (Trait::Live, lost < 4),
    ];
    let wanted = |which: Trait| !has(Shape::Five) || matches!(which, Trait::Five | Trait::Live);
    all.iter().filter(|(which, holds)| *holds && wanted(*which)).map(|(which, _)| which.bit()).sum()
}

#[test]
fn the_traits_of_cells_are_what_the_rules_say() {
    const GAMES: usize = 3;
    let mut random = fastrand::Rng::with_seed(5);
    let mut fouls = 0;
    for game in games() {
        for (columns, rows) in [(9, 9), (15, 15), (5, 11)] {
            let game = game.with_columns(columns).unwrap().with_rows(rows).unwrap();
            let built = Shapes::new(&Board::new(game));
            for _ in 0..GAMES {
                fouls += check_traits(game, &built, &mut random);
            }
        }
    }
    assert!(fouls > 10, "{fouls} forbidden points were seen");
}

/// Plays a game at random, most stones near others, and looks at all cells now and then. How many fouls were seen.
fn check_traits(game: Game, built: &Shapes, random: &mut fastrand::Rng) -> usize {
    let mut position = Position::new(game);
    let mut shapes = built.on(position.board());
    let mut fouls = 0;
    for stones in 1..game.cells() * 3 / 4 {
        let near = |square: Square| {
            let far = |a: u8, b: u8| a.abs_diff(b) > 1;
            let last = position.board().moves().iter().rev().take(12);
            last.map(|mv| mv.square())
                .any(|other| !far(other.column(), square.column()) && !far(other.row(), square.row()))
        };
        let moves = position.legal_moves();
        let Some(any) = random.choice(&moves) else { break };
        let mv = (0..20).filter_map(|_| random.choice(&moves)).find(|mv| near(mv.square())).unwrap_or(any);
        shapes.place(mv.square(), position.board().side());
        position.play(*mv).unwrap();
        if position.is_over() {
            break;
        }
        if stones % 7 != 0 {
            continue;
        }
        let board = position.board();
        for square in board.empty().iter() {
            for color in Color::ALL {
                let (said, wanted) = (shapes.traits(square, color), traits_of(board, square, color));
                assert_eq!(said, wanted, "{game}: {square} {color:?} {said:#b}, not {wanted:#b} in\n{position}");
            }
            if board.foul(square).is_some() {
                fouls += 1;
                assert!(shapes.has(square, Color::First, Trait::Suspect), "{game}: {square} is a foul in\n{position}");
            }
        }
    }
    fouls
}
