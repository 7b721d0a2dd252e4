//! What [`situation`] says, and which moves it leaves.

use super::super::situation::{Situation, block_moves, defences, situation};
use super::*;
use std::collections::BTreeMap;

/// Positions per test.
const POSITIONS: usize = 3_000;

/// Compares what is said of a position with the rules. What was said, for the count.
fn check(board: &Board, shapes: &Shapes) -> &'static str {
    let (board, said) = (&mut board.clone(), situation(board, shapes));
    let side = board.side();
    let (own, other) = (fives(board, side), fives(board, !side));
    let at = || picture(board);
    match said {
        Situation::Won(1, square) => {
            assert!(own.contains(&square), "{square} does not win: {}", at());
            return "won in 1";
        }
        _ => assert!(own.is_empty(), "{said:?}, but {} wins: {}", names(&own), at()),
    }
    match said {
        Situation::Lost(_) | Situation::Block(_) | Situation::BlockAround => check_blocks(board, shapes, said),
        _ => {
            assert!(other.is_empty(), "{said:?}, but {} would win: {}", names(&other), at());
            check_threats(board, shapes, said)
        }
    }
}

/// The opponent's next stone would win.
fn check_blocks(board: &mut Board, shapes: &Shapes, said: Situation) -> &'static str {
    let side = board.side();
    let at = picture(board);
    assert!(!fives(board, !side).is_empty(), "{said:?}, but there is no five: {at}");
    let mut stops = legal(board);
    stops.retain(|&reply| after(board, reply, |board| fives(board, !side).is_empty()));
    match said {
        Situation::Lost(win) => {
            assert!(stops.is_empty(), "lost at {win}, but for {}: {at}", names(&stops));
            assert!(board.wins_at(win, !side), "{win}: {at}");
            if board.foul(win).is_some() { "lost to a foul" } else { "lost" }
        }
        Situation::Block(square) => {
            assert!(stops == [square], "block {square}, but {} stops it: {at}", names(&stops));
            "block"
        }
        _ => {
            let listed = block_moves(board, shapes);
            stops.retain(|&square| !listed.contains(square));
            assert!(stops.is_empty(), "{} would have stopped it: {at}", names(&stops));
            "block around"
        }
    }
}

/// Nobody can win with the next stone.
fn check_threats(board: &mut Board, shapes: &Shapes, said: Situation) -> &'static str {
    let at = picture(board);
    let own = open_four(board);
    let must = own == OpenFour::EvenAgainstFouls && knows_all(board, board.side());
    assert!(!must || matches!(said, Situation::Won(3, _)), "{said:?} in spite of an open four: {at}");
    if let Situation::Won(plies, square) = said {
        assert!(board.foul(square).is_none(), "{square} is forbidden: {at}");
        assert!(after(board, square, |board| loses_within(board, plies - 1)), "{said:?}: {at}");
        return if plies == 3 { "won in 3" } else { "won in 5" };
    }
    let mut theirs = turned(board);
    let threat = open_four(&mut theirs);
    if said != Situation::Defend {
        let must = threat == OpenFour::EvenAgainstFouls && knows_all(board, !board.side());
        assert!(!must, "{said:?} in spite of a threat: {at}");
        return "free";
    }
    assert!(threat != OpenFour::No, "nothing is threatened: {at}");
    let listed = defences(board, shapes);
    let likely = threats(&mut theirs);
    let mut survivors = legal(board);
    survivors.retain(|&reply| !listed.contains(reply) && !after(board, reply, |board| wins_within(board, 3, &likely)));
    assert!(survivors.is_empty(), "{} would have been a defence: {at}", names(&survivors));
    "defend"
}

/// Whether the side to move, which cannot win at once, can make a four that no reply stops.
#[derive(PartialEq)]
enum OpenFour {
    No,
    /// Some replies would stop it, but they are forbidden. Shapes do not see that far.
    ThanksToFouls,
    EvenAgainstFouls,
}

fn open_four(board: &mut Board) -> OpenFour {
    let side = board.side();
    let mut best = OpenFour::No;
    for square in threats(board) {
        let replies: Vec<Square> = after(board, square, |board| {
            let likely = fives(board, side);
            let mut replies: Vec<Square> = board.empty().iter().collect();
            replies.retain(|&reply| {
                after(board, reply, |board| !likely.iter().any(|&s| board.is_empty(s) && board.wins_at(s, side)))
            });
            replies
        });
        if replies.is_empty() {
            return OpenFour::EvenAgainstFouls;
        }
        if after(board, square, |board| replies.iter().all(|&reply| board.foul(reply).is_some())) {
            best = OpenFour::ThanksToFouls;
        }
    }
    best
}

/// Of renju's Black not every open four is known: some look like fouls and are none.
fn knows_all(board: &Board, color: Color) -> bool {
    board.game().variant() != Variant::Renju || color == Color::Second
}

fn check_many(variant: Variant) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    positions(variant, POSITIONS, 1, |board, shapes| *counts.entry(check(board, shapes)).or_default() += 1);
    let blocks: &[&str] = match variant {
        Variant::Caro => &["block around"],
        Variant::Renju => &["block", "lost", "lost to a foul"],
        _ => &["block", "lost"],
    };
    for wanted in ["won in 1", "won in 3", "won in 5", "defend", "free"].iter().chain(blocks) {
        assert!(counts.contains_key(wanted), "{wanted} never came up: {counts:?}");
    }
}

#[test]
fn what_freestyle_forces_is_forced() {
    check_many(Variant::GomokuFreestyle);
}

#[test]
fn what_gomoku_forces_is_forced() {
    check_many(Variant::Gomoku);
}

#[test]
fn what_renju_forces_is_forced() {
    check_many(Variant::Renju);
}

#[test]
fn what_caro_forces_is_forced() {
    check_many(Variant::Caro);
}
