//! What the search of five in a row leaves out, and how deep it looks at the rest.
//!
//! Estimates are in hundredths, 200 to a logit of the odds to win; depths are in plies with fractions. The numbers were
//! found by matches at equal nodes.

use crate::rules::Move;
use crate::search::table::{Bound, Entry};
use crate::units::{FineDepth, Score};

/// The depth of a forced reply: it is searched deeper than others, so that a four and its block cost less than a ply. Past the
/// horizon it only leads back to it, or fours would go on without end.
pub fn reply_depth(depth: FineDepth) -> FineDepth {
    if depth > FineDepth::ZERO { depth + 1.25 } else { FineDepth(1.0) }
}

/// How far above the window an estimate must lie to be believed: per ply that is left after the next, one less if the
/// side to move stands better than before, and less if the node is to refute and nothing is known of it.
pub fn futility_margin(depth: FineDepth, improving: bool, hasty: bool) -> i32 {
    let per_ply = if hasty { 50.0 } else { 60.0 };
    let plies = depth.0 - if improving { 2.0 } else { 1.0 };
    (per_ply * plies).max(0.0) as i32
}

/// How far below the window an estimate must lie for nothing but fours to be tried; `None` where it is not done.
pub fn razor_margin(depth: FineDepth) -> Option<i32> {
    (depth <= FineDepth(2.5)).then_some((20.0 + 15.0 * depth.0) as i32)
}

/// Whether a move comes so late that neither it nor what follows need be tried.
pub fn is_late(number: usize, depth: FineDepth, improving: bool) -> bool {
    let most = (3.0 + depth.0.max(1.0).floor().powf(1.3)) as usize;
    number >= if improving { most } else { most / 2 }
}

/// Where a move raised alpha, the others are searched less deep.
pub fn after_success(depth: FineDepth) -> FineDepth {
    if depth > FineDepth(2.0) && depth < FineDepth(12.0) { depth - 1.0 } else { depth }
}

/// Reduction of late moves: the product of the logarithms of depth and number.
pub fn late_reduction(depth: FineDepth, number: usize) -> f32 {
    depth.0.max(1.0).ln() * (number.max(1) as f32).ln()
}

/// The depth of a late move, given what it would be without a reduction.
pub fn reduced(depth: FineDepth, reduction: f32) -> FineDepth {
    FineDepth((depth.0 - reduction).min(depth.0 + 1.0).max(1.0))
}

/// How far above the window a node's estimate must lie for its quiet moves to be searched a ply less deep.
pub fn high_margin(depth: FineDepth, defending: bool) -> i32 {
    (15.0 * depth.0) as i32 + if defending { 80 } else { 0 }
}

/// The move to be tested for being the only good one, if the table knows one well enough, with its value.
pub fn singular_candidate(depth: FineDepth, known: Option<Entry>) -> Option<(Move, Score)> {
    let entry = known.filter(|_| depth >= FineDepth(7.0))?;
    let deep = FineDepth::from(entry.depth) >= depth - 3.0;
    let refuted = entry.bound != Bound::Upper;
    entry.best.filter(|_| deep && refuted && !entry.score.is_decided()).map(|best| (best, entry.score))
}

/// By how much the others must be worse for a move to be singular.
pub fn singular_margin(depth: FineDepth) -> i32 {
    depth.0 as i32
}

/// How deep the others are searched to find out.
pub fn singular_depth(depth: FineDepth) -> FineDepth {
    FineDepth(0.5 * depth.0)
}

/// A singular move that is better by this much more is extended twice as far,
pub const DOUBLE_MARGIN: i32 = 30;
/// unless the line was extended by so much already.
pub const MOST_EXTENDED: f32 = 10.0;
