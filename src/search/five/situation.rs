//! What the shapes on the board force, before any search.

use crate::eval::{Evaluator, Shapes, Trait, Wins};
use crate::rules::{Board, Direction, GRID, Square, SquareSet, Variant};

/// What the side to move is faced with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Situation {
    /// It wins with its stone in so many plies (1, 3 or 5), beginning here.
    Won(u16, Square),
    /// The opponent's next stone wins, whatever is done; here is where.
    Lost(Square),
    /// The opponent's next stone would win; only this move stops it.
    Block(Square),
    /// The opponent's next stone would win; only moves on its line stop it.
    BlockAround,
    /// The opponent threatens to make an open four; only fours and moves into its line can stop it.
    Defend,
    /// Nothing is forced.
    Free,
}

/// What the side to move is faced with. Exact: wins and losses are certain, and what is left out loses at once.
pub fn situation(board: &Board, shapes: &Shapes) -> Situation {
    let side = board.side();
    if let Some(square) = shapes.wins(board, side).first() {
        return Situation::Won(1, square);
    }
    match shapes.wins(board, !side) {
        Wins::None => {}
        Wins::One(_) | Wins::Many(..) if board.game().variant() == Variant::Caro => return Situation::BlockAround,
        Wins::One(square) if board.foul(square).is_none() => return Situation::Block(square),
        Wins::One(square) | Wins::Many(square, _) => return Situation::Lost(square),
    }
    if let Some(square) =
        shapes.cells(side, Trait::OpenFour).iter().next().filter(|_| shapes.count(side, Trait::OpenFour) > 0)
    {
        return Situation::Won(3, square);
    }
    if let Some(square) = wins_in_five(board, shapes) {
        return Situation::Won(5, square);
    }
    if shapes.count(!side, Trait::OpenFour) > 0 { Situation::Defend } else { Situation::Free }
}

/// A move that makes two threats at once while the opponent cannot make a four: neither the block nor the defence of one
/// of them touches the other, whose line it does not lie on.
fn wins_in_five(board: &Board, shapes: &Shapes) -> Option<Square> {
    let side = board.side();
    if shapes.count(!side, Trait::Four) > 0 {
        return None;
    }
    // Renju's Black may find the open four forbidden: such wins are left to the search.
    let black = board.game().variant() == Variant::Renju && side == crate::rules::Color::First;
    if shapes.count(side, Trait::FourThree) > 0 && !black {
        return shapes.cells(side, Trait::FourThree).iter().next();
    }
    if shapes.count(side, Trait::DoubleThree) > 0 && shapes.count(!side, Trait::OpenFour) == 0 {
        return shapes.cells(side, Trait::DoubleThree).iter().next();
    }
    None
}

/// All moves that can answer a threatened open four, and few others.
///
/// Whatever stops a line of four from being open lies on one of its fives, and so makes a four for the attacker, too; or
/// it is a four of one's own. In caro, where a line can be stopped at its ends, the lines through the threat are added.
pub fn defences(board: &Board, shapes: &Shapes) -> SquareSet {
    let side = board.side();
    let mut moves = shapes.cells(side, Trait::Four).clone();
    moves.union(shapes.cells(!side, Trait::Four));
    if board.game().variant() == Variant::Caro {
        shapes.cells(!side, Trait::OpenFour).iter().for_each(|square| add_lines(board, square, &mut moves));
    }
    moves
}

/// All moves that stop a five where it can be stopped at its ends, too; some others may be among them.
pub fn block_moves(board: &Board, shapes: &Shapes) -> SquareSet {
    let mut moves = SquareSet::EMPTY;
    for square in shapes.cells(!board.side(), Trait::Five).iter() {
        moves.insert(square);
        add_lines(board, square, &mut moves);
    }
    moves
}

/// Adds the empty squares of the lines through a square, up to five away.
fn add_lines(board: &Board, square: Square, moves: &mut SquareSet) {
    for direction in Direction::ALL {
        for distance in 0..=10 {
            let index = (square.index() + distance * direction.step()).wrapping_sub(5 * direction.step()) & (GRID - 1);
            if let Some(near) = Square::from_index(index).filter(|&near| board.is_empty(near)) {
                moves.insert(near);
            }
        }
    }
}
