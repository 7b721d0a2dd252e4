//! What the shapes claim against what the rules say: forced wins and losses, defences, wins by fours.
//!
//! The reference knows no shapes. It places stones, asks the board who has won, and lets the defender try every legal
//! reply. Here are the positions and that reference; `forced` and `fours` hold the claims against it.

mod forced;
mod fours;

use crate::eval::{Evaluator, Shapes, Trait};
use crate::rules::{Board, Cell, Color, Direction, Game, Move, Position, Square, Variant};

const SIDES: [u8; 3] = [9, 11, 15];

fn game(variant: Variant, side: u8) -> Game {
    Game::new(variant).with_columns(side).unwrap().with_rows(side).unwrap()
}

/// Shows the positions of random games under some rules, until so many were seen.
fn positions(variant: Variant, wanted: usize, seed: u64, mut see: impl FnMut(&Board, &Shapes)) {
    let mut random = fastrand::Rng::with_seed(seed);
    let boards = SIDES.map(|side| Board::new(game(variant, side)));
    let built = boards.each_ref().map(Shapes::new);
    let mut seen = 0;
    while seen < wanted {
        let size = random.usize(..SIDES.len());
        seen += play(boards[size].clone(), built[size].clone(), &mut random, &mut see);
    }
}

/// How a side plays.
struct Temper {
    /// How many cells it compares for a move: the more, the fiercer it fights. With one its stones just lie together.
    tries: usize,
    /// How often it looks at the whole board instead of the neighbourhood of stones.
    anywhere: f32,
    /// What it does not make: threats held back are wins by fours later on, or fouls.
    holds_back: u8,
}

impl Temper {
    fn any(random: &mut fastrand::Rng) -> Temper {
        let tries = [1, 2, 4, 10, 40][random.usize(..5)];
        let (four, three) = (Trait::Four.bit(), Trait::OpenThree.bit());
        let holds_back = [0, four, four | three, four | three | Trait::Suspect.bit()][random.usize(..4)];
        Temper { tries, anywhere: [0.0, 0.05, 1.0][random.usize(..3)], holds_back }
    }

    /// A move that does not win; `None` if there is none.
    fn choose(&self, board: &mut Board, shapes: &Shapes, random: &mut fastrand::Rng) -> Option<Square> {
        let side = board.side();
        if let Some(bait) = shapes.cells(side, Trait::Four).iter().find(|&square| is_bait(board, square)) {
            return Some(bait);
        }
        let quiet: Vec<Square> = legal(board).into_iter().filter(|&square| !board.wins_at(square, side)).collect();
        let wanted = |square: Square| shapes.traits(square, side) & self.holds_back == 0;
        let near = quiet.iter().copied().filter(|&square| is_near(board, square) && wanted(square));
        let near: Vec<Square> = near.collect();
        let pool = if near.is_empty() || random.f32() < self.anywhere { &quiet } else { &near };
        let tried = (0..self.tries).filter_map(|_| random.choice(pool).copied());
        tried.max_by_key(|&square| shapes.move_score(square, side))
    }
}

/// Whether a stone makes a four that renju forbids Black to stop. Such things are too rare to wait for.
fn is_bait(board: &mut Board, square: Square) -> bool {
    let side = board.side();
    board.game().variant() == Variant::Renju
        && side == Color::Second
        && after(board, square, |board| matches!(fives(board, side)[..], [only] if board.foul(only).is_some()))
}

/// Plays a game without an end: nobody wins with a stone, so that threats pile up. How many positions were shown.
fn play(
    mut board: Board,
    mut shapes: Shapes,
    random: &mut fastrand::Rng,
    see: &mut impl FnMut(&Board, &Shapes),
) -> usize {
    let tempers = [(); 2].map(|()| Temper::any(random));
    let most = random.usize(10..=board.game().cells() * 3 / 4);
    while board.stones() < most {
        let side = board.side();
        // Who could win should not go on for long, or there is nothing else to see.
        let could_win = shapes.count(side, Trait::Five) + shapes.count(side, Trait::OpenFour) > 0;
        if could_win && random.f32() < 0.4 {
            break;
        }
        let Some(square) = tempers[side.index()].choose(&mut board, &shapes, random) else { break };
        shapes.place(square, side);
        board.make(Move::to(square));
        see(&board, &shapes);
    }
    board.moves().len()
}

/// Whether there is a stone within two cells.
fn is_near(board: &Board, square: Square) -> bool {
    let reach = |at: u8| at.saturating_sub(2)..=at + 2;
    board.stones() == 0
        || reach(square.column())
            .flat_map(|column| reach(square.row()).filter_map(move |row| Square::new(column, row)))
            .any(|near| matches!(board.cell(near), Cell::Stone(_)))
}

/// The legal moves.
fn legal(board: &Board) -> Vec<Square> {
    board.empty().iter().filter(|&square| board.is_playable(square) && board.foul(square).is_none()).collect()
}

/// Where a colour's next stone wins.
fn fives(board: &Board, color: Color) -> Vec<Square> {
    board.empty().iter().filter(|&square| board.is_playable(square) && board.wins_at(square, color)).collect()
}

/// What is seen after a move of the side whose turn it is.
fn after<T>(board: &mut Board, square: Square, question: impl FnOnce(&mut Board) -> T) -> T {
    board.make(Move::to(square));
    let answer = question(board);
    board.unmake();
    answer
}

/// The same stones with the other side to move.
fn turned(board: &Board) -> Board {
    let stones: Vec<(Square, Color)> = board
        .game()
        .squares()
        .filter_map(|square| match board.cell(square) {
            Cell::Stone(color) => Some((square, color)),
            _ => None,
        })
        .collect();
    Position::with_stones(*board.game(), &stones, !board.side()).unwrap().board().clone()
}

/// Whether a stone on `square` can be followed by another one that wins, in one of the lines through it.
fn threatens(board: &mut Board, square: Square) -> bool {
    let side = board.side();
    after(board, square, |board| {
        Direction::ALL.into_iter().any(|direction| {
            (1..=4).flat_map(|n| [n * direction.step(), (n * direction.step()).wrapping_neg()]).any(|offset| {
                let near = Square::from_index(square.index().wrapping_add(offset));
                near.is_some_and(|near| board.is_empty(near) && board.wins_at(near, side))
            })
        })
    })
}

/// The legal moves after which the side to move threatens to win.
fn threats(board: &mut Board) -> Vec<Square> {
    legal(board).into_iter().filter(|&square| threatens(board, square)).collect()
}

/// Whether the side to move wins within so many plies, with nothing but moves that threaten to win with the next one.
/// `likely`: cells to try first, which makes no difference but to the time it takes.
fn wins_within(board: &mut Board, plies: u16, likely: &[Square]) -> bool {
    let side = board.side();
    let likely: Vec<Square> = likely.iter().copied().filter(|&square| board.is_empty(square)).collect();
    if likely.iter().any(|&square| board.wins_at(square, side)) || !fives(board, side).is_empty() {
        return true;
    }
    if plies < 3 {
        return false;
    }
    // The hopeful ones come a second time, which only a failure has to wait for.
    likely.into_iter().chain(legal(board)).any(|square| {
        board.foul(square).is_none()
            && threatens(board, square)
            && after(board, square, |board| loses_within(board, plies - 1))
    })
}

/// Whether every legal reply of the side to move leads to such a win. Without a legal move the game is drawn.
fn loses_within(board: &mut Board, plies: u16) -> bool {
    let (side, attacker) = (board.side(), !board.side());
    let mut likely = fives(board, attacker);
    if plies > 2 {
        likely.extend(threats(&mut turned(board)));
    }
    let replies = legal(board);
    !replies.is_empty()
        && replies.into_iter().all(|reply| {
            !board.wins_at(reply, side) && after(board, reply, |board| wins_within(board, plies - 1, &likely))
        })
}

/// Squares in a message.
fn names(squares: &[Square]) -> String {
    squares.iter().map(Square::to_string).collect::<Vec<_>>().join(" ")
}

/// The position in a message.
fn picture(board: &Board) -> String {
    let moves: Vec<Square> = board.moves().iter().map(|mv| mv.square()).collect();
    format!("{}, {:?} to move, after {}", board.game(), board.side(), names(&moves))
}
