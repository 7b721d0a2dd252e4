//! What [`Worker::vcf`] finds, and that it misses nothing short.

use super::*;
use crate::search::features::Features;
use crate::search::history::History;
use crate::search::limits::Control;
use crate::search::table::Table;
use crate::search::worker::{Gate, Prepared, Shared, Worker};
use crate::units::Ply;
use std::sync::atomic::{AtomicBool, AtomicI16, AtomicU64};
use std::time::Instant;

/// Positions per test.
const POSITIONS: usize = 3_000;
/// Fours in a row that the reference looks for by itself.
const FOURS: u16 = 3;
/// More of them only on the way to the end of a line that is claimed to win.
const MOST_FOURS: u16 = 5;

/// Whether the side to move wins with at most so many fours, one after the other, and then a five. Plain: all legal moves,
/// all legal replies, no memory.
fn wins_by_fours(board: &mut Board, fours_left: u16) -> bool {
    let side = board.side();
    if !fives(board, side).is_empty() {
        return true;
    }
    if fours_left == 0 {
        return false;
    }
    let fours = threats(board);
    fours.into_iter().any(|four| {
        after(board, four, |board| match stops(board) {
            None => false,
            Some(stops) => {
                stops.into_iter().all(|stop| after(board, stop, |board| wins_by_fours(board, fours_left - 1)))
            }
        })
    })
}

/// The legal moves that stop all fives of the opponent; `None` if the side to move wins itself, or need not stop anything
/// or cannot move at all.
fn stops(board: &mut Board) -> Option<Vec<Square>> {
    let (side, attacker) = (board.side(), !board.side());
    let threatened = fives(board, attacker);
    if threatened.is_empty() || !fives(board, side).is_empty() {
        return None;
    }
    let mut moves = legal(board);
    if moves.is_empty() {
        return None;
    }
    moves.retain(|&reply| {
        after(board, reply, |board| !threatened.iter().any(|&s| board.is_empty(s) && board.wins_at(s, attacker)))
    });
    Some(moves)
}

/// Follows a line that is said to win in so many plies: each of its replies must be the only one, and the end must be won.
/// Whether the end was near enough to be worked out.
fn follow(board: &mut Board, line: &[Square], plies: u16) -> bool {
    let at = picture(board);
    let side = board.side();
    let Some((&four, rest)) = line.split_first() else {
        let fours_left = (plies - 1) / 2;
        assert!(fours_left > MOST_FOURS || wins_by_fours(board, fours_left), "no win in {plies} plies: {at}");
        return fours_left <= MOST_FOURS;
    };
    if board.wins_at(four, side) {
        assert!(rest.is_empty() && plies == 1, "it wins with {four} already: {at}");
        return true;
    }
    assert!(board.is_empty(four) && board.foul(four).is_none(), "{four} is no legal move: {at}");
    after(board, four, |board| {
        let stops = stops(board).unwrap_or_else(|| panic!("{four} does not threaten to win: {at}"));
        match rest.split_first() {
            Some((&reply, rest)) => {
                assert!(stops == [reply], "the replies to {four} are {}: {at}", names(&stops));
                after(board, reply, |board| follow(board, rest, plies.checked_sub(2).expect("the line is too long")))
            }
            None => stops.into_iter().all(|reply| after(board, reply, |board| follow(board, &[], plies - 2))),
        }
    })
}

fn check_many(variant: Variant) {
    let control = Control::new(Instant::now(), false);
    // A table serves one game: the same stones on another board are another matter.
    let tables = SIDES.map(|_| Table::new(1).unwrap());
    let shared = tables.each_ref().map(|table| Shared {
        table,
        control: &control,
        done: AtomicBool::new(false),
        gate: Gate::default(),
        nodes: vec![AtomicU64::new(0)],
        depth: AtomicI16::new(0),
    });
    let prepared = SIDES.map(|side| Prepared::<Shapes>::new(game(variant, side)));
    // In caro a four does not force a reply: only what is won already is looked for, and not under a threat.
    let most = |board: &Board| match variant {
        Variant::Caro if !fives(board, !board.side()).is_empty() => 0,
        Variant::Caro => 1,
        _ => FOURS,
    };
    let (mut by_fours, mut wins, mut cut) = ([0; FOURS as usize + 1], 0, 0);
    positions(variant, POSITIONS, 2, |board, _| {
        let size = SIDES.iter().position(|&side| side == board.game().columns()).unwrap();
        let mut worker =
            Worker::new(&shared[size], 0, &prepared[size], board.clone(), History::new(board.game()), Features::FULL);
        let wanted = (0..=most(board)).find(|&fours| wins_by_fours(&mut board.clone(), fours));
        by_fours.iter_mut().zip(0..).for_each(|(count, fours)| *count += usize::from(wanted == Some(fours)));
        // First a little, then a lot: what the table keeps of the one must not spoil the other.
        for (fours, nodes) in [(1, 50), (8, 100), (FOURS as i16, 1_000_000), (20, 5_000)] {
            let found = worker.vcf(fours, nodes, Ply(0));
            let line: Vec<Square> = worker.lines[0].iter().map(|mv| mv.square()).collect();
            if let Some(score) = found {
                let plies = score.plies_to_end().expect("a win").0;
                cut += usize::from(!follow(&mut board.clone(), &line, plies));
                wins += 1;
            }
            let missed = fours == FOURS as i16 && found.is_none() && wanted.is_some();
            assert!(!missed, "there is a win by {wanted:?} fours: {}", picture(board));
        }
    });
    assert!(50 * cut < wins, "of {wins} lines {cut} were too long to be followed to their ends");
    let short = usize::from(most(&Board::new(game(variant, 9))));
    assert!(by_fours[..=short].iter().all(|&count| count > 0), "{by_fours:?}");
}

#[test]
fn fours_of_freestyle_win_where_they_are_said_to() {
    check_many(Variant::GomokuFreestyle);
}

#[test]
fn fours_of_gomoku_win_where_they_are_said_to() {
    check_many(Variant::Gomoku);
}

#[test]
fn fours_of_renju_win_where_they_are_said_to() {
    check_many(Variant::Renju);
}

#[test]
fn fours_of_caro_win_where_they_are_said_to() {
    check_many(Variant::Caro);
}
