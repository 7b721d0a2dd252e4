//! Threats: what a stone of either colour would make on each empty cell.

use crate::eval::{Evaluator, Shape, Shapes};
use crate::rules::{Board, Color, Position, Square};

/// What a stone makes, from the most to the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threat {
    /// It wins.
    Win,
    /// An open four, or two fours at once: the next stone wins, and no single reply prevents it.
    OpenFour,
    /// A four: the next stone can win.
    Four,
    /// An open three: the next stone can make an open four.
    OpenThree,
}

impl Threat {
    /// All, in order.
    pub const ALL: [Threat; 4] = [Threat::Win, Threat::OpenFour, Threat::Four, Threat::OpenThree];

    /// The strongest that shapes in the four lines of a cell are together.
    fn of_shapes(shapes: [Shape; 4]) -> Option<Threat> {
        let fours = shapes.iter().filter(|shape| shape.is_four()).count();
        if shapes.contains(&Shape::Five) {
            Some(Threat::Win)
        } else if shapes.contains(&Shape::OpenFour) || fours >= 2 {
            Some(Threat::OpenFour)
        } else if fours == 1 {
            Some(Threat::Four)
        } else {
            shapes.iter().any(|shape| shape.is_open_three()).then_some(Threat::OpenThree)
        }
    }
}

/// The empty cells where a stone would make a threat, each under the strongest that it makes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Threats([[Vec<Square>; Threat::ALL.len()]; 2]);

impl Threats {
    /// The threats of a position, whoever is to move; none once the game is over. What renju forbids is no threat.
    ///
    /// Where there are no [`Shapes`] only wins are known.
    pub fn of(position: &Position) -> Threats {
        let board = position.board();
        if position.is_over() {
            return Threats::default();
        }
        match Shapes::serve(position.game()) {
            true => {
                let shapes = Shapes::new(board);
                Threats::collect(board, |square, color| by_shapes(board, &shapes, square, color))
            }
            false => Threats::collect(board, |square, color| by_rules(board, square, color)),
        }
    }

    fn collect(board: &Board, threat: impl Fn(Square, Color) -> Option<Threat>) -> Threats {
        let mut threats = Threats::default();
        for color in Color::ALL {
            for square in board.empty().iter() {
                if let Some(kind) = threat(square, color) {
                    threats.0[color.index()][kind as usize].push(square);
                }
            }
        }
        threats
    }

    /// The cells where a colour would make a threat of this kind, in the order of their squares.
    pub fn cells(&self, color: Color, kind: Threat) -> &[Square] {
        &self.0[color.index()][kind as usize]
    }
}

/// What a stone on an empty cell makes in five in a row.
fn by_shapes(board: &Board, shapes: &Shapes, square: Square, color: Color) -> Option<Threat> {
    let threat = Threat::of_shapes(shapes.shapes(square, color))?;
    if board.foul_of(square, color).is_some() {
        return None;
    }
    (threat != Threat::OpenThree || board.three_counts(square, color)).then_some(threat)
}

/// What a stone on an empty cell makes as far as the rules alone tell.
fn by_rules(board: &Board, square: Square, color: Color) -> Option<Threat> {
    (board.is_playable(square) && board.wins_at(square, color)).then_some(Threat::Win)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Cell, Direction, Game, Variant};

    /// Boards with so many stones near the middle, nobody having won.
    fn boards(game: Game, stones: usize, seed: u64) -> impl Iterator<Item = Position> {
        let mut random = fastrand::Rng::with_seed(seed);
        let squares: Vec<Square> = game.squares().collect();
        std::iter::repeat_with(move || {
            let (columns, rows) = (u32::from(game.columns()), u32::from(game.rows()));
            let near = |square: &&Square| {
                let (column, row) = (u32::from(square.column()), u32::from(square.row()));
                column.abs_diff(columns / 2).max(row.abs_diff(rows / 2)) <= 3
            };
            let mut near: Vec<Square> = squares.iter().filter(near).copied().collect();
            random.shuffle(&mut near);
            let side = Color::ALL[random.usize(..2)];
            let placed = near.into_iter().take(stones).zip(Color::ALL.into_iter().cycle()).collect::<Vec<_>>();
            Position::with_stones(game, &placed, side)
        })
        .flatten()
        .filter(|position| !position.is_over())
    }

    /// The position with one more stone.
    fn with(position: &Position, square: Square, color: Color) -> Position {
        let board = position.board();
        let stones = position.game().squares().filter_map(|at| match board.cell(at) {
            Cell::Stone(stone) => Some((at, stone)),
            _ => None,
        });
        let stones: Vec<(Square, Color)> = stones.chain([(square, color)]).collect();
        Position::with_stones(*position.game(), &stones, !color).unwrap()
    }

    fn wins(board: &Board, color: Color) -> Vec<Square> {
        board.empty().iter().filter(|&square| board.wins_at(square, color)).collect()
    }

    /// How many wins the colour has left after the reply that leaves it the fewest.
    fn wins_left(position: &Position, color: Color) -> usize {
        let replies = position.board().empty().iter();
        replies.map(|reply| wins(with(position, reply, !color).board(), color).len()).min().unwrap_or(0)
    }

    /// The squares from `square` on one side of it, up to `distance` away.
    fn ray(square: Square, direction: Direction, up: bool, distance: usize) -> impl Iterator<Item = Square> {
        let step = move |n: usize| n * direction.step();
        (1..=distance).map_while(move |n| match up {
            true => Square::from_index(square.index() + step(n)),
            false => Square::from_index(square.index().checked_sub(step(n))?),
        })
    }

    /// The squares in line with `square`, up to four away.
    fn in_line(square: Square) -> Vec<Square> {
        let rays = Direction::ALL.into_iter().flat_map(|direction| [(direction, true), (direction, false)]);
        rays.flat_map(|(direction, up)| ray(square, direction, up, 4)).collect()
    }

    /// Whether a stone on `last` makes a run of exactly four with that on `square`, which wins at both ends.
    fn makes_straight_four(position: &Position, square: Square, last: Square, color: Color) -> bool {
        let next = with(position, last, color);
        let board = next.board();
        Direction::ALL.into_iter().any(|direction| {
            let run = |up| ray(last, direction, up, 5).take_while(|&at| board.cell(at) == Cell::Stone(color));
            let four: Vec<Square> = run(true).chain(run(false)).collect();
            let ends = [true, false].map(|up| ray(last, direction, up, 5).nth(run(up).count()));
            let wins = |end: Option<Square>| end.is_some_and(|end| board.is_empty(end) && board.wins_at(end, color));
            four.len() == 3 && four.contains(&square) && ends.into_iter().all(wins)
        })
    }

    /// Holds what is said of a cell against what the rules make of it, stone by stone.
    fn check(position: &Position, shapes: &Shapes, square: Square, color: Color) {
        let (game, board) = (position.game(), position.board());
        let threat = by_shapes(board, shapes, square, color);
        let told = format!("{game} {color:?} {square} {threat:?}\n{position}");
        if board.wins_at(square, color) {
            assert_eq!(threat, Some(Threat::Win), "{told}");
            return;
        }
        if board.foul_of(square, color).is_some() {
            assert_eq!(threat, None, "{told}");
            return;
        }
        let (before, next) = (wins(board, color), with(position, square, color));
        let made: Vec<Square> =
            in_line(square).into_iter().filter(|at| wins(next.board(), color).contains(at)).collect();
        match threat {
            Some(Threat::Win) => panic!("{told}"),
            Some(Threat::OpenFour) => assert!(!made.is_empty() && wins_left(&next, color) > 0, "{told}"),
            Some(Threat::Four) => {
                assert!(!made.is_empty() && (!before.is_empty() || wins_left(&next, color) == 0), "{told}");
            }
            Some(Threat::OpenThree) | None => {
                assert!(made.iter().all(|win| before.contains(win)), "{told}");
                check_three(&next, shapes, square, threat.is_some(), &told);
            }
        }
    }

    /// The same for an open three, or what is said to be none, once the stone has come.
    fn check_three(next: &Position, shapes: &Shapes, square: Square, is_three: bool, told: &str) {
        let (board, color) = (next.board(), !next.board().side());
        let shapes = shapes.on(board);
        let cells: Vec<Square> = in_line(square).into_iter().filter(|&at| board.is_empty(at)).collect();
        let allowed = |at: Square| board.foul_of(at, color).is_none() && !board.wins_at(at, color);
        let straight = cells.iter().any(|&at| allowed(at) && makes_straight_four(next, square, at, color));
        let threat = |at: Square| by_shapes(board, &shapes, at, color);
        let open_four = cells.iter().any(|&at| matches!(threat(at), Some(Threat::OpenFour | Threat::Win)));
        assert!(!is_three || open_four, "{told}");
        // In caro a straight four can be stopped if there is too little room.
        assert!(is_three || !straight || next.game().variant() == Variant::Caro, "{told}");
        if next.game().variant() == Variant::Renju && color == Color::First {
            assert_eq!(is_three, straight, "{told}");
        }
    }

    #[test]
    fn threats_are_what_the_rules_make_of_them() {
        for variant in [Variant::GomokuFreestyle, Variant::Gomoku, Variant::Renju, Variant::Caro] {
            let game = Game::new(variant).with_columns(9).unwrap().with_rows(9).unwrap();
            let shapes = Shapes::new(&Board::new(game));
            for (stones, seed) in [(12, 1), (18, 2), (26, 3)] {
                for position in boards(game, stones, seed).take(12) {
                    let shapes = shapes.on(position.board());
                    for square in position.board().empty().iter() {
                        Color::ALL.into_iter().for_each(|color| check(&position, &shapes, square, color));
                    }
                }
            }
        }
    }
}
