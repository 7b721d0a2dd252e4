//! What the side to move can have for sure, known before its position is solved.
//!
//! If the position before the last move is worth so much to the other side, that move cannot have made it more: the side to move
//! has at least the rest. To look for a move that keeps this takes less time than to solve the position, and no game is
//! lost by it.

use super::core::{Attempt, Ends};
use super::{Solver, bit, middle_first, stones, stones_after};
use crate::rules::{Board, Move, Position};
use crate::units::Score;

/// So many nodes show what is known of a move already.
const GLANCE_NODES: u64 = 256;

/// A score that the side to move does not fall short of, if it plays well: stones that the winner has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Floor(pub(super) i32);

/// What came of looking for a move that keeps a floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Safe {
    /// The move: `Some(None)` if there is none, or the game is over; `None` if the work was ended before.
    pub proven: Option<Option<Move>>,
    /// If it was ended, a move that may keep it: all that had seemed better do not.
    pub likely: Option<Move>,
    /// Positions searched.
    pub nodes: u64,
}

impl Solver {
    /// What the opening table promises the side to move.
    pub fn promised(&self, position: &Position) -> Option<Floor> {
        if let Some(score) = self.core.score_at_sight(stones(position.board())) {
            return Some(Floor(score));
        }
        let mut before = position.clone();
        let score = before.undo().then(|| self.core.score_at_sight(stones(before.board()))).flatten()?;
        // A loss to the next stone of the other side is no promise.
        let worst = -(position.board().empties() as i32 / 2);
        Some(Floor(-score)).filter(|floor| floor.0 > worst)
    }

    /// What a value means for the position that the other side reaches by whatever move it makes next.
    pub fn floor_after(&self, value: Score, board: &Board) -> Floor {
        let Some(plies) = value.plies_to_end() else { return Floor(0) };
        let last = self.cells() - board.empties() as i32 + i32::from(plies.0);
        let left = (self.cells() + 2 - last) / 2;
        Floor(if value.is_win() { left } else { -left })
    }

    /// The value of a floor.
    pub fn floor_score(&self, floor: Floor, board: &Board) -> Score {
        self.to_score(floor.0, board)
    }

    /// A move that keeps the floor.
    pub fn safe_move(&self, position: &Position, floor: Floor, ends: Ends<'_>) -> Safe {
        let board = position.board();
        let shows =
            |mv: &Move| self.core.score_at_sight(stones_after(board, *mv)).is_some_and(|reply| -reply >= floor.0);
        if let Some(mv) = middle_first(position).into_iter().find(shows) {
            return Safe { proven: Some(Some(mv)), likely: None, nodes: 0 };
        }
        // Which move it was that answered is in the table, so it is found without a search among those that are not.
        let Attempt { answer, trying } = self.core.work_out(stones(board), floor.0, ends);
        let mut nodes = answer.nodes;
        if answer.result != Some(true) {
            let is_tried = |mv: &Move| trying == Some(bit(board.game(), mv.square().column(), mv.square().row()));
            let likely = position.legal_moves().into_iter().find(is_tried);
            return Safe { proven: answer.result.map(|_| None), likely, nodes };
        }
        for patience in [GLANCE_NODES, u64::MAX] {
            for mv in middle_first(position) {
                let mut until = |more| more >= patience || ends(nodes + more);
                let kept = self.keeps(board, mv, floor.0, &mut until);
                nodes += kept.nodes;
                match kept.result {
                    Some(true) => return Safe { proven: Some(Some(mv)), likely: None, nodes },
                    None if patience == u64::MAX => return Safe { proven: None, likely: None, nodes },
                    _ => {}
                }
            }
        }
        Safe { proven: Some(None), likely: None, nodes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Game, Variant};
    use crate::units::Ply;

    fn solver(game: &Game) -> Solver {
        Solver::new(game, 4 << 20).unwrap().unwrap()
    }

    /// A position after so many random moves, if nobody has won.
    fn random(game: Game, plies: usize, random: &mut fastrand::Rng) -> Option<Position> {
        let mut position = Position::new(game);
        for _ in 0..plies {
            let moves = position.legal_moves();
            position.play(*moves.get(random.usize(..moves.len().max(1)))?).ok()?;
        }
        (!position.is_over()).then_some(position)
    }

    #[test]
    fn a_safe_move_is_worth_the_floor_and_none_is_found_above_the_value() {
        let mut rng = fastrand::Rng::with_seed(12);
        let falling = |columns, rows| Game::mnk(columns, rows, 4).unwrap().with_gravity(true);
        for game in [falling(5, 4), falling(4, 5), Game::mnk(4, 4, 3).unwrap(), Game::mnk(3, 3, 3).unwrap()] {
            let (solver, cells) = (solver(&game), game.cells());
            for round in 0..60 {
                let Some(position) = random(game, round % cells, &mut rng) else { continue };
                let values = solver.values(&position, &position.legal_moves(), &mut |_| false).result.unwrap();
                let worth = |mv: Move| {
                    let (_, value) = values.iter().find(|(other, _)| *other == mv).unwrap();
                    assert_eq!(
                        solver.floor_score(solver.floor_after(*value, position.board()), position.board()),
                        *value
                    );
                    solver.floor_after(*value, position.board())
                };
                let best = worth(values[0].0);
                for floor in (-4..=4).map(|more| Floor(best.0 + more)) {
                    let safe = solver.safe_move(&position, floor, &mut |_| false);
                    match safe.proven.unwrap() {
                        Some(mv) => assert!(worth(mv) >= floor, "{position}: {floor:?} of {best:?}"),
                        None => assert!(floor > best, "{position}: {floor:?} of {best:?}"),
                    }
                }
            }
        }
    }

    #[test]
    fn the_table_promises_what_the_last_move_has_left() {
        let game = Game::new(Variant::ConnectFour);
        let mut solver = solver(&game);
        assert_eq!(solver.promised(&Position::new(game)), None);
        solver.use_book(true);
        let mut rng = fastrand::Rng::with_seed(3);
        let (mut short, mut nothing) = (0, 0);
        for round in 0..40 {
            let Some(position) = random(game, 6 + round % 4, &mut rng) else { continue };
            let value = solver.floor_after(solver.value(&position, &mut |_| false).result.unwrap(), position.board());
            let Some(promised) = solver.promised(&position) else {
                nothing += 1;
                continue;
            };
            assert!(promised <= value, "{position}");
            assert!(solver.floor_score(promised, position.board()).plies_to_end() != Some(Ply(0)), "{position}");
            short += usize::from(promised < value);
        }
        assert!(short > 0 && nothing > 0, "no last move was a mistake");
    }

    #[test]
    fn what_is_being_tried_is_likely() {
        let game = Game::new(Variant::ConnectFour);
        let mut solver = solver(&game);
        solver.use_book(true);
        let mut position = Position::new(game);
        for text in "755554254".split_inclusive(|_: char| true) {
            position.play(crate::rules::parse_move(text, &position).unwrap().0).unwrap();
        }
        let floor = solver.promised(&position).unwrap();
        solver.use_book(false);
        let safe = solver.safe_move(&position, floor, &mut |nodes| nodes > 20_000);
        assert_eq!(safe.proven, None);
        assert!(position.legal_moves().contains(&safe.likely.unwrap()));
        // Ended at once, it has tried nothing.
        let nothing = solver.safe_move(&position, floor, &mut |_| true);
        assert_eq!((nothing.proven, nothing.likely), (None, None));
        // The one move that wins.
        let proven = solver.safe_move(&position, floor, &mut |_| false).proven.unwrap().unwrap();
        assert_eq!(proven.square().column(), 6);
    }
}
