//! Winning by force: stones that threaten to complete a line with the next one, so that each answer is forced, until two
//! lines are threatened at once.

use super::super::word::Word;
use super::lines::{Field, Lines, each};
use super::strong::Duel;

/// Positions that one look may visit: most wins of this kind are short.
const MOST_VISITS: u32 = 100;

/// The cells with which the side, to move, completes a line by threats alone; `None` if that is not seen. No line has only
/// one empty cell yet.
pub fn forced<T: Word>(lines: &Lines<T>, field: Field<T>) -> Option<u64> {
    let pairs = lines.pairs(field);
    if pairs.is_empty() {
        return None;
    }
    visit(lines, field, pairs, &mut { MOST_VISITS })
}

/// `pairs`: the lines with two empty cells.
fn visit<T: Word>(lines: &Lines<T>, field: Field<T>, pairs: T, visits: &mut u32) -> Option<u64> {
    *visits = visits.checked_sub(1)?;
    for line in each(pairs) {
        let both = lines.cells(line) & field.empty;
        for threat in [both.lowest(), both.without_lowest()] {
            let answer = both & !threat;
            let taken = field.taken(threat.index() as usize);
            let (mut last, mut new) = (0, T::ZERO);
            for other in each(lines.through(threat.index() as usize) & field.live) {
                let rest = lines.cells(other) & taken.empty;
                match rest.count_ones() {
                    1 => last |= rest,
                    2 => new |= T::ONE << other as u32,
                    _ => {}
                }
            }
            if last & !answer != 0 {
                return Some(threat | last);
            }
            let after = taken.stopped(lines, answer.index() as usize);
            let new = new & after.live;
            if !new.is_empty()
                && let Some(cells) = visit(lines, after, pairs & after.live | new, visits)
            {
                return Some(cells | both);
            }
        }
    }
    None
}

/// The same in the real game, with so many stones: answers may complete lines of the other side, or threaten to, which must
/// then be answered by the next threat. Neither side has a line with a single empty cell yet.
pub fn forced_before<T: Word>(lines: &Lines<T>, duel: Duel<T>, stones: u32) -> Option<u64> {
    let pairs = lines.pairs(Field { empty: duel.empty, live: duel.attack });
    if pairs.is_empty() {
        return None;
    }
    visit_before(lines, duel, pairs, 0, stones, &mut { MOST_VISITS })
}

/// `block`: the cell with which the other side would complete a line, if there is one.
fn visit_before<T: Word>(
    lines: &Lines<T>,
    duel: Duel<T>,
    pairs: T,
    block: u64,
    stones: u32,
    visits: &mut u32,
) -> Option<u64> {
    // One stone for a threat, one for the line.
    let left = stones.checked_sub(1).filter(|&left| left >= 1)?;
    *visits = visits.checked_sub(1)?;
    for line in each(pairs) {
        let both = lines.cells(line) & duel.empty;
        for threat in [both.lowest(), both.without_lowest()] {
            if block & !threat != 0 {
                continue;
            }
            let answer = both & !threat;
            let taken = duel.attacked(lines, threat.index() as usize);
            let through = lines.through(threat.index() as usize);
            if lines.last_cells(through & duel.attack, taken.empty) & !answer != 0 {
                return Some(threat | lines.last_cells(through & duel.attack, taken.empty));
            }
            let after = taken.defended(lines, answer.index() as usize);
            let new = lines.pairs(Field { empty: after.empty, live: through & after.attack });
            let blocks = lines.last_cells(after.defence & lines.through(answer.index() as usize), after.empty);
            if blocks.count_ones() > 1 || new.is_empty() {
                continue;
            }
            if let Some(cells) = visit_before(lines, after, pairs & after.attack | new, blocks, left, visits) {
                return Some(cells | both);
            }
        }
    }
    None
}
