//! Perft: the number of move sequences of an exact length, the judge of everything above it.

use super::board::Move;
use super::position::Position;

/// Counts the sequences of exactly `plies` moves from a position; a finished game has no moves.
///
/// `stop` is asked now and then; once it says yes the count is given up.
pub fn perft(position: &mut Position, plies: u32, stop: &mut dyn FnMut() -> bool) -> Option<u64> {
    match plies {
        0 => return Some(1),
        _ if stop() => return None,
        1 => return Some(position.legal_moves().len() as u64),
        _ => {}
    }
    let mut total = 0;
    for mv in position.legal_moves() {
        total += below(position, mv, plies, stop)?;
    }
    Some(total)
}

/// [`perft`] split by the first move, as [`Position::legal_moves`] orders them. Each count is handed over as it is known.
pub fn divide(
    position: &mut Position,
    plies: u32,
    stop: &mut dyn FnMut() -> bool,
    report: &mut dyn FnMut(Move, u64),
) -> Option<u64> {
    if plies == 0 {
        return Some(1);
    }
    let mut total = 0;
    for mv in position.legal_moves() {
        let count = below(position, mv, plies, stop)?;
        report(mv, count);
        total += count;
    }
    Some(total)
}

fn below(position: &mut Position, mv: Move, plies: u32, stop: &mut dyn FnMut() -> bool) -> Option<u64> {
    if position.play(mv).is_err() {
        return Some(0);
    }
    let count = perft(position, plies - 1, stop);
    position.undo();
    count
}
